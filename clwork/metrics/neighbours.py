"""Nearest neighbours by cosine, retrieval scores, and the agreement of two encoders' neighbours."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _validation
from .inputs import Vectors, as_matrix, label_list, precise

DIGITS = 12  # decimal places to which two cosines are compared


@dataclass(frozen=True)
class Neighbours:
    """Nearest rows of each query, nearest first: ``rows`` and ``cosines``, both ``(Q, k)``."""

    rows: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]


def nearest(queries: Vectors, corpus: Vectors | None = None, k: int = 10) -> Neighbours:
    """Return the ``k`` rows of ``corpus`` with the largest cosine to each query.

    Without ``corpus`` the queries are the corpus, and no row is its own neighbour. Exact, in
    float64; neighbours whose cosines differ by less than 1e-12 are in the order of their rows.

    Shapes: queries ``(Q, D)``, corpus ``(N, D)``.

    Raises:
        ValueError: the widths differ, or ``k`` is not from 1 to the number of candidates.

    >>> nearest(np.eye(3), np.array([[1.0, 0, 0], [1, 1, 0]]), k=1).rows[:2].tolist()
    [[0], [1]]
    """
    from sklearn.neighbors import NearestNeighbors

    wanted = _as_array(queries, "queries")
    candidates = wanted if corpus is None else _as_array(corpus, "corpus")
    if wanted.shape[1] != candidates.shape[1]:
        raise ValueError(
            f"queries have width {wanted.shape[1]}, the corpus {candidates.shape[1]}; "
            "encode both with the same encoder"
        )
    most = len(candidates) - (corpus is None)
    if not 1 <= _validation.integer("k", k) <= most:
        raise ValueError(f"k is {k}; it must lie in [1, {most}], the number of candidates")
    index = NearestNeighbors(metric="cosine", algorithm="brute").fit(candidates)
    # None: the candidates are the queries, and scikit-learn leaves each row itself out.
    distances, rows = index.kneighbors(None if corpus is None else wanted, k)  # (Q, k)
    cosines = 1 - distances
    order = np.lexsort((rows, -cosines.round(DIGITS)))  # by cosine, then by row
    return Neighbours(
        np.take_along_axis(rows, order, axis=1), np.take_along_axis(cosines, order, axis=1)
    )


def _as_array(x: Vectors, name: str) -> npt.NDArray[np.float64]:
    array: npt.NDArray[np.float64] = precise(as_matrix(x, name)).cpu().numpy()
    return array


def retrieval(x: Vectors, groups: Sequence[Hashable | None], k: int = 10) -> dict[str, float]:
    """Return scores of retrieving the other sentences of a group (article, topic, class).

    Each row of a group is a query, and the other rows of its group are relevant. The scores are
    MTEB's: ``precision_at_k``, ``recall_at_k``, ``mrr_at_k``, ``map_at_k`` (over min(k, relevant))
    and ``ndcg_at_k`` (discount log2(rank + 1)). Rows of group None or NaN, or of a group of one,
    are candidates but not queries.

    Shapes: x ``(N, D)``, groups N labels. Range [0, 1].

    Raises:
        ValueError: no two rows share a group.
    """
    labels = label_list(groups, "groups", len(x))
    codes = _numbered(labels)  # (N,)
    sizes = np.bincount(codes[codes >= 0], minlength=1)
    queries = np.flatnonzero((codes >= 0) & (sizes[codes] > 1))  # (A,)
    if not len(queries):
        raise ValueError(
            f"no two of the {len(codes)} rows share a group; give at least two rows of one group"
        )
    rows = nearest(x, k=k).rows[queries]  # (A, k)
    is_hit = (codes[rows] == codes[queries][:, None]).astype(np.float64)  # (A, k)
    relevant = sizes[codes[queries]] - 1  # (A,)
    rank = np.arange(1, k + 1)
    precision = is_hit.cumsum(axis=1) / rank
    gain = 1 / np.log2(rank + 1)
    # The largest gain that m relevant rows can have, for m = 0, 1, ..., k.
    ideal = np.concatenate([[0.0], gain.cumsum()])[np.minimum(relevant, k)]
    scores = {
        "precision": is_hit.mean(axis=1),
        "recall": is_hit.sum(axis=1) / relevant,
        "mrr": (is_hit / rank).max(axis=1),
        "map": (precision * is_hit).sum(axis=1) / np.minimum(relevant, k),
        "ndcg": (is_hit * gain).sum(axis=1) / ideal,
    }
    return {f"{name}_at_{k}": float(values.mean()) for name, values in scores.items()}


def _numbered(labels: Sequence[Hashable | None]) -> npt.NDArray[np.int64]:
    """Number the labels in the order in which they occur; -1 for None."""
    numbers: dict[Hashable, int] = {}
    codes = [-1 if label is None else numbers.setdefault(label, len(numbers)) for label in labels]
    return np.array(codes, dtype=np.int64)


def neighbour_agreement(x: Vectors, y: Vectors, k: int = 10) -> float:
    """Mean share of the k nearest neighbours that two encoders have in common.

    Shapes: x ``(N, D)``, y ``(N, E)``: the same sentences in the same order. Range [0, 1];
    k / (N - 1) by chance.

    Raises:
        ValueError: the numbers of rows differ.
    """
    if len(x) != len(y):
        raise ValueError(
            f"x has {len(x)} rows and y {len(y)}; "
            "give vectors of the same sentences, in the same order"
        )
    pairs = zip(nearest(x, k=k).rows, nearest(y, k=k).rows, strict=True)
    return float(np.mean([len(np.intersect1d(first, second)) / k for first, second in pairs]))
