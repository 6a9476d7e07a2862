"""Post-processing: its effect on the vectors it was fitted on, and on others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
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


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_whitening_drops_rounding_errors_and_keeps_what_the_input_can_hold(
    dtype: torch.dtype,
) -> None:
    flat = torch.from_numpy(ROWS[:, :3] @ np.random.default_rng(2).normal(size=(3, 24)) + 5).to(
        dtype
    )
    assert PostProcessing("whitened", flat)(flat).shape == (400, 3)
    assert (
        PostProcessing("whitened", torch.from_numpy(ROWS).to(dtype))(OTHERS).shape == OTHERS.shape
    )


def test_whitening_warns_if_there_are_hardly_more_sentences_than_dimensions() -> None:
    PostProcessing("whitened", ROWS[:16])
    with pytest.warns(UserWarning, match="15 vectors of width 8, .* give at least 16"):
        PostProcessing("whitened", ROWS[:15])


def test_all_but_the_top_leaves_nothing_along_the_first_direction() -> None:
    wide = np.random.default_rng(2).normal(size=(500, 250)) * np.linspace(1, 9, 250)
    found = PostProcessing("all-but-the-top", wide)(wide)
    first = PCA(svd_solver="full").fit(wide).components_[:3]
    assert np.allclose(found @ first[:2].T, 0), "two directions of 250 dimensions"
    assert np.abs(found @ first[2]).max() > 1
