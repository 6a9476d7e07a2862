"""Answers to the ledger from the stored records, at each stage: the table that the lessons read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from clwork import claims
from clwork.claims.ledger import METRICS, Claim, Expectation, Variant
from clwork.claims.records import VariantRun, start_of
from clwork.claims.table import Answer, Comparison, Control
from clwork.claims.verdicts import (
    LAST,
    RATE,
    STAGES,
    Difference,
    SetResult,
)
from clwork.data.sts import SPLIT_TASKS
from clwork.reference_runs import Records
from clwork.wording import plural

from .judging import with_families
from .measurements import Measurements, answer_of, pairs_of

Names = Mapping[str, Mapping[str, str]]
"""Names of a claim's records by variant and seed."""
Sets = Callable[[Claim, Expectation, int], tuple[SetResult, ...]]
"""Returns a comparison on each test set, of at most so many seeds."""
REPEATED = "float32"  # precision of repetitions, which every machine can run
FEWEST_VARIANTS = 20  # least number of settings for a rank correlation
RESAMPLES = 1000  # of settings


def every_answer(records: Records, index: Mapping[str, Names], sets: Sets) -> Iterator[Answer]:
    """Return the table of answers: one for each stage and claim.

    ``index`` has the names of each claim's records by variant and seed. Controls are in the rows of
    the last stage, where also all variants of a claim are compared pair by pair. ``sets`` compares
    two variants over pairs.
    """
    again = repetitions(records)
    for stage in STAGES:
        for name, answer in answers(records, range(stage), sets).items():
            seeds = sorted({int(seed) for names in index.get(name, {}).values() for seed in names})
            if stage < LAST:
                answer = replace(answer, controls=())
            elif seeds:
                stored = Stored(answer.claim, records, seeds, again=again)
                answer = replace(answer, pairs=pairs_of(stored))
            yield answer


def answers(records: Records, seeds: Sequence[int], sets: Sets) -> dict[str, Answer]:
    """Return the answers to all measured claims from these seeds, decided together."""
    again = repetitions(records)
    undecided = {}
    for name in claims.names():
        claim = claims.get(name)
        if claim.unmeasured:
            continue
        stored = Stored(claim, records, seeds, again=again)
        answer = answer_of(stored)
        comparisons = []
        for each in answer.comparisons:
            over_pairs = sets(claim, each.expected, len(seeds))
            of_sets = over_pairs or stored.over_seeds(each.expected)
            comparisons.append(replace(each, sets=of_sets))
        undecided[name] = replace(
            answer, comparisons=tuple(comparisons), controls=stored.controls()
        )
    # A family's threshold depends on the p values of all its claims.
    return with_families(undecided)


def repetitions(records: Records) -> Records:
    """Return the records with the repetition of each run in its place, where it was repeated."""
    return {name: records.get(f"{name}-{REPEATED}", record) for name, record in records.items()}


