"""Is the cloud a handful of tight clumps? Asked of its minimum spanning tree, which needs no number of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
MOST_ROWS = 512  # the tree is quadratic: 512 rows take about 15 ms
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
    lengths, ends = _spanning_tree(unit)
    order = np.argsort(-lengths, kind="stable")
    longest = lengths[order][: min(len(unit) // 4, MOST_CLUSTERS)]
    ratios = longest[:-1] / np.maximum(longest[1:], 1e-6)  # ratio k: what k + 2 clumps would be parted by
    best = int(ratios.argmax())
    labels = _cut(len(unit), ends, set(order[: best + 1].tolist()))
    sizes = np.bincount(labels)
    return Clumps(
        gap=float(ratios[best]),
        count=int((sizes >= 3).sum()),
        within=_within_share(unit, labels, sizes),
        cover=float(sizes[sizes >= 3].sum() / len(unit)),
    )


def _spanning_tree(unit: Floats) -> tuple[Floats, Whole]:
    """Prim's algorithm: the N - 1 edge lengths and their ends (old row, new row), in the order rows join."""
    count = len(unit)
    squares = np.maximum(2 - 2 * unit @ unit.T, 0.0)  # (N, N)
    nearest, parent = squares[0].copy(), np.zeros(count, dtype=np.int64)
    outside = np.ones(count, dtype=bool)
    outside[0], nearest[0] = False, np.inf
    lengths, ends = np.zeros(count - 1), np.zeros((count - 1, 2), dtype=np.int64)
    for step in range(count - 1):
        new = int(nearest.argmin())
        lengths[step], ends[step] = nearest[new], (parent[new], new)
        outside[new], nearest[new] = False, np.inf
        closer = outside & (squares[new] < nearest)
        nearest[closer], parent[closer] = squares[new][closer], new
    return np.sqrt(lengths), ends


def _cut(count: int, ends: Whole, removed: set[int]) -> Whole:
    """Labels 0, 1, … of the pieces left without the removed edges; an edge's old row has its label by then."""
    labels, pieces = np.zeros(count, dtype=np.int64), 1
    for step, (old, new) in enumerate(ends.tolist()):
        if step in removed:
            labels[new], pieces = pieces, pieces + 1
        else:
            labels[new] = labels[old]
    return labels


def _within_share(unit: Floats, labels: Whole, sizes: Whole) -> float:
    """Variance around the pieces' means over variance around the common mean."""
    sums = np.zeros((len(sizes), unit.shape[1]))
    np.add.at(sums, labels, unit)
    squares = float((unit**2).sum())
    total = squares - float((unit.sum(axis=0) ** 2).sum()) / len(unit)
    within = squares - float(((sums**2).sum(axis=1) / sizes).sum())
    return max(within, 0.0) / total if total > 0 else 0.0
