"""Detect a training that has diverged, and explain it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ..methods import Method, MethodConfig

# Rows of the batch that an error quotes.
QUOTED = 3


class DivergedError(FloatingPointError):
    """Loss, gradient or weights are no longer finite.

    At float16, a gradient that is not finite raises it only if lower loss scales do not help.
    """


def finite_weights(method: Method[Any]) -> bool:
    """Whether all weights and buffers are finite; needs one transfer from the GPU."""
    floating = [
        tensor
        for tensor in method.state_dict().values()
        if tensor.is_floating_point() and tensor.numel()
    ]
    # The maximum norm, since a sum of squares can overflow although all numbers are finite.
    largest = nn.utils.get_total_norm(floating, float("inf"))
    return bool(largest.cpu().isfinite())


def bad_rows(views: Mapping[str, Tensor], count: int) -> list[int]:
    """Return the rows of a batch of ``count`` examples that are not finite in one of the views."""
    bad = torch.zeros(count, dtype=torch.bool)
    for view in views.values():
        # Views of another length, such as noise, have no row for each example.
        if len(view) == count:
            bad |= ~view.detach().flatten(1).isfinite().all(1).cpu()
    return bad.nonzero().flatten().tolist()


def explain(
    step: int,
    faults: Sequence[str],
    method: Method[Any],
    examples: Sequence[Any],
    rows: Sequence[int],
    checkpoint_step: int | None,
) -> str:
    """Return the message of a :class:`DivergedError`: step, parameter, rows and remedy.

    Args:
        step: number of the step, from 1.
        faults: what is not finite, such as "loss is nan".
        method: the method, after the step.
        examples: the examples of the batch.
        rows: those of its rows whose vectors are not finite.
        checkpoint_step: step of the newest checkpoint, if there is one.
    """
    weight = ""
    gradient = ""
    for name, parameter in method.named_parameters():
        if not weight and not parameter.detach().isfinite().all():
            weight = name
        if not gradient and parameter.grad is not None and not parameter.grad.isfinite().all():
            gradient = name
    sentences = [f"step {step}: {', '.join(faults)}"]
    if weight:
        sentences.append(f"the first weight that is not finite is {weight}")
    elif gradient:
        sentences.append(f"the first gradient that is not finite is {gradient}'s")
    if rows:
        quoted = "; ".join(f"{row}: {str(examples[row])[:80]!r}" for row in rows[:QUOTED])
        count = f"{len(rows)} of the batch's {len(examples)} rows"
        sentences.append(f"{count} are not finite ({quoted})")
    only_gradient = not weight and all(fault.startswith("gradient_norm") for fault in faults)
    sentences.append(_remedy(step, method.config, gradient, only_gradient))
    if checkpoint_step is not None:
        sentences.append(
            f"the checkpoint on disk is of step {checkpoint_step}; all its weights are finite"
        )
    return ". ".join(sentences)


def _remedy(step: int, config: MethodConfig, gradient: str, only_gradient: bool) -> str:
    """Return what to change.

    ``gradient`` names the first gradient that is not finite, if there is one; ``only_gradient``
    says that loss and weights are finite.
    """
    if step == 1 and gradient:
        return (
            "learning_rate is not the cause (no update yet): check the encoder's weights and "
            "max_length"
        )
    if gradient and only_gradient:
        return (
            "loss and weights are finite, so use precision='float32', or an encoder of another type"
        )
    remedy = f"lower learning_rate (now {config.learning_rate:g})"
    temperature = getattr(config, "temperature", None)
    if temperature is None:
        return remedy
    return f"{remedy} or raise the temperature (now {temperature:g})"
