"""One update of the weights: clipped, and left out where a number is not finite, without waiting for a GPU."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn


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
