"""STS: one ranking or an average of rankings, every sentence encoded once, and errors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from clwork import metrics
from clwork.metrics.inputs import CollapsedEncoderError


@dataclass
class Pairs:
    sentences1: list[str]
    sentences2: list[str]
    scores: Sequence[float | None]
    subsets: list[str] | None = None


class Angles:
    """An encoder of vectors in the plane; a sentence is the angle of its vector in degrees."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
        self.seen.append(list(texts))
        angle = np.radians([float(text.split()[0]) for text in texts])
        return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)


class Constant:
    def __init__(self, *vector: float, jitter: float = 0.0) -> None:
        self.vector, self.jitter = np.array(vector, dtype=np.float32), jitter

    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
        noise = np.random.default_rng(0).standard_normal((len(texts), len(self.vector)))
        return np.asarray(self.vector + self.jitter * noise, dtype=np.float32)


def pairs(
    angles: Sequence[float], scores: Sequence[float | None], subsets: list[str] | None = None
) -> Pairs:
    """Pairs of a sentence at angle 0 with one at each given angle."""
    return Pairs(["0"] * len(angles), [f"{angle}" for angle in angles], scores, subsets)


def test_it_is_scipy_s_spearman_with_ties() -> None:
    from scipy.stats import spearmanr

    random = np.random.default_rng(0)
    angles = random.integers(0, 180, 60).astype(float)
    gold = random.integers(0, 6, 60).astype(float)
    task = pairs(angles.tolist(), gold.tolist())
    found = metrics.sts(Angles(), {"stsb": task})
    expected = 100 * spearmanr(np.cos(np.radians(angles.astype(np.float32))), gold).statistic
    assert set(found) == {"stsb", "avg"}
    assert type(found["stsb"]) is float
    assert found["stsb"] == pytest.approx(expected, abs=1e-6)
    assert found["avg"] == found["stsb"]


# Two perfectly ranked subsets; the second has higher cosines and lower scores.
TWO = pairs([50, 60, 70, 80, 10, 20], [5, 4.5, 4, 3.5, 1, 0], ["images"] * 4 + ["forum"] * 2)


def test_wmean_weighs_subsets_by_size() -> None:
    task = pairs([50, 60, 70, 80, 10, 20], [5, 4.5, 4, 3.5, 0, 1], ["images"] * 4 + ["forum"] * 2)
    assert metrics.sts(Angles(), {"x": task}, "mean")["x"] == pytest.approx(0)
    assert metrics.sts(Angles(), {"x": task}, "wmean")["x"] == pytest.approx(100 * (4 - 2) / 6)


def test_a_yearly_task_without_subsets_has_no_mean_of_subsets(subtests: pytest.Subtests) -> None:
    for aggregation, warned in (("all", 0), ("mean", 1), ("wmean", 1)):
        with subtests.test(aggregation=aggregation, warned=warned):
            tasks = {
                "sts14": pairs([10, 20, 30], [3, 1, 2]),
                "stsb": pairs([10, 20], [2, 1]),
                "sts12": TWO,
            }
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                metrics.sts(Angles(), tasks, aggregation)  # type: ignore[arg-type]
            assert len(caught) == warned
            assert all(str(one.message).startswith("sts14 came without subsets") for one in caught)


def test_every_sentence_is_encoded_once_over_all_tasks() -> None:
    encoder = Angles()
    metrics.sts(encoder, {"a": pairs([10, 20, 30, 20], [4, 3, 2, 3]), "b": pairs([20, 30], [2, 1])})
    (texts,) = encoder.seen
    assert sorted(texts) == ["0", "10", "20", "30"]


def test_rows_without_gold_are_dropped() -> None:
    encoder = Angles()
    found = metrics.sts(encoder, {"a": pairs([10, 77, 20, 88, 30], [3, None, 2, math.nan, 1])})
    assert found["a"] == pytest.approx(100)
    assert "77" not in encoder.seen[0]
    assert "88" not in encoder.seen[0]


@pytest.mark.parametrize(
    "encoder", [Constant(1, 2, 3), Constant(0, 0), Constant(1, 2, jitter=1e-7)]
)
def test_a_collapsed_encoder_is_explained_and_is_no_nan(encoder: Constant) -> None:
    message = r"stsb: all 3 pairs have the cosine .* collapsed"
    with pytest.raises(CollapsedEncoderError, match=message):
        metrics.sts(encoder, {"stsb": pairs([10, 20, 30], [1, 2, 3])})


def test_equal_pairs_are_no_collapse_and_lose_no_other_task() -> None:
    same = Pairs(["10", "20", "30"], ["10", "20", "30"], [1, 2, 3])
    good = pairs([10, 20, 30], [3, 2, 1])
    with pytest.raises(
        ValueError,
        match=r"same: all 3 pairs have the cosine 1.0*, but the sentences' vectors differ",
    ):
        metrics.sts(Angles(), {"same": same})
    for bad in (same, pairs([10, 20], [3, 3]), pairs([10], [3]), pairs([10], [None])):
        with pytest.warns(UserWarning, match="a task has no score: bad: "):
            found = metrics.sts(Angles(), {"bad": bad, "good": good})
        assert found["good"] == pytest.approx(100)
        assert math.isnan(found["bad"])
        assert math.isnan(found["avg"])
