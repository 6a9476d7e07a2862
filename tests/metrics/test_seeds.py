"""Statistics over seeds against scipy: Welch's and Student's intervals."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

from clwork import metrics


def test_unpaired_methods_have_welch_s_interval_widened_for_the_number_of_pairs() -> None:
    random = np.random.default_rng(0)
    spreads = {"a": 1, "b": 3, "c": 2}
    scores = {
        name: (60 + spread * random.standard_normal(4 + spread)).tolist()
        for name, spread in spreads.items()
    }
    for chosen, level in ((("a", "b"), 0.95), (("a", "b", "c"), 1 - 0.05 / 3)):
        found = metrics.differences({name: scores[name] for name in chosen})
        assert [(d.first, d.second) for d in found] == list(combinations(chosen, 2))
        for d in found:
            expected = ttest_ind(
                scores[d.first], scores[d.second], equal_var=False
            ).confidence_interval(level)
            assert (d.low, d.high) == pytest.approx((expected.low, expected.high))
            assert d.mean == pytest.approx(np.mean(scores[d.first]) - np.mean(scores[d.second]))


def test_pairs_have_student_s_interval(subtests: pytest.Subtests) -> None:
    cases: list[float] = [0.9, 0.95, 1 - 0.05 / 75]
    for confidence in cases:
        with subtests.test(confidence=confidence):
            random = np.random.default_rng(1)
            luck = 5 * random.standard_normal(6)  # the effect of a seed, equal in both methods
            a, b = 61 + luck + 0.3 * random.standard_normal(6), 60 + luck
            found, expected = metrics.paired(a.tolist(), b.tolist(), confidence), ttest_rel(a, b)
            interval = expected.confidence_interval(confidence)
            assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
            assert (found.mean, found.p) == pytest.approx((np.mean(a - b), expected.pvalue))
            assert (found.verdict == "higher") == (expected.pvalue < 1 - confidence)
            (unpaired,) = metrics.differences({"a": a.tolist(), "b": b.tolist()}, confidence)
            assert unpaired.verdict == "not significant", "the guard: only pairs are decisive"
