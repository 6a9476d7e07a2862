"""The decision rule: the verdict on an expected order from paired differences over seeds.

All statistics of claims are in :func:`verdict` and :func:`threshold_of`. A claim may be tested at
three stages, as seeds are added, so each stage may use only a share of the allowed error. A p value
is divided by that share; a corrected one is then compared with the same threshold at every stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .ledger import Sign

Verdict = Literal["supported", "refuted", "inconclusive", "not measured", "not testable"]
# Largest expected share of wrong decisions.
RATE = 0.05
# Numbers of seeds at which a claim is decided, with their shares of RATE, which sum to 1.
STAGES = {3: 0.1, 5: 0.7, 15: 0.2}
FEWEST = min(STAGES)
LAST = max(STAGES)

RULE = (
    "Variants are compared seed by seed, with the same batches and precision. A claim is decided "
    "at three stages, by its first 3, 5 or 15 seeds; seeds between two stages do not count, so it"
    " may be tested again with more seeds. Of the allowed error of 5%, the stages have 10%, 70%, "
    "20%. P values are divided by this share; intervals are 3.3, 1.13 and 1.39 times as wide as "
    "those of a single stage. A comparison is decided if its p value is among those that "
    "Benjamini and Hochberg's procedure accepts over all comparisons of the ledger that have "
    "seeds, and those of your claim; at most 5% of the decided ones are expected to be wrong. A "
    "claim is supported if each of its comparisons is decided in its direction, refuted if one is"
    " decided in the other direction, and inconclusive otherwise. Two variants are equal if their"
    " difference is, at the same rate, below the metric's margin, and unequal if it is, at the "
    "same rate, above it. Where no seed changes either variant, each side has one number, without"
    " seeds and p value, and a difference counts if it is larger than that margin. Most "
    "comparisons of the ledger are clear, so contested ones are hardly corrected. Where runs at "
    "bfloat16 were repeated at float32, the first look at them is not counted in the allowed "
    "error. Intervals describe new seeds on the same test pairs, not new pairs. In the stored "
    "answers, two trained variants that end at different uniformity are also compared at equal "
    "uniformity, by the scores measured during their runs; without such scores the answer states "
    "that the difference may come from uniformity. The verdict is about the ends of the runs."
)


@dataclass(frozen=True)
class Difference:
    """Mean difference of two variants over the seeds, left minus right."""

    mean: float
    low: float  # the interval at this stage
    high: float
    p: float  # two-sided p value at this stage


@dataclass(frozen=True)
class Judgement:
    """The result of :func:`verdict` for one comparison."""

    difference: Difference
    p: float | None  # p value of the decision; None if no seed changes either variant
    says: Verdict  # the verdict, if p is None or at most the threshold; else it is inconclusive
    remark: str  # a short comment on the numbers; may be empty


def verdict(
    differences: Sequence[float], sign: Sign, margin: float, drawn: bool = True
) -> Judgement:
    """Judge paired differences by :data:`RULE`, for the stored answers and for your own claim.

    Args:
        differences: left minus right, one for each seed; as many as a stage has.
        sign: the expected sign of the difference; ``=`` means smaller than the margin.
        margin: smaller differences are not relevant.
        drawn: whether the seed changes a variant; if not, the differences are equal, and they are
            compared with the margin without a test.

    >>> verdict([2.0, 2.1, 1.9], ">", margin=0.5).says
    'supported'
    """
    from ..metrics import paired

    share = STAGES[len(differences)]
    test = paired(differences, [0.0] * len(differences), confidence=1 - RATE * share)
    difference = Difference(test.mean, test.low, test.high, min(1.0, (test.p or 0.0) / share))
    remark = _remark(differences, difference, sign, margin, drawn)

    p: float | None = difference.p
    observed_sign = "<" if test.mean < 0 else ">"
    # An expected equality is refuted here, unless one of the two cases below applies.
    says: Verdict = "supported" if sign == observed_sign else "refuted"
    if not drawn:
        p = None
        if abs(test.mean) <= margin:
            says = "supported" if sign == "=" else "inconclusive"
    elif sign == "=":
        p_equal, p_unequal = _equality(differences, margin)
        says = "supported" if p_equal <= p_unequal else "refuted"
        # Twice the smaller one, as either of the two tests could have decided.
        p = min(1.0, 2 * min(p_equal, p_unequal))
    return Judgement(difference, p, says, remark)


def _equality(differences: Sequence[float], margin: float) -> tuple[float, float]:
    """Return two p values: of the test that the mean is within the margin, and that it is outside.

    The first is the test of equivalence of Schuirmann (1987): a t test of the distance from |mean|
    to the margin. Both are divided by the stage's share of the allowed error. If all differences
    are equal, there is no standard error, and the p values are 0 and 1.
    """
    import numpy as np
    from scipy.stats import sem, t

    if len(set(differences)) == 1:
        is_within = abs(differences[0]) <= margin
        return float(not is_within), float(is_within)
    count = len(differences)
    # In standard errors; positive if the mean is within the margin.
    distance = (margin - abs(np.mean(differences))) / sem(differences)
    p_within = min(1.0, float(t.sf(distance, count - 1)) / STAGES[count])
    p_outside = min(1.0, float(t.sf(-distance, count - 1)) / STAGES[count])
    # Twice, as the mean may be outside on either side.
    return p_within, min(1.0, 2 * p_outside)


def _remark(
    differences: Sequence[float], difference: Difference, sign: Sign, margin: float, drawn: bool
) -> str:
    """Return what a reader could overlook in the numbers, as text; empty if there is nothing."""
    if not any(differences):
        same = "equal to the last digit"
        return same if sign == "=" else f"{same}: the setting that differs has no effect here"
    if not drawn:
        return "no seed changes either variant: one number compared with another"
    distances = abs(difference.low), abs(difference.high)  # of the interval's ends from zero
    has_zero = difference.low <= 0 <= difference.high
    if sign == "=":
        if has_zero or min(distances) > margin:
            return ""
        size = f"shown to be above the margin of {margin:g}"
        return f"there is a difference, but not one that is {size}"
    if margin and max(distances) < margin:
        return f"smaller than {margin:g} either way"
    later_stages = [stage for stage in STAGES if stage > len(differences)]
    if has_zero and later_stages:
        return f"the next stage is at {later_stages[0]} seeds"
    return ""


def threshold_of(p_values: Iterable[float | None], rate: float = RATE) -> float:
    """Return the largest p value that Benjamini and Hochberg's procedure accepts; 0 if none.

    The expected share of wrong ones among the accepted is at most ``rate``. None, of a comparison
    without a test, does not count.
    """
    from scipy.stats import false_discovery_control

    known = [p for p in p_values if p is not None]
    corrected = false_discovery_control(known) if known else []
    accepted = [p for p, adjusted in zip(known, corrected, strict=True) if adjusted <= rate]
    return max(accepted, default=0.0)


def stage_of(seeds: int) -> int:
    """Return the number of seeds of the last stage that is reached; 0 if there is none."""
    return max((stage for stage in STAGES if stage <= seeds), default=0)
