"""Post-processing of sentence vectors without training, to compare trained encoders with."""

from __future__ import annotations

import warnings
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import torch

from .. import _validation
from .inputs import Vectors, as_matrix, precise

Floats = npt.NDArray[np.float64]
Kind = Literal["mean removed", "whitened", "all-but-the-top"]
# All-but-the-top removes one direction for each 100 dimensions (Mu & Viswanath 2018, section 2).
DIMENSIONS_PER_DIRECTION = 100
# Whitening drops directions with a smaller share of the largest variance: rounding errors.
SMALLEST_SHARE = 1e-9


class PostProcessing:
    """A transform of vectors, fitted on vectors ``(N, D)``, N ≥ 2.

    All kinds subtract the mean. *whitened* then rotates and scales the vectors, so that all
    directions have variance 1 (Su et al. 2021, a baseline of SimCSE's Table 5). *all-but-the-top*
    removes the directions of largest variance (Mu & Viswanath 2018).

    Warns:
        UserWarning: whitening is fitted on N < 2 · D vectors.

    >>> mean_removed = PostProcessing("mean removed", fit_on=np.array([[1.0, 0.0], [3.0, 0.0]]))
    >>> mean_removed(np.array([[2.0, 5.0]]))
    array([[0., 5.]])
    """

    def __init__(self, kind: Kind, fit_on: Vectors) -> None:
        _validation.choice("kind", kind, get_args(Kind))
        rows: Floats = precise(as_matrix(fit_on, "fit_on", least_rows=2)).cpu().numpy()
        self.kind = kind
        self.dim = rows.shape[1]
        self._mean = rows.mean(axis=0)
        # None leaves the centred vectors unchanged.
        self._matrix = None if kind == "mean removed" else _matrix(kind, rows, _precision(fit_on))

    def __call__(self, x: Vectors) -> Floats:
        """Transform vectors ``(N, D)`` to ``(N, D')`` float64; whitening may have D' < D."""
        rows: Floats = precise(as_matrix(x, "x")).cpu().numpy()
        if rows.shape[1] != self.dim:
            raise ValueError(
                f"x has vectors of width {rows.shape[1]}; "
                f"the transform was fitted on width {self.dim}"
            )
        centred = rows - self._mean
        return centred if self._matrix is None else np.asarray(centred @ self._matrix)


def _precision(x: Vectors) -> float:
    """Return the relative rounding error of the type of ``x``; 0 for integers."""
    if isinstance(x, torch.Tensor):
        return torch.finfo(x.dtype).eps if x.is_floating_point() else 0.0
    return float(np.finfo(x.dtype).eps) if x.dtype.kind == "f" else 0.0


def _matrix(kind: Kind, rows: Floats, precision: float) -> Floats:
    """Return the matrix ``(D, D')`` by which centred vectors are multiplied.

    ``precision`` is the relative rounding error of the vectors before they became float64.
    """
    from sklearn.decomposition import PCA

    fitted = PCA(svd_solver="full").fit(rows)
    # K = min(N, D) directions, that of the largest variance first.
    variances = fitted.explained_variance_  # (K,)
    directions = fitted.components_  # (K, D)
    count, width = rows.shape
    # An estimate of the variances that rounding the vectors has caused, (K,).
    rounding = (1 + width / count) * precision**2 * (directions**2 @ np.square(rows).mean(axis=0))
    if variances[0] <= rounding[0]:
        raise ValueError(
            "fit_on has only equal vectors; use different sentences, or an encoder that has not "
            "collapsed"
        )

    if kind == "whitened":
        if count < 2 * width:
            # The warning names the line that makes the object, two calls above this function.
            warnings.warn(
                f"fit_on has {count} vectors of width {width}, so some directions vary little by "
                f"chance alone, and whitening stretches them; give at least {2 * width} vectors",
                stacklevel=3,
            )
        # Directions of rounding errors alone are left out, since whitening would stretch them most.
        is_signal = variances > np.maximum(SMALLEST_SHARE * variances[0], rounding)
        whitening: Floats = directions[is_signal].T / np.sqrt(variances[is_signal])
        return whitening

    # "All but the top" is the identity minus the projection onto the main directions.
    top = directions[: max(1, width // DIMENSIONS_PER_DIRECTION)]
    removal: Floats = np.eye(width) - top.T @ top
    return removal
