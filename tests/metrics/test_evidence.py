"""What seeds support: Welch's interval against scipy, widened for many pairs, and null results called so."""

from __future__ import annotations

import numpy as np
import pytest

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
