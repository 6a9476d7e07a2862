"""A training step of any method: the same for a run and for a model that a method trains on the side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from .base import Draws, Method, Terms, Views


def train_step(
    method: Method[Any],
    optimizer: torch.optim.Optimizer,
    batch: Sequence[Any],
    draws: Draws,
    step: int,
    total: int,
    *,
    around: AbstractContextManager[Any] | None = None,
    compare: Callable[[Views], Terms] | None = None,
) -> tuple[Views, Terms, Tensor]:
    """Views, loss, gradients and update of ``step`` (from 0) of ``total``; returns views, terms and gradient length.

    The forward pass is done inside ``around``; ``compare`` takes the place of the method's own. ``after_step`` is left
    to the caller, who may first look whether the numbers are still finite.
    """
    method.train()
    method.before_step(step, total, optimizer)
    with around or nullcontext():
        views = method.embed(batch, draws)
    terms = (compare or method.compare)(views)
    optimizer.zero_grad()
    terms.loss.backward()  # type: ignore[no-untyped-call]
    return views, terms, apply_update(optimizer, method.parameters(), method.config.clip, terms.loss)


def apply_update(
    optimizer: torch.optim.Optimizer, parameters: Iterable[nn.Parameter], clip: float, loss: Tensor
) -> Tensor:
    """Clip the gradients to length ``clip`` and step, unless loss or gradients are not finite; returns their length.

    A fused optimizer is told on the device that it must leave the weights alone, so nobody waits for the backward pass
    here; whoever reads the length afterwards sees what happened. Any other optimizer is asked only after a look.

    Shapes: ``loss`` 0-dim; returns 0-dim, on the parameters' device, the length before clipping.
    """
    norm = torch.nn.utils.clip_grad_norm_(parameters, clip)
    bad = ~(loss.detach().isfinite() & norm.isfinite())
    if all(group.get("fused") for group in optimizer.param_groups):
        optimizer.found_inf = bad.float()  # type: ignore[attr-defined]  # as torch.amp.GradScaler does
        optimizer.step()
    elif not bad:
        optimizer.step()
    return norm
