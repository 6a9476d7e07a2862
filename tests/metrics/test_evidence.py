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


def test_pairs_have_student_s_interval(subtests: pytest.Subtests) -> None:
    cases: list[float] = [0.9, 0.95, 1 - 0.05 / 75]
    for confidence in cases:
        with subtests.test(confidence=confidence):
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


def test_the_seeds_needed_are_the_first_number_that_decides(subtests: pytest.Subtests) -> None:
    for copies in (
        1,
        2,
        7,
        40,
    ):
        with subtests.test(copies=copies):

            def verdict(effect: float, n: int) -> str:
                gaps = np.resize([-1.0, 1.0], n - n % 2)
                gaps = np.append(gaps, [0.0] * (n % 2))
                gaps = effect + gaps / gaps.std(ddof=1)  # mean `effect`, standard deviation 1
                return metrics.paired(gaps.tolist(), [0.0] * n).verdict

            effect = 1 / copies
            needed = metrics.paired([effect - 1, effect, effect + 1], [0.0] * 3).seeds_needed
            assert needed is not None
            assert (verdict(effect, needed - 1), verdict(effect, needed)) == ("not told apart", "higher")


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
