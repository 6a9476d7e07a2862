"""What a metric does where nothing is said, and the constants of others that its figures are compared by."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from clwork import metrics
from clwork.metrics.transfer_scores import NESTED, PROCEDURES, ROUNDS, SEED, TRAIN_TEST

M: Any = metrics
RANDOM = np.random.default_rng(0)
X, Y = RANDOM.standard_normal((2, 60, 8)) + 0.3
LABELS = [f"topic {i % 4}" for i in range(60)]
MANY = RANDOM.standard_normal((640, 3))  # 204,480 pairs
SCORES = {"a": [1.0, 2.0, 4.0], "b": [2.0, 5.0, 5.5]}
TASK = SimpleNamespace(
    sentences1=["0"] * 6, sentences2=list("123456"), scores=[1.0, 3.0, 2.0, 6.0, 5.0, 4.0], subsets=list("aaaabb")
)
SPLITS = SimpleNamespace(splits={"all": SimpleNamespace(texts=[str(i) for i in range(60)], labels=LABELS, others=None)})


class Rows:
    """Gives the n-th vector for the sentence "n"."""

    def encode(self, texts: list[str]) -> Any:
        return X[[int(text) for text in texts]]


TRANSFER = partial(M.transfer, Rows(), {"mr": SPLITS})
# How it is called, whose setting, what is said by saying nothing, and something else.
DEFAULTS: list[tuple[Callable[..., Any], str, Any, Any]] = [
    (partial(M.alignment, X, Y), "alpha", 2, 3),
    (partial(M.uniformity, X), "t", 2, 3),
    (partial(M.singular_values, X), "centre", False, True),
    (partial(M.effective_rank, X), "centre", False, True),
    (partial(M.top_eigenvalue_share, X), "centre", False, True),
    (partial(M.nearest, X), "k", 10, 9),
    (partial(M.retrieval, X, LABELS), "k", 10, 11),
    (partial(M.neighbour_agreement, X, Y), "k", 10, 11),
    (partial(M.knn_label_accuracy, X, LABELS), "k", 10, 11),
    (partial(M.pair_auc, MANY, [i % 9 for i in range(640)]), "max_pairs", 200_000, 199_999),
    (partial(M.pair_auc, X, LABELS, max_pairs=100), "seed", 0, 1),
    (partial(M.sts, Rows(), {"own": TASK}), "aggregation", "all", "mean"),
    (partial(M.sts, Rows(), {"own": TASK}), "details", False, True),
    (partial(M.differences, SCORES), "confidence", 0.95, 0.9),
    (partial(M.paired, *SCORES.values()), "confidence", 0.95, 0.9),
    (partial(M.paired, *SCORES.values()), "names", ("first", "second"), ("a", "b")),
    (partial(TRANSFER, folds=2), "details", False, True),
]


@pytest.mark.parametrize(("metric", "name", "default", "other"), DEFAULTS)
def test_nothing_said_is_the_usual_setting(metric: Callable[..., Any], name: str, default: Any, other: Any) -> None:
    assert repr(metric()) == repr(metric(**{name: default}))
    assert repr(metric()) != repr(metric(**{name: other})), "the guard: it does matter"


def test_transfer_is_senteval_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folds and seed, its grids of C (2⁻² to 2³, and 2⁻¹ to 2⁵ where there is a test set) and its 100 rounds."""
    assert NESTED == (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    assert TRAIN_TEST == (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
    assert (SEED, ROUNDS) == (1111, 100)
    asked: list[tuple[int, int]] = []

    def nested(x: Any, y: Any, folds: int, seed: int) -> Any:
        asked.append((folds, seed))
        return 1.0, y["all"], y["all"]

    monkeypatch.setitem(PROCEDURES, ("all",), nested)
    TRANSFER()
    assert asked == [(10, 1111)]
