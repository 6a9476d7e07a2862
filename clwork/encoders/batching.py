"""Batches: rows of similar length together, and the device and mode to compute them in."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

Indices = npt.NDArray[np.int64]
# Token positions of one forward pass, padding included: the fastest number on two cores
# (docs/decisions.md). It is doubled in bfloat16, because each pass casts the weights once, and is
# larger on a GPU.
POSITIONS_ON_CPU = 1024
POSITIONS_ON_GPU = 16_384
POSITIONS_PACKED = 16_384  # of a pass over packed rows on a CPU; limits its memory


def by_length(lengths: Sequence[int], positions: int | None) -> Iterator[Indices]:
    """Yield groups of row numbers: rows of similar length, the longest first.

    Args:
        lengths: number of tokens of each row.
        positions: a group padded to its longest row has at most so many positions, if it has more
            than one row. None: one group for all.
    """
    row_lengths = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-row_lengths, kind="stable")
    start = 0
    while start < len(order):
        count = len(order)
        if positions is not None:
            longest = max(1, int(row_lengths[order[start]]))
            count = max(1, positions // longest)
        yield order[start : start + count]
        start += count


def to_device(numbers: npt.NDArray[Any], device: torch.device) -> Tensor:
    """Convert an array to a tensor on the device; a copy to a GPU does not block."""
    tensor = torch.from_numpy(numbers)
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


# Threads may encode with the same weights at the same time. For each module in use by
# :func:`evaluating`: the number of uses now, and the mode to restore after the last one.
_EVALUATING: WeakKeyDictionary[nn.Module, tuple[int, bool]] = WeakKeyDictionary()
_EVALUATING_LOCK = threading.Lock()


@contextmanager
def evaluating(root: nn.Module) -> Iterator[None]:
    """Context: a module is in eval mode, and nothing has gradients.

    Each submodule has its own mode again when no thread uses it in this way any more.
    """
    modules = list(root.modules())
    with _EVALUATING_LOCK:
        for module in modules:
            # The first use records the module's mode, which later uses must not overwrite.
            uses, training = _EVALUATING.get(module, (0, module.training))
            _EVALUATING[module] = uses + 1, training
            module.training = False
    try:
        with torch.no_grad():
            yield
    finally:
        with _EVALUATING_LOCK:
            for module in modules:
                uses, training = _EVALUATING.pop(module)
                # Other threads still use the module in eval mode.
                if uses > 1:
                    _EVALUATING[module] = uses - 1, training
                else:
                    module.training = training
