"""From records to an answer: the variants' values by seed and their comparisons."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations, product
from typing import Any

from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.records import circumstances, column_of, run_of, start_of, value_of
from clwork.claims.table import Answer, Comparison
from clwork.claims.testing import STAND_IN, compared
from clwork.claims.verdicts import FEWEST, Difference, stage_of
from clwork.reference_runs import Record, Records

FEWEST_SCORES = 5  # scores of a run that a comparison at equal uniformity needs
Row = tuple[int, float, float]
"""A seed, and the values of the left and the right variant."""


def record_name(claim: Claim, variant: Variant, seed: int) -> str | None:
    """Return the name of the record with a variant's values; None for a number without encoder."""
    return None if variant.method == "computed" else run_of(claim, variant, seed).name


def answer_of(measured: Measurements) -> Answer:
    """Return the answer to a claim without controls; its family's threshold needs all claims."""
    claim = measured.claim
    return Answer(
        claim,
        comparisons=tuple(map(measured.compare, claim.expects)),
        controls=(),
        encoder=start_of(claim, next(iter(claim.variants.values()))) if claim.variants else "",
        steps=claim.steps,
        stage=stage_of(len(measured.seeds)),
        made=circumstances(
            measured.record(variant, seed)
            for variant, seed in product(claim.variants.values(), measured.seeds)
        ),
    )


