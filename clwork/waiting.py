"""When checks may read a tensor's values: on a GPU that waits for all queued work, so training steps avoid it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

AT_HAND = frozenset({"cpu"})  # devices whose values can be read without waiting
_THREAD = threading.local()


@contextmanager
def without_waiting() -> Iterator[None]:
    """Context: in this thread, no check reads values of a GPU; the caller checks the result afterwards.

    >>> with without_waiting():
    ...     may_read(Tensor([1.0]))
    True
    """
    before = getattr(_THREAD, "queueing", False)
    _THREAD.queueing = True
    try:
        yield
    finally:
        _THREAD.queueing = before


def may_read(tensor: Tensor) -> bool:
    """Whether a check may read the tensor's values: always, except of a GPU within :func:`without_waiting`."""
    return tensor.device.type in AT_HAND or not getattr(_THREAD, "queueing", False)
