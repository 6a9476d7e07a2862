"""Is the cloud a handful of tight clumps? Asked of its minimum spanning tree, which needs no number of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
MOST_ROWS = 512  # all pairs are looked at: 512 rows take some 20 ms
MOST_CLUSTERS = 64


@dataclass(frozen=True)
class Clumps:
    """The most clear-cut split of a cloud.

    ``gap`` is the shortest edge between clumps over the longest edge inside one (1.0: no gap at all), ``count`` how
    many clumps there are then, ``within`` the share of variance inside them, ``cover`` the share of rows in clumps of
    three or more.
    """

    gap: float
    count: int
    within: float
    cover: float


def find_clumps(points: torch.Tensor) -> Clumps:
    """Cut the minimum spanning tree where consecutive edge lengths differ most.

    Tight clusters are joined by few long edges, and all others are short; in a cloud without clusters edge lengths fall
    smoothly (ratios of consecutive ones below 1.1 in ten dimensions or more, below about 1.7 on a circle).

    Shapes: ``(N, D)`` unit vectors, N ≥ 8; beyond 512 rows a fixed random 512 are looked at.
    """
    if len(points) > MOST_ROWS:
        chosen = torch.randperm(len(points), generator=torch.Generator().manual_seed(0))[:MOST_ROWS]
        points = points[chosen.to(points.device)]
    unit = np.asarray(points.cpu().numpy(), dtype=np.float64)
    lengths, first, second = _spanning_tree(unit)  # N - 1 edges and their ends, the longest first
    longest = lengths[: min(len(unit) // 4, MOST_CLUSTERS)]
    ratios = longest[:-1] / np.maximum(longest[1:], 1e-6)  # ratio k: what k + 2 clumps would be parted by
    best = int(ratios.argmax())
    labels = _pieces(len(unit), first[best + 1 :], second[best + 1 :])
    sizes = np.bincount(labels)
    return Clumps(
        gap=float(ratios[best]),
        count=int((sizes >= 3).sum()),
        within=_within_share(unit, labels, sizes),
        cover=float(sizes[sizes >= 3].sum() / len(unit)),
    )


def _spanning_tree(unit: Floats) -> tuple[Floats, Whole, Whole]:
    from scipy.sparse.csgraph import minimum_spanning_tree

    squares = np.maximum(2 - 2 * unit @ unit.T, 0.0)  # (N, N)
    tree = minimum_spanning_tree(np.triu(1 + squares, k=1)).tocoo()  # a square of 0 would count as no edge
    order = np.argsort(-tree.data, kind="stable")
    return np.sqrt(squares[tree.row, tree.col])[order], tree.row[order], tree.col[order]


def _pieces(count: int, first: Whole, second: Whole) -> Whole:
    """For each row, the number of the piece that these edges hold it in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    labels: Whole = connected_components(edges, directed=False)[1]
    return labels


def _within_share(unit: Floats, labels: Whole, sizes: Whole) -> float:
    """Variance around the pieces' means over variance around the common mean."""
    sums = np.zeros((len(sizes), unit.shape[1]))
    np.add.at(sums, labels, unit)
    squares = float((unit**2).sum())
    total = squares - float((unit.sum(axis=0) ** 2).sum()) / len(unit)
    within = squares - float(((sums**2).sum(axis=1) / sizes).sum())
    return max(within, 0.0) / total if total > 0 else 0.0
