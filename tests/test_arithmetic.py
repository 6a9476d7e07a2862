"""Unit length has one formula for tensors and one for arrays, and the two agree."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from clwork import losses
from clwork.arithmetic import normalize, unit_rows
from clwork.lab.sphere_view import sphere


def test_tensors_and_arrays_agree() -> None:
    rows = np.random.default_rng(0).normal(size=(50, 7)) * np.logspace(-100, 100, 50)[:, None]
    rows[3] = 0
    found = unit_rows(rows)
    np.testing.assert_allclose(found, normalize(torch.from_numpy(rows)).numpy(), rtol=0, atol=1e-15)
    assert not found[3].any() and np.allclose(np.delete(np.linalg.norm(found, axis=1), 3), 1)
    assert losses.normalize is normalize


def test_points_too_far_out_to_have_a_length_are_refused() -> None:
    """Their squares overflow: they became rows of zeros, which are no points of a sphere."""
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="rows that point somewhere"):
        sphere(positions=[[1e200, 0.0], [0.0, 1.0]])
