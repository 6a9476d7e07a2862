"""Projections to two dimensions that change only where the vectors change."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from clwork.arithmetic import unit_rows
from clwork.metrics import diagnose
from clwork.projections import aligned_umap


def clouds(count: int, moments: int) -> list[npt.NDArray[np.float32]]:
    """Two groups of points that separate step by step."""
    random = np.random.default_rng(0)
    points = random.standard_normal((count, 6)).astype(np.float32)
    apart = np.zeros_like(points)
    apart[:, 0] = np.where(np.arange(count) % 2, 1.5, -1.5)
    return [points + moment * apart for moment in range(moments)]


def mean_distance(points: npt.NDArray[Any], others: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(points - others, axis=1).mean())


@pytest.mark.nightly
def test_points_move_little_between_probes_and_groups_separate() -> None:
    layouts = aligned_umap(clouds(60, 5))
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
    again = aligned_umap(clouds(60, 5))
    assert all(np.array_equal(one, two) for one, two in zip(layouts, again, strict=True))


@pytest.mark.nightly
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


TWO_FITS = """
import numpy, threading
from clwork.projections import aligned_umap
points = [numpy.random.default_rng(0).standard_normal((20, 4))]
threads = [threading.Thread(target=aligned_umap, args=[points]) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.nightly
def test_two_fits_at_once_do_not_end_the_process() -> None:
    """Numba's threading layer on macOS and Windows calls abort() if two threads use it at once."""
    environment = {**os.environ, "NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", TWO_FITS],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_points_whose_vectors_do_not_change_hardly_move() -> None:
    layouts = aligned_umap(clouds(60, 1) * 4)
    shuffled = mean_distance(layouts[0], np.random.default_rng(1).permutation(layouts[0]))
    moves = [mean_distance(after, before) for before, after in pairwise(layouts)]
    assert max(moves) < 0.3 * shuffled


@pytest.mark.nightly
def test_a_second_run_starts_from_the_places_of_the_first() -> None:
    first = aligned_umap(clouds(60, 2))
    second = aligned_umap(clouds(60, 2), first[0])
    shuffled = mean_distance(first[0], np.random.default_rng(1).permutation(first[0]))
    assert mean_distance(second[0], first[0]) < 0.3 * shuffled


@pytest.mark.nightly
def test_what_numba_compiles_for_umap_is_kept_for_the_next_kernel() -> None:
    aligned_umap(clouds(30, 2))
    function = importlib.import_module("umap.umap_").compute_membership_strengths
    assert list(Path(function._cache.cache_path).glob("*compute_membership_strengths*.nbi"))
