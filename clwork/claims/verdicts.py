"""The decision rule: what paired differences over seeds say about the expected order.

All statistics of claims are in :func:`verdict` and :func:`threshold_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .ledger import Sign

Verdict = Literal["supported", "refuted", "inconclusive", "not measured", "not testable"]
# Largest expected share of wrong decisions.
RATE = 0.05
# Numbers of seeds at which a claim is decided, with their shares of RATE.
STAGES = {3: 0.1, 5: 0.7, 15: 0.2}
FEWEST, LAST = min(STAGES), max(STAGES)

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
    """What the differences of one comparison say."""

    difference: Difference
    p: float | None  # p value of the decision; None if no seed changes either variant
    says: Verdict  # the verdict, if p is None or small enough
    remark: str  # a short comment on the numbers; may be empty


def verdict(
    differences: Sequence[float], sign: Sign, margin: float, drawn: bool = True
) -> Judgement:
    """Judge paired differences by :data:`RULE`, for the stored answers and for your own claim.

    Args:
        differences: left minus right, one for each seed; as many as a stage has.
        sign: the expected sign of the difference; ``=`` means smaller than the margin.
        margin: smaller differences are not relevant.
        drawn: whether the seed changes a variant; if not, the differences are one number.

    >>> verdict([2.0, 2.1, 1.9], ">", margin=0.5).says
    'supported'
    """
    from ..metrics import paired

    share = STAGES[len(differences)]
    test = paired(differences, [0.0] * len(differences), 1 - RATE * share)
    difference = Difference(test.mean, test.low, test.high, min(1.0, (test.p or 0.0) / share))
    remark = _remark(differences, difference, sign, margin, drawn)
    p: float | None = difference.p
    says: Verdict = "supported" if sign == ("<" if test.mean < 0 else ">") else "refuted"
    if not drawn:
        p = None
        if abs(test.mean) <= margin:
            says = "supported" if sign == "=" else "inconclusive"
    elif sign == "=":
        equal, unequal = _equality(differences, margin)
        p = min(1.0, 2 * min(equal, unequal))
        says = "supported" if equal <= unequal else "refuted"
    return Judgement(difference, p, says, remark)


def _equality(differences: Sequence[float], margin: float) -> tuple[float, float]:
    """Return the p values of two tests: the mean is within the margin, and it is outside.

    The first is the test of equivalence of Schuirmann (1987).
    """
    import numpy as np
    from scipy.stats import sem, t

    count = len(differences)
    size = abs(np.mean(differences))
    if len(set(differences)) == 1:
        is_within = abs(differences[0]) <= margin
        return float(not is_within), float(is_within)
    distance = (margin - size) / sem(differences)
    within = min(1.0, float(t.sf(distance, count - 1)) / STAGES[count])
    outside = min(1.0, float(t.sf(-distance, count - 1)) / STAGES[count])
    return within, min(1.0, 2 * outside)


def _remark(
    differences: Sequence[float], difference: Difference, sign: Sign, margin: float, drawn: bool
) -> str:
    same = "equal to the last digit"
    if not any(differences):
        return same if sign == "=" else f"{same}: the setting that differs has no effect here"
    if not drawn:
        return "no seed changes either variant: one number compared with another"
    ends = abs(difference.low), abs(difference.high)
    around_zero = difference.low <= 0 <= difference.high
    if sign == "=":
        if around_zero or min(ends) > margin:
            return ""
        shown = f"shown to be above the margin of {margin:g}"
        return f"there is a difference, but not one that is {shown}"
    if margin and max(ends) < margin:
        return f"smaller than {margin:g} either way"
    later = [stage for stage in STAGES if stage > len(differences)]
    return f"the next stage is at {later[0]} seeds" if later and around_zero else ""


def threshold_of(p_values: Iterable[float | None], rate: float = RATE) -> float:
    """Return the largest p value that Benjamini and Hochberg's procedure accepts; 0 if none."""
    from scipy.stats import false_discovery_control

    known = [p for p in p_values if p is not None]
    corrected = false_discovery_control(known) if known else []
    return max((p for p, q in zip(known, corrected, strict=True) if q <= rate), default=0.0)


def stage_of(seeds: int) -> int:
    """Return the number of seeds of the last stage that is reached; 0 if there is none."""
    return max((stage for stage in STAGES if stage <= seeds), default=0)
