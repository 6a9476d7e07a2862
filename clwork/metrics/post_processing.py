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
DIMENSIONS_PER_DIRECTION = 100  # all-but-the-top removes one direction per 100 (section 2)
# Whitening drops directions with a smaller share of the largest variance: rounding errors.
SMALLEST_SHARE = 1e-9


class PostProcessing:
    """A transform of vectors, fitted on vectors ``(N, D)``, N ≥ 2; whitening warns if N < 2 · D.

    *whitened* is a baseline of SimCSE's Table 5 (Su et al. 2021); *all-but-the-top* is by
    Mu & Viswanath 2018.
    """

    def __init__(self, kind: Kind, fit_on: Vectors) -> None:
        _validation.choice("kind", kind, get_args(Kind))
        rows: Floats = precise(as_matrix(fit_on, "fit_on", least_rows=2)).cpu().numpy()
        self.kind = kind
        self.dim = rows.shape[1]
        self._mean = rows.mean(axis=0)
        self._matrix = None if kind == "mean removed" else _matrix(kind, rows, _precision(fit_on))

    def __call__(self, x: Vectors) -> Floats:
        """Transform vectors ``(N, D)`` to ``(N, D')`` float64."""
        rows: Floats = precise(as_matrix(x, "x")).cpu().numpy()
        if rows.shape[1] != self.dim:
            raise ValueError(
                f"x has vectors of width {rows.shape[1]}; "
                f"the transform was fitted on width {self.dim}"
            )
        centred = rows - self._mean
        return centred if self._matrix is None else np.asarray(centred @ self._matrix)


def _precision(x: Vectors) -> float:
    """Return the relative distance of neighbouring numbers of the type of ``x``; 0 for integers."""
    if isinstance(x, torch.Tensor):
        return torch.finfo(x.dtype).eps if x.is_floating_point() else 0.0
    return float(np.finfo(x.dtype).eps) if x.dtype.kind == "f" else 0.0


def _matrix(kind: Kind, rows: Floats, precision: float) -> Floats:
    from sklearn.decomposition import PCA

    fitted = PCA(svd_solver="full").fit(rows)
    variances = fitted.explained_variance_  # (K,)
    directions = fitted.components_  # (K, D)
    count, width = rows.shape
    # Variances that rounding the vectors has caused, (K,).
    rounding = (1 + width / count) * precision**2 * (directions**2 @ np.square(rows).mean(axis=0))
    if variances[0] <= rounding[0]:
        raise ValueError(
            "fit_on has only equal vectors; use different sentences, or an encoder that has not "
            "collapsed"
        )
    if kind == "whitened":
        if count < 2 * width:
            warnings.warn(
                f"fit_on has {count} vectors of width {width}, so some directions vary little by "
                f"chance alone, and whitening stretches them; give at least {2 * width} vectors",
                stacklevel=3,
            )
        varied = variances > np.maximum(SMALLEST_SHARE * variances[0], rounding)
        whitening: Floats = directions[varied].T / np.sqrt(variances[varied])
        return whitening
    top = directions[: max(1, rows.shape[1] // DIMENSIONS_PER_DIRECTION)]
    removal: Floats = np.eye(rows.shape[1]) - top.T @ top
    return removal
