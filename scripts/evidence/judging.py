"""Comparisons over seeds and pairs: the kept cosines of rated pairs, judged on the train splits.

No setting was chosen by the train splits, and they have seven times as many pairs as validation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clwork.claims.ledger import Claim, Expectation, Variant
from clwork.claims.pairs import PairScore, pair_error, pair_score
from clwork.claims.records import VariantRun, run_of
from clwork.claims.table import Answer
from clwork.claims.verdicts import SetResult, family_threshold, stage_of, verdict

# The test sets of each metric.
SETS = {
    "stsb": ("stsb/train",),
    "sickr": ("sickr/train",),
    "sts": ("stsb/train", "sickr/train"),
}
# Training texts that have sentences of a test set.
SEEN = {
    "stsb-unlabelled": "stsb/train",
    "wikipedia-mini, rated pairs": "stsb/train",
}
# What must be equal on both sides of a comparison, besides data, split and representation, which
# are those of the key by which the cosines are read.
ALIKE = ("precision", "machine", "threads", "versions")


@dataclass(frozen=True)
class Judge:
    """Judges comparisons by the kept cosines.

    Attributes:
        facts: circumstances of the runs, by name.
        read: returns the distances of a key ``run/view/task/split``.
        ratings: the human ratings of each test set.
    """

    facts: Mapping[str, Mapping[str, Any]]
    read: Callable[[str], Any]
    ratings: Mapping[str, Sequence[float]]
    _scores: dict[str, PairScore] = field(default_factory=dict)

    def sets_of(self, claim: Claim, expected: Expectation, seeds: int) -> tuple[SetResult, ...]:
        """Return the comparison on each test set; empty if it cannot be judged by pairs.

        Args:
            claim: the claim.
            expected: the variants to compare.
            seeds: the largest number of seeds to use.
        """
        left, right = (claim.variants[side] for side in (expected.left, expected.right))
        metrics = {variant.metric or claim.metric.name for variant in (left, right)}
        is_about_ends = left.at is None and right.at is None
        if not is_about_ends or len(metrics) > 1 or "computed" in (left.method, right.method):
            return ()
        runs = self._runs(claim, (left, right), seeds)
        if not runs:
            return ()
        for pair in runs:
            differing = unlike(*(self.facts[run.name] for run in pair))
            if differing:
                raise ValueError(f"{claim.name}, {expected}: the sides differ in {differing}")
        results = []
        for name in SETS.get(metrics.pop(), ()):
            if name in {SEEN.get(run.data) for run in runs[0]}:
                continue
            values = [
                [self._score(run.name, variant.view, name) for run in of_variant]
                for variant, of_variant in zip((left, right), zip(*runs, strict=True), strict=True)
            ]
            results.append(self._compare(name, expected, claim, *values))
        return tuple(results)

    def _compare(
        self,
        name: str,
        expected: Expectation,
        claim: Claim,
        left: Sequence[PairScore],
        right: Sequence[PairScore],
    ) -> SetResult:
        """Compare the scores of both variants on a test set, one for each seed."""
        differences = [one.value - other.value for one, other in zip(left, right, strict=True)]
        judged = verdict(
            differences,
            expected.sign,
            claim.metric.margin,
            drawn=any(len({score.value for score in side}) > 1 for side in (left, right)),
            pair_error=pair_error(left, right),
        )
        return SetResult(name, len(self.ratings[name]), len(left), judged.difference)

    def _runs(
        self, claim: Claim, variants: Iterable[Variant], most: int
    ) -> list[tuple[VariantRun, ...]]:
        """Return the runs of both variants at the first seeds for which both are kept.

        There are as many seeds as a stage has.
        """
        runs = []
        for seed in range(most):
            of_seed = tuple(run_of(claim, variant, seed) for variant in variants)
            if all(run.name in self.facts for run in of_seed):
                runs.append(of_seed)
        return runs[: stage_of(len(runs))]

    def _score(self, run: str, view: str, name: str) -> PairScore:
        key = f"{run}/{view}/{name}"
        if key not in self._scores:
            self._scores[key] = pair_score(self.read(key), self.ratings[name])
        return self._scores[key]


def unlike(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """Return in what two runs differ that must be equal on both sides of a comparison."""
    return [name for name in ALIKE if left.get(name) != right.get(name)]


def with_families(answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """Return the answers with the threshold of their family: the comparisons of their paper."""
    p_values: dict[str, list[float | None]] = {}
    for answer in answers.values():
        for comparison in answer.comparisons:
            differences = [each.difference for each in comparison.sets] or [comparison.difference]
            of_paper = p_values.setdefault(answer.claim.paper, [])
            if comparison.measured or comparison.sets:
                of_paper += [difference.p for difference in differences]
    thresholds = {paper: family_threshold(values) for paper, values in p_values.items()}
    return {
        name: replace(answer, family=thresholds.get(answer.claim.paper, 0.0))
        for name, answer in answers.items()
    }
