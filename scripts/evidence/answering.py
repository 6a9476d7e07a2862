"""Answers to the ledger from the stored records, at each stage: the table that the lessons read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from clwork import claims
from clwork.claims.ledger import Expectation, Variant
from clwork.claims.records import start_of, untrained_name
from clwork.claims.table import Answer, Comparison, Control
from clwork.claims.verdicts import LAST, RATE, STAGES, Difference, Verdict, threshold_of
from clwork.reference_runs import Records
from clwork.wording import plural

from .measurements import Measurements, answer_of, pairs_of

Names = Mapping[str, Mapping[str, str]]
"""Names of a claim's records by variant and seed."""
REPEATED = "float32"  # precision of repetitions, which every machine can run
FEWEST_VARIANTS = 20  # least number of settings for a rank correlation
RESAMPLES = 1000  # of settings


def every_answer(records: Records, index: Mapping[str, Names]) -> Iterator[Answer]:
    """Return the table of answers: one for each stage and claim.

    ``index`` has the names of each claim's records by variant and seed; those of the last stage are
    compared pair by pair.
    """
    again = repetitions(records)
    for stage in STAGES:
        for name, answer in answers(records, range(stage)).items():
            seeds = sorted({int(seed) for names in index.get(name, {}).values() for seed in names})
            if stage == LAST and seeds:
                answer = replace(
                    answer, pairs=pairs_of(Stored(answer.claim, records, seeds, again=again))
                )
            yield answer


