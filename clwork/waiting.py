"""When checks may read a tensor's values: on a GPU that waits for all that is queued, so training steps do without."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

AT_HAND = frozenset({"cpu"})  # kinds of devices whose values are there when they are asked for
_THREAD = threading.local()


@contextmanager
def without_waiting() -> Iterator[None]:
    """Within, in this thread, nothing reads values of a GPU to check them; the caller looks at the result afterwards.

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
    """Whether a check may read the tensor's values: everywhere, but of a GPU not within :func:`without_waiting`."""
    return tensor.device.type in AT_HAND or not getattr(_THREAD, "queueing", False)
