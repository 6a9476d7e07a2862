"""Retrieval: which sentences an encoder finds nearest, how good they are, and whether two encoders agree on them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from .. import checks
from ..arithmetic import normalize
from ..checks import shown
from .vectors import Vectors, as_matrix, label_list, precise

CHUNK = 512  # queries compared at once


@dataclass(frozen=True)
class Neighbours:
    """The nearest rows of each query, nearest first: ``rows`` ``(Q, k)``, and their ``cosines`` ``(Q, k)``."""

    rows: npt.NDArray[np.int64]
    cosines: npt.NDArray[np.float64]


def nearest(queries: Vectors, corpus: Vectors | None = None, k: int = 10) -> Neighbours:
    """The ``k`` rows of ``corpus`` with the largest cosine to each query; of equal ones, the earlier row first.

    Without ``corpus`` the queries are looked up among themselves, and no row is its own neighbour.

    >>> nearest(np.eye(3), np.array([[1.0, 0, 0], [1, 1, 0]]), k=1).rows.tolist()
    [[0], [1], [0]]

    Shapes: queries ``(Q, D)``, corpus ``(N, D)``.

    Raises:
        TypeError: neither tensors nor arrays of numbers, or k is no whole number.
        ValueError: NaN or infinity, different widths, or k not in [1, N] ([1, Q - 1] without a corpus).
    """
    left = normalize(precise(as_matrix(queries, "queries")))
    right = left if corpus is None else normalize(precise(as_matrix(corpus, "corpus"))).to(left.device)
    if left.shape[1] != right.shape[1]:
        raise ValueError(
            f"queries have width {left.shape[1]}, the corpus {right.shape[1]}; encode both with one encoder"
        )
    most, k = len(right) - (corpus is None), checks.whole("k", k)
    if not 1 <= k <= most:
        raise ValueError(f"k is {shown(k)}; it must lie in [1, {most}], the number of rows to choose from")
    rows, cosines = [], []
    for start in range(0, len(left), CHUNK):
        cosine = left[start : start + CHUNK] @ right.T  # (C, N)
        if corpus is None:
            at = torch.arange(len(cosine), device=cosine.device)
            cosine[at, at + start] = -torch.inf
        order = torch.sort(cosine, dim=1, descending=True, stable=True)  # topk leaves the order of equals open
        rows.append(order.indices[:, :k].cpu().numpy())
        cosines.append(order.values[:, :k].cpu().numpy())
    return Neighbours(np.concatenate(rows), np.concatenate(cosines))


def retrieval(x: Vectors, groups: Sequence[Hashable | None], k: int = 10) -> dict[str, float]:
    """How well a sentence finds the others of its group (article, topic, class) among all; MTEB's names, range [0, 1].

    Each row with a group is a query; the other rows of its group are relevant. ``precision_at_k``: share
    of the k found that are relevant; ``recall_at_k``: share of the relevant that are found; ``mrr_at_k``: 1 over the
    rank of the first relevant one; ``map_at_k``: mean of the precisions at the ranks of relevant ones, over
    min(k, relevant); ``ndcg_at_k``: gains discounted by log2(rank + 1), over the best possible sum. Rows without a
    group (None or NaN), or alone in theirs, are candidates but not queries.

    Shapes: x ``(N, D)``, groups N labels.

    Raises:
        TypeError: x is not a tensor or array of numbers.
        ValueError: as many groups as rows are needed, two rows of one group at least; NaN or infinity; k not in
            [1, N - 1].
    """
    known = label_list(groups, "groups", len(as_matrix(x, "x")))
    numbers = {group: number for number, group in enumerate(dict.fromkeys(g for g in known if g is not None))}
    codes = np.array([-1 if group is None else numbers[group] for group in known])
    sizes = np.bincount(codes[codes >= 0], minlength=1)
    asking = np.flatnonzero((codes >= 0) & (sizes[np.maximum(codes, 0)] > 1))
    if not len(asking):
        raise ValueError(f"no two of the {len(codes)} rows share a group, so there is nothing to find")
    rows = nearest(x, k=k).rows[asking]  # (A, k)
    k = rows.shape[1]
    hit = (codes[rows] == codes[asking][:, None]).astype(np.float64)  # (A, k)
    relevant = sizes[codes[asking]] - 1  # (A,)
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
    """Share of the k nearest neighbours that two encoders have in common, averaged over rows; their widths may differ.

    Two encoders without any relation share k / (N - 1).

    Shapes: x ``(N, D)``, y ``(N, E)``: the same sentences in the same order. Range [0, 1].

    Raises:
        TypeError: not tensors or arrays of numbers.
        ValueError: different numbers of rows, NaN or infinity, or k not in [1, N - 1].
    """
    x, y = as_matrix(x, "x"), as_matrix(y, "y")
    if len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} rows; give the vectors of the same sentences, in the same order")
    of_x, of_y = nearest(x, k=k).rows, nearest(y, k=k).rows
    return float(np.mean([len(np.intersect1d(a, b)) / k for a, b in zip(of_x, of_y, strict=True)]))


# The odd one out of some sentences: the one that is least like the others.


class OddOne(NamedTuple):
    """A row that is least like the others.

    Attributes:
        row: which one.
        cosine: its mean cosine to the others.
        others: the mean cosine of the others with one another.
    """

    row: int
    cosine: float
    others: float


def odd_one_out(x: Vectors) -> OddOne:
    """The row with the lowest mean cosine to the other rows; of equal ones, the first.

    >>> odd_one_out(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    OddOne(row=1, cosine=0.0, others=1.0)

    Shapes: x ``(N, D)``, N at least 3: of two, neither is the odd one.

    Raises:
        TypeError: x is not a tensor or array of numbers.
        ValueError: fewer than 3 rows, or NaN or infinity.
    """
    points = normalize(precise(as_matrix(x, least_rows=3)))
    cosines = points @ points.T  # (N, N)
    cosines.fill_diagonal_(0.0)
    count, sums = len(points), cosines.sum(dim=1)
    row = int(torch.argmin(sums))
    rest = (cosines.sum() - 2 * sums[row]) / ((count - 1) * (count - 2))
    return OddOne(row, float(sums[row]) / (count - 1), float(rest))
