"""Detect a training that has diverged, and explain it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import nn

from ..methods import Method


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


def explain(
    step: int, faults: Sequence[str], method: Method[Any], checkpoint_step: int | None
) -> str:
    """Return the message of a :class:`DivergedError`: step, faults and remedy.

    Args:
        step: number of the step, from 1.
        faults: what is not finite, such as "loss is nan".
        method: the method, after the step.
        checkpoint_step: step of the newest checkpoint, if there is one.
    """
    sentences = [f"step {step}: {', '.join(faults)}"]
    is_of_gradient = all(fault.startswith("gradient_norm") for fault in faults)
    if is_of_gradient and finite_weights(method):
        sentences.append(
            "loss and weights are finite, so use precision='float32', or an encoder of another type"
        )
    else:
        sentences.append(f"lower learning_rate (now {method.config.learning_rate:g})")
    if checkpoint_step is not None:
        sentences.append(
            f"the checkpoint on disk is of step {checkpoint_step}; all its weights are finite"
        )
    return ". ".join(sentences)
