"""Accuracy, precision, recall and F1 of a classifier's guesses, such as one that is trained on frozen vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .inputs import label_list


def classification_scores(true: Sequence[Any], predicted: Sequence[Any]) -> dict[str, float]:
    """Return ``accuracy`` and macro-averaged ``precision``, ``recall`` and ``f1``, × 100; range [0, 100].

    ``accuracy`` is the share of correct predictions; the one-against-rest average of MoCoUTRL's eq. 13 would be higher
    (M12). A class that is never predicted has precision 0.

    >>> classification_scores(["a", "a", "b", "c"], ["a", "b", "b", "b"])["accuracy"]
    50.0
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    count = len(true) if hasattr(true, "__len__") else 0
    known = [label_list(true, "true", count), label_list(predicted, "predicted", count)]
    if not count or None in known[0] + known[1]:
        raise ValueError(
            "true and predicted need at least one label, and none may be None or NaN; leave such rows out"
        )
    if len({isinstance(label, str) for label in known[0] + known[1]}) > 1:
        raise TypeError(
            "true and predicted mix strings and numbers, which are never equal; use one of the two"
        )
    precision, recall, f1, _ = precision_recall_fscore_support(
        *known, average="macro", zero_division=0.0
    )
    scores = {
        "accuracy": accuracy_score(*known),
        "f1": f1,
        "precision": precision,
        "recall": recall,
    }
    return {name: 100 * float(score) for name, score in scores.items()}
