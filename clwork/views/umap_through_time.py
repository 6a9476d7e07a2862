"""UMAP through time: the same sentences laid out look after look, so that what moves on the picture has moved."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..edges import at_least, checked, each, numbers

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
