"""What a loss does where nothing is said: the setting that its paper names, and that its signature shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from clwork import losses

A, B, C = torch.randn(3, 6, 32, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
LAYERS = torch.stack([B, C], dim=1)
L: Any = losses


def model(seed: int) -> nn.Module:
    """Of two parameters one is trained."""
    made = nn.Linear(3, 2).requires_grad_(False)
    for parameter in made.parameters():
        parameter.copy_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(seed)))
    made.bias.requires_grad_()
    return made


def alike(cosine: float) -> Tensor:
    return torch.full((2, 2), cosine, dtype=torch.float64)


def slope_of_target(**more: Any) -> Tensor:
    leaf = C.clone().requires_grad_()
    gradient: Tensor
    (gradient,) = torch.autograd.grad(L.gclsr(A, B, C, leaf, **more) + 0 * leaf.sum(), leaf)
    return gradient


DISTANCE = partial(L.parameter_distance, model(0), model(1))
MOCOUTRL = partial(L.mocoutrl, A, B, C, token_label=A, token_positive=B, token_negative=C)
# How it is called, whose setting, what is said by saying nothing, and something else.
DEFAULTS: list[tuple[Callable[..., Any], str, Any, Any]] = [
    (partial(L.info_nce, A, B), "temperature", 0.05, 0.06),
    (partial(L.simcse, A, B), "temperature", 0.05, 0.06),
    (partial(L.simcse, A, B, C), "hard_negative_weight", 1.0, 1.1),
    (partial(L.simcse, A, B), "similarity", "cosine", "dot"),
    (partial(L.dclr, A, B, noise=C), "temperature", 0.05, 0.06),
    (partial(L.dclr, A, B, noise=C), "variant", "paper", "code"),
    (partial(L.softmax_mass, A, B, noise=C), "temperature", 0.05, 0.06),
    (partial(L.gradient_shares, A, B, noise=C), "temperature", 0.05, 0.06),
    (partial(L.instance_weights, alike(0.89)), "phi", 0.9, 0.88),
    (partial(L.instance_weights, alike(0.9)), "strict", False, True),
    (partial(L.distillation, A, B, A @ A.T), "temperature", 0.05, 0.06),
    (partial(L.self_guided, A, LAYERS), "temperature", 0.01, 0.02),
    (partial(L.self_guided, A, B, form="opt2"), "variant", "paper", "code"),
    (DISTANCE, "reduction", "sum", "mean"),
    (DISTANCE, "trained", False, True),
    (MOCOUTRL, "temperature", 0.07, 0.06),
    (MOCOUTRL, "lam", 0.5, 0.6),
    (MOCOUTRL, "variant", "paper", "code"),
    (partial(L.long_span, A, B, C), "temperature", 0.07, 0.06),
    (partial(L.long_span, A, B, C), "form", "ntxent", "literal"),
    (partial(L.token_level, A, B, C), "form", "sqdist", "mse_mean"),
    (partial(L.token_level, A, B, C), "unit_label", True, False),
    (partial(L.gclsr, A, B, C, A), "group_dim", 16, 32),
    (slope_of_target, "stop_gradient", True, False),
]


@pytest.mark.parametrize(("loss", "name", "default", "other"), DEFAULTS)
def test_nothing_said_is_the_setting_of_the_paper(
    loss: Callable[..., Any], name: str, default: Any, other: Any
) -> None:
    def numbers(**more: Any) -> list[float]:
        found = loss(**more)
        listed: list[float] = torch.stack(found if isinstance(found, tuple) else [found]).flatten().tolist()
        return listed

    assert numbers() == numbers(**{name: default})
    assert numbers() != numbers(**{name: other}), "the guard: it does matter"
