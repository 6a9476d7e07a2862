"""The decision rule: paired, corrected over all comparisons; equality needs evidence."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_rel

from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.table import Answer, Comparison
from clwork.claims.testing import compared as compare
from clwork.claims.verdicts import (
    CLEAR,
    RATE,
    RULE,
    STAGES,
    Difference,
    SetResult,
    family_threshold,
    mean_difference,
    stage_of,
)
from clwork.metrics import paired

STS = METRICS["sts"]
SEEDS = tuple(range(5))
NOISE = (0.3, -0.2, 0.1, -0.4, 0.2)


def given(sign: str, left: Sequence[float], right: Sequence[float]) -> Comparison:
    """Two variants with these values."""
    rows = list(zip(range(len(left)), left, right, strict=True))
    return compare(Expectation("a", sign, "b"), STS, rows)  # type: ignore[arg-type]


def compared(sign: str, gap: float, spread: float = 1.0) -> Comparison:
    """Two variants whose difference is about ``gap``."""
    # Noise that both variants share cancels in the difference.
    right = tuple(60.0 + 3 * value for value in NOISE)
    left = tuple(r + gap + spread * value for r, value in zip(right, reversed(NOISE), strict=True))
    return given(sign, left, right)


def answered(*comparisons: Comparison) -> Answer:
    claim = Claim("clwork/made-up", "It is so.", STS, tuple(c.expected for c in comparisons), {})
    family = family_threshold(each.difference.p for each in comparisons)
    return Answer(claim, comparisons, (), "mini", family=family)


def test_opposite_signs_are_mixed_where_far_above_is_claimed() -> None:
    sets = [
        SetResult(name, 0, 5, Difference(mean, mean - 0.2, mean + 0.2, 1e-6))
        for name, mean in (("stsb/validation", 0.9), ("sickr/validation", -3.0))
    ]
    comparison = replace(compared(">", -1.0), sets=tuple(sets))
    answer = answered(comparison)
    claim = replace(answer.claim, name="simcse/made-up", least=5.0)
    assert replace(answer, claim=claim, family=0.05).finding == "mixed"


def verdict_at_5_percent(comparison: Comparison) -> str:
    """The verdict on an own statement that is this comparison."""
    return replace(answered(comparison), family=0.05).finding


@pytest.mark.parametrize(
    ("sign", "gap", "spread", "verdict"),
    [
        (">", 2.0, 0.5, "supported"),
        ("<", 2.0, 0.5, "refuted"),
        (">", -2.0, 0.5, "refuted"),
        ("<", -2.0, 0.5, "supported"),
        (">", 0.1, 0.5, "inconclusive"),
        ("=", 2.0, 0.5, "refuted"),
        ("=", 0.0, 0.5, "supported"),
        # There is a difference, below the margin.
        ("=", 0.3, 0.2, "supported"),
        # No difference found is not equality.
        ("=", 0.0, 5.0, "inconclusive"),
    ],
)
def test_the_sign_of_a_difference_decides_and_equality_needs_evidence(
    sign: str, gap: float, spread: float, verdict: str
) -> None:
    assert verdict_at_5_percent(compared(sign, gap, spread)) == verdict


@pytest.mark.parametrize(
    ("gap", "spread", "verdict"),
    [
        (0.9, 0.1, "refuted"),
        (-1.2, 0.1, "refuted"),
        (0.7, 0.5, "inconclusive"),
        (-0.7, 0.5, "inconclusive"),
        (1.2, 2.0, "inconclusive"),
    ],
)
def test_an_equality_is_refuted_only_if_its_interval_is_outside_the_margin(
    gap: float, spread: float, verdict: str
) -> None:
    comparison = compared("=", gap, spread)
    difference = comparison.difference
    low, high = sorted((abs(difference.low), abs(difference.high)))
    is_outside = difference.low * difference.high > 0 and low > STS.margin < high
    assert verdict_at_5_percent(comparison) == verdict
    assert is_outside == (verdict == "refuted")
    assert abs(difference.mean) > STS.margin, "the mean alone decides nothing"


def test_equal_variants_decide_nothing_and_numbers_without_seeds_have_no_p_value() -> None:
    same = given(">", (1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
    assert verdict_at_5_percent(same) == "inconclusive"
    assert "has no effect here" in same.remark
    rows = (
        (">", 2.0, "supported"),
        (">", -2.0, "refuted"),
        (">", 0.2, "inconclusive"),
        ("=", 0.2, "supported"),
    )
    for sign, gap, verdict in rows:
        fixed = given(sign, (60.0 + gap,) * 5, (60.0,) * 5)
        assert verdict_at_5_percent(fixed) == verdict
        assert not fixed.drawn
        assert "one number" in fixed.remark
        open_question = compared(">", 0.1).difference.p
        assert family_threshold([fixed.difference.p] * 50 + [open_question]) == CLEAR
        assert answered(fixed).seeds == 0
        assert "p =" not in str(answered(fixed))


def test_a_claim_needs_all_comparisons_and_one_refutes_it() -> None:
    yes, no, open_question = compared(">", 2.0, 0.5), compared("<", 2.0, 0.5), compared(">", 0.1)
    missing = Comparison(Expectation("a", ">", "c"), STS, why="not there")
    assert answered(yes, yes).finding == "supported"
    assert answered(yes, open_question).finding == "inconclusive"
    assert answered(yes, no).finding == "refuted"
    assert answered(yes, missing).finding == "not measured"
    assert answered(no, missing).finding == "refuted"
    near = str(answered(yes, compared(">", 0.2, spread=1.0)))
    assert "over seeds alone, validation pairs only; the next stage is at 15 seeds" in " ".join(
        near.split()
    )


def test_intervals_are_as_much_wider_as_the_page_states() -> None:
    wider = []
    for count in STAGES:
        values = np.random.default_rng(0).normal(size=count).tolist()
        own = mean_difference(values)
        fixed = paired(values, [0.0] * count)
        wider.append((own.high - own.low) / (fixed.high - fixed.low))
    page = (Path(__file__).parents[2] / "docs" / "claims.md").read_text(encoding="utf-8")
    stated = "{:.1f}, {:.2f} and {:.2f} times as wide".format(*wider)
    assert stated in " ".join(page.split())
    assert RULE in page
    assert RULE.count(". ") == 4, "five sentences"
    assert wider[1] < 1.5


def test_a_card_can_be_quoted(tmp_path: Path) -> None:
    answer = answered(compared(">", 2.0))
    variants = {
        "a": Variant("a", "simcse", {"temperature": 0.1}),
        "b": Variant("b", "untrained", represent="mean"),
    }
    answer = replace(
        answer,
        claim=replace(answer.claim, name="yours/claim", variants=variants),
        by="0.1.0, commit abc1234",
        texts={"my-text": 640},
        made="2026-11-28; AMD EPYC; float32",
        family=0.05,
        steps=30,
    )
    for name in ("card.html", "card.txt"):
        answer.save(tmp_path / name)
        card = html.unescape((tmp_path / name).read_text(encoding="utf-8"))
        words = " ".join(card.split())
        for fact in (
            "It is so.",
            "a > b: agrees here; +2",
            "clwork: 0.1.0, commit abc1234",
            "trained on: my-text, 640 sentences",
            "STS-B validation (1,500 pairs, 5 seeds); SICK-R validation (500 pairs, 5 seeds)",
            "seeds: 0, 1, 2, 3, 4",
            "2026-11-28; AMD EPYC; float32",
            RULE,
        ):
            assert fact in words
        for setting in ("temperature", "dropout_attention", "represent"):
            assert setting in words
        assert "{}" not in card
        assert "None" not in card
    assert "version and commit unknown" in str(answered(compared(">", 2.0)))


@pytest.mark.nightly
def test_a_claim_may_be_tested_again_after_every_seed() -> None:
    """Of equal variants, 5 % at most are decided in any of 30 tests with 3 to 32 seeds.

    Without stages 27 % are.
    """
    draws = np.random.default_rng(0).normal(size=(2, 4000, 32))
    counts, wrong = range(3, 33), 0
    for left, right in zip(*draws, strict=True):
        chances = [
            mean_difference((left[:n] - right[:n]).tolist()).p or 0.0
            for n in {stage_of(count) for count in counts}
        ]
        wrong += min(chances) <= RATE
    careless = [ttest_rel(draws[0, :, :n], draws[1, :, :n], axis=1).pvalue <= RATE for n in counts]
    assert 0.03 < wrong / 4000 <= RATE
    assert np.any(careless, axis=0).mean() > 0.2