def answers(records: Records, seeds: Sequence[int]) -> dict[str, Answer]:
    """Return the answers to all claims of the ledger from these seeds, decided together."""
    again = repetitions(records)
    every = {name: Stored(claims.get(name), records, seeds, again=again) for name in claims.names()}
    found = {name: replace(answer_of(own), controls=own.controls()) for name, own in every.items()}
    threshold = threshold_of(one.p for answer in found.values() for one in answer.comparisons)
    return {name: replace(answer, threshold=threshold) for name, answer in found.items()}


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
        found = super(Stored, used).compare(expected)
        if not found.measured:
            return found
        remarks = [found.remark]
        if used is not self:
            remarks.append(f"both at {REPEATED}")
        if unlike := used.unlike(expected, found.seeds):
            seeds = plural(unlike, "seed")
            remarks.append(f"different processors or forward passes in {seeds}")
        over = self.over_settings(expected, len(found.seeds))
        if over is not None:
            says: Verdict = "supported" if (over.mean > 0) == (expected.sign == ">") else "refuted"
            found = replace(found, difference=over, p=over.p, says=says)
            remarks = ["interval over the settings, whose seeds are not independent"]
        return replace(found, remark="; ".join(filter(None, remarks)))

    def better(self, expected: Expectation) -> Stored:
        """Return the repetitions if they pair more seeds or have fewer precisions."""
        again = replace(self, records=self.again)
        seeds = [seed for seed, *_ in self.pair(expected)[0]]
        others = [seed for seed, *_ in again.pair(expected)[0]]
        if len(others) != len(seeds):
            return again if len(others) > len(seeds) else self
        mixed = len(self.precisions(expected, seeds)) > len(again.precisions(expected, others))
        return again if mixed else self

    def controls(self) -> tuple[Control, ...]:
        """Return the claim's metric for other representations of its encoders, best first."""
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
        found: dict[str, list[float]] = {}
        for variant, seed in product(variants, seeds):
            untrained = untrained_name(start_of(claim, variant), seed)
            sources = {
                variant.name: self.record(variant, seed),
                "untrained": self.records.get(untrained, {}),
            }
            for what, record in sources.items():
                for view, values in record.get("views", {}).items():
                    if metric in values and (what, view) != (variant.name, variant.view):
                        name = f"{what}, {view}".replace(", own", "")
                        found.setdefault(name, []).append(values[metric])
        once = {
            name: values[:1] if len(set(values)) == 1 else values for name, values in found.items()
        }
        controls = [Control(name, tuple(values)) for name, values in once.items()]
        return tuple(sorted(controls, key=lambda one: one.mean, reverse=better == "higher"))

    def unlike(self, expected: Expectation, seeds: Sequence[int]) -> int:
        """Return for how many seeds the two runs have different processors or forward passes."""
        variants = [self.claim.variants[name] for name in (expected.left, expected.right)]
        if not all(variant.trained for variant in variants):
            return 0
        count = 0
        for seed in seeds:
            made = [self.record(variant, seed) for variant in variants]
            passes = {
                (one.get("machine"), one.get("versions", {}).get("forward pass")) for one in made
            }
            count += len(passes) > 1
        return count

    def of(self, variant: Variant) -> dict[int, float]:
        """Return the values of a variant by seed; of a rank agreement, over all stored settings."""
        if variant.method != "computed" or self.claim.metric.name != "rank_agreement":
            return super().of(variant)
        needed = [*(variant.of or "").split(", "), "sts"]
        found = {}
        for seed in self.seeds:
            views = [views.get(seed, {}) for views in self.settings().values()]
            known = [view for view in views if set(needed) <= view.keys()]
            if len(known) >= FEWEST_VARIANTS:
                found[seed] = float(
                    agreement([[[view[name] for view in known]] for name in needed])[0]
                )
        return found

    def settings(self) -> dict[str, dict[int, Mapping[str, float]]]:
        """Return the measures of each trained setting by seed."""
        start = start_of(self.claim, next(iter(self.claim.variants.values())))
        found: dict[str, dict[int, Mapping[str, float]]] = {}
        for name, record in sorted(self.records.items()):
            if "method" in record and record["encoder"] == start and not name.endswith(REPEATED):
                own = found.setdefault(name.rpartition("-s")[0], {})
                own[record["seed"]] = record["views"].get("own", {})
        return found

    def over_settings(self, expected: Expectation, count: int) -> Difference | None:
        """Return the difference of two rank agreements with a bootstrap interval over settings."""
        if self.claim.metric.name != "rank_agreement":
            return None
        variants = [self.claim.variants[name] for name in (expected.left, expected.right)]
        sides = [[*(variant.of or "").split(", "), "sts"] for variant in variants]
        needed = {name for side in sides for name in side}
        seeds = self.seeds[:count]
        every = [
            views
            for views in self.settings().values()
            if all(needed <= views.get(seed, {}).keys() for seed in seeds)
        ]
        if len(every) < FEWEST_VARIANTS:
            return None
        samples = np.random.default_rng(0).integers(len(every), size=(RESAMPLES, len(every)))
        samples[0] = np.arange(len(every))  # the settings as they are
        gaps = np.zeros(RESAMPLES)
        for seed in seeds:
            drawn = {
                name: np.array([views[seed][name] for views in every])[samples] for name in needed
            }
            left, right = (agreement([drawn[name] for name in side]) for side in sides)
            gaps += (left - right) / len(seeds)
        error = RATE * STAGES[count]
        low, high = map(float, np.quantile(gaps[1:], (error / 2, 1 - error / 2)))
        p = 2 * min(float((gaps <= 0).mean()), float((gaps >= 0).mean())) / STAGES[count]
        return Difference(float(gaps[0]), low, high, min(1.0, p))


def agreement(measures: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the rank correlation of scores with the summed ranks of the other measures.

    ``measures`` is (M, R, N) with the scores last; of the others, low is best.
    """
    known = np.asarray(measures)
    ranks = (
        rankdata(rankdata(-known[:-1], axis=-1).sum(axis=0), axis=-1),
        rankdata(known[-1], axis=-1),
    )
    one, other = (each - each.mean(axis=-1, keepdims=True) for each in ranks)
    lengths = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    lengths[lengths == 0] = np.inf  # all ranks are equal
    return np.asarray((one * other).sum(axis=-1) / lengths)
