"""STS: one ranking or an average of rankings, every sentence once, and failures that explain themselves."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from clwork import metrics


@dataclass
class Pairs:
    sentences1: list[str]
    sentences2: list[str]
    scores: Sequence[float | None]
    subsets: list[str] | None = None


class Angles:
    """An encoder whose sentences name the angle, in degrees, at which their vector lies."""

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


def pairs(angles: Sequence[float], scores: Sequence[float | None], subsets: list[str] | None = None) -> Pairs:
    """Pairs at the given angles, each from a sentence at 0."""
    return Pairs(["0"] * len(angles), [f"{angle}" for angle in angles], scores, subsets)


def test_it_is_scipy_s_spearman_with_ties() -> None:
    from scipy.stats import spearmanr

    random = np.random.default_rng(0)
    angles = random.integers(0, 180, 60).astype(float)
    gold = random.integers(0, 6, 60).astype(float)
    task = pairs(angles.tolist(), gold.tolist())
    found = metrics.sts(Angles(), {"stsb": task})
    expected = 100 * spearmanr(np.cos(np.radians(angles.astype(np.float32))), gold).statistic
    assert set(found) == {"stsb", "avg"} and type(found["stsb"]) is float
    assert found["stsb"] == pytest.approx(expected, abs=1e-6)
    assert found["avg"] == found["stsb"]


def test_perfect_and_reversed_order() -> None:
    assert metrics.sts(Angles(), {"a": pairs([0, 30, 90], [5, 3, 1])})["a"] == pytest.approx(100)
    assert metrics.sts(Angles(), {"a": pairs([0, 30, 90], [1, 3, 5])})["a"] == pytest.approx(-100)


# two subsets, each ranked perfectly by itself; the second's cosines lie above the first's, and its scores below
TWO = pairs([50, 60, 70, 80, 10, 20], [5, 4.5, 4, 3.5, 1, 0], ["images"] * 4 + ["forum"] * 2)


def test_all_is_not_the_mean_of_subsets() -> None:
    together = metrics.sts(Angles(), {"sts14": TWO}, aggregation="all")["sts14"]
    apart = metrics.sts(Angles(), {"sts14": TWO}, aggregation="mean")["sts14"]
    weighted = metrics.sts(Angles(), {"sts14": TWO}, aggregation="wmean")["sts14"]
    assert apart == pytest.approx(100) and weighted == pytest.approx(100)
    # cosine ranks 4 3 2 1 6 5, gold ranks 6 5 4 3 2 1: 1 - 6 (4·4 + 2·16) / (6·35)
    assert together == pytest.approx(100 * (1 - 6 * 48 / 210))


def test_wmean_weighs_by_size_and_details_name_the_subsets() -> None:
    task = pairs([50, 60, 70, 80, 10, 20], [5, 4.5, 4, 3.5, 0, 1], ["images"] * 4 + ["forum"] * 2)
    assert metrics.sts(Angles(), {"x": task}, "mean")["x"] == pytest.approx(0)
    assert metrics.sts(Angles(), {"x": task}, "wmean")["x"] == pytest.approx(100 * (4 - 2) / 6)
    for aggregation in ("all", "mean", "wmean"):
        found = metrics.sts(Angles(), {"x": task}, aggregation, details=True)
        assert set(found) == {"x", "avg", "x/images", "x/forum"}
        assert found["x/images"] == pytest.approx(100) and found["x/forum"] == pytest.approx(-100)
        assert found["avg"] == found["x"]


@pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
def test_without_subsets_all_aggregations_agree(aggregation: str) -> None:
    task = pairs([10, 20, 30, 40], [4, 1, 3, 2])
    found = metrics.sts(Angles(), {"x": task}, aggregation, details=True)  # type: ignore[arg-type]
    assert found == pytest.approx({"x": 40.0, "avg": 40.0})


@pytest.mark.parametrize(("aggregation", "warned"), [("all", 0), ("mean", 1), ("wmean", 1)])
def test_a_yearly_task_without_subsets_has_no_mean_of_its_own(aggregation: str, warned: int) -> None:
    tasks = {"sts14": pairs([10, 20, 30], [3, 1, 2]), "stsb": pairs([10, 20], [2, 1]), "sts12": TWO}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        metrics.sts(Angles(), tasks, aggregation)  # type: ignore[arg-type]
    assert len(told) == warned
    assert all(str(one.message).startswith("sts14 came without subsets") for one in told)


def test_seven_tasks_have_one_avg() -> None:
    names = ["sts12", "sts13", "sts14", "sts15", "sts16", "stsb", "sickr"]
    tasks = {name: pairs([10, 20, 30, 40], list(np.roll([4, 3, 2, 1], k))) for k, name in enumerate(names)}
    found = metrics.sts(Angles(), tasks)
    assert list(found) == [*names, "avg"]
    assert found["avg"] == pytest.approx(np.mean([found[name] for name in names]))


def test_avg_is_the_plain_mean_of_tasks() -> None:
    found = metrics.sts(Angles(), {"a": pairs([10, 20, 30], [3, 2, 1]), "b": pairs([10, 20], [1, 2])})
    assert found == pytest.approx({"a": 100, "b": -100, "avg": 0})


def test_every_sentence_is_encoded_once_over_all_tasks() -> None:
    encoder = Angles()
    metrics.sts(encoder, {"a": pairs([10, 20, 30, 20], [4, 3, 2, 3]), "b": pairs([20, 30], [2, 1])})
    (texts,) = encoder.seen
    assert sorted(texts) == ["0", "10", "20", "30"]


def test_rows_without_gold_are_dropped() -> None:
    encoder = Angles()
    found = metrics.sts(encoder, {"a": pairs([10, 77, 20, 88, 30], [3, None, 2, math.nan, 1])})
    assert found["a"] == pytest.approx(100)
    assert "77" not in encoder.seen[0] and "88" not in encoder.seen[0]


@pytest.mark.parametrize("encoder", [Constant(1, 2, 3), Constant(0, 0), Constant(1, 2, jitter=1e-7)])
def test_a_collapsed_encoder_is_explained_and_is_no_nan(encoder: Constant) -> None:
    with pytest.raises(metrics.CollapsedEncoderError, match=r"stsb: all 3 pairs have the cosine .* collapsed"):
        metrics.sts(encoder, {"stsb": pairs([10, 20, 30], [1, 2, 3])})
    assert issubclass(metrics.CollapsedEncoderError, ValueError)


def test_a_narrow_but_living_encoder_is_scored() -> None:
    assert -100 <= metrics.sts(Constant(1, 2, jitter=1e-3), {"a": pairs([10, 20, 30], [1, 2, 3])})["a"] <= 100


def test_an_encoder_that_returns_nan_or_too_little_is_refused() -> None:
    class Short(Angles):
        def encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
            return super().encode(texts)[:-1]

    task = {"a": pairs([10, 20, 30], [1, 2, 3])}
    with pytest.raises(ValueError, match="encoder's output has NaN"):
        metrics.sts(Constant(math.nan, 1), task)
    with pytest.raises(ValueError, match="3 vectors for 4 sentences"):
        metrics.sts(Short(), task)


def test_what_sts_refuses() -> None:
    good = pairs([10, 20, 30], [1, 2, 3])
    with pytest.raises(ValueError, match="'all', 'mean', 'wmean'"):
        metrics.sts(Angles(), {"a": good}, aggregation="median")  # type: ignore[arg-type]
    for tasks in ({}, {"avg": good}):
        with pytest.raises(ValueError, match="at least one"):
            metrics.sts(Angles(), tasks)
    with pytest.raises(ValueError, match="must have the same"):
        metrics.sts(Angles(), {"a": Pairs(["0", "0"], ["1"], [1, 2])})
    with pytest.raises(ValueError, match="1 of 2 pairs have a gold score"):
        metrics.sts(Angles(), {"a": pairs([10, 20], [1, None])})
    with pytest.raises(ValueError, match="all 3 gold scores are 2"):
        metrics.sts(Angles(), {"a": pairs([10, 20, 30], [2, 2, 2])})
    with pytest.raises(ValueError, match="a/forum: 1 scored pair"):
        metrics.sts(Angles(), {"a": pairs([10, 20, 30], [1, 2, 3], ["x", "x", "forum"])}, "mean")
