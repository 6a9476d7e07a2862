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


def test_radial_keeps_the_direction_and_stays_in_the_shell() -> None:
    e = directions()
    moved = perturb(e, "radial", generator=seeded())
    length = moved.norm(dim=1)
    torch.testing.assert_close(normalize(moved), e)
    share = ((length >= 0.99) & (length <= 1)).float().mean().item()
    assert share == pytest.approx(0.9973, abs=0.003)  # three standard deviations either way
    assert length.mean().item() == pytest.approx(0.995, abs=2e-4)
    assert length.std().item() == pytest.approx(0.005 / 3, rel=0.05)


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


def test_the_seed_decides_and_shape_and_type_are_kept() -> None:
    e = directions(6, 8).double().reshape(2, 3, 8)
    before = torch.get_rng_state()
    for kind in ("radial", "coord_std", "coord_var"):
        one, same, other = (perturb(e, kind, generator=seeded(seed)) for seed in (0, 0, 1))
        assert one.shape == e.shape and one.dtype == torch.float64
        assert torch.equal(one, same) and not torch.equal(one, other)
    assert torch.equal(before, torch.get_rng_state())
