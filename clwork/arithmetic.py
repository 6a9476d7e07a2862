"""Arithmetic on vectors for several packages, and whether checks may read a tensor's values."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Item = TypeVar("Item")


def normalize(vectors: Tensor) -> Tensor:
    """Scale the last dimension of vectors ``(..., D)`` to length 1.

    Vectors of any length are possible. Zero vectors stay zero and have a finite gradient.

    >>> normalize(torch.tensor([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6..., 0.8...], [0.0, 0.0]]
    """
    # The squares of very large or small numbers overflow, so the largest one becomes 1 first. It is
    # a constant for the gradient, since the result does not depend on it.
    largest = vectors.detach().abs().amax(dim=-1, keepdim=True)
    scaled = vectors / largest.masked_fill(largest == 0, 1.0)
    length: Tensor = torch.linalg.vector_norm(scaled, dim=-1, keepdim=True)
    return scaled / length.masked_fill(length == 0, 1.0)


def unit_rows(vectors: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Scale the rows of an array to length 1, in float64; a row of zeros stays zero."""
    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    scaled: npt.NDArray[np.float64] = np.divide(
        exact, lengths, out=np.zeros_like(exact), where=lengths != 0
    )
    return scaled


def evenly_spaced(items: Sequence[Item], count: int) -> list[Item]:
    """Return ``count`` items at even distances, the first one first.

    >>> evenly_spaced("abcdef", 3)
    ['a', 'c', 'e']
    """
    return [items[number * len(items) // count] for number in range(count)]


def at_least_float32(tensor: Tensor) -> Tensor:
    """Convert a tensor to float32, or leave float64 as it is."""
    return tensor if tensor.dtype == torch.float64 else tensor.float()


# Reading values of a tensor on a GPU waits for all queued work, so training steps avoid it.

# Devices whose values can be read without waiting.
HOST_DEVICES = frozenset({"cpu"})
# Whether the present thread is within :func:`without_waiting`, as its attribute `no_waiting`.
_THREAD = threading.local()


@contextmanager
def without_waiting() -> Iterator[None]:
    """Context in which no check of this thread reads values of a GPU.

    A training step uses it, and checks the values of its result at the end instead.
    """
    before = getattr(_THREAD, "no_waiting", False)
    _THREAD.no_waiting = True
    try:
        yield
    finally:
        _THREAD.no_waiting = before


def may_read(tensor: Tensor) -> bool:
    """Whether a check may read the values of a tensor.

    It may, unless they are on a GPU and the thread is within :func:`without_waiting`.
    """
    return tensor.device.type in HOST_DEVICES or not getattr(_THREAD, "no_waiting", False)
