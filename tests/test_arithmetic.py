"""Unit length of tensors and arrays; principal axes of figures and of recordings."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from clwork import losses
from clwork.arithmetic import normalize, unit_rows
from clwork.projections import principal_axes
from clwork.run_folder.positions import fit_basis


def test_tensors_and_arrays_agree() -> None:
    rows = np.random.default_rng(0).normal(size=(50, 7)) * np.logspace(-100, 100, 50)[:, None]
    rows[3] = 0
    found = unit_rows(rows)
    np.testing.assert_allclose(found, normalize(torch.from_numpy(rows)).numpy(), rtol=0, atol=1e-15)
    assert not found[3].any()
    assert np.allclose(np.delete(np.linalg.norm(found, axis=1), 3), 1)
    assert losses.normalize is normalize


def cloud(seed: int, count: int = 40, width: int = 12) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, width)) * np.linspace(3, 1, width)


def test_axes_are_the_strongest_eigenvectors_with_a_positive_largest_entry() -> None:
    points = cloud(0)
    axes, power = principal_axes(points, 3)
    strengths, vectors = np.linalg.eigh(points.T @ points)
    np.testing.assert_allclose(power, strengths[::-1])
    np.testing.assert_allclose(np.abs(np.sum(axes * vectors.T[::-1][:3], axis=1)), 1)
    assert (axes[np.arange(3), np.abs(axes).argmax(axis=1)] > 0).all()
    np.testing.assert_allclose(
        principal_axes(-points, 3)[0], axes
    )  # the solver's sign does not show


def test_figures_and_recorded_positions_have_the_same_axes() -> None:
    points = unit_rows(cloud(7))
    recorded, share = fit_basis(points)
    centred = points - points.mean(axis=0)
    axes, power = principal_axes(centred, 2)
    np.testing.assert_array_equal(recorded[1:3], axes.astype(np.float32))
    np.testing.assert_array_equal(recorded[0], points.mean(axis=0).astype(np.float32))
    assert share[:2] == pytest.approx(power[:2] / np.vdot(centred, centred), abs=1e-6)
