"""What every loss asks of its arguments, once, at its public edge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real

import torch
from torch import Tensor

TINIEST_TEMPERATURE = 1e-30


def check_vectors(tensors: Mapping[str, Tensor]) -> None:
    """Each tensor holds finite floating-point vectors, one a row, and all are equally wide.

    Shapes: each ``(rows, D)`` with at least one row and one column; the numbers of rows may differ.

    Raises:
        TypeError: something is no tensor, or holds no floating-point numbers.
        ValueError: wrong number of dimensions, an empty batch, widths that differ, or a NaN or infinity.
    """
    widths: dict[str, int] = {}
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} is a {type(tensor).__name__}; pass a torch.Tensor of shape (B, D)")
        if not tensor.is_floating_point():
            raise TypeError(
                f"{name} has dtype {tensor.dtype}; pass floating-point vectors, for instance {name}.float()"
            )
        shape = tuple(tensor.shape)
        if tensor.dim() != 2:
            raise ValueError(f"{name} has shape {shape}; it must be (B, D): a batch of vectors, one a row")
        if tensor.numel() == 0:
            raise ValueError(f"{name} is empty, shape {shape}; a loss needs at least one vector of at least one number")
        if not torch.isfinite(tensor).all():
            bad = int((~torch.isfinite(tensor)).any(dim=1).sum())
            raise ValueError(
                f"{name} has NaN or infinity in {bad} of {shape[0]} rows; lower the learning rate, clip gradients, or "
                f"train in float32 instead of float16"
            )
        widths[name] = shape[1]
    if len(set(widths.values())) > 1:
        raise ValueError(
            f"widths differ: {widths}; all vectors must have the same D, so send them through the same head"
        )


def check_same_shape(tensors: Mapping[str, Tensor]) -> None:
    """All tensors have the same shape.

    Raises:
        ValueError: they differ; row i of each must belong to example i.
    """
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"shapes differ: {shapes}; row i of each must belong to example i, so all must be equal")


def check_temperature(temperature: float) -> None:
    """A temperature is a finite number above 0 (and not below 1e-30, where cosine / temperature overflows float32).

    Raises:
        TypeError: not a number.
        ValueError: zero, negative, NaN or infinite.
    """
    check_number("temperature", temperature)
    if not (math.isfinite(temperature) and temperature >= TINIEST_TEMPERATURE):
        raise ValueError(f"temperature is {temperature}; it must be finite and above 0 (papers use 0.01 to 0.1)")


def check_weight(name: str, weight: float) -> None:
    """A weight is a finite number of at least 0.

    Raises:
        TypeError: not a number.
        ValueError: negative, NaN or infinite.
    """
    check_number(name, weight)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{name} is {weight}; it must be finite and at least 0 (0 leaves the term out, 1 is neutral)")


def check_choice(name: str, value: str, known: Sequence[str]) -> None:
    """A word is one of those that are known.

    Raises:
        ValueError: it is not.
    """
    if value not in known:
        raise ValueError(f"{name}={value!r} is not known; give one of {', '.join(map(repr, known))}")


def check_number(name: str, value: float) -> None:
    """A plain number: no tensor, no string, no bool.

    Raises:
        TypeError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r} ({type(value).__name__}); it must be a plain number")
