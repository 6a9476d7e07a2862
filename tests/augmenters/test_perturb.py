"""The Gaussian perturbation of a unit vector, as intended and as printed."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import normalize

from clwork.augmenters import perturb

from . import seeded


def directions(count: int = 4000, width: int = 768) -> torch.Tensor:
    return normalize(torch.randn(count, width, generator=seeded(9)))


def test_coordinate_noise_changes_directions() -> None:
    """M9: noise of 0.005 on each coordinate moves the vector by 0.15, mostly orthogonal to its
    direction.
    """
    e = directions()
    moved = perturb(e, "coord_std", generator=seeded())
    assert (e - moved).norm(dim=1).mean().item() == pytest.approx(0.146, abs=0.001)
    length = moved.norm(dim=1)
    assert length.mean().item() == pytest.approx(1.011, abs=0.001)
    assert length.std().item() == pytest.approx(0.005, abs=0.001)
    assert 0.01 < ((length >= 0.99) & (length <= 1)).float().mean().item() < 0.04


def test_radial_noise_scales_with_the_mean_and_none_is_the_identity() -> None:
    e = directions(500, 16)
    assert perturb(e, "none", generator=seeded()) is e
    assert torch.equal(perturb(e, "radial", generator=seeded(), mean=0.0), e)
    assert perturb(e, "radial", generator=seeded(), mean=0.1).norm(
        dim=1
    ).mean().item() == pytest.approx(0.9, abs=0.01)
