"""Verdicts on claims: paired differences over seeds, with one decision rule for all claims, and controls."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..metrics.seeds import Difference, paired
from .ledger import METRICS, Claim, Expectation, Metric

Verdict = Literal["supported", "refuted", "inconclusive", "not measured"]
RATE = 0.05
FEWEST = 3  # seeds

RULE = (
    "Arms are compared seed by seed, with the same batches. A comparison is decided if its p value is among those that "
    "Benjamini and Hochberg's procedure accepts over all comparisons of the ledger, so that at most "
    f"{RATE:.0%} of the decided ones are expected to be wrong. A claim is supported if each of its comparisons is "
    "decided in its direction, refuted if one is decided in the other direction, and inconclusive otherwise. Two "
    "arms are equal if their difference is, at the same rate, smaller than the metric's margin. Where no seed changes "
    "either arm, each side has one number, and a difference counts if it is larger than that margin. Two trained arms "
    "that end at different uniformity are also compared at equal uniformity, by the scores measured during their "
    "runs; without such scores the answer states that the difference is not separated from uniformity. The verdict is "
    "that of the ends."
)


@dataclass(frozen=True)
class Comparison:
    """Two arms of a claim over the seeds that both have."""

    expected: Expectation
    metric: Metric
    left: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()
    why: str = ""  # the reason where there are no values
    ends: tuple[float, float] | None = None  # mean uniformity of both arms at the end, if both were measured
    level: Comparison | None = None  # the same arms at equal uniformity, if scores were measured during the runs

    @property
    def measured(self) -> bool:
        """Whether enough seeds are there."""
        return len(self.seeds) >= FEWEST

    @property
    def drawn(self) -> bool:
        """Whether a seed changes either arm; if not, each side has one number, and there is no interval or p value."""
        return len(set(self.left)) > 1 or len(set(self.right)) > 1

    @cached_property
    def difference(self) -> Difference:
        """Left minus right, with a 95 % interval; needs three seeds."""
        return paired(self.left, self.right, names=(self.expected.left, self.expected.right))

    @property
    def p(self) -> float:
        """P value of a difference; for ``=`` twice the smaller one of the tests for difference and for equality."""
        found = self.difference.p
        assert found is not None
        return min(1.0, 2 * min(found, self.p_equal)) if self.expected.sign == "=" else found

    @property
    def p_equal(self) -> float:
        """P value of two one-sided tests that the difference is within the metric's margin (Schuirmann 1987)."""
        gaps = [a - b for a, b in zip(self.left, self.right, strict=True)]
        mean, margin = statistics.fmean(gaps), self.metric.margin
        spread = statistics.stdev(gaps)
        if spread == 0:
            return 0.0 if abs(mean) <= margin else 1.0
        from scipy.stats import t

        error = spread / math.sqrt(len(gaps))
        return float(t.sf((margin - abs(mean)) / error, len(gaps) - 1))

    def verdict(self, threshold: float) -> Verdict:
        """Decide, by the p value up to which comparisons are decided."""
        if not self.measured:
            return "not measured"
        found = self.difference
        if not self.drawn:
            return self._by_margin(found.mean)
        if self.expected.sign == "=":
            if self.p_equal <= threshold / 2:
                return "supported"
            apart = found.p is not None and found.p <= threshold / 2 and abs(found.mean) > self.metric.margin
            return "refuted" if apart else "inconclusive"
        if self.p > threshold or found.mean == 0:
            return "inconclusive"
        return "supported" if (found.mean > 0) == (self.expected.sign == ">") else "refuted"

    def _by_margin(self, gap: float) -> Verdict:
        """Compare two numbers: a difference below the metric's margin decides nothing."""
        if abs(gap) <= self.metric.margin:
            return "supported" if self.expected.sign == "=" else "inconclusive"
        way = {">": gap > 0, "<": gap < 0, "=": False}[self.expected.sign]
        return "supported" if way else "refuted"

    @property
    def remark(self) -> str:
        """A short comment on the numbers, next to the verdict; may be empty."""
        if not self.measured:
            return self.why
        found = self.difference
        if not any(a - b for a, b in zip(self.left, self.right, strict=True)):
            same = "equal to the last digit"
            return same if self.expected.sign == "=" else f"{same}: the setting that differs has no effect here"
        if not self.drawn:
            return "no seed changes either arm: one number compared with another"
        margin = self.metric.margin
        if margin and self.expected.sign != "=" and max(abs(found.low), abs(found.high)) < margin:
            return f"smaller than {margin:g} either way"
        if self.expected.sign != "=" and (found.seeds_needed or 0) > len(self.seeds):
            return f"about {found.seeds_needed} seeds would decide it alone"
        return ""

    @property
    def apart(self) -> str:
        """Difference at equal uniformity, where the arms end at different uniformity; else empty."""
        if self.ends is None or abs(self.ends[0] - self.ends[1]) <= METRICS["uniformity"].margin:
            return ""
        words = f"ends at different uniformity ({self.ends[0]:.2f} against {self.ends[1]:.2f}): "
        if self.level is None:
            return f"{words}the score's difference is not separated from it"
        found, metric = self.level.difference, self.level.metric.name
        return f"{words}at equal uniformity {found.mean:+.3g} [{found.low:+.3g}, {found.high:+.3g}] by {metric}"


