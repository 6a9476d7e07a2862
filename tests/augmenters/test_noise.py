"""Noise negatives: the direction of the ascent, its only parameter (a ratio), and no gradient to
the encoder. Perturbed unit vectors, as intended and as printed.
"""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from clwork.augmenters import ascend_noise, noise_negatives, perturb
from clwork.augmenters.noise import gaussian_noise

from . import seeded


def vectors(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def non_uniformity(
    noise: list[list[float]], a: list[list[float]], b: list[list[float]], t: float, code: bool
) -> float:
    """L_U in loops, for shared noise."""

    def cos(x: list[float], y: list[float]) -> float:
        return sum(p * q for p, q in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)

    total = 0.0
    for i in range(len(a)):
        below = sum(math.exp(cos(a[i], n) / t) for n in noise)
        if code:
            below += sum(math.exp(cos(a[i], y) / t) for y in b)
        total -= math.log(math.exp(cos(a[i], b[i]) / t) / below)
    return total


def test_one_step_is_the_normalised_gradient_of_the_loop(subtests: pytest.Subtests) -> None:
    for variant in ("paper", "code"):
        with subtests.test(variant=variant):
            z1, z2, start = vectors(3, 4), vectors(3, 4, seed=1), vectors(2, 4, seed=2)
            found = ascend_noise(
                start, z1, z2, steps=1, step_size=0.5, temperature=0.3, variant=variant
            )
            a, b, eps = z1.tolist(), z2.tolist(), 1e-6
            for k in range(2):
                gradient = []
                for d in range(4):
                    ends = []
                    for sign in (1, -1):
                        moved = start.clone()
                        moved[k, d] += sign * eps
                        ends.append(non_uniformity(moved.tolist(), a, b, 0.3, variant == "code"))
                    gradient.append((ends[0] - ends[1]) / (2 * eps))
                step = normalize(torch.tensor(gradient, dtype=torch.float64), dim=0)
                torch.testing.assert_close(found[k], start[k] + 0.5 * step, atol=1e-7, rtol=1e-6)


def test_the_gradient_of_unshared_noise_points_along_its_sentence() -> None:
    """Temperature, positive and denominator have no effect: they cancel in the normalisation."""
    z1, z2, start = vectors(4, 16), vectors(4, 16, seed=1), vectors(4, 3, 16, seed=2)
    reference = ascend_noise(start, z1, z2, step_size=2.0, temperature=0.05)
    for other in (
        ascend_noise(start, z1, z2.flip(0), step_size=2.0, temperature=0.05),
        ascend_noise(start, z1, z2, step_size=2.0, temperature=5.0),
        ascend_noise(start, z1, z2, step_size=2.0, variant="code"),
    ):
        torch.testing.assert_close(other, reference, atol=1e-9, rtol=1e-9)
    for i in range(4):
        plane = torch.stack(
            [z1[i], start[i, 0]]
        )  # it stays in the plane of the sentence and its own start
        rest = reference[i, 0] - plane.T @ torch.linalg.lstsq(plane.T, reference[i, 0]).solution
        assert float(rest.norm()) < 1e-9
        assert (
            cosine_similarity(reference[i], z1[i : i + 1]).min()
            > cosine_similarity(start[i], z1[i : i + 1]).max()
        )


def test_constants_without_a_path_to_the_encoder() -> None:
    z1, z2 = vectors(4, 8).requires_grad_(), vectors(4, 8, seed=1).requires_grad_()
    for switch in (torch.no_grad(), torch.enable_grad()):
        with switch:
            noise = noise_negatives(z1, z2, count=3, generator=seeded())
        assert not noise.requires_grad
        assert noise.grad_fn is None
    assert z1.grad is None
    assert z2.grad is None


def test_tiny_gradients_and_autocast_do_not_stop_the_ascent() -> None:
    """In the denominator of the released code, noise has a share of e^-20 or less, and so small a
    gradient.
    """
    z = torch.eye(8)
    noise = gaussian_noise((3, 8), generator=seeded())
    moved = ascend_noise(noise, z, z, steps=1, step_size=1.0, temperature=0.02, variant="code")
    torch.testing.assert_close((moved - noise).norm(dim=1), torch.ones(3))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(
            ascend_noise(noise, z, z, step_size=1.0), ascend_noise(noise, z, z, step_size=1.0)
        )
        assert ascend_noise(noise, z.bfloat16(), z.bfloat16()).dtype == torch.float32


def directions(count: int = 4000, width: int = 768) -> Tensor:
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
    lengths = perturb(e, "radial", generator=seeded(), mean=0.1).norm(dim=1)
    assert lengths.mean().item() == pytest.approx(0.9, abs=0.01)
