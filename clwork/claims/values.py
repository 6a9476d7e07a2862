"""The values of a claim's arms, seed by seed: read off the runs' records, or made of several of them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .course import at_equal_uniformity, steps_to_loss
from .ledger import Arm, Claim, Expectation
from .plan import origin_of, record_name
from .results import Results, computed, missing
from .verdicts import FEWEST

FEWEST_ARMS = 5  # that a rank correlation over arms takes
STAND_IN = "silver"  # judges scores where there are no ratings; and along a run those that are taken at its end alone
LOST = ("percent_lost", "points_lost")
Values = Mapping[int, float]


@dataclass(frozen=True)
class Measured:
    """What the results hold of a claim.

    Attributes:
        claim: the claim.
        results: records of runs.
        seeds: to look for.
        encoder: in place of each method's own, as the runs were given it.
        steps: in place of the claim's.
    """

    claim: Claim
    results: Results
    seeds: Sequence[int]
    encoder: str | None = None
    steps: int | None = None

    def pair(self, expected: Expectation) -> tuple[list[tuple[int, float, float]], str]:
        """Seeds that both arms have, with the values of each; and where these are too few, why."""
        left, right = self.claim.arms[expected.left], self.claim.arms[expected.right]
        metric = self.claim.metric.name
        if left.method == right.method == "computed" and metric != "rank_agreement":
            return [], missing(self.claim, left)
        if metric == "steps_to_loss":
            mine, theirs = self._until_the_same_loss(left, right)
        else:
            mine, theirs = self.of(left), self.of(right)
        common = [seed for seed in self.seeds if seed in mine and seed in theirs]
        alike = [seed for seed in common if self._precisions(left, right, seed) <= 1]
        if len(alike) >= FEWEST:
            return [(seed, mine[seed], theirs[seed]) for seed in alike], ""
        if len(common) >= FEWEST:
            return [], f"{left.name!r} and {right.name!r} were trained at different precision; train one of them again"
        arm = next((arm for arm, values in ((left, mine), (right, theirs)) if len(values) < FEWEST), left)
        return [], missing(self.claim, arm)

    def of(self, arm: Arm, metric: str | None = None) -> Values:
        """Values of an arm, by seed, of those that have one."""
        metric = metric or self.claim.metric.name
        if arm.method == "computed" and metric == "rank_agreement":
            return self._agreements(arm)
        if arm.method == "computed":
            number = computed(arm)
            return {} if number is None else dict.fromkeys(self.seeds, number)
        if arm.than is not None and metric in LOST:
            return self._lost(arm, self.claim.arms[arm.than], arm.judged or "sts")
        values = {seed: self._value(arm, seed, "sts" if metric == "seed_spread" else metric) for seed in self.seeds}
        known = {seed: value for seed, value in values.items() if value is not None}
        return _spread(known) if metric == "seed_spread" else known

    def ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Uniformity of two trained arms at their end, mean over seeds; None where a score is not what is compared."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if self.claim.kind != "scores" or self.claim.metric.name == "uniformity" or not all(a.trained for a in arms):
            return None
        plain = [replace(arm, judged=None, at=None) for arm in arms]
        each = [[self._value(arm, seed, "uniformity") for seed in seeds] for arm in plain]
        known = [[value for value in values if value is not None] for values in each]
        if min(map(len, known)) < len(seeds):
            return None
        return statistics.fmean(known[0]), statistics.fmean(known[1])

    def at_equal_uniformity(self, expected: Expectation) -> tuple[str, list[tuple[int, float, float]]]:
        """Scores of both arms where they were equally uniform, by seed, and by which score; empty without scores."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if any(arm.represent or arm.post or arm.at is not None for arm in arms):
            return "", []
        for score in (self.claim.metric.name, STAND_IN):
            rows = []
            for seed in self.seeds:
                one, other = (self.results.records.get(self._name(arm, seed) or "", {}) for arm in arms)
                if (found := at_equal_uniformity(one, other, score)) is not None:
                    rows.append((seed, *found))
            if len(rows) >= FEWEST:
                return score, rows
        return "", []

    def _name(self, arm: Arm, seed: int) -> str | None:
        return record_name(self.claim, arm, seed, self.encoder, self.steps)

    def _value(self, arm: Arm, seed: int, metric: str) -> float | None:
        name = self._name(arm, seed)
        return None if name is None else self.results.value(name, arm, metric)

    def _precisions(self, left: Arm, right: Arm, seed: int) -> int:
        """Count the precisions at which both arms were trained; a run that is not trained has none."""
        names = (self._name(arm, seed) for arm in (left, right) if arm.trained)
        found = {self.results.records.get(name or "", {}).get("precision") for name in names}
        return len(found - {None})

    def _until_the_same_loss(self, left: Arm, right: Arm) -> tuple[Values, Values]:
        mine, theirs = {}, {}
        for seed in self.seeds:
            records = [self.results.records.get(self._name(arm, seed) or "", {}) for arm in (left, right)]
            if (steps := steps_to_loss(*records)) is not None:
                mine[seed], theirs[seed] = steps
        return mine, theirs

    def _lost(self, arm: Arm, whole: Arm, score: str) -> Values:
        """What the arm's score lacks of another arm's: in percent of the other's, or in points."""
        lost, percent = {}, self.claim.metric.name == "percent_lost"
        for seed in self.seeds:
            before, after = self._value(whole, seed, score), self._value(arm, seed, score)
            if before is not None and after is not None and self._precisions(whole, arm, seed) <= 1:
                lost[seed] = 100 * (before - after) / before if percent else before - after
        return lost

    def _agreements(self, arm: Arm) -> Values:
        """Rank correlation of the arm's measures, added up as ranks, with sts, over all trained encoders of a seed."""
        measures = (arm.of or "").split(", ")
        start = origin_of(self.claim, next(iter(self.claim.arms.values())), self.encoder)
        found = {}
        for seed in self.seeds:
            views = [
                record["views"].get("own", {})
                for _, record in sorted(self.results.records.items())
                if "method" in record and record["seed"] == seed and record["encoder"] == start
            ]
            known = [view for view in views if {"sts", *measures} <= view.keys()]
            if len(known) >= FEWEST_ARMS:
                found[seed] = _agreement([[-view[name] for view in known] for name in measures], known)
        return found


def _spread(scores: Values) -> Values:
    """Tukey's pseudo-values of the mean distance between two seeds: their mean is it, their spread says how sure.

    >>> _spread({0: 1.0, 1: 2.0, 2: 4.0})
    {0: 2.0, 1: 0.0, 2: 4.0}
    """
    count = len(scores)
    if count < FEWEST:
        return {}
    whole = _distance(scores.values())
    return {
        seed: count * whole - (count - 1) * _distance(score for other, score in scores.items() if other != seed)
        for seed in scores
    }


def _distance(scores: Iterable[float]) -> float:
    """Mean distance between two of the scores."""
    known = list(scores)
    return statistics.fmean(abs(a - b) for i, a in enumerate(known) for b in known[:i])


def _agreement(columns: Sequence[Sequence[float]], views: Sequence[Mapping[str, float]]) -> float:
    from scipy.stats import rankdata, spearmanr

    ranks = sum(rankdata(column) for column in columns)
    return float(spearmanr(ranks, [view["sts"] for view in views]).statistic)
