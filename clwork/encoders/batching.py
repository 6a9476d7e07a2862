"""Batches: rows of similar length together, and arrays moved to a device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Indices = npt.NDArray[np.int64]
# Token positions of one forward pass, padding included: the fastest number on two cores
# (docs/decisions.md). It is doubled in bfloat16, because each pass casts the weights once, and is
# larger on a GPU.
POSITIONS_ON_CPU = 1024
POSITIONS_ON_GPU = 16_384
POSITIONS_PACKED = 16_384  # of a pass over packed rows on a CPU; limits its memory


def by_length(
    lengths: Sequence[int], positions: int | None, rows: int | None = None
) -> Iterator[Indices]:
    """Yield groups of row numbers: rows of similar length, the longest first.

    Args:
        lengths: number of tokens of each row.
        positions: a group padded to its longest row has at most so many positions, if it has more
            than one row. None: one group for all.
        rows: number of rows of each group, instead of ``positions``.
    """
    row_lengths = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-row_lengths, kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, int(row_lengths[order[start]]))
        if rows is not None:
            count = rows
        elif positions is not None:
            count = max(1, positions // longest)
        else:
            count = len(order)
        yield order[start : start + count]
        start += count


def to_device(numbers: npt.NDArray[Any], device: torch.device) -> Tensor:
    """Convert an array to a tensor on the device; a copy to a GPU does not block."""
    tensor = torch.from_numpy(numbers)
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)
