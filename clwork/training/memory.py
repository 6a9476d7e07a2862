"""How much memory a piece of work takes at its peak, as the operating system or the GPU counts it."""

from __future__ import annotations

import ctypes
import gc
import re
from pathlib import Path
from types import TracebackType

import torch

MIB = 2**20
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class PeakMemory:
    """Measures, around a ``with`` block, the peak above what was in use before it; ``.mib`` holds it afterwards.

    On a GPU: what torch held there at most. Else the process's resident memory, which Linux keeps a peak of (VmHWM),
    set back at the start: everything that happens in the process meanwhile counts, and memory that was given back to
    Python but not to the system does not, so a fresh process measures best. NaN where neither can be read.

    >>> with PeakMemory() as peak:
    ...     kept = torch.ones(4 * 2**20)  # 16 MiB
    >>> peak.mib > 15 or peak.mib != peak.mib
    True
    """

    def __init__(self, device: str = "cpu") -> None:
        """Measure on the GPU if ``device`` is one, else in the process."""
        self.mib = float("nan")
        self._gpu = torch.device(device).type == "cuda"
        self._before = float("nan")

    def __enter__(self) -> PeakMemory:
        """Tidy up, note what is in use, and set the peak back to it."""
        gc.collect()
        if self._gpu:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            self._before = torch.cuda.memory_allocated() / MIB
            return self
        try:
            ctypes.CDLL(None).malloc_trim(0)  # hand freed memory back, so that it counts when it is taken again
            RESET.write_text("5")
        except (OSError, AttributeError):
            return self  # not Linux, or a C library of another kind
        self._before = _resident("VmRSS")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Read the peak."""
        if self._gpu:
            self.mib = torch.cuda.max_memory_allocated() / MIB - self._before
        elif self._before == self._before:
            self.mib = max(0.0, _resident("VmHWM") - self._before)


def _resident(name: str) -> float:
    """Read a line of the process's status, in MiB."""
    match = re.search(rf"^{name}:\s+(\d+) kB", STATUS.read_text(), re.MULTILINE)
    return int(match[1]) / 1024 if match else float("nan")
