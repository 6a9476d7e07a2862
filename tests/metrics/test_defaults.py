"""A metric called without a setting uses the usual value; transfer uses SentEval's constants."""

from __future__ import annotations

import inspect
from typing import Any

from clwork import metrics
from clwork.metrics.transfer_scores import NESTED, ROUNDS, SEED, TRAIN_TEST

DEFAULTS: dict[str, dict[str, Any]] = {
    "alignment": {"alpha": 2},
    "uniformity": {"t": 2},
    "singular_values": {"centre": False},
    "effective_rank": {"centre": False},
    "top_eigenvalue_share": {"centre": False},
    "nearest": {"k": 10},
    "retrieval": {"k": 10},
    "neighbour_agreement": {"k": 10},
    "knn_label_accuracy": {"k": 10},
    "pair_auc": {"max_pairs": 200_000, "seed": 0},
    "sts": {"aggregation": "all", "details": False},
    "differences": {"confidence": 0.95},
    "paired": {"confidence": 0.95, "names": ("first", "second")},
    "transfer": {"folds": 10, "seed": 1111, "details": False},
}


def test_defaults_are_the_usual_values() -> None:
    for name, wanted in DEFAULTS.items():
        parameters = inspect.signature(getattr(metrics, name)).parameters
        assert {setting: parameters[setting].default for setting in wanted} == wanted, name
    assert NESTED == (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    assert TRAIN_TEST == (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
    assert (SEED, ROUNDS) == (1111, 100)
