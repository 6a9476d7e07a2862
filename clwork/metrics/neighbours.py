"""Nearest neighbours by cosine, retrieval scores, and the agreement of two encoders' neighbours."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _validation
from .inputs import Vectors, as_matrix, label_codes, precise

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


def retrieval(x: Vectors, groups: Sequence[Hashable | None], k: int = 10) -> dict[str, float]:
    """Return scores of retrieving the other sentences of a group (article, topic, class).

    Each row is a query, and the other rows of its group are relevant. Rows of group None or NaN,
    or of a group of one, are candidates but no queries. The scores are means over the queries, as
    in MTEB, for example ``precision_at_10`` for k = 10:

    - precision: relevant rows among the first k / k;
    - recall: relevant rows among the first k / all relevant rows;
    - mrr: 1 / rank of the first relevant row, 0 if it is beyond k;
    - map: sum of the precision at the rank of each relevant row / min(k, all relevant rows);
    - ndcg: sum of 1 / log2(rank + 1) of each relevant row / its largest possible value.

    Shapes: x ``(N, D)``, groups N labels. Range [0, 1].

    Raises:
        ValueError: no two rows share a group.

    >>> vectors = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    >>> retrieval(vectors, ["cats", "cats", "rain", "rain"], k=1)["recall_at_1"]
    1.0
    """
    codes = label_codes(groups, "groups", len(x))  # (N,)
    sizes = np.bincount(codes[codes >= 0], minlength=1)  # rows of each group
    # Of the rows, A are queries.
    queries = np.flatnonzero((codes >= 0) & (sizes[codes] > 1))  # (A,)
    if not len(queries):
        raise ValueError(
            f"no two of the {len(codes)} rows share a group; give at least two rows of one group"
        )
    rows = nearest(x, k=k).rows[queries]  # (A, k)
    is_hit = (codes[rows] == codes[queries][:, None]).astype(np.float64)  # (A, k)
    relevant = sizes[codes[queries]] - 1  # (A,)

    rank = np.arange(1, k + 1)  # (k,)
    precision = is_hit.cumsum(axis=1) / rank  # (A, k)
    gain = 1 / np.log2(rank + 1)  # (k,)
    # The largest sum of gains that m relevant rows can have, for m = 0, 1, ..., k.
    largest_gains = np.concatenate([[0.0], gain.cumsum()])
    ideal = largest_gains[np.minimum(relevant, k)]  # (A,)
    scores = {
        "precision": is_hit.mean(axis=1),
        "recall": is_hit.sum(axis=1) / relevant,
        "mrr": (is_hit / rank).max(axis=1),
        "map": (precision * is_hit).sum(axis=1) / np.minimum(relevant, k),
        "ndcg": (is_hit * gain).sum(axis=1) / ideal,
    }
    return {f"{name}_at_{k}": float(values.mean()) for name, values in scores.items()}


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
