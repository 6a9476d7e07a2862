"""Where the Gaussian perturbation puts a unit vector, as meant and as printed."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import normalize

from clwork.augmenters import perturb


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def directions(count: int = 4000, width: int = 768) -> torch.Tensor:
    return normalize(torch.randn(count, width, generator=seeded(9)))


def test_coordinate_noise_is_no_shell() -> None:
    """M9: every coordinate is moved by 0.005, so the vector by 0.15, mostly across its direction."""
    e = directions()
    moved = perturb(e, "coord_std", generator=seeded())
    assert (e - moved).norm(dim=1).mean().item() == pytest.approx(0.146, abs=0.001)
    length = moved.norm(dim=1)
    assert length.mean().item() == pytest.approx(1.011, abs=0.001)
    assert length.std().item() == pytest.approx(0.005, abs=0.001)
    assert 0.01 < ((length >= 0.99) & (length <= 1)).float().mean().item() < 0.04


def test_the_shell_grows_with_the_mean_and_nothing_is_nothing() -> None:
    e = directions(500, 16)
    assert perturb(e, "none", generator=seeded()) is e
    assert torch.equal(perturb(e, "radial", generator=seeded(), mean=0.0), e)
    assert perturb(e, "radial", generator=seeded(), mean=0.1).norm(dim=1).mean().item() == pytest.approx(0.9, abs=0.01)
