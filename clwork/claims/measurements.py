"""From records to an answer: the arms' values by seed and their comparisons."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np

from ..reference_runs import Records
from .ledger import METRICS, Arm, Claim, Expectation, Metric
from .records import (
    at_equal_uniformity,
    place_of,
    record_name,
    start_of,
    value_of,
)
from .table import Answer, Comparison
from .verdicts import FEWEST, Difference, stage_of, verdict

STAND_IN = "silver"  # metric that is used if there are no human ratings
RATED = ("sts", "stsb", "sickr")  # metrics that need human ratings
# A comparison by seed: the seed, and the values of both arms.
Row = tuple[int, float, float]


def answer_of(measured: Measurements) -> Answer:
    """Return the answer to a claim, without controls, and with threshold 0: it depends on all claims."""
    asked, measured = measured.claim, measured.by_stand_in()
    claim = measured.claim
    return Answer(
        asked,
        tuple(map(measured.compare, claim.expects)),
        (),
        threshold=0.0,
        encoder=start_of(claim, next(iter(claim.arms.values())), measured.encoder)
        if claim.arms
        else "",
        steps=measured.steps or claim.steps,
        stand_in="" if claim is asked else STAND_IN,
        stage=stage_of(len(measured.seeds)),
    )


def pairs_of(measured: Measurements) -> dict[str, dict[str, Difference]]:
    """Return the differences of all pairs of arms: by the arm on the right, then by that on the left."""
    found: dict[str, dict[str, Difference]] = {}
    for right, left in permutations(measured.claim.arms, 2):
        one = measured.compare(Expectation(left, ">", right))
        if one.measured:
            found.setdefault(right, {})[left] = one.difference
    return found


def compared(
    expected: Expectation,
    metric: Metric,
    rows: Sequence[Row],
    ends: tuple[float, float] | None = None,
    level: Comparison | None = None,
) -> Comparison:
    """Compare two arms by the first rows, as many as the last stage that they reach has."""
    seeds, left, right = zip(*rows[: stage_of(len(rows))], strict=True)
    drawn = len(set(left)) > 1 or len(set(right)) > 1
    found = verdict(np.subtract(left, right).tolist(), expected.sign, metric.margin, drawn)
    return Comparison(
        expected,
        metric,
        left,
        right,
        seeds,
        difference=found.difference,
        p=found.p,
        says=found.says,
        remark=found.remark,
        ends=ends,
        level=level,
    )


@dataclass(frozen=True)
class Measurements:
    """The values of a claim's arms in the records, by seed; ``encoder`` and ``steps`` as in ``claims.test``."""

    claim: Claim
    records: Records
    seeds: Sequence[int]
    encoder: str | None = None
    steps: int | None = None

    def by_stand_in(self) -> Measurements:
        """Replace a metric that needs human ratings by the silver pairs if there are no ratings."""
        claim = self.claim
        names = {self._name(arm, seed) for arm in claim.arms.values() for seed in self.seeds}
        views = [
            view for name in names for view in self.records.get(name, {}).get("views", {}).values()
        ]
        rated = any("stsb" in view for view in views)
        if claim.metric.name not in RATED or rated or not any(STAND_IN in view for view in views):
            return self
        arms = {
            name: replace(arm, metric=None) if arm.metric in RATED else arm
            for name, arm in claim.arms.items()
        }
        return replace(self, claim=replace(claim, metric=METRICS[STAND_IN], arms=arms))

    def compare(self, expected: Expectation) -> Comparison:
        """Compare two arms over the seeds that both have."""
        rows, why = self.pair(expected)
        if not rows:
            return Comparison(expected, self.claim.metric, why=why)
        seeds = [seed for seed, *_ in rows[: stage_of(len(rows))]]
        ends = self._ends(expected, seeds)
        level = None if ends is None else self._at_equal_uniformity(expected)
        return compared(expected, self.claim.metric, rows, ends=ends, level=level)

    def pair(self, expected: Expectation) -> tuple[list[Row], str]:
        """Return the rows of the seeds that both arms have; if there are not enough, [] and the reason."""
        metric, arms = self.claim.metric.name, self._arms(expected)
        mine, theirs = map(self.of, arms)
        common = [seed for seed in self.seeds if seed in mine and seed in theirs]
        places = {place_of(self.record(arm, seed), arm, metric) for arm in arms for seed in common}
        if {"probe", "test"} <= places:
            return [], (
                "one arm is measured on the probe's sentences, one on the test's; give both arms a step (at)"
            )
        equal = [seed for seed in common if len(self.precisions(expected, [seed])) <= 1]
        if len(equal) >= FEWEST:
            return [(seed, mine[seed], theirs[seed]) for seed in equal], ""
        if len(common) >= FEWEST:
            return [], (
                f"{arms[0].name!r} and {arms[1].name!r} were trained at different precision; train one of them again"
            )
        arm = arms[1] if len(mine) >= FEWEST > len(theirs) else arms[0]
        where = (
            "here" if arm.at is None else f"at step {arm.at} (measured: every 10th and the last)"
        )
        return [], f"{arm.name!r} has no {arm.metric or metric} {where}"

    def precisions(self, expected: Expectation, seeds: Iterable[int]) -> set[Any]:
        """Return the precisions of the runs of both arms."""
        trained = [arm for arm in self._arms(expected) if arm.trained]
        return {self.record(arm, seed).get("precision") for arm in trained for seed in seeds} - {
            None
        }

    def of(self, arm: Arm) -> dict[int, float]:
        """Return the values of an arm by seed, without missing values."""
        metric = self.claim.metric.name
        if arm.method == "computed":
            return dict.fromkeys(self.seeds, float(arm.of or "nan"))
        source = "sts" if metric == "seed_spread" else metric
        values = {seed: value_of(self.record(arm, seed), arm, source) for seed in self.seeds}
        known = {seed: value for seed, value in values.items() if value is not None}
        if known and arm.method == "untrained" and arm.represent == "word average":
            # No seed changes it; processors round it.
            known = dict.fromkeys(known, next(iter(known.values())))
        return _spread(known) if metric == "seed_spread" else known

    def record(self, arm: Arm, seed: int) -> Mapping[str, Any]:
        """Return the record with an arm's values; empty if there is none."""
        return self.records.get(self._name(arm, seed), {})

    def _name(self, arm: Arm, seed: int) -> str:
        return record_name(self.claim, arm, seed, self.encoder, self.steps) or ""

    def _arms(self, expected: Expectation) -> tuple[Arm, Arm]:
        return self.claim.arms[expected.left], self.claim.arms[expected.right]

    def _ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Return the final mean uniformity of both arms, for a claim about scores whose arms are trained."""
        claim, arms = self.claim, self._arms(expected)
        about_scores = claim.kind == "scores" and claim.metric.name != "uniformity"
        if not about_scores or not all(arm.trained for arm in arms):
            return None
        means = []
        for arm in arms:
            end = replace(arm, metric=None, at=None)
            values = [value_of(self.record(arm, seed), end, "uniformity") for seed in seeds]
            known = [value for value in values if value is not None]
            if len(known) < len(seeds):
                return None
            means.append(statistics.fmean(known))
        return means[0], means[1]

    def _at_equal_uniformity(self, expected: Expectation) -> Comparison | None:
        """Compare two arms by scores that were measured during their runs, where there are such scores."""
        left, right = self._arms(expected)
        if any(arm.represent or arm.post or arm.at is not None for arm in (left, right)):
            return None
        for score in (self.claim.metric.name, STAND_IN):
            rows = []
            for seed in self.seeds:
                both = at_equal_uniformity(self.record(left, seed), self.record(right, seed), score)
                if both is not None:
                    rows.append((seed, *both))
            if len(rows) >= FEWEST:
                return compared(expected, METRICS[score], rows)
        return None


def _spread(scores: Mapping[int, float]) -> dict[int, float]:
    """Return Tukey's jackknife pseudo-values, whose mean is the mean difference between two seeds."""
    count = len(scores)
    if count < FEWEST:
        return {}
    apart = {(i, j): abs(scores[i] - scores[j]) for i, j in combinations(scores, 2)}
    whole = statistics.fmean(apart.values())
    values = {}
    for seed in scores:
        without = statistics.fmean(gap for pair, gap in apart.items() if seed not in pair)
        values[seed] = count * whole - (count - 1) * without
    return values
