"""Answers to claims, computed from the records of runs."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from .. import _validation
from .ledger import METRICS, Arm, Claim, Expectation, get, names
from .records import (
    Records,
    at_equal_uniformity,
    record_name,
    records_in,
    run_of,
    shipped_records,
    start_of,
    untrained_name,
    value_of,
)
from .verdicts import FEWEST, Answer, Comparison, Control, threshold_of

SEEDS = 5
MOST_SEEDS = 1000
FEWEST_ARMS = 5  # of a rank correlation over arms
STAND_IN = "silver"  # replaces human ratings where there are none
RATED = ("sts", "stsb", "sickr")  # metrics that need human ratings


def answers(
    folder: str | Path | None = None, encoder: str | None = None, seeds: int | Iterable[int] = SEEDS
) -> dict[str, Answer]:
    """Answer every claim of the ledger from stored runs, with one decision rule for all.

    Args:
        folder: that :func:`clwork.claims.test` has filled; default: the runs that ship with clwork.
        encoder: as it was given there.
        seeds: how many, or which.

    Raises:
        FileNotFoundError: the folder has no measured run.
    """
    chosen, numbers = None if encoder is None else _validation.text("encoder", encoder), read_seeds(seeds)
    if folder is None:
        return dict(_shipped(chosen, tuple(numbers)))
    return _answers(records_in(_validation.path("folder", folder)), chosen, numbers)


@cache
def _shipped(encoder: str | None, seeds: tuple[int, ...]) -> dict[str, Answer]:
    return _answers(shipped_records(), encoder, seeds)


def _answers(records: Records, encoder: str | None, seeds: Sequence[int]) -> dict[str, Answer]:
    each = {name: answer(get(name), records, seeds, encoder) for name in names()}
    threshold = threshold_of(comparison for found in each.values() for comparison in found.comparisons)
    return {name: replace(found, threshold=threshold) for name, found in each.items()}


def answer(
    claim: Claim,
    records: Records,
    seeds: Sequence[int] = tuple(range(SEEDS)),
    encoder: str | None = None,
    steps: int | None = None,
) -> Answer:
    """Answer one claim from records; the caller sets the threshold, which depends on all claims."""
    names = {record_name(claim, arm, seed, encoder, steps) for arm in claim.arms.values() for seed in seeds}
    stand_in = _stand_in(claim, [record for name, record in records.items() if name in names])
    if stand_in:
        arms = {n: replace(arm, metric=None) if arm.metric in RATED else arm for n, arm in claim.arms.items()}
        claim = replace(claim, metric=METRICS[stand_in], arms=arms)
    measured = Measurements(claim, records, seeds, encoder, steps)
    comparisons = tuple(measured.compare(expected) for expected in claim.expects)
    start = start_of(claim, next(iter(claim.arms.values())), encoder) if claim.arms else ""
    return Answer(claim, comparisons, measured.controls(), 0.0, start, steps or claim.steps, stand_in)


def _stand_in(claim: Claim, records: Iterable[Mapping[str, Any]]) -> str:
    """Return the metric that replaces human ratings, where a claim needs them and its records have none."""
    views = [view for record in records for view in record.get("views", {}).values()]
    rated = any("stsb" in view for view in views)
    return STAND_IN if claim.metric.name in RATED and not rated and any(STAND_IN in view for view in views) else ""


@dataclass(frozen=True)
class Measurements:
    """What the records have of a claim's arms, seed by seed; ``encoder`` and ``steps`` as in ``claims.test``."""

    claim: Claim
    records: Records
    seeds: Sequence[int]
    encoder: str | None = None
    steps: int | None = None

    def compare(self, expected: Expectation) -> Comparison:
        """Compare two arms over the seeds that both have."""
        rows, why = self.pair(expected)
        if not rows:
            return Comparison(expected, self.claim.metric, why=why)
        seeds, left, right = zip(*rows, strict=True)
        ends, level = self._ends(expected, seeds), None
        if ends is not None:
            score, scores = self._at_equal_uniformity(expected)
            if scores:
                some, one, other = zip(*scores, strict=True)
                level = Comparison(expected, METRICS[score], one, other, some)
        return Comparison(expected, self.claim.metric, left, right, seeds, ends=ends, level=level)

    def pair(self, expected: Expectation) -> tuple[list[tuple[int, float, float]], str]:
        """Return seed and both values for each seed that both arms have; without enough of them, the reason."""
        left, right = self.claim.arms[expected.left], self.claim.arms[expected.right]
        mine, theirs = self.of(left), self.of(right)
        common = [seed for seed in self.seeds if seed in mine and seed in theirs]
        equal = [seed for seed in common if self._precisions(left, right, seed) <= 1]
        if len(equal) >= FEWEST:
            return [(seed, mine[seed], theirs[seed]) for seed in equal], ""
        if len(common) >= FEWEST:
            return [], f"{left.name!r} and {right.name!r} were trained at different precision; train one of them again"
        arm = next((arm for arm, values in ((left, mine), (right, theirs)) if len(values) < FEWEST), left)
        return [], f"{arm.name!r} has no {arm.metric or self.claim.metric.name} here"

    def of(self, arm: Arm) -> dict[int, float]:
        """Return the values of an arm, for the seeds that have one."""
        metric = self.claim.metric.name
        if arm.method == "computed" and metric == "rank_agreement":
            return self._agreements(arm)
        if arm.method == "computed":
            return dict.fromkeys(self.seeds, float(arm.of or "nan"))
        values = {seed: self._value(arm, seed, "sts" if metric == "seed_spread" else metric) for seed in self.seeds}
        known = {seed: value for seed, value in values.items() if value is not None}
        return _spread(known) if metric == "seed_spread" else known

    def controls(self) -> tuple[Control, ...]:
        """Return every representation of a claim's encoders, trained or not, by the claim's metric, the best first."""
        claim = self.claim
        if claim.kind != "scores" or not claim.metric.better:
            return ()
        found: dict[str, list[float]] = {}
        for arm in claim.arms.values():
            for seed in self.seeds:
                run = run_of(claim, arm, seed, self.encoder, self.steps)
                if run is None:
                    continue
                untrained = untrained_name(start_of(claim, arm, self.encoder), seed)
                for what, record in ((arm.name, run.name), ("untrained", untrained)):
                    for view, values in self.records.get(record, {}).get("views", {}).items():
                        if claim.metric.name in values:
                            name = f"{what}, {view}".replace(", own", "")
                            found.setdefault(name, []).append(values[claim.metric.name])
        controls = [Control(n, tuple(values[:1] if len(set(values)) == 1 else values)) for n, values in found.items()]
        return tuple(sorted(controls, key=lambda control: control.mean, reverse=claim.metric.better == "higher"))

    def _record(self, arm: Arm, seed: int) -> Mapping[str, Any]:
        return self.records.get(record_name(self.claim, arm, seed, self.encoder, self.steps) or "", {})

    def _value(self, arm: Arm, seed: int, metric: str) -> float | None:
        return value_of(self._record(arm, seed), arm, metric)

    def _precisions(self, left: Arm, right: Arm, seed: int) -> int:
        """Count the precisions at which both arms were trained."""
        found = {self._record(arm, seed).get("precision") for arm in (left, right) if arm.trained}
        return len(found - {None})

    def _ends(self, expected: Expectation, seeds: Sequence[int]) -> tuple[float, float] | None:
        """Return the mean uniformity of two trained arms at their ends; None where the claim is not about scores."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if self.claim.kind != "scores" or self.claim.metric.name == "uniformity" or not all(a.trained for a in arms):
            return None
        plain = [replace(arm, metric=None, at=None) for arm in arms]
        each = [[self._value(arm, seed, "uniformity") for seed in seeds] for arm in plain]
        known = [[value for value in values if value is not None] for values in each]
        if min(map(len, known)) < len(seeds):
            return None
        return statistics.fmean(known[0]), statistics.fmean(known[1])

    def _at_equal_uniformity(self, expected: Expectation) -> tuple[str, list[tuple[int, float, float]]]:
        """Return the score that is used, with seed and both scores at equal uniformity; empty without scores."""
        arms = [self.claim.arms[name] for name in (expected.left, expected.right)]
        if any(arm.represent or arm.post or arm.at is not None for arm in arms):
            return "", []
        for score in (self.claim.metric.name, STAND_IN):
            found = {
                seed: at_equal_uniformity(self._record(arms[0], seed), self._record(arms[1], seed), score)
                for seed in self.seeds
            }
            rows = [(seed, *both) for seed, both in found.items() if both is not None]
            if len(rows) >= FEWEST:
                return score, rows
        return "", []

    def _agreements(self, arm: Arm) -> dict[int, float]:
        """Rank correlation of ``arm.of``, added up as ranks, with sts over all trained encoders of a seed."""
        from scipy.stats import rankdata, spearmanr

        measures = (arm.of or "").split(", ")
        start = start_of(self.claim, next(iter(self.claim.arms.values())), self.encoder)
        found = {}
        for seed in self.seeds:
            views = [
                record["views"].get("own", {})
                for _, record in sorted(self.records.items())
                if "method" in record and record["seed"] == seed and record["encoder"] == start
            ]
            known = [view for view in views if {"sts", *measures} <= view.keys()]
            if len(known) >= FEWEST_ARMS:
                ranks = sum(rankdata([-view[name] for view in known]) for name in measures)
                found[seed] = float(spearmanr(ranks, [view["sts"] for view in known]).statistic)
        return found


def _spread(scores: Mapping[int, float]) -> dict[int, float]:
    """Tukey's pseudo-values of the mean distance between two seeds: their mean is that distance."""
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


def read_seeds(given: Any) -> list[int]:
    """Check the seeds of a claim: how many, or which."""
    chosen = range(_validation.whole("seeds", given, FEWEST, MOST_SEEDS)) if _validation.is_whole(given) else given
    if isinstance(chosen, str | bytes | Mapping) or not isinstance(chosen, Iterable):
        raise TypeError(f"seeds={_validation.shown(given)} must be how many seeds, or a list of them")
    numbers = [_validation.seed(seed) for seed in islice(chosen, MOST_SEEDS)]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"seeds={_validation.shown(given)} has a seed twice; give each one once")
    if len(numbers) < FEWEST:
        raise ValueError(f"seeds={_validation.shown(given)}: at least {FEWEST} are needed to estimate a spread")
    return numbers
