"""From records to an answer: the variants' values by seed and their comparisons."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import Any

from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.records import column_of, record_name, start_of, value_of
from clwork.claims.table import Answer, Comparison
from clwork.claims.testing import STAND_IN, compared
from clwork.claims.verdicts import FEWEST, Difference, stage_of
from clwork.reference_runs import Record, Records

FEWEST_SCORES = 5  # scores of a run that a comparison at equal uniformity needs
# A comparison by seed: the seed, and the values of both variants.
Row = tuple[int, float, float]


def answer_of(measured: Measurements) -> Answer:
    """Return the answer to a claim without controls; the threshold needs all claims."""
    claim = measured.claim
    return Answer(
        claim,
        comparisons=tuple(map(measured.compare, claim.expects)),
        controls=(),
        threshold=0.0,
        encoder=start_of(claim, next(iter(claim.variants.values()))) if claim.variants else "",
        steps=claim.steps,
        stage=stage_of(len(measured.seeds)),
    )


def pairs_of(measured: Measurements) -> dict[str, dict[str, Difference]]:
    """Return the differences of all pairs of variants, by the right one, then by the left one."""
    found: dict[str, dict[str, Difference]] = {}
    for right, left in permutations(measured.claim.variants, 2):
        one = measured.compare(Expectation(left, ">", right))
        if one.measured:
            found.setdefault(right, {})[left] = one.difference
    return found


@dataclass(frozen=True)
class Measurements:
    """The values of a claim's variants in the records, by seed."""

    claim: Claim
    records: Records
    seeds: Sequence[int]

    def compare(self, expected: Expectation) -> Comparison:
        """Compare two variants over the seeds that both have."""
        rows, why = self.pair(expected)
        if not rows:
            return Comparison(expected, self.claim.metric, why=why)
        seeds = [seed for seed, *_ in rows[: stage_of(len(rows))]]
        ends = self._ends(expected, seeds)
        level = None if ends is None else self._at_equal_uniformity(expected)
        return replace(compared(expected, self.claim.metric, rows), ends=ends, level=level)

    def pair(self, expected: Expectation) -> tuple[list[Row], str]:
        """Return the rows of the seeds that both variants have; if too few, [] and the reason."""
        metric, variants = self.claim.metric.name, self._arms(expected)
        mine, theirs = map(self.of, variants)
        common = [seed for seed in self.seeds if seed in mine and seed in theirs]
        places = {
            place_of(self.record(variant, seed), variant, metric)
            for variant in variants
            for seed in common
        }
        if {"probe", "test"} <= places:
            return [], (
                "one variant is measured on the probe's sentences, one on the test's; "
                "give both variants a step (at)"
            )
        equal = [seed for seed in common if len(self.precisions(expected, [seed])) <= 1]
        if len(equal) >= FEWEST:
            return [(seed, mine[seed], theirs[seed]) for seed in equal], ""
        if len(common) >= FEWEST:
            return [], (
                f"{variants[0].name!r} and {variants[1].name!r} were trained at different "
                "precision; train one of them again"
            )
        variant = variants[1] if len(mine) >= FEWEST > len(theirs) else variants[0]
        where = (
            "here"
            if variant.at is None
            else f"at step {variant.at} (measured: every 10th and the last)"
        )
        return [], f"{variant.name!r} has no {variant.metric or metric} {where}"

    def precisions(self, expected: Expectation, seeds: Iterable[int]) -> set[Any]:
        """Return the precisions of the runs of both variants."""
        trained = [variant for variant in self._arms(expected) if variant.trained]
        return {
            self.record(variant, seed).get("precision") for variant in trained for seed in seeds
        } - {None}

    def of(self, variant: Variant) -> dict[int, float]:
        """Return the values of a variant by seed, without missing values."""
        metric = self.claim.metric.name
        if variant.method == "computed":
            return dict.fromkeys(self.seeds, float(variant.of or "nan"))
        source = "sts" if metric == "seed_spread" else metric
        values = {
            seed: value_of(self.record(variant, seed), variant, source) for seed in self.seeds
        }
        known = {seed: value for seed, value in values.items() if value is not None}
        if known and variant.method == "untrained" and variant.represent == "word average":
            # No seed changes it; processors round it.
            known = dict.fromkeys(known, next(iter(known.values())))
        return _spread(known) if metric == "seed_spread" else known

    def record(self, variant: Variant, seed: int) -> Mapping[str, Any]:
        """Return the record with a variant's values; empty if there is none."""
        return self.records.get(self._name(variant, seed), {})

    def _name(self, variant: Variant, seed: int) -> str:
        return record_name(self.claim, variant, seed) or ""

    def _arms(self, expected: Expectation) -> tuple[Variant, Variant]:
        return self.claim.variants[expected.left], self.claim.variants[expected.right]

    def _ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Return the final mean uniformity of both variants."""
        claim, variants = self.claim, self._arms(expected)
        about_scores = claim.kind == "scores" and claim.metric.name != "uniformity"
        if not about_scores or not all(variant.trained for variant in variants):
            return None
        means = []
        for variant in variants:
            end = replace(variant, metric=None, at=None)
            values = [value_of(self.record(variant, seed), end, "uniformity") for seed in seeds]
            known = [value for value in values if value is not None]
            if len(known) < len(seeds):
                return None
            means.append(statistics.fmean(known))
        return means[0], means[1]

    def _at_equal_uniformity(self, expected: Expectation) -> Comparison | None:
        """Compare two variants by scores that were measured during their runs."""
        left, right = self._arms(expected)
        if any(
            variant.represent or variant.post or variant.at is not None for variant in (left, right)
        ):
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
    """Return Tukey's jackknife pseudo-values of the mean difference between two seeds."""
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


def place_of(record: Record, variant: Variant, metric: str) -> str:
    """Return what a metric is measured on: "probe" during the run, "test" at its end, or ""."""
    metric = variant.metric or metric
    if variant.at is None and metric in record.get("views", {}).get(variant.view, {}):
        return "test"
    return "probe" if column_of(record, metric) or metric in record.get("first", {}) else ""


def at_equal_uniformity(one: Record, other: Record, score: str) -> tuple[float, float] | None:
    """Return a score of two runs, each at the final uniformity of the less uniform run."""
    paths = [_path(record, score) for record in (one, other)]
    if min(map(len, paths)) < FEWEST_SCORES:
        return None
    level = max(path[-1][0] for path in paths)
    first, second = (_score_at(path, level) for path in paths)
    return None if first is None or second is None else (first, second)


def _path(record: Record, score: str) -> list[tuple[float, float]]:
    """Return uniformity and score at each step at which both were measured."""
    uniformity, scores = column_of(record, "uniformity"), column_of(record, score)
    return [(uniformity[step], scores[step]) for step in sorted(scores) if step in uniformity]


def _score_at(path: Sequence[tuple[float, float]], level: float) -> float | None:
    """Return the interpolated score where uniformity first is ``level``; None if it never is."""
    if path[-1][0] == level:
        return path[-1][1]
    for (before, low), (after, high) in pairwise(path):
        if min(before, after) <= level <= max(before, after) and before != after:
            return low + (high - low) * (level - before) / (after - before)
    return None
