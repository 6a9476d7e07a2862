"""Project vectors to few dimensions: principal axes of one cloud (PCA), and UMAP through time.

:func:`aligned_umap` lays out all measurements of a run together. The positions by PCA through time,
on the axes of the first measurement, are made in ``run_folder/positions.py``.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from .arithmetic import unit_rows

Vectors = npt.NDArray[np.floating[Any]]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]


def checked_unit_rows(vectors: Vectors) -> Float64s:
    """Check vectors ``(N, D)`` and return them scaled to length 1; a row of zeros stays zero."""
    matrix = np.asarray(vectors, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"vectors have shape {matrix.shape}; give a matrix (sentences, width)")
    if not np.isfinite(matrix).all():
        raise ValueError(
            "vectors contain NaN or infinity, probably from a run that has diverged; check its loss"
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


NEIGHBOURS = 15
# Of the first layout, and of those that start from the one before. With UMAP's usual learning rate
# of 1, even points whose vectors do not change would move.
FIRST_EPOCHS = 200
LATER: dict[str, Any] = {"n_epochs": 80, "learning_rate": 0.1}
# Unit vectors at most this far apart are equal to the precision of bfloat16.
EQUAL_DISTANCE = 2.0**-8
# 1 - mean cosine, which is the total variance of unit vectors; at most this is a point, as for
# `clwork.metrics.diagnose`.
COLLAPSED_VARIANCE = 0.002
# Two fits at once end the process under numba's threading layer "workqueue".
_ONE_FIT = threading.Lock()


def aligned_umap(
    probes: Sequence[npt.NDArray[Any]], start: Float32s | None = None
) -> list[Float32s]:
    """Lay out the same N points at each probe by UMAP, each point near its position before.

    UMAP ignores scale and spreads rounding errors; here equal vectors share a position, and a
    collapsed cloud is a point. One fit runs at a time.

    Args:
        probes: for each probe unit vectors or their coordinates ``(N, D)``, N ≥ 4.
        start: positions ``(N, 2)`` from which the first layout starts.

    Returns:
        For each probe positions ``(N, 2)`` around the origin.

    Raises:
        ImportError: umap-learn is not installed.
    """
    points = [np.asarray(probe, dtype=np.float32) for probe in probes]
    with _ONE_FIT:
        layouts = _fit(points, start)
    return [_merged(layout, probe) for layout, probe in zip(layouts, points, strict=True)]


def _fit(points: Sequence[Float32s], start: Float32s | None) -> list[Float32s]:
    """Return UMAP's layout ``(N, 2)`` of the points ``(N, D)`` of each probe.

    Each layout starts from the one before, with small steps, and is turned to fit it, so that the
    position of a point changes little from probe to probe.
    """
    from scipy.linalg import orthogonal_procrustes

    umap = _compiled_umap()
    layouts: list[Float32s] = []
    # with a seed, so that equal vectors have equal layouts, and with one thread, which a seed needs
    neighbours = min(NEIGHBOURS, len(points[0]) - 1)
    settings: dict[str, Any] = {"n_neighbors": neighbours, "random_state": 0, "n_jobs": 1}
    before = start
    for probe in points:
        how = {"n_epochs": FIRST_EPOCHS} if before is None else {"init": before, **LATER}
        layout = umap.UMAP(**settings, **how).fit_transform(probe)
        layout = layout - layout.mean(axis=0)
        if before is not None:
            layout = layout @ orthogonal_procrustes(layout, before)[0]
        layouts.append(layout)
        before = layout
    return layouts


def _compiled_umap() -> Any:
    """Import umap-learn so that what numba compiles for it is kept for the next kernel."""
    try:
        import umap
    except ImportError as error:
        raise ImportError(
            "UMAP is not installed; run `pip install umap-learn`, or use PCA"
        ) from error
    for name, module in list(sys.modules.items()):
        if name.startswith(("umap.", "pynndescent.")):
            for function in vars(module).values():
                if hasattr(function, "enable_caching"):
                    # Where no folder can be written, it is compiled in each kernel.
                    with suppress(RuntimeError):
                        function.enable_caching()
    return umap


def _merged(layout: Float32s, probe: Float32s) -> Float32s:
    """Put each point of a layout ``(N, 2)`` at the position of the first with an equal vector."""
    from scipy.spatial.distance import cdist

    is_collapsed = probe.var(axis=0, dtype=np.float64).sum() <= COLLAPSED_VARIANCE
    # All vectors of a collapsed cloud count as equal.
    is_equal = cdist(probe, probe) <= (np.inf if is_collapsed else EQUAL_DISTANCE)  # (N, N)
    first_equal = is_equal.argmax(axis=1)  # (N,): argmax returns the first True of a row
    merged: Float32s = layout[first_equal]
    return merged
