"""Post-processing of vectors: the effect of each kind on the vectors it was fitted on, and on others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA

from clwork.metrics.post_processing import PostProcessing

ROWS: npt.NDArray[Any] = np.random.default_rng(0).normal(size=(400, 8)) * np.arange(1, 9) + 3
OTHERS: npt.NDArray[Any] = np.random.default_rng(1).normal(size=(50, 8)) * np.arange(1, 9) + 3


def cosines(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def test_the_mean_is_that_of_the_sentences_it_was_fitted_on() -> None:
    transform = PostProcessing("mean removed", ROWS)
    assert np.allclose(transform(ROWS).mean(axis=0), 0)
    assert np.allclose(transform(OTHERS), OTHERS - ROWS.mean(axis=0))


def test_whitening_is_scikit_learns() -> None:
    transform = PostProcessing("whitened", ROWS)
    assert np.allclose(np.cov(transform(ROWS).T), np.eye(8))
    theirs = PCA(whiten=True, svd_solver="full").fit(ROWS).transform(OTHERS)
    assert np.allclose(cosines(transform(OTHERS)), cosines(theirs))


def test_whitening_drops_directions_without_variance() -> None:
    flat = np.concatenate([ROWS, np.full((len(ROWS), 2), 5.0)], axis=1)
    found = PostProcessing("whitened", flat)(flat)
    assert found.shape == (400, 8) and np.isfinite(found).all()


def test_all_but_the_top_leaves_nothing_along_the_first_direction() -> None:
    wide = np.random.default_rng(2).normal(size=(500, 250)) * np.linspace(1, 9, 250)
    found = PostProcessing("all-but-the-top", wide)(wide)
    first = PCA(svd_solver="full").fit(wide).components_[:3]
    assert np.allclose(found @ first[:2].T, 0), "two directions of 250 dimensions"
    assert np.abs(found @ first[2]).max() > 1
