"""Scores of rated sentence pairs (Spearman), and their error over pairs by resampling (bootstrap).

Other sentences would give other scores. :class:`Judge` computes the error for the comparison of two
variants on each test set; the interval over seeds and pairs follows from it in
:func:`.verdicts.mean_difference`.

The cosines of all pairs are kept with a run, so that the error of any comparison can be computed
later. Files of pairs are safetensors with a tensor ``view/task/split`` for each representation and
test set: 1 − cosine of each pair in the order of the task's file, as float16. Vectors in a cone
have cosines near 1, which float16 tells apart only by their distance from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .ledger import Claim, Expectation
from .records import VariantRun
from .verdicts import Difference, SetResult, paired_difference, stage_of

Floats = npt.NDArray[np.float64]
RunsBySeed = Mapping[int, VariantRun]

PAIRS = "pairs.safetensors"
# What must be equal on both sides of a comparison.
ALIKE = ("precision", "machine", "threads", "versions")
# Resamples of the pairs; the error of a difference is then known to 3 %.
RESAMPLES = 500


def distances_between(first: Any, second: Any) -> Floats:
    """Return 1 − cosine of each row of ``first`` with the same row of ``second``, ``(N,)``."""
    from ..arithmetic import unit_rows  # loads torch

    apart = unit_rows(first) - unit_rows(second)
    # |u − v|² = 2 − 2 cos for unit vectors, without the rounding of 1 − cos.
    return np.asarray((apart**2).sum(axis=1) / 2)


def spearman(distances: npt.ArrayLike, ratings: Sequence[float]) -> float:
    """Return Spearman × 100 of the pairs' nearness and their ratings, ``(N,)`` each.

    >>> spearman([0.9, 0.5, 0.1], [0.0, 2.0, 5.0])
    100.0
    """
    return float(_correlations(distances, ratings, np.ones((1, len(ratings))))[0])


def resampled_spearman(distances: npt.ArrayLike, ratings: Sequence[float]) -> Floats:
    """Return :func:`spearman` of all pairs, and then of each resample of the pairs, ``(1 + R,)``.

    The resamples are the same for all scores of a test set, so that scores can be subtracted.
    """
    return _correlations(distances, ratings, _resamples(len(ratings)))


def _correlations(distances: npt.ArrayLike, ratings: Sequence[float], counts: Floats) -> Floats:
    """Return Spearman × 100 of pairs that occur ``counts`` times, ``(R, N)``, as ``(R,)``."""
    near = _centred_ranks(-np.asarray(distances, dtype=np.float64), counts)
    rated = _centred_ranks(np.asarray(ratings, dtype=np.float64), counts)
    covariance = (counts * near * rated).sum(axis=1)
    variances = (counts * near**2).sum(axis=1) * (counts * rated**2).sum(axis=1)
    # A collapsed encoder orders no pair; a claim needs a number for it, which is 0.
    variances[variances == 0] = np.inf
    return np.asarray(100 * covariance / np.sqrt(variances))


@cache
def _resamples(pairs: int) -> npt.NDArray[np.float64]:
    """Return how often each pair is drawn, ``(1 + R, N)``; in the first row, each is once."""
    random = np.random.default_rng(0)
    drawn = random.multinomial(pairs, np.full(pairs, 1 / pairs), size=RESAMPLES)
    return np.concatenate([np.ones((1, pairs)), drawn])


def _centred_ranks(values: Floats, counts: Floats) -> Floats:
    """Return the ranks of values that occur ``counts`` times, minus the mean rank, ``(R, N)``.

    Equal values share the mean of their ranks. For example, the values 5, 1, 5 and 7, which occur
    1, 2, 0 and 1 times, form the sorted list 1, 1, 5, 7. Its ranks are 1.5, 1.5, 3 and 4, with the
    mean 2.5, so the result is 0.5, -1, 0.5, 1.5. Each row of ``counts`` adds up to N.
    """
    order = np.argsort(values)
    # Pairs with equal values form a group. Find where each begins in the order, and number them.
    starts = np.flatnonzero(np.diff(values[order], prepend=-np.inf))
    group = np.empty(len(values), dtype=int)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))

    # How often each group occurs, (R, groups), and where its middle is in the sorted list: the mean
    # rank of the group is half a place further.
    sizes = np.add.reduceat(counts[:, order], starts, axis=1)
    middles = np.cumsum(sizes, axis=1) - sizes / 2
    # The mean over the list of N is also half a place before the mean rank.
    return np.asarray((middles - len(values) / 2)[:, group])


@dataclass(frozen=True)
class Judge:
    """Compares variants over seeds and pairs, by the distances that are kept with their runs.

    Attributes:
        test_sets: the test sets of each metric.
        ratings: the human ratings of each test set.
        facts: circumstances of each run, by its name.
        read: returns the distances of a run by a key ``view/task/split``.
    """

    test_sets: Mapping[str, Sequence[str]]
    ratings: Mapping[str, Sequence[float]]
    facts: Mapping[str, Mapping[str, Any]]
    read: Callable[[str, str], npt.ArrayLike]
    _scores: dict[tuple[str, str], Floats] = field(default_factory=dict)

    def compare(
        self, claim: Claim, expected: Expectation, runs: Mapping[str, RunsBySeed]
    ) -> tuple[SetResult, ...]:
        """Compare two variants of a claim on each test set; empty if pairs cannot compare them.

        Args:
            claim: the claim.
            expected: the variants to compare.
            runs: the runs of each variant.

        Raises:
            ValueError: the two runs of a seed differ in precision, processor or versions.
        """
        left = claim.variants[expected.left]
        right = claim.variants[expected.right]
        # Distances of pairs are kept of the encoder at the end of a run: there are none at an
        # earlier step, nor for a value that is computed without a run.
        have_pairs = all(side.at is None and side.method != "computed" for side in (left, right))
        metric = left.metric or claim.metric.name
        if not have_pairs or metric != (right.metric or claim.metric.name):
            return ()

        left_runs = runs.get(left.name, {})
        right_runs = runs.get(right.name, {})
        seeds = self._common_seeds(left_runs, right_runs)
        if not seeds:
            return ()
        for seed in seeds:
            differing = unlike(self.facts[left_runs[seed].name], self.facts[right_runs[seed].name])
            if differing:
                raise ValueError(f"{claim.name}, {expected}: the sides differ in {differing}")

        results = []
        for test_set in self.test_sets.get(metric, ()):
            left_key = f"{left.view}/{test_set}"
            right_key = f"{right.view}/{test_set}"
            left_scores = [self.scores(left_runs[seed].name, left_key) for seed in seeds]
            right_scores = [self.scores(right_runs[seed].name, right_key) for seed in seeds]
            difference = difference_of(np.stack(left_scores), np.stack(right_scores))
            results.append(SetResult(test_set, len(self.ratings[test_set]), len(seeds), difference))
        return tuple(results)

    def _common_seeds(self, left: RunsBySeed, right: RunsBySeed) -> list[int]:
        """Return the seeds whose runs, with their facts, both sides have: as many as a stage."""
        common = [
            seed
            for seed in left
            if seed in right and left[seed].name in self.facts and right[seed].name in self.facts
        ]
        return common[: stage_of(len(common))]

    def scores(self, run: str, key: str) -> Floats:
        """Return a run's scores by a key ``view/task/split``, ``(1 + R,)``; computed once.

        The first is that of all pairs, the others are those of the R resamples.
        """
        if (run, key) not in self._scores:
            ratings = self.ratings[key.partition("/")[2]]
            self._scores[run, key] = resampled_spearman(self.read(run, key), ratings)
        return self._scores[run, key]


def difference_of(left: Floats, right: Floats) -> Difference:
    """Return the mean difference of two variants' scores on a test set, with its interval.

    Shapes: both ``(seeds, 1 + R)``: the score of all pairs, then those of R resamples of the pairs.
    """
    # The resamples stand for other test sentences: how much the mean difference varies from one to
    # the next is its standard error over pairs.
    pair_error = float((left - right)[:, 1:].mean(axis=0).std(ddof=1))
    return paired_difference(left[:, 0].tolist(), right[:, 0].tolist(), pair_error)


def unlike(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """Return in what two runs differ that must be equal on both sides of a comparison.

    Data, split and representation are those of the key by which their distances are read. An
    encoder without training has no circumstances.
    """
    return [name for name in ALIKE if name in left and name in right and left[name] != right[name]]
