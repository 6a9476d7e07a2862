"""Nearest neighbours by cosine, retrieval scores, and the agreement of two encoders' neighbours."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .. import _validation
from .._validation import shown
from ..arithmetic import normalize
from .inputs import Vectors, as_matrix, label_list, precise

CHUNK = 512  # queries in a block
GRID = (
    2.0**40
)  # cosines are rounded to multiples of 1/GRID, so that equal rows have equal cosines in every block
ROWS = 16_384  # rows of the corpus in a block: CHUNK x ROWS cosines are in memory


@dataclass(frozen=True)
class Neighbours:
    """Nearest rows of each query, nearest first: ``rows`` ``(Q, k)``, and their ``cosines`` ``(Q, k)``."""

    rows: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]


def nearest(queries: Vectors, corpus: Vectors | None = None, k: int = 10) -> Neighbours:
    """Return the ``k`` rows of ``corpus`` with the largest cosine to each query; equal cosines in order of rows.

    Without ``corpus`` the queries are the corpus, and no row is its own neighbour. Cosines that differ
    by less than 1e-12 count as equal. Exact, in float64. Shapes: queries ``(Q, D)``, corpus ``(N, D)``.

    >>> nearest(np.eye(3), np.array([[1.0, 0, 0], [1, 1, 0]]), k=1).rows.tolist()
    [[0], [1], [0]]
    """
    shape, own = _shape_of(queries, "queries"), corpus is None
    others = shape if corpus is None else _shape_of(corpus, "corpus")
    if shape[1] != others[1]:
        raise ValueError(
            f"queries have width {shape[1]}, the corpus {others[1]}; encode both with the same encoder"
        )
    most, k = others[0] - own, _validation.integer("k", k)
    if not 1 <= k <= most:
        raise ValueError(f"k is {shown(k)}; it must lie in [1, {most}], the number of candidates")
    found = []
    for start in range(0, shape[0], CHUNK):
        block_of_queries = _unit_block(queries, "queries", start, CHUNK)
        best = _largest(block_of_queries.new_zeros((len(block_of_queries), 0)), 0)
        for first in range(0, others[0], ROWS):
            block = _unit_block(
                queries if corpus is None else corpus, "queries" if own else "corpus", first, ROWS
            )
            cosines = (
                (block_of_queries @ block.to(block_of_queries.device).T)
                .mul_(GRID)
                .round_()
                .div_(GRID)
            )  # (C, R)
            if own:
                both = max(
                    start, first
                )  # first row that is in both blocks; each is its own neighbour
                row = torch.arange(
                    both, max(both, min(start + len(block_of_queries), first + len(block)))
                )
                cosines[row - start, row - first] = -torch.inf
            largest, columns = _largest(cosines, min(k, len(block)))
            joined = (
                torch.cat([best[0], largest], dim=1),
                torch.cat([best[1], columns + first], dim=1),
            )
            order = torch.sort(joined[0], dim=1, descending=True, stable=True).indices[
                :, :k
            ]  # ties stay in order
            best = joined[0].gather(1, order), joined[1].gather(1, order)
        found.append([part.cpu().numpy() for part in best])
    return Neighbours(
        np.concatenate([rows for _, rows in found]),
        np.concatenate([cosines for cosines, _ in found]),
    )


Ranked = tuple[Tensor, Tensor]  # cosines (C, k), largest first, and their rows


def _shape_of(x: Vectors, name: str) -> tuple[int, ...]:
    """Return the shape of a matrix after checking its first row; :func:`_unit_block` checks the others."""
    plain = isinstance(x, np.ndarray) or (
        isinstance(x, Tensor) and not x.is_nested and x.layout == torch.strided
    )
    as_matrix(x[:1] if plain and x.ndim == 2 and len(x) > 0 else x, name)
    return tuple(x.shape)


def _unit_block(x: Vectors, name: str, start: int, count: int) -> Tensor:
    part = x[start : start + count]
    matrix = as_matrix(
        part, name if len(part) == len(x) else f"{name}[{start}:{start + len(part)}]"
    )
    exact = precise(matrix)
    if matrix.dtype == torch.float64:
        return normalize(exact)
    lengths = torch.linalg.vector_norm(exact, dim=1, keepdim=True)  # squares of float32 fit float64
    return exact.div_(lengths.masked_fill_(lengths == 0, 1.0))


def _largest(cosines: Tensor, k: int) -> Ranked:
    """Return the ``k`` largest of each row ``(C, R)`` and their columns; equal values stay in order."""
    values, columns = torch.topk(cosines, k, dim=1)
    order = torch.sort(columns, dim=1).indices
    values, columns = values.gather(1, order), columns.gather(1, order)
    order = torch.sort(values, dim=1, descending=True, stable=True).indices
    values, columns = values.gather(1, order), columns.gather(1, order)
    tied = (cosines >= values[:, -1:]).sum(
        dim=1
    ) > k  # topk chooses arbitrarily among values equal to the last
    if tied.any():
        ranked = torch.sort(cosines[tied], dim=1, descending=True, stable=True)
        values[tied], columns[tied] = ranked.values[:, :k], ranked.indices[:, :k]
    return values, columns


def retrieval(x: Vectors, groups: Sequence[Hashable | None], k: int = 10) -> dict[str, float]:
    """Return scores of retrieving the other sentences of a group (article, topic, class); range [0, 1].

    Each row of a group is a query, and the other rows of its group are relevant. As in MTEB: ``precision_at_k``,
    ``recall_at_k``, ``mrr_at_k``, ``map_at_k`` (over min(k, relevant)), ``ndcg_at_k`` (discount log2(rank + 1)). Rows
    of group None or NaN, or of a group of one, are candidates but not queries. Shapes: x ``(N, D)``, groups N labels.
    """
    known = label_list(groups, "groups", len(as_matrix(x, "x")))
    numbers = {
        group: number
        for number, group in enumerate(dict.fromkeys(g for g in known if g is not None))
    }
    codes = np.array([-1 if group is None else numbers[group] for group in known])
    sizes = np.bincount(codes[codes >= 0], minlength=1)
    queries = np.flatnonzero((codes >= 0) & (sizes[np.maximum(codes, 0)] > 1))
    if not len(queries):
        raise ValueError(
            f"no two of the {len(codes)} rows share a group; give at least two rows of one group"
        )
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
    """Mean share of the k nearest neighbours that two encoders have in common; k / (N - 1) by chance.

    Shapes: x ``(N, D)``, y ``(N, E)``: the same sentences in the same order. Range [0, 1].
    """
    x, y = as_matrix(x, "x"), as_matrix(y, "y")
    if len(x) != len(y):
        raise ValueError(
            f"x has {len(x)} rows and y {len(y)}; give vectors of the same sentences, in the same order"
        )
    of_x, of_y = nearest(x, k=k).rows, nearest(y, k=k).rows
    return float(np.mean([len(np.intersect1d(a, b)) / k for a, b in zip(of_x, of_y, strict=True)]))