def pairs_of(measured: Measurements) -> dict[str, dict[str, Difference]]:
    """Return the differences of all pairs of variants, by the right one, then by the left one."""
    pairs: dict[str, dict[str, Difference]] = {}
    for right, left in permutations(measured.claim.variants, 2):
        comparison = measured.compare(Expectation(left, ">", right))
        if comparison.measured:
            pairs.setdefault(right, {})[left] = comparison.difference
    return pairs


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
        metric = self.claim.metric.name
        left, right = self._sides(expected)
        left_values = self.of(left)
        right_values = self.of(right)
        common = [seed for seed in self.seeds if seed in left_values and seed in right_values]
        measured_on = {
            measured_on_what(self.record(variant, seed), variant, metric)
            for variant, seed in product((left, right), common)
        }
        if {"probe", "test"} <= measured_on:
            return [], (
                "one variant is measured on the probe's sentences, one on the test's; "
                "give both variants a step (at)"
            )
        equal_precision = [seed for seed in common if len(self.precisions(expected, [seed])) <= 1]
        if len(equal_precision) >= FEWEST:
            return [(seed, left_values[seed], right_values[seed]) for seed in equal_precision], ""
        if len(common) >= FEWEST:
            return [], (
                f"{left.name!r} and {right.name!r} were trained at different "
                "precision; train one of them again"
            )
        only_right_lacks_seeds = len(left_values) >= FEWEST > len(right_values)
        missing = right if only_right_lacks_seeds else left
        if not any(self.record(missing, seed) for seed in self.seeds) and missing.trained:
            return [], f"{missing.name!r} was not trained on {missing.data}"
        where = "here"
        if missing.at is not None:
            where = f"at step {missing.at} (measured: every 10th and the last)"
        return [], f"{missing.name!r} has no {missing.metric or metric} {where}"

    def precisions(self, expected: Expectation, seeds: Iterable[int]) -> set[Any]:
        """Return the precisions of the runs of both variants; training has one, a number none."""
        trained = [variant for variant in self._sides(expected) if variant.trained]
        records = [self.record(variant, seed) for variant, seed in product(trained, seeds)]
        return {record["precision"] for record in records if "precision" in record}

    def of(self, variant: Variant) -> dict[int, float]:
        """Return the values of a variant by seed, without missing values."""
        metric = self.claim.metric.name
        if variant.method == "computed":
            return dict.fromkeys(self.seeds, float(variant.of or "nan"))
        # The spread of seeds is computed from their scores.
        source = "sts" if metric == "seed_spread" else metric
        values = {}
        for seed in self.seeds:
            value = value_of(self.record(variant, seed), variant, source)
            if value is not None:
                values[seed] = value
        if values and variant.method == "untrained" and variant.represent == "word average":
            # No seed changes the average of word vectors, but processors round it differently.
            values = dict.fromkeys(values, next(iter(values.values())))
        return _spread(values) if metric == "seed_spread" else values

    def record(self, variant: Variant, seed: int) -> Mapping[str, Any]:
        """Return the record with a variant's values; empty if there is none."""
        return self.records.get(record_name(self.claim, variant, seed) or "", {})

    def _sides(self, expected: Expectation) -> tuple[Variant, Variant]:
        """Return the left and the right variant of an expectation."""
        return self.claim.variants[expected.left], self.claim.variants[expected.right]

    def _ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Return the final mean uniformity of both variants; None if a seed lacks it.

        None also if the claim is not about scores, or the alignment, of trained variants.
        """
        claim = self.claim
        variants = self._sides(expected)
        depends = claim.kind == "scores" and claim.metric.name != "uniformity"
        # Pairs of a narrow cloud are close whatever they mean.
        depends |= claim.metric.name == "alignment"
        if claim.ends_alone or not depends or not all(variant.trained for variant in variants):
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
        """Compare two variants by scores that were measured during their runs, if there are any."""
        left, right = self._sides(expected)
        # During a run only its own representation is measured.
        if any(variant.view != "own" or variant.at is not None for variant in (left, right)):
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
    """Return Tukey's jackknife pseudo-values of the mean distance between two seeds.

    For n seeds with mean distance d, and d₋ᵢ without seed i, the value of seed i is
    n · d − (n − 1) · d₋ᵢ. Their mean estimates the distance, with a standard error.
    """
    count = len(scores)
    if count < FEWEST:
        return {}
    distances = {(i, j): abs(scores[i] - scores[j]) for i, j in combinations(scores, 2)}
    mean = statistics.fmean(distances.values())
    values = {}
    for seed in scores:
        others = [distance for pair, distance in distances.items() if seed not in pair]
        values[seed] = count * mean - (count - 1) * statistics.fmean(others)
    return values


def measured_on_what(record: Record, variant: Variant, metric: str) -> str:
    """Return what a metric is measured on: "probe" during the run, "test" at its end, or ""."""
    metric = variant.metric or metric
    if variant.at is None and metric in record.get("views", {}).get(variant.view, {}):
        return "test"
    is_probed = column_of(record, metric) or metric in record.get("first", {})
    return "probe" if is_probed else ""


def at_equal_uniformity(one: Record, other: Record, score: str) -> tuple[float, float] | None:
    """Return a score of two runs, each at the final uniformity of the less uniform run.

    None if a run has too few scores, or never had that uniformity.
    """
    path = _path(one, score)
    other_path = _path(other, score)
    if min(len(path), len(other_path)) < FEWEST_SCORES:
        return None
    # Lower is more uniform, so the larger value is that of the less uniform run.
    level = max(path[-1][0], other_path[-1][0])
    first = _score_at(path, level)
    second = _score_at(other_path, level)
    return None if first is None or second is None else (first, second)


def _path(record: Record, score: str) -> list[tuple[float, float]]:
    """Return uniformity and score at each step at which both were measured."""
    uniformity = column_of(record, "uniformity")
    scores = column_of(record, score)
    return [(uniformity[step], scores[step]) for step in sorted(scores) if step in uniformity]


def _score_at(path: Sequence[tuple[float, float]], level: float) -> float | None:
    """Return the interpolated score where uniformity first is ``level``; None if it never is."""
    if path[-1][0] == level:
        # The less uniform run is compared at its end.
        return path[-1][1]
    for (before, low), (after, high) in pairwise(path):
        if min(before, after) <= level <= max(before, after) and before != after:
            return low + (high - low) * (level - before) / (after - before)
    return None
