"""Statistics of claims: the interval of a difference over seeds and pairs, p values, and a word.

:func:`mean_difference` computes interval and p value from the differences of two variants, seed by
seed, and from their error over sentence pairs (``pairs.py``); :func:`family_threshold` corrects for
the number of comparisons; :func:`word` says in a word what was found. A claim may be tested at
three stages, as seeds are added, so each stage may use only a share of the allowed error. A p value
is divided by that share; a corrected one is then compared with the same threshold at every stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from .ledger import Sign

Finding = Literal[
    "not testable",
    "refuted",
    "differs here",
    "mixed",
    "not measured",
    "inconclusive",
    "open",
    "below the margin",
    "supported",
    "agrees here",
]
"""What is found of a claim; see ``OWN_WORDS`` for supported, refuted and inconclusive."""
# A claim has the first of these words that one of its comparisons has.
RANKED: tuple[Finding, ...] = get_args(Finding)
# Only clwork's own statements, which are about its own encoders, are supported or refuted, by the
# rule that holds for a paper's claims; what neither agrees nor differs is inconclusive.
OWN_WORDS: dict[Finding, Finding] = {"agrees here": "supported", "differs here": "refuted"}
# Largest expected share of wrong decisions.
RATE = 0.05
# Comparisons with a smaller p value are clear, and do not count as contested.
CLEAR = 0.001
# Marks what was judged without the cosines of pairs of a set that chose no setting.
VALIDATION_ONLY = "validation pairs only"
# Names of test sets for readers.
TASKS = {"stsb": "STS-B", "sickr": "SICK-R", "silver": "silver"}
# Numbers of seeds at which a claim is decided, with their shares of RATE, which sum to 1.
STAGES = {3: 0.1, 5: 0.7, 15: 0.2}
FEWEST = min(STAGES)
LAST = max(STAGES)

RULE = (
    "Variants are compared seed by seed, with the same batches and precision, at 3, 5 or 15 seeds. "
    "Intervals hold for other seeds and, where the test pairs are resampled, for other pairs. A "
    "difference is decided if its p value, corrected for the other comparisons of its paper or of "
    "your folder, is small enough; at most 5% of the contested ones are expected to be wrong. A "
    "decided difference agrees or differs here if its mean is larger than the metric's margin, and "
    "is below the margin otherwise; an undecided one is below the margin if its whole interval is, "
    "and open if not; of two test sets the weaker word counts, and opposite signs are mixed. "
    "clwork's own statements are supported, refuted or else inconclusive."
)
"""The rule in five sentences; docs/claims.md has the details."""


@dataclass(frozen=True)
class Difference:
    """Mean difference of two variants, left minus right."""

    mean: float
    low: float  # the interval at this stage
    high: float
    p: float | None  # two-sided p value at this stage; None if no seed changes either variant

    def __str__(self) -> str:
        # The interval of two numbers that no seed changes is these numbers' difference.
        interval = "" if self.low == self.high else f" [{self.low:+.3g}, {self.high:+.3g}]"
        return f"{self.mean:+.3g}{interval}"


@dataclass(frozen=True)
class SetResult:
    """A comparison on one test set, with an interval over seeds and pairs.

    Attributes:
        name: the task and its split, such as ``"stsb/train"``.
        pairs: number of rated pairs; 0 for an interval over seeds alone.
        seeds: number of seeds; a variant without a random part has the same value for each.
        difference: left minus right.
    """

    name: str
    pairs: int
    seeds: int
    difference: Difference

    def __str__(self) -> str:
        task, _, split = self.name.partition("/")
        name = f"{TASKS.get(task, task)} {split}".strip()
        if not self.pairs:
            only = f"{VALIDATION_ONLY}, " if split == "validation" else ""
            return f"{name} ({only}{self.seeds} seeds)"
        is_known = self.difference.mean == self.difference.mean  # not NaN
        if is_known and self.difference.p is None:
            # No seed changes either variant.
            return f"{name} ({self.pairs:,} pairs)"
        return f"{name} ({self.pairs:,} pairs, {self.seeds} seeds)"


def word(
    difference: Difference, sign: Sign, margin: float, threshold: float, least: float = 0.0
) -> Finding:
    """Return in a word what a difference says about an expected order.

    A decided effect inside the margin is *below the margin*, however small its p value is, and so
    is an undecided one whose whole interval is inside. An equality agrees or differs only if its
    whole interval is inside or outside the margin.

    Args:
        difference: left minus right.
        sign: the expected sign; ``=`` means smaller than the margin.
        margin: smaller differences are not relevant.
        threshold: largest p value of a decided comparison.
        least: the smallest effect of which "far above" can be said, if the claim says it.

    >>> word(Difference(0.3, 0.2, 0.4, p=1e-6), ">", margin=0.5, threshold=0.05)
    'below the margin'
    """
    low, high = difference.low, difference.high
    if sign == "=":
        if -margin <= low and high <= margin:
            return "agrees here"
        return "differs here" if low > margin or high < -margin else "open"
    # From here on, a positive effect is as claimed.
    effect = difference.mean
    if sign == "<":
        effect, low, high = -effect, -high, -low
    if -margin <= low and high <= max(margin, least):
        return "below the margin"
    # Without a p value, the sign is decided if the interval does not contain 0.
    is_decided = (low > 0 or high < 0) if difference.p is None else difference.p <= threshold
    # An effect above ``least`` counts as such only if its whole interval is above.
    if not is_decided or (least and low <= least < effect):
        return "open"
    if effect < -margin:
        return "differs here"
    return "agrees here" if effect > max(margin, least) else "below the margin"


def joint_finding(findings: Iterable[Finding]) -> Finding:
    """Return the finding of a comparison from those of its test sets, which :func:`word` returns.

    There must be at least one. If the sets both agree and differ, the comparison is *mixed*.
    Otherwise the weakest finding counts: an undecided set leaves the comparison open, and a set
    inside the margin puts the comparison below the margin.

    >>> joint_finding(["agrees here", "differs here"])
    'mixed'
    """
    distinct = set(findings)
    if {"agrees here", "differs here"} <= distinct:
        return "mixed"
    weakest_first: tuple[Finding, ...] = ("open", "below the margin", "agrees here", "differs here")
    return next(each for each in weakest_first if each in distinct)


def mean_difference(
    differences: Sequence[float], drawn: bool = True, pair_error: float = 0.0
) -> Difference:
    """Return the mean of paired differences with its interval and p value, by :data:`RULE`.

    The variance of the mean is that over the seeds plus that over the test pairs. The degrees of
    freedom of the sum are Welch's and Satterthwaite's, where the pairs, which are many, count as
    infinitely many.

    Args:
        differences: left minus right, one for each seed; as many as a stage has.
        drawn: whether the seed changes a variant; if not, the differences are equal, and there is
            no p value.
        pair_error: standard error of the mean over test pairs; 0 makes the interval one over seeds
            alone.

    >>> print(mean_difference([2.0, 2.1, 1.9]))
    +2 [+1.19, +2.81]
    """
    import numpy as np
    from scipy.stats import t

    count = len(differences)
    # Without seeds there are no stages, so one test has all of the allowed error.
    share = STAGES[count] if drawn else 1.0
    mean = float(np.mean(differences))
    # Equal differences have no variance; rounding must not give them one.
    of_seeds = float(np.var(differences, ddof=1)) / count if len(set(differences)) > 1 else 0.0
    error = (of_seeds + pair_error**2) ** 0.5
    # Welch and Satterthwaite: error⁴ over the sum of variance² / its own freedom, of which pairs,
    # with infinite freedom, add nothing.
    freedom = (count - 1) * (error**2 / of_seeds) ** 2 if of_seeds else np.inf
    # Half the width of the interval, which misses the true mean with the stage's share of RATE.
    half = float(t.ppf(1 - RATE * share / 2, freedom)) * error
    p: float | None = None
    if drawn and error:
        p = min(1.0, 2 * float(t.sf(abs(mean) / error, freedom)) / share)
    elif drawn:
        # Equal variants, or a difference that no seed changes.
        p = float(mean == 0)
    return Difference(mean, mean - half, mean + half, p)


def paired_difference(
    left: Sequence[float], right: Sequence[float], pair_error: float = 0.0
) -> Difference:
    """Return :func:`mean_difference` of two variants' values, which are in the order of the seeds.

    If each variant has one value for all seeds, as without training, the seed changes neither.
    """
    differences = [one - other for one, other in zip(left, right, strict=True)]
    drawn = len(set(left)) > 1 or len(set(right)) > 1
    return mean_difference(differences, drawn, pair_error)


def remark(differences: Sequence[float], difference: Difference, sign: Sign) -> str:
    """Return what a reader could overlook in the numbers, as text; empty if there is nothing."""
    if not any(differences):
        same = "equal to the last digit"
        return same if sign == "=" else f"{same}: the setting that differs has no effect here"
    if difference.p is None:
        return "no seed changes either variant: one number compared with another"
    later_stages = [stage for stage in STAGES if stage > len(differences)]
    if sign != "=" and difference.low <= 0 <= difference.high and later_stages:
        return f"the next stage is at {later_stages[0]} seeds"
    return ""


def family_threshold(p_values: Iterable[float | None]) -> float:
    """Return the largest p value of a decided comparison of a family.

    A family is the comparisons of one paper, or those in the reader's folder. Those with p values
    up to 0.001 are clear. Benjamini and Hochberg's procedure is applied to the contested others,
    since many clear ones would leave these hardly corrected: the expected share of wrong ones among
    those that it accepts is at most ``RATE``. None, of a comparison without a test, does not count.
    """
    from scipy.stats import false_discovery_control

    contested = [p for p in p_values if p is not None and p > CLEAR]
    corrected = false_discovery_control(contested) if contested else []
    accepted = [p for p, adjusted in zip(contested, corrected, strict=True) if adjusted <= RATE]
    return max([CLEAR, *accepted])


def stage_of(seeds: int) -> int:
    """Return the number of seeds of the last stage that is reached; 0 if there is none."""
    return max((stage for stage in STAGES if stage <= seeds), default=0)
