"""Project vectors to few dimensions: principal axes of one cloud (PCA), and UMAP through time.

:func:`aligned_umap` lays out all measurements of a run together. The positions by PCA through time,
on the axes of the first measurement, are made in ``run_folder/positions.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .arithmetic import unit_rows

Vectors = npt.NDArray[np.floating[Any]]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]


def checked_unit_rows(vectors: Vectors, name: str = "vectors") -> Float64s:
    """Check vectors ``(N, D)`` and return them scaled to length 1; a row of zeros stays zero.

    ``name`` is that of the argument, for error messages.
    """
    matrix = np.asarray(vectors, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} have shape {matrix.shape}; give a matrix (sentences, width)")
    if not np.isfinite(matrix).all():
        raise ValueError(
            f"{name} contain NaN or infinity, probably from a run that has diverged; check its loss"
        )
    return unit_rows(matrix)


def principal_axes(points: Float64s, count: int) -> tuple[Float64s, Float64s]:
    """Return the first principal axes of points, and the squared strengths of all axes.

    The axes are the right singular vectors of the matrix. The sign that a solver gives them is
    arbitrary; here the largest entry of each is positive.

    Shapes: points ``(N, D)``, axes ``(count, D)``, squared strengths ``(min(N, D),)``.
    """
    _, strengths, axes = np.linalg.svd(points, full_matrices=False)
    axes = axes[:count]
    largest_entries = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]  # (count,)
    signs = np.where(largest_entries < 0, -1.0, 1.0)
    return axes * signs[:, None], strengths**2


# The most probes that have a layout; the page interpolates between them.
MOST_PROBES = 20
NEIGHBOURS = 15
EPOCHS = 100
# In UMAP each pair of neighbours pushes away this many points drawn at random.
PUSHED_AWAY = 5
# A similarity is 1 / (1 + FALL · squared distance): UMAP's curve for its default `min_dist`.
FALL = 1.58
# Added to squared distances, so that points in one place do not push without limit; as in UMAP.
NO_DISTANCE = 1e-2
# How strongly a point is drawn to its own places at the probes before and after.
ALIGNMENT_STRENGTH = 0.15
# The spread of the layout before the first epoch.
FIRST_SPREAD = 3.0
# Length of a step in the first epoch, and the share of the step before that is kept.
LEARNING_RATE = 0.3
MOMENTUM = 0.8
# Unit vectors at most this far apart are equal to the precision of bfloat16.
EQUAL_DISTANCE = 2.0**-8
# 1 - mean cosine, which is the total variance of unit vectors; at most this is a point, as for
# `clwork.metrics.diagnose`.
COLLAPSED_VARIANCE = 0.002


def chosen_probes(count: int, most: int = MOST_PROBES) -> list[int]:
    """Return the indices of at most ``most`` of ``count`` probes, evenly from first to last."""
    return sorted({round(index) for index in np.linspace(0, count - 1, min(count, most))})


def aligned_umap(
    probes: Sequence[npt.NDArray[Any]], *, neighbours: int = NEIGHBOURS
) -> list[Float32s]:
    """Lay out the same N points at each probe by UMAP, each point near its position before.

    It has UMAP's graph and loss (McInnes et al. 2018, arXiv:1802.03426), and as in AlignedUMAP all
    probes are laid out together. A probe is small, so all N² pairs are computed instead of random
    ones. There is no randomness and nothing to compile: 20 probes of 300 points take 1.5 s.

    The first two coordinates are the start, so that a layout of positions on principal axes has the
    orientation of the picture by PCA. UMAP ignores scale and spreads rounding errors; here equal
    vectors share a position, and a collapsed cloud is a point.

    Args:
        probes: for each probe unit vectors or their coordinates ``(N, D)``, N ≥ 4, D ≥ 2.
        neighbours: the number of nearest neighbours whose distances UMAP keeps.

    Returns:
        For each probe positions ``(N, 2)``; the mean of all is 0.
    """
    points = np.stack([np.asarray(probe, dtype=np.float32) for probe in probes])  # (T, N, D)
    with torch.no_grad():
        tensor = torch.from_numpy(points)
        graph = _neighbour_graph(tensor, min(neighbours, points.shape[1] - 1))
        layouts = _layouts(graph, tensor[..., :2]).numpy()
    merged = np.stack([_merged(*pair) for pair in zip(layouts, points, strict=True)])
    return list(merged - merged.mean(axis=(0, 1)))


def _neighbour_graph(points: Tensor, neighbours: int) -> Tensor:
    """Return UMAP's graph ``(T, N, N)`` of points ``(T, N, D)``: how near any two are, 0 to 1.

    The nearest neighbour of a point has weight 1, and the weights of its ``neighbours`` have the
    sum log2(neighbours).
    """
    # not by a product of matrices, which is inexact for small distances
    distances = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")
    distances.diagonal(dim1=1, dim2=2).fill_(torch.inf)
    near, indices = distances.topk(neighbours, largest=False)  # (T, N, neighbours)
    further = near - near[..., :1]
    # the width of each point's neighbourhood, by bisection of its logarithm
    low = torch.full_like(near[..., :1], 1e-6)
    high = torch.full_like(low, 1e3)
    for _ in range(40):
        width = (low * high).sqrt()
        is_wide = torch.exp(-further / width).sum(dim=-1, keepdim=True) > math.log2(neighbours)
        low, high = torch.where(is_wide, low, width), torch.where(is_wide, width, high)
    weights = torch.exp(-further / low)
    directed = torch.zeros_like(distances).scatter_(-1, indices, weights)
    other_way = directed.transpose(1, 2)
    # the probability that at least one of the two directions exists
    return directed + other_way - directed * other_way


def _layouts(graph: Tensor, start: Tensor) -> Tensor:
    """Minimize UMAP's loss of a graph ``(T, N, N)``, from places ``(T, N, 2)``.

    With w = 1 / (1 + a·d²), UMAP pulls two points together with their weight in the graph times
    a·w, and pushes them apart with w / d² times the chance that one is drawn for the other.
    """
    degrees = graph.sum(dim=2)  # (T, N)
    chances = (degrees[:, :, None] + degrees[:, None, :]) * (PUSHED_AWAY / (2 * graph.shape[1]))
    pulls = FALL * graph
    places = start * (FIRST_SPREAD / start.std(dim=1).mean().clamp(min=1e-6))
    step = torch.zeros_like(places)
    size = torch.zeros_like(places[:, :1, :1])
    for epoch in range(EPOCHS):
        squares = places.square().sum(dim=2)  # (T, N)
        distances = torch.baddbmm(squares[:, :, None], places, places.transpose(1, 2), alpha=-2)
        distances.add_(squares[:, None, :]).clamp_(min=0)  # squared, (T, N, N)
        near = 1 / (1 + FALL * distances)
        force = near * (pulls - chances / (distances + NO_DISTANCE))
        gradient = force.sum(dim=2, keepdim=True) * places - force @ places
        gradient /= degrees.mean()
        moves = ALIGNMENT_STRENGTH * places.diff(dim=0)
        gradient[1:] += moves
        gradient[:-1] -= moves
        step = torch.lerp(gradient, step, MOMENTUM)
        # as in Adam, but with one size for all points of a probe
        size = torch.lerp(gradient.square().mean(dim=(1, 2), keepdim=True), size, 0.95)
        rate = LEARNING_RATE * (1 - epoch / EPOCHS)
        places = places - rate * step / (size.sqrt() + 1e-8)
    return places


def _merged(layout: npt.NDArray[Any], probe: Float32s) -> npt.NDArray[Any]:
    """Put each point of a layout ``(N, 2)`` at the position of the first with an equal vector."""
    from scipy.spatial.distance import cdist

    is_collapsed = probe.var(axis=0, dtype=np.float64).sum() <= COLLAPSED_VARIANCE
    # All vectors of a collapsed cloud count as equal.
    is_equal = cdist(probe, probe) <= (np.inf if is_collapsed else EQUAL_DISTANCE)  # (N, N)
    first_equal = is_equal.argmax(axis=1)  # (N,): argmax returns the first True of a row
    merged: npt.NDArray[Any] = layout[first_equal]
    return merged
