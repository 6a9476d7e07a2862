"""The decision rule: paired, corrected over all comparisons; equality needs evidence."""

from __future__ import annotations

import numpy as np
import pytest

from clwork.claims.ledger import METRICS, Claim, Expectation
from clwork.claims.verdicts import Answer, Comparison, count_verdicts, threshold_of

STS = METRICS["sts"]
SEEDS = tuple(range(5))
NOISE = (0.3, -0.2, 0.1, -0.4, 0.2)


def compared(sign: str, gap: float, spread: float = 1.0) -> Comparison:
    """Two arms whose difference is about ``gap``."""
    right = tuple(60.0 + 3 * value for value in NOISE)  # noise that both arms share cancels in the difference
    left = tuple(r + gap + spread * value for r, value in zip(right, reversed(NOISE), strict=True))
    return Comparison(Expectation("a", sign, "b"), STS, left, right, SEEDS)  # type: ignore[arg-type]


def answered(*comparisons: Comparison) -> Answer:
    claim = Claim("simcse/made-up", "It is so.", STS, tuple(c.expected for c in comparisons), {})
    return Answer(claim, comparisons, (), threshold_of(comparisons), "mini")


def test_the_sign_of_a_difference_decides_and_equality_needs_evidence() -> None:
    for sign, gap, verdict in [
        (">", 2.0, "supported"),
        ("<", 2.0, "refuted"),
        (">", -2.0, "refuted"),
        ("<", -2.0, "supported"),
        (">", 0.1, "inconclusive"),
        ("=", 2.0, "refuted"),
        ("=", 0.0, "supported"),
    ]:
        assert compared(sign, gap, spread=0.5).verdict(0.05) == verdict, (sign, gap)
    wide = compared("=", 0.0, spread=5.0)
    assert wide.p_equal > 0.05 and wide.verdict(0.05) == "inconclusive", "no difference found is not equality"
    assert compared("=", 0.3, spread=0.2).verdict(0.05) == "supported", "there is one, below the margin"


def test_equal_arms_decide_nothing_and_numbers_without_seeds_have_no_p_value() -> None:
    same = Comparison(Expectation("a", ">", "b"), STS, (1.0, 2.0, 3.0), (1.0, 2.0, 3.0), (0, 1, 2))
    assert same.verdict(0.05) == "inconclusive" and "has no effect here" in same.remark
    rows = ((">", 2.0, "supported"), (">", -2.0, "refuted"), (">", 0.2, "inconclusive"), ("=", 0.2, "supported"))
    for sign, gap, verdict in rows:
        fixed = Comparison(Expectation("a", sign, "b"), STS, (60.0 + gap,) * 5, (60.0,) * 5, SEEDS)  # type: ignore[arg-type]
        assert fixed.verdict(0.05) == verdict and not fixed.drawn and "one number" in fixed.remark
        open_question = compared(">", 0.1)
        assert threshold_of([fixed] * 50 + [open_question]) == threshold_of([open_question]) == 0.0
        assert answered(fixed).seeds == 0 and "p =" not in str(answered(fixed))


def test_a_claim_needs_all_comparisons_and_one_refutes_it() -> None:
    yes, no, open_question = compared(">", 2.0, 0.5), compared("<", 2.0, 0.5), compared(">", 0.1)
    missing = Comparison(Expectation("a", ">", "c"), STS, why="not there")
    assert answered(yes, yes).verdict == "supported"
    assert answered(yes, open_question).verdict == "inconclusive"
    assert answered(yes, no).verdict == "refuted"
    assert answered(yes, missing).verdict == "not measured" and answered(no, missing).verdict == "refuted"
    assert count_verdicts([answered(yes), answered(no), answered(no)])["refuted"] == 2
    near, far = answered(compared(">", 0.2, spread=1.0)), answered(compared(">", 0.2, spread=3.0))
    assert near.seeds_needed is not None and far.seeds_needed is not None
    assert 5 < near.seeds_needed < far.seeds_needed
    assert str(near).count("\n") == 1 and "would decide it alone" in str(near)


def test_benjamini_and_hochberg_by_hand() -> None:
    class Given(Comparison):
        @property
        def p(self) -> float:
            return self.left[0]

    def family(*values: float) -> list[Comparison]:
        return [Given(Expectation("a", ">", "b"), STS, (p,) * 3, (0.0, 1.0, 2.0), (0, 1, 2)) for p in values]

    # their example: of fifteen p values the four smallest are accepted at 5 %
    published = (0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528)
    assert threshold_of(family(*published, 0.759, 1.0)) == 0.0095
    assert threshold_of(family(0.06, 0.9)) == 0.0


@pytest.mark.nightly
def test_at_most_five_percent_of_null_families_have_a_finding() -> None:
    random, families, wrong = np.random.default_rng(0), 150, 0
    for _ in range(families):
        rows = random.normal(size=(10, 2, 5))
        drawn = [Comparison(Expectation("a", ">", "b"), STS, tuple(left), tuple(right), SEEDS) for left, right in rows]
        wrong += threshold_of(drawn) > 0
    assert 0 < wrong <= families * 0.05 + 3 * (families * 0.05 * 0.95) ** 0.5
