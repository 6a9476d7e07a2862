"""Scores of a classifier's guesses."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from clwork import metrics


def test_classification_scores_are_scikit_learn_s_macro_means() -> None:
    random = np.random.default_rng(0)
    true, guess = (
        random.integers(0, 7, 300),
        random.integers(0, 6, 300),
    )  # one class is never guessed
    found = metrics.classification_scores(true.tolist(), guess.tolist())
    many = {"average": "macro", "zero_division": 0}
    assert found == pytest.approx(
        {
            "accuracy": 100 * accuracy_score(true, guess),
            "f1": 100 * f1_score(true, guess, **many),
            "precision": 100 * precision_score(true, guess, **many),
            "recall": 100 * recall_score(true, guess, **many),
        }
    )
