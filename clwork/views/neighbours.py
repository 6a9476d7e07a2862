"""UMAP coordinates on request: loaded late, seeded, remembered by the content of what was laid out."""

from __future__ import annotations

import hashlib
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..edges import at_least, checked, each, function, numbers
from .sentence_scatter import Vectors, unit

Progress = Callable[[float, str], None]
REMEMBERED = 16
_cache: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
_lock = threading.Lock()  # guards the cache only, never the slow work


def content_key(vectors: Vectors, seed: int, neighbours: int) -> str:
    """A name for the result: equal input, seed and neighbourhood give an equal key."""
    array = np.ascontiguousarray(vectors, dtype=np.float32)
    digest = hashlib.sha256(array.tobytes())
    digest.update(repr((array.shape, seed, neighbours)).encode())
    return digest.hexdigest()


class _Epochs:
    """The file that UMAP's progress bar writes to: turns ``12/200`` into a share."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def write(self, text: str) -> None:
        done, slash, total = text.strip().strip("\r").partition("/")
        if slash and done.isdigit() and total.isdigit():
            self._progress(0.5 + 0.5 * int(done) / int(total), f"UMAP: round {done} of {total}")

    def flush(self) -> None:
        """Nothing is held back."""


@checked(neighbours=at_least(2), progress=function)
def umap_coordinates(
    vectors: Vectors, seed: int = 0, *, neighbours: int = 15, progress: Progress | None = None
) -> npt.NDArray[np.float32]:
    """Lay unit vectors (N, D) out in the plane, (N, 2), by UMAP (McInnes et al. 2018) with cosine distance.

    The first call loads UMAP, which takes about 15 seconds, and so does its first fit; the same vectors and seed then
    come back at once. ``progress(share, words)`` is called on the way. Distances between far groups mean little.

    Raises:
        ImportError: umap-learn is not installed.
        ValueError: fewer than 4 vectors, or NaN in them.
    """
    tell = progress or (lambda share, words: None)
    points = unit(vectors).astype(np.float32)
    if len(points) < 4:
        raise ValueError(f"UMAP needs at least 4 vectors, got {len(points)}")
    key = content_key(points, seed, neighbours)
    with _lock:
        found = _cache.get(key)
    if found is None:
        found = _fit(points, seed, min(neighbours, len(points) - 1), tell)
        with _lock:
            _cache[key] = found
            while len(_cache) > REMEMBERED:
                _cache.popitem(last=False)
    tell(1.0, "UMAP is ready")
    return found.copy()


def _fit(points: npt.NDArray[np.float32], seed: int, neighbours: int, tell: Progress) -> npt.NDArray[np.float32]:
    tell(0.0, "loading UMAP (about 15 s the first time)")
    try:
        import umap
    except ImportError as error:
        raise ImportError("UMAP is not installed; `pip install umap-learn` adds it, PCA works without") from error
    tell(0.3, "UMAP: looking for neighbours (slow the first time)")
    every = {"mininterval": 0, "miniters": 10}  # by rounds, not by the clock: a fast machine tells of some too
    bar: dict[str, Any] = {"file": _Epochs(tell), "bar_format": "{n_fmt}/{total_fmt}", "disable": False, **every}
    model = umap.UMAP(n_neighbors=neighbours, metric="cosine", random_state=seed, n_jobs=1, tqdm_kwds=bar)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that a seed means one thread, which is what we ask for
        return np.asarray(model.fit_transform(points), dtype=np.float32)


# UMAP through time: the same sentences laid out look after look, so that what moves on the picture has moved.


MOST = 20  # looks that are laid out; the page goes straight between two of them
NEIGHBOURS = 15
EPOCHS = 80
HOLD = 0.05  # how strongly a point is held near where it was; at umap-learn's 0.01 points that rest tremble

Floats = npt.NDArray[np.float32]


def chosen_looks(count: int, most: int = MOST) -> list[int]:
    """Which of so many looks are laid out: all, or ``most`` of them spread evenly, first and last among them.

    >>> chosen_looks(3), chosen_looks(10, most=4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    return sorted({round(at) for at in np.linspace(0, count - 1, min(count, most))})


@checked(looks=each(numbers), neighbours=at_least(2))
def aligned_umap(looks: Sequence[npt.NDArray[Any]], *, neighbours: int = NEIGHBOURS, seed: int = 0) -> list[Floats]:
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
    try:
        import umap
    except ImportError as error:
        raise ImportError("UMAP is not installed; `pip install umap-learn` adds it, PCA works without") from error
    asked: dict[str, Any] = {
        "n_neighbors": min(neighbours, len(points[0]) - 1),
        "n_epochs": EPOCHS,
        "random_state": seed,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that a seed means one thread, which is what we ask for
        if len(points) == 1:
            laid = [umap.UMAP(n_jobs=1, **asked).fit_transform(points[0])]
        else:
            same = {row: row for row in range(len(points[0]))}
            made = umap.AlignedUMAP(alignment_regularisation=HOLD, **asked)
            laid = made.fit(points, relations=[same] * (len(points) - 1)).embeddings_
    middle = np.mean([np.mean(look, axis=0) for look in laid], axis=0)
    return [np.asarray(look - middle, dtype=np.float32) for look in laid]
