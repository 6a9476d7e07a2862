"""Comparisons over seeds and pairs: the kept cosines of rated pairs, judged on the train splits.

No setting was chosen by the train splits, and they have seven times as many pairs as validation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clwork.claims.ledger import Claim, Expectation
from clwork.claims.pairs import Judge
from clwork.claims.records import DEFAULT_TEXT, run_of
from clwork.claims.table import Answer
from clwork.claims.verdicts import SetResult, family_threshold

from .pairs import PACKED, facts_in, rated_pairs, read

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


def packed_judge(data: Path) -> Judge:
    """Return a judge of the train splits, by the packed cosines and the ratings in a folder."""
    ratings = {name: pairs.scores for name, pairs in rated_pairs(data).items()}

    def read_packed(run: str, key: str) -> npt.NDArray[np.float16]:
        return read(PACKED, f"{run}/{key}")

    return Judge(SETS, ratings, facts_in(PACKED), read_packed)


@dataclass(frozen=True)
class TrainSplits:
    """Compares variants on the train splits of which neither has read a sentence."""

    judge: Judge

    def __call__(self, claim: Claim, expected: Expectation, seeds: int) -> tuple[SetResult, ...]:
        """Return a comparison on each test set, of at most so many seeds."""
        variants = claim.variants[expected.left], claim.variants[expected.right]
        runs = {
            variant.name: {seed: run_of(claim, variant, seed) for seed in range(seeds)}
            for variant in variants
            if variant.method != "computed"
        }
        seen = {SEEN.get(variant.data or DEFAULT_TEXT) for variant in variants if variant.trained}
        results = self.judge.compare(claim, expected, runs)
        return tuple(result for result in results if result.name not in seen)


def with_families(answers: Mapping[str, Answer]) -> dict[str, Answer]:
    """Return the answers with the threshold of their family: the comparisons of their paper."""
    p_values: dict[str, list[float | None]] = {}
    for answer in answers.values():
        for comparison in answer.comparisons:
            of_paper = p_values.setdefault(answer.claim.stated_by, [])
            if comparison.measured or comparison.sets:
                of_paper += [difference.p for difference in comparison.differences]
    thresholds = {paper: family_threshold(values) for paper, values in p_values.items()}
    return {
        name: replace(answer, family=thresholds.get(answer.claim.stated_by, 0.0))
        for name, answer in answers.items()
    }
