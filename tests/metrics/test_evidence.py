"""What seeds support: Welch's interval against scipy, widened for many pairs, and null results called so."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from clwork import metrics


def test_two_methods_have_welch_s_interval() -> None:
    from scipy.stats import ttest_ind

    random = np.random.default_rng(0)
    a, b = (60 + random.standard_normal(4)).tolist(), (58 + 3 * random.standard_normal(6)).tolist()
    (found,) = metrics.differences({"a": a, "b": b})
    expected = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.mean == pytest.approx(np.mean(a) - np.mean(b))


def test_more_pairs_widen_every_interval() -> None:
    from scipy.stats import ttest_ind

    scores = {"a": [1.0, 2.0, 3.0], "b": [2.0, 2.5, 4.0], "c": [0.0, 0.1, 0.5]}
    found = metrics.differences(scores)
    assert [(d.first, d.second) for d in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    expected = ttest_ind(scores["a"], scores["c"], equal_var=False).confidence_interval(1 - 0.05 / 3)
    assert (found[1].low, found[1].high) == pytest.approx((expected.low, expected.high))


def test_verdicts_and_their_words() -> None:
    near, far = [10.0, 11.0, 12.0], [50.0, 51.0, 52.0]
    above, null = metrics.differences({"far": far, "near": near})[0], metrics.differences({"x": near, "y": near})[0]
    below = metrics.differences({"near": near, "far": far})[0]
    assert (above.verdict, below.verdict, null.verdict) == ("higher", "lower", "not told apart")
    assert "far is higher than near (+40.00" in str(above) and "x cannot be told from y" in str(null)


def test_chance_is_rarely_taken_for_a_difference() -> None:
    random, wrong = np.random.default_rng(0), 0
    for _ in range(300):
        five = {name: random.standard_normal(3).tolist() for name in "abcde"}
        wrong += any(difference.verdict != "not told apart" for difference in metrics.differences(five))
    assert wrong <= 0.07 * 300, "in at most about 5 of 100 tables of noise one pair or more is told apart"


def test_equal_values_have_no_spread() -> None:
    (found,) = metrics.differences({"a": [1.0] * 3, "b": [1.0] * 3})
    assert (found.low, found.high, found.verdict) == (0.0, 0.0, "not told apart")


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two methods with 3 seeds"):
        metrics.differences({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="at least two"):
        metrics.differences({"a": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="have failed"):
        metrics.differences({"a": [1.0, 2.0, float("nan")], "b": [1.0, 2.0, 3.0]})
    for confidence in (0, 1, -0.5, 1.5):
        with pytest.raises(ValueError, match="give a number between 0 and 1"):
            metrics.differences({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 4.0]}, confidence)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 1 - 0.05 / 75])
def test_pairs_have_student_s_interval(confidence: float) -> None:
    random = np.random.default_rng(1)
    luck = 5 * random.standard_normal(6)  # of a seed, in both methods
    a, b = 61 + luck + 0.3 * random.standard_normal(6), 60 + luck
    found, expected = metrics.paired(a.tolist(), b.tolist(), confidence), ttest_rel(a, b)
    interval = expected.confidence_interval(confidence)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert (found.mean, found.p) == pytest.approx((np.mean(a - b), expected.pvalue))
    assert (found.verdict == "higher") == (expected.pvalue < 1 - confidence)
    (unpaired,) = metrics.differences({"a": a.tolist(), "b": b.tolist()}, confidence)
    assert unpaired.verdict == "not told apart", "the guard: pairs are what tells"


@pytest.mark.parametrize("copies", [1, 2, 7, 40])
def test_the_seeds_needed_are_the_first_number_that_decides(copies: int) -> None:
    def verdict(effect: float, n: int) -> str:
        gaps = np.resize([-1.0, 1.0], n - n % 2)
        gaps = np.append(gaps, [0.0] * (n % 2))
        gaps = effect + gaps / gaps.std(ddof=1)  # mean `effect`, standard deviation 1
        return metrics.paired(gaps.tolist(), [0.0] * n).verdict

    effect = 1 / copies
    needed = metrics.paired([effect - 1, effect, effect + 1], [0.0] * 3).seeds_needed
    assert needed is not None
    assert (verdict(effect, needed - 1), verdict(effect, needed)) == ("not told apart", "higher")


def test_pairs_without_spread() -> None:
    null, point = metrics.paired([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), metrics.paired([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])
    assert (null.low, null.high, null.verdict, null.p, null.seeds_needed) == (0, 0, "not told apart", 1, None)
    assert (point.low, point.high, point.verdict, point.p, point.seeds_needed) == (-1, -1, "lower", 0, 3)
    even = metrics.paired([1.0, -1.0, 0.0], [0.0] * 3)
    assert (even.mean, even.p, even.seeds_needed) == (0, 1, None)
    assert metrics.paired([1.0, -1.0, 1e-300], [0.0] * 3).seeds_needed is None


def test_pairs_of_noise_are_rarely_told_apart() -> None:
    random = np.random.default_rng(0)
    wrong = sum(metrics.paired(*random.standard_normal((2, 5))).verdict != "not told apart" for _ in range(600))
    assert 0.03 * 600 <= wrong <= 0.07 * 600, "5 of 100 at a confidence of .95"


def test_holm_rejects_what_its_procedure_rejects() -> None:
    """Step by step: the smallest p against .05 / k, the next against .05 / (k - 1), until one fails."""
    random = np.random.default_rng(0)
    for _ in range(200):
        values = (random.random(6) ** 3 / 5).tolist()
        rejected: set[int] = set()
        for place, row in enumerate(np.argsort(values)):
            if values[row] > 0.05 / (6 - place):
                break
            rejected.add(int(row))
        assert {row for row, p in enumerate(metrics.holm(values)) if p <= 0.05} == rejected
    assert metrics.holm([]) == [] and metrics.holm([0.9, 0.8]) == [1.0, 1.0]
