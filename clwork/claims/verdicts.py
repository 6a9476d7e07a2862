"""The decision rule: what paired differences over seeds say about the expected order of two arms.

All statistics of claims are in :func:`verdict` and :func:`threshold_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .ledger import Sign

Verdict = Literal["supported", "refuted", "inconclusive", "not measured", "not testable"]
# Largest expected share of wrong decisions.
RATE = 0.05
# Numbers of seeds at which a claim is decided, with their shares of RATE.
STAGES = {3: 0.1, 5: 0.7, 15: 0.2}
FEWEST, LAST = min(STAGES), max(STAGES)

RULE = (
    "Arms are compared seed by seed, with the same batches and precision. A claim is decided at three stages, by its "
    "first 3, 5 or 15 seeds; seeds between two stages do not count, so it may be tested again with more seeds. Of the "
    f"allowed error of {RATE:.0%}, the stages have {', '.join(f'{share:.0%}' for share in STAGES.values())}. P values "
    "are divided by this share; intervals are 3.3, 1.13 and 1.39 times as wide as those of a single stage. "
    "A comparison is decided if its p value is among those that Benjamini and Hochberg's procedure accepts over all "
    f"comparisons of the ledger that have seeds, and those of your claim; at most {RATE:.0%} of the decided ones are "
    "expected to be wrong. A claim is supported if each of its comparisons is decided in its direction, refuted if "
    "one is decided in the other direction, and inconclusive otherwise. Two arms are equal if their difference is, at "
    "the same rate, below the metric's margin, and unequal if it is, at the same rate, above it. Where no seed "
    "changes either arm, each side has one number, without seeds and p value, and a difference counts if it is larger "
    "than that margin. Most comparisons of the ledger are clear, so contested ones are hardly corrected. Where runs at "
    "bfloat16 were repeated at float32, the first look at them is not counted in the allowed error. Intervals describe "
    "new seeds on the same test pairs, not new pairs. Two "
    "trained arms that end at different uniformity are also compared at equal uniformity, by the scores measured "
    "during their runs; without such scores the answer states that the difference may come from uniformity. The "
    "verdict is about the ends of the runs."
)


@dataclass(frozen=True)
class Difference:
    """Mean difference of two arms over the seeds, left minus right."""

    mean: float
    low: float  # the interval at this stage
    high: float
    p: float  # two-sided p value at this stage


@dataclass(frozen=True)
class Judgement:
    """What the differences of one comparison say."""

    difference: Difference
    p: float | None  # p value of the decision; None if no seed changes either arm
    says: Verdict  # the verdict, if p is None or small enough
    remark: str  # a short comment on the numbers; may be empty


def verdict(
    differences: Sequence[float], sign: Sign, margin: float, drawn: bool = True
) -> Judgement:
    """Judge paired differences by :data:`RULE`: one function for the stored answers and for your own claim.

    Args:
        differences: left minus right, one for each seed; as many as a stage has.
        sign: the expected sign of the difference; ``=`` means smaller than the margin.
        margin: smaller differences are not relevant.
        drawn: whether the seed changes an arm; if not, the differences are one number.
    """
    from ..metrics import paired

    share = STAGES[len(differences)]
    found = paired(differences, [0.0] * len(differences), 1 - RATE * share)
    difference = Difference(found.mean, found.low, found.high, min(1.0, (found.p or 0.0) / share))
    remark = _remark(differences, difference, sign, margin, drawn)
    right = "<" if found.mean < 0 else ">"
    if not drawn:
        return Judgement(difference, None, _of_one_number(found.mean, sign, margin), remark)
    if sign != "=":
        return Judgement(
            difference, difference.p, "supported" if right == sign else "refuted", remark
        )
    equal, unequal = _equality(differences, margin)
    p = min(1.0, 2 * min(equal, unequal))
    return Judgement(difference, p, "supported" if equal <= unequal else "refuted", remark)


def _of_one_number(gap: float, sign: Sign, margin: float) -> Verdict:
    """Return the verdict on two single values, which count as equal within the margin."""
    if abs(gap) <= margin:
        return "supported" if sign == "=" else "inconclusive"
    return "supported" if sign == (">" if gap > 0 else "<") else "refuted"


def _equality(differences: Sequence[float], margin: float) -> tuple[float, float]:
    """Return the p values of two tests: the mean is inside the margin (Schuirmann 1987), and it is outside."""
    from scipy.stats import sem, t

    gaps = np.asarray(differences)
    if len(set(differences)) == 1:
        inside = abs(gaps[0]) <= margin
        return float(not inside), float(inside)
    share, freedom = STAGES[len(gaps)], len(gaps) - 1
    distance = (margin - abs(gaps.mean())) / sem(gaps)
    inside, outside = (
        min(1.0, float(t.sf(side, freedom)) / share) for side in (distance, -distance)
    )
    return inside, min(1.0, 2 * outside)


def _remark(
    differences: Sequence[float], found: Difference, sign: Sign, margin: float, drawn: bool
) -> str:
    if not any(differences):
        same = "equal to the last digit"
        return same if sign == "=" else f"{same}: the setting that differs has no effect here"
    if not drawn:
        return "no seed changes either arm: one number compared with another"
    undecided = found.low <= 0 <= found.high
    if sign == "=":
        nearest = 0.0 if undecided else min(abs(found.low), abs(found.high))
        far = (
            f"there is a difference, but not one that is shown to be above the margin of {margin:g}"
        )
        return far if 0 < nearest <= margin else ""
    if margin and max(abs(found.low), abs(found.high)) < margin:
        return f"smaller than {margin:g} either way"
    following = [stage for stage in STAGES if stage > len(differences)]
    return f"the next stage is at {following[0]} seeds" if following and undecided else ""


def threshold_of(chances: Iterable[float | None], rate: float = RATE) -> float:
    """Return the largest of these p values that Benjamini and Hochberg's procedure accepts; 0 if none."""
    from scipy.stats import false_discovery_control

    known = [p for p in chances if p is not None]
    corrected = false_discovery_control(known) if known else []
    return max((p for p, q in zip(known, corrected, strict=True) if q <= rate), default=0.0)


def stage_of(seeds: int) -> int:
    """Return the number of seeds of the last stage that is reached with so many seeds; 0 if there is none."""
    return max((stage for stage in STAGES if stage <= seeds), default=0)