@dataclass(frozen=True)
class Control:
    """A representation that a claim's arms are compared with, such as ``"untrained first_last, whitened"``."""

    name: str
    values: tuple[float, ...]  # one for each seed; a single one where no seed changes it

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return statistics.fmean(self.values)


@dataclass(frozen=True)
class Answer:
    """The verdict on a claim, with the measurements behind it."""

    claim: Claim
    comparisons: tuple[Comparison, ...]  # one for each of the claim's expectations
    controls: tuple[Control, ...]  # other representations by the same metric, best first; for claims about scores
    threshold: float  # p value up to which a comparison is decided
    encoder: str  # that the arms start from
    steps: int | None = None  # None where nothing is trained
    stand_in: str = ""  # metric that replaces the ledger's where there are no human ratings

    @property
    def verdict(self) -> Verdict:
        """Of the whole claim."""
        each = [comparison.verdict(self.threshold) for comparison in self.comparisons]
        if "refuted" in each:
            return "refuted"
        if not each or "not measured" in each:
            return "not measured"
        return "supported" if set(each) == {"supported"} else "inconclusive"

    @property
    def why(self) -> str:
        """The reason where there is no verdict; else empty."""
        if self.verdict != "not measured":
            return ""
        return next((comparison.why for comparison in self.comparisons if comparison.why), "not measured yet")

    @property
    def seeds(self) -> int:
        """The smallest number of seeds of its measured comparisons; 0 where no seed changes anything."""
        return min((len(one.seeds) for one in self.comparisons if one.measured and one.drawn), default=0)

    @property
    def seeds_needed(self) -> int | None:
        """Number of paired seeds that would decide every comparison, at the present mean and spread; None: unknown."""
        if not all(comparison.measured for comparison in self.comparisons):
            return None
        needed = [comparison.difference.seeds_needed for comparison in self.comparisons if comparison.drawn]
        known = [count for count in needed if count is not None]
        return max(known) if len(known) == len(needed) and known else None

    def __str__(self) -> str:
        lines = [f"{self.claim.name}: {self.verdict} ({self.claim.metric.name}, {self.encoder}, {self.seeds} seeds)"]
        if self.stand_in:
            lines.append(
                f"  scored by a model's opinion, the {self.stand_in} pairs, since there are no human ratings here "
                "(clwork.data.remember_sts(FOLDER) has claims scored by human ratings)"
            )
        lines += map(self._line, self.comparisons)
        if self.controls:
            lines.append(f"  strongest control: {self.controls[0].name}, {self.controls[0].mean:.2f}")
        return "\n".join(lines)

    def _line(self, comparison: Comparison) -> str:
        words = f"  {comparison.expected}: {comparison.verdict(self.threshold)}"
        if comparison.measured:
            found = comparison.difference
            words += f", {found.mean:+.3g}"
            if comparison.drawn:
                words += f" [{found.low:+.3g}, {found.high:+.3g}], p = {comparison.p:.2g}"
        return "; ".join(filter(None, (words, comparison.remark, comparison.apart)))


def threshold_of(comparisons: Iterable[Comparison], rate: float = RATE) -> float:
    """The largest p value that Benjamini and Hochberg's procedure accepts over these comparisons; 0 if none."""
    found = sorted(comparison.p for comparison in comparisons if comparison.measured and comparison.drawn)
    accepted = [p for rank, p in enumerate(found, start=1) if p <= rate * rank / len(found)]
    return accepted[-1] if accepted else 0.0


def count_verdicts(answers: Mapping[str, Answer] | Sequence[Answer]) -> dict[str, int]:
    """Number of answers of each verdict."""
    each = answers.values() if isinstance(answers, Mapping) else answers
    counts = dict.fromkeys(("supported", "refuted", "inconclusive", "not measured"), 0)
    for answer in each:
        counts[answer.verdict] += 1
    return counts
