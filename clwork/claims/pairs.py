"""Scores of rated pairs, and their error over pairs: other sentences would give other scores.

The cosines of all pairs are kept with a run, so that the error of any comparison can be computed
later. Files of pairs are safetensors with a tensor ``view/task/split`` for each representation and
test set: 1 − cosine of each pair in the order of the task's file, as float16. Vectors in a cone
have cosines near 1, which float16 tells apart only by their distance from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PAIRS = "pairs.safetensors"
# Resamples of the pairs; the error of a difference is then known to 3 %.
RESAMPLES = 500


@dataclass(frozen=True)
class PairScore:
    """Spearman × 100 of cosines and ratings: on all pairs, and on each resample of them.

    The resamples are the same for all scores of a test set, so that scores can be subtracted.
    """

    value: float
    resampled: Floats  # (R,)


def distances_between(first: Any, second: Any) -> npt.NDArray[np.float16]:
    """Return 1 − cosine of each row of ``first`` with the same row of ``second``, ``(N,)``."""
    import torch

    from ..arithmetic import normalize

    unit1 = normalize(torch.from_numpy(np.asarray(first, dtype=np.float64)))
    unit2 = normalize(torch.from_numpy(np.asarray(second, dtype=np.float64)))
    # |u − v|² = 2 − 2 cos for unit vectors, without the rounding of 1 − cos.
    squared = (unit1 - unit2).pow(2).sum(dim=1)
    return (squared / 2).numpy().astype(np.float16)


def pair_score(distances: npt.ArrayLike, ratings: Sequence[float]) -> PairScore:
    """Return Spearman × 100 of the pairs' nearness and their ratings, ``(N,)`` each.

    >>> pair_score([0.9, 0.5, 0.1], [0.0, 2.0, 5.0]).value
    100.0
    """
    nearness = -np.asarray(distances, dtype=np.float64)
    counts = _resamples(len(nearness))
    near = _centred_ranks(nearness, counts)
    rated = _centred_ranks(np.asarray(ratings, dtype=np.float64), counts)
    covariance = np.einsum("rn,rn,rn->r", counts, near, rated)
    variances = np.einsum("rn,rn,rn->r", counts, near, near) * np.einsum(
        "rn,rn,rn->r", counts, rated, rated
    )
    # A collapsed encoder orders no pair; a claim needs a number for it, which is 0.
    scores = np.divide(
        100 * covariance, np.sqrt(variances), out=np.zeros(len(counts)), where=variances > 0
    )
    # The first "resample" has each pair once.
    return PairScore(round(float(scores[0]), 6), scores[1:])


@cache
def _resamples(pairs: int) -> npt.NDArray[np.float64]:
    """Return how often each pair is drawn, ``(1 + R, N)``; in the first row, each is once."""
    random = np.random.default_rng(0)
    drawn = random.multinomial(pairs, np.full(pairs, 1 / pairs), size=RESAMPLES)
    return np.concatenate([np.ones((1, pairs)), drawn])


def _centred_ranks(values: Floats, counts: Floats) -> Floats:
    """Return the ranks of values that occur ``counts`` times, minus the mean rank, ``(R, N)``.

    Equal values share the mean of their ranks.
    """
    order = np.argsort(values)
    # The places in the order where a new value begins, and which value each pair has.
    starts = np.flatnonzero(np.diff(values[order], prepend=-np.inf))
    group = np.empty(len(values), dtype=int)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))

    sizes = np.add.reduceat(counts[:, order], starts, axis=1)
    middles = np.cumsum(sizes, axis=1) - sizes / 2
    # The count-weighted mean of these ranks is half the number of pairs.
    return np.asarray((middles - len(values) / 2)[:, group])


def pair_error(left: Sequence[PairScore], right: Sequence[PairScore]) -> float:
    """Return the standard error over pairs of the mean difference of two variants.

    ``left`` and ``right`` have a score of the same test set for each seed.
    """
    mean_left = np.mean([score.resampled for score in left], axis=0)
    mean_right = np.mean([score.resampled for score in right], axis=0)
    return float(np.std(mean_left - mean_right, ddof=1))