@dataclass(frozen=True)
class Stored(Measurements):
    """The values of a claim's variants in the stored records; ``again`` has repeated runs."""

    again: Records = field(default_factory=dict)

    def compare(self, expected: Expectation) -> Comparison:
        """Compare two variants, and remark on repetitions, processors and dependent seeds."""
        used = self.better(expected)
        comparison = super(Stored, used).compare(expected)
        if not comparison.measured:
            return comparison
        over_settings = self.over_settings(expected, len(comparison.seeds))
        if over_settings is not None:
            return replace(
                comparison,
                difference=over_settings,
                remark="interval over the settings, whose seeds are not independent",
            )
        remarks = [comparison.remark]
        if used is not self:
            remarks.append(f"both at {REPEATED}")
        unlike = used.unlike(expected, comparison.seeds)
        if unlike:
            seeds = plural(unlike, "seed")
            remarks.append(f"different processors or forward passes in {seeds}")
        return replace(comparison, remark="; ".join(filter(None, remarks)))

    def better(self, expected: Expectation) -> Stored:
        """Return the repetitions if they pair more seeds or have fewer precisions."""
        again = replace(self, records=self.again)
        seeds = [seed for seed, *_ in self.pair(expected)[0]]
        others = [seed for seed, *_ in again.pair(expected)[0]]
        if len(others) != len(seeds):
            return again if len(others) > len(seeds) else self
        mixed = len(self.precisions(expected, seeds)) > len(again.precisions(expected, others))
        return again if mixed else self

    def over_seeds(self, expected: Expectation) -> tuple[SetResult, ...]:
        """Return a comparison of the mean score on each of its test sets, over seeds alone."""
        if self.claim.metric.name != "sts":
            return ()
        results = []
        for task in SPLIT_TASKS:
            on_task = replace(self, claim=replace(self.claim, metric=METRICS[task]))
            compared = on_task.compare(expected)
            if compared.measured:
                seeds = len(compared.seeds)
                results.append(SetResult(f"{task}/validation", 0, seeds, compared.difference))
        return tuple(results)

    def controls(self) -> tuple[Control, ...]:
        """Return the claim's metric for other representations of its encoders, best first.

        These are other poolings and post-processings of the trained variants, and those of the
        encoders that they start from, over the seeds that all variants have.
        """
        claim = self.claim
        metric, better = claim.metric.name, claim.metric.better
        if claim.kind != "scores" or not better:
            return ()
        trained = [variant for variant in claim.variants.values() if variant.trained]
        variants = [
            variant for variant in trained if any(self.record(variant, seed) for seed in self.seeds)
        ]
        seeds = [
            seed for seed in self.seeds if all(self.record(variant, seed) for variant in variants)
        ]
        values: dict[str, list[float]] = {}
        for variant, seed in product(variants, seeds):
            untrained = VariantRun("untrained", start_of(claim, variant), seed)
            sources = {
                variant.name: self.record(variant, seed),
                "untrained": self.records.get(untrained.name, {}),
            }
            for source, record in sources.items():
                for view, measures in record.get("views", {}).items():
                    is_compared = (source, view) == (variant.name, variant.view)
                    if metric in measures and not is_compared:
                        name = f"{source}, {view}".replace(", own", "")
                        values.setdefault(name, []).append(measures[metric])
        controls = [Control(name, _once(of_control)) for name, of_control in values.items()]
        return tuple(sorted(controls, key=lambda control: control.mean, reverse=better == "higher"))

    def unlike(self, expected: Expectation, seeds: Sequence[int]) -> int:
        """Return for how many seeds the two runs have different processors or forward passes."""
        variants = self._sides(expected)
        if not all(variant.trained for variant in variants):
            return 0
        count = 0
        for seed in seeds:
            records = [self.record(variant, seed) for variant in variants]
            circumstances = {
                (record.get("machine"), record.get("versions", {}).get("forward pass"))
                for record in records
            }
            count += len(circumstances) > 1
        return count

    def of(self, variant: Variant) -> dict[int, float]:
        """Return the values of a variant by seed; of a rank agreement, over all stored settings."""
        if variant.method != "computed" or self.claim.metric.name != "rank_agreement":
            return super().of(variant)
        needed = _measures_of(variant)
        if needed == ["sts"]:
            # A number, with which an agreement is compared.
            return super().of(variant)
        values = {}
        for seed in self.seeds:
            views = [views_by_seed.get(seed, {}) for views_by_seed in self.settings().values()]
            known = [view for view in views if set(needed) <= view.keys()]
            if len(known) >= FEWEST_VARIANTS:
                # (M, 1, N): one sample, of all settings.
                measures = [[[view[name] for view in known]] for name in needed]
                values[seed] = float(agreement(measures)[0])
        return values

    def settings(self) -> dict[str, dict[int, Mapping[str, float]]]:
        """Return the measures of each trained setting of the claim's encoder, by seed."""
        start = start_of(self.claim, next(iter(self.claim.variants.values())))
        settings: dict[str, dict[int, Mapping[str, float]]] = {}
        for name, record in sorted(self.records.items()):
            is_trained = "method" in record
            if is_trained and record["encoder"] == start and not name.endswith(REPEATED):
                setting = name.rpartition("-s")[0]
                by_seed = settings.setdefault(setting, {})
                by_seed[record["seed"]] = record["views"].get("own", {})
        return settings

    def over_settings(self, expected: Expectation, count: int) -> Difference | None:
        """Return the difference of two rank agreements with a bootstrap interval over settings.

        None for other metrics, or with too few settings. ``count`` is the number of seeds, over
        which the difference is averaged; the interval is at the level of their stage.
        """
        if self.claim.metric.name != "rank_agreement":
            return None
        # The side that is a number compares no measures: it is the zero of no agreement.
        sides = [_measures_of(variant) for variant in self._sides(expected)]
        needed = {name for side in sides for name in side}
        seeds = self.seeds[:count]
        settings = [
            by_seed
            for by_seed in self.settings().values()
            if all(needed <= by_seed.get(seed, {}).keys() for seed in seeds)
        ]
        if len(settings) < FEWEST_VARIANTS:
            return None
        size = (RESAMPLES, len(settings))
        samples = np.random.default_rng(0).integers(len(settings), size=size)
        # The first sample is the settings as they are; its difference is the estimate.
        samples[0] = np.arange(len(settings))
        gaps = np.zeros(RESAMPLES)
        for seed in seeds:
            drawn = {}
            for name in needed:
                values = np.array([by_seed[seed][name] for by_seed in settings])
                drawn[name] = values[samples]  # (R, N)
            left, right = (
                agreement([drawn[name] for name in side]) if len(side) > 1 else 0.0
                for side in sides
            )
            gaps += (left - right) / len(seeds)
        error = RATE * STAGES[count]
        low, high = map(float, np.quantile(gaps[1:], (error / 2, 1 - error / 2)))
        smaller_tail = min(float((gaps <= 0).mean()), float((gaps >= 0).mean()))
        p = 2 * smaller_tail / STAGES[count]
        return Difference(float(gaps[0]), low, high, min(1.0, p))


def _measures_of(variant: Variant) -> list[str]:
    """Return the measures that a rank agreement compares, with the scores last."""
    names = (variant.of or "").split(", ")
    return [*(name for name in names if name in METRICS), "sts"]


def _once(values: Sequence[float]) -> tuple[float, ...]:
    """Return the values, or a single one if they are equal, as of an encoder without seed."""
    return tuple(values[:1]) if len(set(values)) == 1 else tuple(values)


def agreement(measures: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the rank correlation of scores with the summed ranks of the other measures, ``(R,)``.

    ``measures`` is ``(M, R, N)``: M measures, the scores last, in R samples of N settings. Of the
    measures, low is best.
    """
    known = np.asarray(measures)
    # Ranks of the negative values grow as a measure falls.
    summed = rankdata(-known[:-1], axis=-1).sum(axis=0)
    ranks = rankdata(summed, axis=-1)
    score_ranks = rankdata(known[-1], axis=-1)
    centred, centred_scores = (
        each - each.mean(axis=-1, keepdims=True) for each in (ranks, score_ranks)
    )
    norms = np.sqrt((centred**2).sum(axis=-1) * (centred_scores**2).sum(axis=-1))
    norms[norms == 0] = np.inf  # all ranks are equal
    return np.asarray((centred * centred_scores).sum(axis=-1) / norms)
