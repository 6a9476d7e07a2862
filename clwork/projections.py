"""Vectors projected to few dimensions: principal axes that stay put, and UMAP, at one moment or through time."""

from __future__ import annotations

import hashlib
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from ._validation import AtLeastTwo, checked, numbers
from .arithmetic import unit_rows

Vectors = npt.NDArray[np.floating[Any]]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]


def checked_unit_rows(vectors: Vectors, name: str = "vectors") -> Float64s:
    """Validate a matrix of numbers and return its :func:`.unit_rows`.

    Raises:
        TypeError: no numbers.
        ValueError: not a matrix of finite numbers.
    """
    matrix = numbers(name, vectors)
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be a matrix (sentences, width), got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} hold NaN or infinity: the run that made them has diverged; look at its loss")
    return unit_rows(matrix)


# ---- principal components --------------------------------------------------------------------------------------------


def principal_axes(points: Float64s, count: int) -> tuple[Float64s, Float64s]:
    """Right singular vectors of ``points`` (N, D), at most ``count`` of them, and all squared singular values.

    The sign of an axis, which the decomposition leaves open, makes its largest entry positive, so that the result does
    not depend on the solver. Centre the points first for principal components.

    Shapes: ``(N, D)`` to ``(min(count, N, D), D)`` and ``(min(N, D),)``.
    """
    _, strengths, axes = np.linalg.svd(points, full_matrices=False)
    return _with_signs(axes[:count]), strengths**2


def _with_signs(axes: Float64s) -> Float64s:
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    signed: Float64s = axes * np.where(largest < 0, -1.0, 1.0)[:, None]
    return signed


MANY, WIDE = 20_000, 2_048  # vectors, and numbers of a vector, beyond which axes are found another way
OVERSAMPLED, ROUNDS = 30, 12  # of the randomised decomposition: its further axes, and how often it passes the points


def leading_axes(points: Float64s, count: int) -> tuple[Float64s, Float64s]:
    """As :func:`principal_axes` for many points, but only ``count`` squared singular values.

    Up to 2,048 wide the axes are the eigenvectors of ``XᵀX``: exact to 1e-12 of the whole, a tenth of the time. Wider
    ones are found by a randomised decomposition (Halko, Martinsson & Tropp 2011) with a fixed seed; its values are
    within 1e-4 of the whole, its axes within a degree where they are half as strong again as those that follow. Of a
    cloud that is round the axes mean nothing, and are others.

    Shapes: ``(N, D)`` to ``(min(count, N, D), D)`` and ``(min(count, N, D),)``.
    """
    if points.shape[1] <= WIDE:
        power, vectors = np.linalg.eigh(points.T @ points)
        return _with_signs(vectors.T[::-1][:count]), np.maximum(power[::-1][:count], 0.0)
    from sklearn.utils.extmath import randomized_svd

    passes = {"n_oversamples": OVERSAMPLED, "n_iter": ROUNDS, "power_iteration_normalizer": "LU"}
    _, strengths, axes = randomized_svd(points, n_components=count, random_state=0, **passes)
    return _with_signs(axes), strengths**2


@dataclass(frozen=True)
class PcaBasis:
    """Two principal axes, fixed once, so that a point moves on screen only if its vector moved.

    Vectors are put on the unit sphere first, so the view shows directions, which is all that cosine sees.
    ``centre`` is (D,), ``axes`` is (2, D), ``share`` the part of the variance each axis held when the basis was made.

    >>> basis = PcaBasis.fit(np.eye(4)); basis.transform(np.eye(4)).shape
    (4, 2)
    """

    centre: Float64s
    axes: Float64s
    share: tuple[float, float]

    @classmethod
    def fit(cls, vectors: Vectors) -> PcaBasis:
        """Find the basis of vectors ``(N, D)``, N at least 3 and D at least 2.

        Of more than 20,000 vectors the axes come from :func:`leading_axes`.

        Raises:
            ValueError: fewer than 3 vectors, fewer than 2 dimensions, or not finite.
        """
        points = checked_unit_rows(vectors)
        if points.shape[0] < 3 or points.shape[1] < 2:
            raise ValueError(f"two axes need at least 3 vectors of 2 numbers, got shape {points.shape}")
        centre = points.mean(axis=0)
        points -= centre
        axes, power = (principal_axes if len(points) <= MANY else leading_axes)(points, 2)
        share = power[:2] / max(float(np.vdot(points, points)), 1e-12)
        return cls(centre, axes, (float(share[0]), float(share[1])))

    def transform(self, vectors: Vectors) -> Float64s:
        """Coordinates (N, 2) of unit vectors on the kept axes, relative to the kept centre.

        Raises:
            ValueError: the width differs from that of the basis.
        """
        points = checked_unit_rows(vectors)
        if points.shape[1] != len(self.centre):
            raise ValueError(f"the basis has width {len(self.centre)}, these vectors have {points.shape[1]}")
        coordinates: Float64s = (points - self.centre) @ self.axes.T
        return coordinates


# ---- UMAP, at one moment ---------------------------------------------------------------------------------------------

Progress = Callable[[float, str], None]
REMEMBERED = 16
_cache: OrderedDict[str, Float32s] = OrderedDict()
_lock = threading.Lock()  # guards the cache only, never the slow work


