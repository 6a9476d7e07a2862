"""Projections of vectors to few dimensions: principal axes, and UMAP aligned over time."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .arithmetic import unit_rows

Vectors = npt.NDArray[np.floating[Any]]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]


def checked_unit_rows(vectors: Vectors, name: str = "vectors") -> Float64s:
    """Check a matrix of numbers and return its :func:`.unit_rows`."""
    matrix = np.asarray(vectors, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} have shape {matrix.shape}; give a matrix (sentences, width)")
    if not np.isfinite(matrix).all():
        raise ValueError(
            f"{name} contain NaN or infinity, probably from a run that has diverged; check its loss"
        )
    return unit_rows(matrix)


def principal_axes(points: Float64s, count: int) -> tuple[Float64s, Float64s]:
    """Return the first ``count`` principal axes of ``points`` (N, D), and all squared strengths.

    The axes are the right singular vectors; the largest entry of each is positive, so that the
    solver's choice of sign does not show.
    """
    _, strengths, axes = np.linalg.svd(points, full_matrices=False)
    axes = axes[:count]
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None], strengths**2


MOST = 20  # probes that have a layout; the page interpolates between them
NEIGHBOURS = 15
EPOCHS = 80
# With umap-learn's default 0.01 even points whose vectors do not change move.
ALIGNMENT_STRENGTH = 0.05
EQUAL = 2.0**-8  # unit vectors at most this far apart are equal to the precision of bfloat16
COLLAPSED = 0.002  # 1 - mean cosine; below it `clwork.metrics.diagnose` reports a point
# Two fits at once end the process under numba's threading layer "workqueue".
_ONE_FIT = threading.Lock()


def chosen_probes(count: int, most: int = MOST) -> list[int]:
    """Return the indices of at most ``most`` probes at equal distances, from first to last."""
    return sorted({round(at) for at in np.linspace(0, count - 1, min(count, most))})


def aligned_umap(
    probes: Sequence[npt.NDArray[Any]], *, neighbours: int = NEIGHBOURS
) -> list[Float32s]:
    """Lay out the same N points at each probe by UMAP, each point near its position before.

    This is McInnes's AlignedUMAP. ``probes`` are unit vectors or their coordinates ``(N, D)``,
    N ≥ 4. UMAP ignores scale and spreads rounding errors; here equal vectors share a position, and
    a collapsed cloud is a point. One fit runs at a time.

    Raises:
        ValueError: a probe has other points, or NaN.
        ImportError: umap-learn is not installed.
    """
    shapes = {probe.shape for probe in probes}
    if len(shapes) != 1 or len(probes[0]) < 4:
        raise ValueError(
            f"probes have the shapes {sorted(shapes)}; "
            "give the same points, at least 4, for each probe"
        )
    points = [np.asarray(probe, dtype=np.float32) for probe in probes]
    if not np.isfinite(points).all():
        raise ValueError(
            "probes contain NaN or infinity, probably from a run that has diverged; check its loss"
        )
    with _ONE_FIT:
        layouts = _fit(points, min(neighbours, len(points[0]) - 1))
    placed = [_merged(layout, probe) for layout, probe in zip(layouts, points, strict=True)]
    middle = np.mean([np.mean(layout, axis=0) for layout in placed], axis=0)
    return [np.asarray(layout - middle, dtype=np.float32) for layout in placed]


def _fit(points: Sequence[Float32s], neighbours: int) -> Sequence[npt.NDArray[Any]]:
    try:
        import umap
    except ImportError as error:
        raise ImportError(
            "UMAP is not installed; run `pip install umap-learn`, or use PCA"
        ) from error
    settings: dict[str, Any] = {"n_neighbors": neighbours, "n_epochs": EPOCHS, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning that a seed means one thread, which is intended
        if len(points) == 1:
            return [umap.UMAP(n_jobs=1, **settings).fit_transform(points[0])]
        same = {row: row for row in range(len(points[0]))}
        model = umap.AlignedUMAP(alignment_regularisation=ALIGNMENT_STRENGTH, **settings)
        layouts: Sequence[npt.NDArray[Any]] = model.fit(
            points, relations=[same] * (len(points) - 1)
        ).embeddings_
        return layouts


def _merged(layout: npt.NDArray[Any], probe: Float32s) -> npt.NDArray[Any]:
    """Put each point at the position of the first one with an equal vector."""
    from scipy.spatial.distance import cdist

    is_collapsed = probe.var(axis=0, dtype=np.float64).sum() <= COLLAPSED
    equal = cdist(probe, probe) <= (np.inf if is_collapsed else EQUAL)  # (N, N)
    merged: npt.NDArray[Any] = layout[equal.argmax(axis=1)]
    return merged
