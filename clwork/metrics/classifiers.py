"""Accuracy, precision, recall and F1 of a classifier's guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def classification_scores(true: Sequence[Any], predicted: Sequence[Any]) -> dict[str, float]:
    """Return ``accuracy`` and macro-averaged ``precision``, ``recall`` and ``f1``, × 100.

    ``accuracy`` is the share of correct predictions; the one-against-rest average of MoCoUTRL's
    eq. 13 would be higher (discrepancy M12). A class that is never predicted has precision 0.

    Shapes: ``true`` and ``predicted`` N labels each. Range [0, 100].

    Raises:
        ValueError: the numbers of labels differ.

    >>> classification_scores(["a", "a", "b", "c"], ["a", "b", "b", "b"])["accuracy"]
    50.0
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    precision, recall, f1, _ = precision_recall_fscore_support(
        true, predicted, average="macro", zero_division=0.0
    )
    scores = {
        "accuracy": accuracy_score(true, predicted),
        "f1": f1,
        "precision": precision,
        "recall": recall,
    }
    return {name: 100 * float(score) for name, score in scores.items()}