@checked()
def umap_coordinates(
    vectors: Vectors, seed: int = 0, *, neighbours: AtLeastTwo = 15, progress: Progress | None = None
) -> Float32s:
    """Lay unit vectors (N, D) out in the plane, (N, 2), by UMAP (McInnes et al. 2018) with cosine distance.

    The first call loads UMAP, which takes about 15 seconds, and so does its first fit; the same vectors and seed then
    come back at once. ``progress(share, words)`` is called on the way. Distances between far groups mean little.

    Raises:
        ImportError: umap-learn is not installed.
        ValueError: fewer than 4 vectors, or NaN in them.
    """
    report = progress or (lambda share, words: None)
    points = checked_unit_rows(vectors).astype(np.float32)
    if len(points) < 4:
        raise ValueError(f"UMAP needs at least 4 vectors, got {len(points)}")
    key = content_key(points, seed, neighbours)
    with _lock:
        layout = _cache.get(key)
    if layout is None:
        layout = _fit(points, seed, min(neighbours, len(points) - 1), report)
        with _lock:
            _cache[key] = layout
            while len(_cache) > REMEMBERED:
                _cache.popitem(last=False)
    report(1.0, "UMAP is ready")
    return layout.copy()


def content_key(vectors: Vectors, seed: int, neighbours: int) -> str:
    """Key of the cache: equal vectors, seed and neighbourhood give an equal one."""
    array = np.ascontiguousarray(vectors, dtype=np.float32)
    digest = hashlib.sha256(array.tobytes())
    digest.update(repr((array.shape, seed, neighbours)).encode())
    return digest.hexdigest()


def _fit(points: Float32s, seed: int, neighbours: int, report: Progress) -> Float32s:
    report(0.0, "loading UMAP (about 15 s the first time)")
    umap = _imported_umap()
    report(0.3, "UMAP: looking for neighbours (slow the first time)")
    every = {"mininterval": 0, "miniters": 10}  # by rounds, not by the clock: a fast machine reports some too
    epochs = _Epochs(report)
    bar: dict[str, Any] = {"file": epochs, "bar_format": "{n_fmt}/{total_fmt}", "disable": False, **every}
    model = umap.UMAP(n_neighbors=neighbours, metric="cosine", random_state=seed, n_jobs=1, tqdm_kwds=bar)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that a seed means one thread, which is intended
        try:
            return np.asarray(model.fit_transform(points), dtype=np.float32)
        finally:
            if epochs.stopped:
                _let_bars_go_on()


class _Epochs:
    """File for UMAP's progress bar: parses ``12/200`` into a share. Once its listener has raised, it is silent."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self.stopped = progress, False

    def write(self, text: str) -> None:
        done, slash, total = text.strip().strip("\r").partition("/")
        if slash and done.isdigit() and total.isdigit() and not self.stopped:
            try:
                self._progress(0.5 + 0.5 * int(done) / int(total), f"UMAP: round {done} of {total}")
            except BaseException:
                self.stopped = True
                raise

    def flush(self) -> None:
        """No-op: nothing is buffered."""


def _let_bars_go_on() -> None:
    """Release the lock that tqdm keeps when its file raises: in all other threads every bar would wait for it."""
    from tqdm.auto import tqdm

    with suppress(RuntimeError, AssertionError):  # it was released
        tqdm.get_lock().release()


def _imported_umap() -> ModuleType:
    try:
        import umap
    except ImportError as error:
        raise ImportError("UMAP is not installed; `pip install umap-learn` adds it, PCA works without") from error
    module: ModuleType = umap
    return module


# ---- UMAP through time: what moves on the picture has moved ----------------------------------------------------------

MOST = 20  # looks that are laid out; the page interpolates between them
NEIGHBOURS = 15
EPOCHS = 80
HOLD = 0.05  # how strongly a point is held near its earlier place; at umap-learn's 0.01 resting points tremble


def chosen_looks(count: int, most: int = MOST) -> list[int]:
    """Indices of the looks that are laid out: all, or ``most`` of them spread evenly with the first and the last.

    >>> chosen_looks(3), chosen_looks(10, most=4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    return sorted({round(at) for at in np.linspace(0, count - 1, min(count, most))})


@checked()
def aligned_umap(
    looks: Sequence[npt.NDArray[Any]], *, neighbours: AtLeastTwo = NEIGHBOURS, seed: int = 0
) -> list[Float32s]:
    """Lay out the same N points at several moments, each by UMAP and each near where it was (McInnes's AlignedUMAP).

    ``looks`` are (N, A), in the order of time; what comes back is (N, 2) for each, all on one scale and centred.

    Raises:
        ValueError: fewer than 4 points, looks of different N, or values that are not finite.
        ImportError: umap-learn is not installed.
    """
    shapes = {look.shape for look in looks}
    if len(shapes) != 1 or len(next(iter(shapes))) != 2 or next(iter(shapes))[0] < 4:
        raise ValueError(f"looks have the shapes {sorted(shapes)}; give the same 4 points or more at each")
    points = [np.asarray(look, dtype=np.float32) for look in looks]
    if not all(np.isfinite(look).all() for look in points):
        raise ValueError("looks hold NaN or infinity: the run that made them has diverged")
    umap = _imported_umap()
    settings: dict[str, Any] = {
        "n_neighbors": min(neighbours, len(points[0]) - 1),
        "n_epochs": EPOCHS,
        "random_state": seed,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that a seed means one thread, which is intended
        if len(points) == 1:
            layouts = [umap.UMAP(n_jobs=1, **settings).fit_transform(points[0])]
        else:
            same = {row: row for row in range(len(points[0]))}
            model = umap.AlignedUMAP(alignment_regularisation=HOLD, **settings)
            layouts = model.fit(points, relations=[same] * (len(points) - 1)).embeddings_
    middle = np.mean([np.mean(layout, axis=0) for layout in layouts], axis=0)
    return [np.asarray(layout - middle, dtype=np.float32) for layout in layouts]
