"""Projections of vectors to few dimensions: fixed principal axes, and UMAP aligned over time."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._validation import AtLeastTwo, checked, numbers
from .arithmetic import unit_rows

Vectors = npt.NDArray[np.floating[Any]]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]


def checked_unit_rows(vectors: Vectors, name: str = "vectors") -> Float64s:
    """Validate a matrix of numbers and return its :func:`.unit_rows`."""
    matrix = numbers(name, vectors)
    if matrix.ndim != 2:
        raise ValueError(f"{name} have shape {matrix.shape}; give a matrix (sentences, width)")
    if not np.isfinite(matrix).all():
        raise ValueError(
            f"{name} contain NaN or infinity, probably from a run that has diverged; check its loss"
        )
    return unit_rows(matrix)


def principal_axes(points: Float64s, count: int) -> tuple[Float64s, Float64s]:
    """Return the first ``count`` right singular vectors of ``points`` (N, D), and all squared singular values."""
    _, strengths, axes = np.linalg.svd(points, full_matrices=False)
    axes = axes[:count]
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None], strengths**2


@dataclass(frozen=True)
class PcaBasis:
    """Two principal axes, fitted once, so that a point moves in a picture only if its vector changes."""

    centre: Float64s
    axes: Float64s
    share: tuple[float, float]

    @classmethod
    def fit(cls, vectors: Vectors) -> PcaBasis:
        """Fit the basis to vectors ``(N, D)`` with N at least 3 and D at least 2."""
        points = checked_unit_rows(vectors)
        if points.shape[0] < 3 or points.shape[1] < 2:
            raise ValueError(
                f"vectors have shape {points.shape}; give at least 3 vectors of 2 numbers"
            )
        centre = points.mean(axis=0)
        points -= centre
        axes, power = principal_axes(points, 2)
        share = power[:2] / max(float(np.vdot(points, points)), 1e-12)
        return cls(centre, axes, (float(share[0]), float(share[1])))

    def transform(self, vectors: Vectors) -> Float64s:
        """Scale vectors to length 1 and return their coordinates (N, 2) on the axes, relative to the centre."""
        points = checked_unit_rows(vectors)
        if points.shape[1] != len(self.centre):
            raise ValueError(
                f"vectors have width {points.shape[1]}; give the width of the basis, {len(self.centre)}"
            )
        coordinates: Float64s = (points - self.centre) @ self.axes.T
        return coordinates


MOST = 20  # probes that have a layout; the page interpolates between them
NEIGHBOURS = 15
EPOCHS = 80
ALIGNMENT_STRENGTH = (
    0.05  # with umap-learn's default 0.01 even points whose vectors do not change move
)
EQUAL = 2.0**-8  # two unit vectors at most this far apart are equal to the precision of bfloat16
COLLAPSED = 0.002  # 1 - mean cosine; below it `clwork.metrics.diagnose` reports a point
_ONE_FIT = (
    threading.Lock()
)  # two fits at once end the process under numba's threading layer "workqueue"


def chosen_probes(count: int, most: int = MOST) -> list[int]:
    """Return the indices of all probes, or of ``most`` probes at equal distances, with the first and the last."""
    return sorted({round(at) for at in np.linspace(0, count - 1, min(count, most))})


@checked()
def aligned_umap(
    probes: Sequence[npt.NDArray[Any]], *, neighbours: AtLeastTwo = NEIGHBOURS
) -> list[Float32s]:
    """Lay out the same N points at each probe by UMAP, each point near its position before (McInnes's AlignedUMAP).

    ``probes`` are unit vectors or their coordinates. UMAP ignores scale and spreads rounding errors; here equal vectors
    share a place, and a collapsed cloud is a point. One fit runs at a time.
    """
    from scipy.spatial.distance import cdist

    shapes = {probe.shape for probe in probes}
    if len(shapes) != 1 or len(next(iter(shapes))) != 2 or next(iter(shapes))[0] < 4:
        raise ValueError(
            f"probes have the shapes {sorted(shapes)}; give the same points, at least 4, for each probe"
        )
    points = [np.asarray(probe, dtype=np.float32) for probe in probes]
    if not all(np.isfinite(probe).all() for probe in points):
        raise ValueError(
            "probes contain NaN or infinity, probably from a run that has diverged; check its loss"
        )
    settings: dict[str, Any] = {
        "n_neighbors": min(neighbours, len(points[0]) - 1),
        "n_epochs": EPOCHS,
        "random_state": 0,
    }
    with _ONE_FIT, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning that a seed means one thread, which is intended
        try:
            import umap
        except ImportError as error:
            raise ImportError(
                "UMAP is not installed; run `pip install umap-learn`, or use PCA"
            ) from error
        if len(points) == 1:
            layouts = [umap.UMAP(n_jobs=1, **settings).fit_transform(points[0])]
        else:
            same = {row: row for row in range(len(points[0]))}
            model = umap.AlignedUMAP(alignment_regularisation=ALIGNMENT_STRENGTH, **settings)
            layouts = model.fit(points, relations=[same] * (len(points) - 1)).embeddings_
    placed = []
    for layout, probe in zip(layouts, points, strict=True):
        collapsed = probe.var(axis=0, dtype=np.float64).sum() <= COLLAPSED
        equal = cdist(probe, probe) <= (np.inf if collapsed else EQUAL)  # (N, N)
        placed.append(layout[equal.argmax(axis=1)])  # at the place of the first equal point
    middle = np.mean([np.mean(layout, axis=0) for layout in placed], axis=0)
    return [np.asarray(layout - middle, dtype=np.float32) for layout in placed]
