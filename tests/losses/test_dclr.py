"""DCLR's loss: three variants against loops, SimCSE as a limit, and the printed formula."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from clwork.losses import dclr, instance_weights, simcse, softmax_mass
from clwork.losses.checks import Variant

from .oracles import cosine, vectors

VARIANTS: list[Variant] = ["paper", "code", "literal"]


def binary(size: int, seed: int = 5) -> Tensor:
    return (torch.rand(size, size, generator=torch.Generator().manual_seed(seed)) > 0.4).double()


def looped(
    z1: Tensor, z2: Tensor, noise: Tensor, alpha: Tensor, temperature: float, variant: Variant
) -> float:
    """The three formulas, number by number; ``noise`` is (B, K, D)."""
    a, b, n, weight = z1.tolist(), z2.tolist(), noise.tolist(), alpha.tolist()
    total, count = 0.0, len(a)
    for i in range(count):
        right = math.exp(cosine(a[i], b[i]) / temperature)
        if variant == "paper":
            below = right + sum(
                weight[i][j] * math.exp(cosine(a[i], b[j]) / temperature)
                for j in range(count)
                if j != i
            )
            below += sum(math.exp(cosine(a[i], x) / temperature) for x in n[i])
            total -= math.log(right / below) / count
        elif variant == "literal":
            below = sum(math.exp(cosine(a[i], b[j]) / temperature) for j in range(count) if j != i)
            below += sum(math.exp(cosine(a[i], x) / temperature) for x in n[i])
            total -= math.log(right / below) / count
        else:
            terms = [
                right if j == i else math.exp(weight[i][j] * cosine(a[i], b[j]) / temperature)
                for j in range(count)
            ]
            terms += [math.exp(cosine(a[i], x) / temperature) for x in n[i]]
            for j, term in enumerate(terms):
                p = term / sum(terms)
                total -= (math.log(p) if j == i else math.log(1 - p)) / (count * len(terms))
    return total


def test_every_variant_equals_its_loop(subtests: pytest.Subtests) -> None:
    temperatures: list[float] = [0.1, 0.5, 2.0]
    for (batch, count), temperature, variant in product(
        ((1, 3), (2, 1), (5, 4), (6, 0)), temperatures, VARIANTS
    ):
        with subtests.test(batch=batch, count=count, temperature=temperature):
            z1, z2 = vectors(batch, 7), vectors(batch, 7, seed=1)
            own, alpha = vectors(batch, count, 7, seed=2), binary(batch)
            given = own if count else None
            found = dclr(
                z1, z2, noise=given, weights=alpha, temperature=temperature, variant=variant
            )
            assert float(found) == pytest.approx(
                looped(z1, z2, own, alpha, temperature, variant), rel=1e-9, abs=1e-12
            )
            shared = vectors(count, 7, seed=3)
            found = dclr(
                z1,
                z2,
                noise=shared if count else None,
                weights=alpha,
                temperature=temperature,
                variant=variant,
            )
            every = shared.expand(batch, count, 7)
            assert float(found) == pytest.approx(
                looped(z1, z2, every, alpha, temperature, variant), rel=1e-9, abs=1e-12
            )


def test_weights_of_one_and_no_noise_are_simcse_exactly() -> None:
    for dtype in (torch.float32, torch.float64):
        z1, z2 = vectors(9, 6).to(dtype), vectors(9, 6, seed=1).to(dtype)
        for weights in (None, torch.ones(9, 9), torch.ones(9, 9, dtype=torch.bool)):
            assert torch.equal(
                dclr(z1, z2, weights=weights, temperature=0.07), simcse(z1, z2, temperature=0.07)
            )
    assert float(dclr(z1, z2, noise=vectors(3, 6, seed=2))) != float(simcse(z1, z2))  # the guard


def test_the_printed_formula_ignores_weights() -> None:
    z1, z2 = vectors(5, 4), vectors(5, 4, seed=1)
    unweighted = dclr(z1, z2, variant="literal")
    assert torch.equal(unweighted, dclr(z1, z2, weights=torch.zeros(5, 5), variant="literal"))
    with pytest.raises(ValueError, match="at least one negative"):
        dclr(z1[:1], z2[:1], variant="literal")


def test_the_released_loss_is_finite_at_probabilities_of_0_and_1() -> None:
    """D10: 1 - P rounds to 0 in float32 where P is e^-20 from 1, and the logarithm is finite."""
    axes = torch.eye(16)
    wrong = axes.roll(1, dims=0)  # the positive has cosine 0 and a negative cosine 1
    for z2, limit in ((axes, 1e-4), (wrong, 10.0)):
        z1 = axes.clone().requires_grad_()
        for temperature in (0.05, 0.01):
            loss = dclr(z1, z2, temperature=temperature, variant="code")
            (gradient,) = torch.autograd.grad(loss, z1)
            assert torch.isfinite(loss)
            assert torch.isfinite(gradient).all()
        assert float(dclr(axes, z2, variant="code")) < limit
    double = dclr(axes.double(), wrong.double(), variant="code")
    assert float(dclr(axes, wrong, variant="code")) == pytest.approx(float(double), rel=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_gradients_are_right_and_none_reaches_noise_or_weights(variant: Any) -> None:
    z1, z2 = vectors(4, 3).requires_grad_(), vectors(4, 3, seed=1).requires_grad_()
    noise, alpha = vectors(2, 3, seed=2).requires_grad_(), binary(4).requires_grad_()

    loss = partial(dclr, noise=noise, weights=alpha, temperature=0.5, variant=variant)
    assert torch.autograd.gradcheck(loss, (z1, z2))
    loss(z1, z2).backward()  # type: ignore[no-untyped-call]
    assert noise.grad is None
    assert alpha.grad is None
    assert z1.grad is not None


def test_the_masses_are_the_softmax_and_add_up() -> None:
    z1, z2, noise, alpha = vectors(6, 5), vectors(6, 5, seed=1), vectors(4, 5, seed=2), binary(6)
    found = softmax_mass(z1, z2, noise=noise, weights=alpha, temperature=0.3)
    a, b, n = z1.tolist(), z2.tolist(), noise.tolist()
    groups = [0.0, 0.0, 0.0]
    for i in range(6):
        right = math.exp(cosine(a[i], b[i]) / 0.3)
        batch = sum(
            float(alpha[i, j]) * math.exp(cosine(a[i], b[j]) / 0.3) for j in range(6) if j != i
        )
        far = sum(math.exp(cosine(a[i], x) / 0.3) for x in n)
        for place, mass in enumerate((right, batch, far)):
            groups[place] += mass / (right + batch + far) / 6
    assert [float(mass) for mass in found] == pytest.approx(groups, rel=1e-9)
    assert sum(float(mass) for mass in found) == pytest.approx(1.0)
    assert float(softmax_mass(z1, z2).noise) == 0.0


def test_weights_mask_at_phi_the_code_above_it() -> None:
    similar = torch.tensor([[1.0, 0.9, 0.89], [0.1, -1.0, 0.95], [0.9, 0.2, 0.0]])
    assert instance_weights(similar).tolist() == [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert instance_weights(similar, strict=True).tolist() == [[1, 1, 1], [1, 1, 0], [1, 1, 1]]
    assert instance_weights(similar, phi=-1).tolist() == torch.eye(3).tolist()


@pytest.mark.parametrize("quantile", [0.5, 0.9, 0.95, 0.99])
def test_a_quantile_masks_its_share_whatever_the_scale(quantile: Any) -> None:
    similar = vectors(40, 40)
    for scaled in (similar, 0.9 + similar / 1000):
        masked = (
            float((instance_weights(scaled, quantile=quantile) == 0).double().mean()) * 1600 / 1560
        )
        assert masked == pytest.approx(1 - quantile, abs=1 / 1560)
    assert torch.equal(instance_weights(torch.ones(1, 1), quantile=0.5), torch.ones(1, 1))


def test_noise_is_masked_at_the_threshold_of_the_batch() -> None:
    """D16: according to the text, the complementary model weights noise as well."""
    similar, of_noise = (
        torch.tensor([[1.0, 0.9], [0.3, 1.0]]),
        torch.tensor([[0.95, 0.1, -1.0], [0.9, 0.89, 1.0]]),
    )
    weights = instance_weights(similar, noise=of_noise)
    assert weights.tolist() == [[1, 0, 0, 1, 1], [1, 1, 0, 1, 0]]
    by_share = instance_weights(
        similar, quantile=0.5, noise=of_noise
    )  # the threshold is the batch's, 0.9
    assert torch.equal(by_share, weights)
    z1, z2, noise = vectors(2, 4), vectors(2, 4, seed=1), vectors(3, 4, seed=2)
    masked = dclr(z1, z2, noise=noise, weights=weights, temperature=0.5)
    rows = [
        dclr(z1[i : i + 1], z2[i : i + 1], noise=remaining, temperature=0.5)
        for i, remaining in enumerate((noise[1:], torch.cat([z2[:1], noise[1:2]])))
    ]
    assert float(masked) == pytest.approx(float(sum(rows) / 2), rel=1e-9)
    alone = torch.cat([torch.ones(2, 2), torch.zeros(2, 3)], dim=1)
    assert torch.equal(dclr(z1, z2, noise=noise, weights=alone), dclr(z1, z2))
