"""Nearest neighbours by cosine, and the agreement of two encoders' neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _validation
from .inputs import Vectors, as_matrix, precise

# Decimal places to which two cosines are compared.
DIGITS = 12


@dataclass(frozen=True)
class Neighbours:
    """The k nearest rows of the corpus for each of Q queries, nearest first.

    ``rows[q, 0]`` is the number of the row that is nearest to query q, and ``cosines[q, 0]`` its
    cosine with the query. Both have shape ``(Q, k)``.
    """

    rows: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]


def nearest(queries: Vectors, corpus: Vectors | None = None, k: int = 10) -> Neighbours:
    """Return the ``k`` rows of ``corpus`` with the largest cosine to each query.

    Without ``corpus`` the queries are the corpus, and no row is its own neighbour. The cosines are
    exact, in float64; neighbours whose cosines are equal to 12 decimal places are in the order of
    their rows.

    Shapes: queries ``(Q, D)``, corpus ``(N, D)``.

    Raises:
        ValueError: the widths differ, or ``k`` is not from 1 to the number of candidates.

    >>> nearest(np.eye(3), np.array([[1.0, 0, 0], [1, 1, 0]]), k=1).rows[:2].tolist()
    [[0], [1]]
    """
    from sklearn.neighbors import NearestNeighbors

    query_vectors = _as_array(queries, "queries")
    candidates = query_vectors if corpus is None else _as_array(corpus, "corpus")
    if query_vectors.shape[1] != candidates.shape[1]:
        raise ValueError(
            f"queries have width {query_vectors.shape[1]}, the corpus {candidates.shape[1]}; "
            "encode both with the same encoder"
        )
    # Without a corpus, a query itself is no candidate.
    most = len(candidates) - 1 if corpus is None else len(candidates)
    if not 1 <= _validation.integer("k", k) <= most:
        raise ValueError(f"k is {k}; it must lie in [1, {most}], the number of candidates")
    index = NearestNeighbors(metric="cosine", algorithm="brute").fit(candidates)
    # With None, the candidates are the queries, and scikit-learn leaves each row itself out.
    distances, rows = index.kneighbors(None if corpus is None else query_vectors, k)  # (Q, k)
    cosines = 1 - distances
    # The last key is the main one: sort by cosine, then by row.
    order = np.lexsort((rows, -cosines.round(DIGITS)))  # (Q, k)
    return Neighbours(
        np.take_along_axis(rows, order, axis=1), np.take_along_axis(cosines, order, axis=1)
    )


def _as_array(x: Vectors, name: str) -> npt.NDArray[np.float64]:
    """Check vectors ``(N, D)`` and return them as a float64 array."""
    array: npt.NDArray[np.float64] = precise(as_matrix(x, name)).cpu().numpy()
    return array


def neighbour_agreement(x: Vectors, y: Vectors, k: int = 10) -> float:
    """Return the mean share of the k nearest neighbours that two encoders have in common.

    Shapes: x ``(N, D)``, y ``(N, E)``: the same sentences in the same order. Range [0, 1];
    k / (N - 1) by chance.

    Raises:
        ValueError: the numbers of rows differ, or ``k`` is not from 1 to N - 1.

    >>> neighbour_agreement(np.eye(4), 2 * np.eye(4), k=2)
    1.0
    """
    if len(x) != len(y):
        raise ValueError(
            f"x has {len(x)} rows and y {len(y)}; "
            "give vectors of the same sentences, in the same order"
        )
    shares = []
    for rows_of_x, rows_of_y in zip(nearest(x, k=k).rows, nearest(y, k=k).rows, strict=True):
        shares.append(len(np.intersect1d(rows_of_x, rows_of_y)) / k)
    return float(np.mean(shares))
