"""DCLR's parts of a gradient in closed form, against autograd."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

from clwork.losses import dclr
from clwork.losses._dclr import GradientShares, dclr_scores, shares_of_gradient

from .oracles import vectors


def gradient_shares(
    z1: torch.Tensor,
    z2: torch.Tensor,
    noise: torch.Tensor | None = None,
    weights: torch.Tensor | None = None,
    temperature: float = 0.05,
) -> GradientShares:
    scores = dclr_scores(z1, z2, noise, weights, temperature, "paper")
    return shares_of_gradient(scores, z1, z2, noise)


def pulled(z1: torch.Tensor, z2: torch.Tensor, **more: Any) -> torch.Tensor:
    z1 = z1.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(dclr(z1, z2, **more), z1)
    return gradient


@pytest.mark.parametrize(("temperature", "own"), list(product([0.05, 0.5], (False, True))))
def test_both_shares_equal_those_of_autograd(temperature: Any, own: Any) -> None:
    z1, z2 = vectors(6, 5), vectors(6, 5, seed=1)
    noise = vectors(6, 4, 5, seed=2) if own else vectors(4, 5, seed=2)
    weights = (vectors(6, 6, seed=3) > 0).double()
    found = gradient_shares(z1, z2, noise=noise, weights=weights, temperature=temperature)
    whole, unmasked = (
        pulled(z1, z2, noise=noise, weights=w, temperature=temperature) for w in (weights, None)
    )
    assert float(found.masking) == pytest.approx(
        float((whole - unmasked).norm() / unmasked.norm()), rel=1e-9
    )
    # the share of noise: change noise logits alone, with a separate anchor variable for
    # noise
    first = torch.nn.functional.normalize(z1)
    columns = noise if own else noise.expand(6, 4, 5)
    with_noise = torch.nn.functional.normalize(columns, dim=2)
    logits = torch.cat(
        [
            first @ torch.nn.functional.normalize(z2).T,
            torch.einsum("bd,bkd->bk", first, with_noise),
        ],
        1,
    )
    alpha = torch.cat([weights.clone().fill_diagonal_(1), torch.ones(6, 4)], dim=1)
    shares = (logits / temperature + alpha.log()).softmax(dim=1)[:, 6:]
    again = z1.clone().requires_grad_()
    heard = (
        torch.einsum("bd,bkd->bk", torch.nn.functional.normalize(again), with_noise) / temperature
    )
    (part,) = torch.autograd.grad((shares * heard).sum() / 6, again)
    assert float(found.noise) == pytest.approx(float(part.norm() / whole.norm()), rel=1e-9)


def test_without_noise_and_masks_both_shares_are_zero() -> None:
    z1, z2 = vectors(6, 5), vectors(6, 5, seed=1)
    assert list(map(float, gradient_shares(z1, z2))) == [0.0, 0.0]
    assert list(map(float, gradient_shares(z1, z2, weights=torch.ones(6, 6)))) == [0.0, 0.0]
    same = torch.ones(4, 3)
    assert list(map(float, gradient_shares(same, same, noise=same))) == [0.0, 0.0], (
        "no gradient at all: no share, no NaN"
    )
