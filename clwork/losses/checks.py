"""Validation of the losses' arguments at the public boundary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import torch
from torch import Tensor

from .. import _validation
from .._validation import is_finite, is_integer, is_number, kind, shown
from ..arithmetic import may_read
from ..wording import plural

Variant = Literal["paper", "code", "literal"]
"""Which formula a loss computes: the paper's intended one, the released code's, or as printed."""

SMALLEST_TEMPERATURE = 1e-30
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def check_vectors(tensors: Mapping[str, Tensor]) -> None:
    """Check that the rows of tensors are finite floating-point vectors of one width, on one device.

    Shapes: each ``(rows, D)`` with at least one row and one column; the numbers of rows may differ.
    Within a training step on a GPU the values are not read, because reading blocks; the training
    loop checks the loss.

    Raises:
        TypeError: an argument is not a tensor of floating-point numbers.
        ValueError: wrong number of dimensions, an empty batch, widths or devices that differ, NaN
        or infinity.
    """
    widths: dict[str, int] = {}
    devices: dict[str, str] = {}
    for name, tensor in tensors.items():
        _validation.tensor(name, tensor)
        devices[name] = str(tensor.device)
        if tensor.dtype not in DTYPES:
            raise TypeError(
                f"{name} has dtype {tensor.dtype}; pass floating-point vectors, for instance "
                f"{name}.float()"
            )
        shape = tuple(tensor.shape)
        if tensor.dim() != 2:
            raise ValueError(f"{name} has shape {shape}; it must be (B, D), one vector per row")
        if tensor.numel() == 0:
            raise ValueError(
                f"{name} is empty, shape {shape}; "
                "a loss needs at least one vector of at least one number"
            )
        if may_read(tensor) and not torch.isfinite(tensor).all():
            bad = int((~torch.isfinite(tensor)).any(dim=1).sum())
            raise ValueError(
                f"{name} has NaN or infinity in {bad} of {plural(shape[0], 'row')}; "
                "lower the learning rate, clip gradients, or train in float32 instead of float16"
            )
        widths[name] = shape[1]
    if len(set(widths.values())) > 1:
        raise ValueError(
            f"widths differ: {widths}; "
            "all vectors must have the same width D, such as that of one shared head"
        )
    if len(set(devices.values())) > 1:
        raise ValueError(
            f"devices differ: {devices}; move all vectors to one device with .to(device)"
        )


def check_same_shape(tensors: Mapping[str, Tensor]) -> None:
    """Check that all tensors have the same shape; ValueError if they differ."""
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(
            f"shapes differ: {shapes}; row i of each must belong to example i, so all must be equal"
        )


def check_temperature(temperature: float) -> None:
    """Check that a temperature is finite and at least 1e-30; a smaller one overflows float32."""
    check_number("temperature", temperature)
    if not (is_finite(temperature) and temperature >= SMALLEST_TEMPERATURE):
        raise ValueError(
            f"temperature is {shown(temperature)}; "
            "it must be finite and above 0 (papers use 0.01 to 0.1)"
        )


def check_weight(name: str, weight: float) -> None:
    """Check that a weight is a finite number of at least 0."""
    check_number(name, weight)
    if not (is_finite(weight) and weight >= 0):
        raise ValueError(
            f"{name} is {shown(weight)}; it must be finite and at least 0 (0 removes the term, 1 "
            "leaves it unchanged)"
        )


def check_number(name: str, value: float) -> None:
    """Check that a value is a Python or numpy number, not a tensor, string or bool."""
    if not is_number(value):
        raise TypeError(f"{name} is {shown(value)} ({kind(value)}); it must be a plain number")


def check_whole(name: str, value: int) -> None:
    """Check that a value is a Python or numpy integer."""
    if not is_integer(value):
        raise TypeError(f"{name} is {shown(value)} ({kind(value)}); it must be an int")


def check_result(loss: Tensor, name: str) -> Tensor:
    """Return a loss that can overflow for long vectors; raise ValueError if it is not finite."""
    if may_read(loss) and not torch.isfinite(loss):
        raise ValueError(
            f"{name} is {loss.item()}, because it grows with the lengths of the vectors and "
            "overflows; normalise the vectors, or use a form that does"
        )
    return loss
