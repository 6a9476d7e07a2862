"""Projections to two dimensions that change only where the vectors change."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.distance import cdist

from clwork.arithmetic import unit_rows
from clwork.metrics import diagnose
from clwork.projections import aligned_umap
from clwork.recordings import coordinates, recording


def clouds(count: int, moments: int) -> list[npt.NDArray[np.float32]]:
    """Two groups of points that separate step by step."""
    random = np.random.default_rng(0)
    points = random.standard_normal((count, 6)).astype(np.float32)
    apart = np.zeros_like(points)
    apart[:, 0] = np.where(np.arange(count) % 2, 1.5, -1.5)
    return [points + moment * apart for moment in range(moments)]


def mean_distance(points: npt.NDArray[Any], others: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(points - others, axis=1).mean())


def test_points_move_little_between_probes_and_groups_separate() -> None:
    layouts = aligned_umap(clouds(60, 5), neighbours=10)
    assert [layout.shape for layout in layouts] == [(60, 2)] * 5
    assert all(np.isfinite(layout).all() for layout in layouts)
    last = layouts[-1]
    groups = (last[::2], last[1::2])
    apart = float(np.linalg.norm(groups[0].mean(axis=0) - groups[1].mean(axis=0)))
    inside = np.mean([mean_distance(group, group.mean(axis=0)) for group in groups])
    assert apart > 2 * inside, "what is apart in the space is apart in the picture"
    shuffled = mean_distance(last, np.random.default_rng(1).permutation(last))
    moves = [mean_distance(after, before) for before, after in pairwise(layouts)]
    assert max(moves) < 0.5 * shuffled, "from cloud to cloud the picture is the same one"
    again = aligned_umap(clouds(60, 5), neighbours=10)
    assert all(np.array_equal(one, two) for one, two in zip(layouts, again, strict=True))


@pytest.mark.parametrize("narrow", [0, 1e-7, 0.01])
def test_equal_vectors_lie_in_one_place(narrow: float) -> None:
    """UMAP alone spreads rounding errors over 4 × 4, as wide as a healthy cloud."""
    random = np.random.default_rng(0)
    healthy = unit_rows(random.standard_normal((60, 8)))
    collapsed = unit_rows(1 + narrow * random.standard_normal((60, 8)))
    assert diagnose(collapsed).verdict == "point"
    half = np.concatenate([healthy[:30], healthy[:1] + 1e-4 * random.standard_normal((30, 8))])
    for layouts in (aligned_umap([collapsed]), aligned_umap([healthy, half, collapsed])):
        assert np.ptp(layouts[-1], axis=0).max() == 0, "a collapsed encoder is a point"
    assert [len(np.unique(layout, axis=0)) for layout in layouts] == [60, 30, 1]
    assert (layouts[1][30:] == layouts[1][0]).all()


def test_a_map_has_the_orientation_of_the_principal_axes() -> None:
    """So the page moves between the picture by PCA and the map instead of turning it."""
    positions = coordinates(recording("simcse"))
    for points, layout in zip(positions, aligned_umap(list(positions)), strict=True):
        for axis in range(2):
            assert np.corrcoef(points[:, axis], layout[:, axis])[0, 1] > 0.5


def test_points_that_are_near_in_the_space_are_near_in_the_layout() -> None:
    """Among 300 sentences, chance would keep 3 % of ten neighbours."""
    positions = coordinates(recording("simcse"))[-2:]
    for points, layout in zip(positions, aligned_umap(list(positions)), strict=True):
        kept = [
            len(set(near) & set(mapped))
            for near, mapped in zip(nearest(points), nearest(layout), strict=True)
        ]
        assert np.mean(kept) > 4.5


def nearest(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the rows of each point's ten nearest others."""
    distances = cdist(points, points)
    np.fill_diagonal(distances, np.inf)
    return distances.argsort(axis=1)[:, :10]
