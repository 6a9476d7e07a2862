"""Retrieval: which sentences an encoder finds nearest, how good they are, and whether two encoders agree on them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .. import _validation
from .._validation import shown
from ..arithmetic import normalize
from .inputs import Vectors, as_matrix, label_list, precise

CHUNK = 512  # queries compared at once
GRID = 2.0**40  # cosines are multiples of its inverse, so that equal rows stay equal in whatever block they are rounded
ROWS = 16_384  # rows of the corpus in a block: CHUNK x ROWS cosines are in memory


@dataclass(frozen=True)
class Neighbours:
    """The nearest rows of each query, nearest first: ``rows`` ``(Q, k)``, and their ``cosines`` ``(Q, k)``."""

    rows: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]


def nearest(queries: Vectors, corpus: Vectors | None = None, k: int = 10) -> Neighbours:
    """The ``k`` rows of ``corpus`` with the largest cosine to each query; of equal ones, the earlier row first.

    Without ``corpus`` the queries are searched among themselves, and no row is its own neighbour. Cosines that differ
    by less than 1e-12 count as equal. Exact, in float64. Shapes: queries ``(Q, D)``, corpus ``(N, D)``.

    >>> nearest(np.eye(3), np.array([[1.0, 0, 0], [1, 1, 0]]), k=1).rows.tolist()
    [[0], [1], [0]]
    """
    shape, own = _shape_of(queries, "queries"), corpus is None
    others = shape if corpus is None else _shape_of(corpus, "corpus")
    if shape[1] != others[1]:
        raise ValueError(f"queries have width {shape[1]}, the corpus {others[1]}; encode both with one encoder")
    most, k = others[0] - own, _validation.whole("k", k)
    if not 1 <= k <= most:
        raise ValueError(f"k is {shown(k)}; it must lie in [1, {most}], the number of rows to choose from")
    found = []
    for start in range(0, shape[0], CHUNK):
        block_of_queries = _unit_block(queries, "queries", start, CHUNK)
        best = _largest(block_of_queries.new_zeros((len(block_of_queries), 0)), 0)
        for first in range(0, others[0], ROWS):
            block = _unit_block(queries if corpus is None else corpus, "queries" if own else "corpus", first, ROWS)
            cosines = (block_of_queries @ block.to(block_of_queries.device).T).mul_(GRID).round_().div_(GRID)  # (C, R)
            if own:
                both = max(start, first)  # rows that are both queries and in the block are their own neighbours
                row = torch.arange(both, max(both, min(start + len(block_of_queries), first + len(block))))
                cosines[row - start, row - first] = -torch.inf
            best = _merged(best, _largest(cosines, min(k, len(block))), first, k)
        found.append([part.cpu().numpy() for part in best])
    return Neighbours(np.concatenate([rows for _, rows in found]), np.concatenate([cosines for cosines, _ in found]))


Ranked = tuple[Tensor, Tensor]  # cosines (C, k), largest first, and their rows


def _shape_of(x: Vectors, name: str) -> tuple[int, ...]:
    """Shape of a matrix, validated by its first row alone; :func:`_unit_block` validates the rest."""
    plain = isinstance(x, np.ndarray) or (isinstance(x, Tensor) and not x.is_nested and x.layout == torch.strided)
    as_matrix(x[:1] if plain and x.ndim == 2 and len(x) > 0 else x, name)
    return tuple(x.shape)


def _unit_block(x: Vectors, name: str, start: int, count: int) -> Tensor:
    part = x[start : start + count]
    matrix = as_matrix(part, name if len(part) == len(x) else f"{name}[{start}:{start + len(part)}]")
    exact = precise(matrix)
    if matrix.dtype == torch.float64:
        return normalize(exact)
    lengths = torch.linalg.vector_norm(exact, dim=1, keepdim=True)  # squares of float32 fit float64: no scaling first
    return exact.div_(lengths.masked_fill_(lengths == 0, 1.0))


def _largest(cosines: Tensor, k: int) -> Ranked:
    """The ``k`` largest of each row ``(C, R)`` and their columns; of equal ones the earlier, unlike ``topk``."""
    values, columns = torch.topk(cosines, k, dim=1)
    order = torch.sort(columns, dim=1).indices
    values, columns = values.gather(1, order), columns.gather(1, order)
    order = torch.sort(values, dim=1, descending=True, stable=True).indices
    values, columns = values.gather(1, order), columns.gather(1, order)
    tied = (cosines >= values[:, -1:]).sum(dim=1) > k  # more are as large as the last: topk chose among equals
    if tied.any():
        ranked = torch.sort(cosines[tied], dim=1, descending=True, stable=True)
        values[tied], columns[tied] = ranked.values[:, :k], ranked.indices[:, :k]
    return values, columns


def _merged(best: Ranked, block: Ranked, first: int, k: int) -> Ranked:
    """The best ``k`` of those so far and those of a block that begins at row ``first``; earlier rows come first."""
    cosines = torch.cat([best[0], block[0]], dim=1)
    rows = torch.cat([best[1], block[1] + first], dim=1)
    order = torch.sort(cosines, dim=1, descending=True, stable=True).indices[:, :k]
    return cosines.gather(1, order), rows.gather(1, order)


def retrieval(x: Vectors, groups: Sequence[Hashable | None], k: int = 10) -> dict[str, float]:
    """How well a sentence finds the others of its group (article, topic, class) among all; MTEB's names, range [0, 1].

    Each row with a group is a query; the other rows of its group are relevant: ``precision_at_k``, ``recall_at_k``,
    ``mrr_at_k``, ``map_at_k`` (over min(k, relevant)) and ``ndcg_at_k`` (discount log2(rank + 1)). Rows without a group
    (None or NaN), or alone in theirs, are candidates but not queries. Shapes: x ``(N, D)``, groups N labels.
    """
    known = label_list(groups, "groups", len(as_matrix(x, "x")))
    numbers = {group: number for number, group in enumerate(dict.fromkeys(g for g in known if g is not None))}
    codes = np.array([-1 if group is None else numbers[group] for group in known])
    sizes = np.bincount(codes[codes >= 0], minlength=1)
    queries = np.flatnonzero((codes >= 0) & (sizes[np.maximum(codes, 0)] > 1))
    if not len(queries):
        raise ValueError(f"no two of the {len(codes)} rows share a group, so there is nothing to find")
    rows = nearest(x, k=k).rows[queries]  # (A, k)
    k = rows.shape[1]
    hit = (codes[rows] == codes[queries][:, None]).astype(np.float64)  # (A, k)
    relevant = sizes[codes[queries]] - 1  # (A,)
    rank = np.arange(1, k + 1)
    precision = hit.cumsum(axis=1) / rank
    gain = 1 / np.log2(rank + 1)
    best = np.concatenate([[0.0], gain.cumsum()])[np.minimum(relevant, k)]
    scores = {
        "precision": hit.mean(axis=1),
        "recall": hit.sum(axis=1) / relevant,
        "mrr": (hit / rank).max(axis=1),
        "map": (precision * hit).sum(axis=1) / np.minimum(relevant, k),
        "ndcg": (hit * gain).sum(axis=1) / best,
    }
    return {f"{name}_at_{k}": float(values.mean()) for name, values in scores.items()}


def neighbour_agreement(x: Vectors, y: Vectors, k: int = 10) -> float:
    """Share of the k nearest neighbours that two encoders have in common, averaged over rows; k / (N - 1) by chance.

    Shapes: x ``(N, D)``, y ``(N, E)``: the same sentences in the same order. Range [0, 1].
    """
    x, y = as_matrix(x, "x"), as_matrix(y, "y")
    if len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} rows; give the vectors of the same sentences, in the same order")
    of_x, of_y = nearest(x, k=k).rows, nearest(y, k=k).rows
    return float(np.mean([len(np.intersect1d(a, b)) / k for a, b in zip(of_x, of_y, strict=True)]))


class OddOne(NamedTuple):
    """The row that is least like the others, its mean cosine to them, and their mean cosine with one another."""

    row: int
    cosine: float
    others: float


def odd_one_out(x: Vectors) -> OddOne:
    """The row of ``(N, D)``, N ≥ 3, with the lowest mean cosine to the other rows; of equal ones, the first."""
    points = normalize(precise(as_matrix(x, least_rows=3)))
    cosines = points @ points.T  # (N, N)
    cosines.fill_diagonal_(0.0)
    count, sums = len(points), cosines.sum(dim=1)
    row = int(torch.argmin(sums))
    rest = (cosines.sum() - 2 * sums[row]) / ((count - 1) * (count - 2))
    return OddOne(row, float(sums[row]) / (count - 1), float(rest))
