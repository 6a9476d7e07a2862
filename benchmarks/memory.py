"""Peak memory of a block of code, as the operating system or the GPU counts it."""

from __future__ import annotations

import ctypes
import gc
import math
import re
from pathlib import Path
from types import TracebackType

import torch

MIB = 2**20
STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


class PeakMemory:
    """Measures the peak of a ``with`` block above what was in use before it.

    ``mib`` has it afterwards, in MiB; NaN where it cannot be read.

    On a GPU: the most that torch held there. Else the process's resident memory (VmHWM), which
    counts everything in the process; memory that Python has freed but not returned to the system is
    not counted, so a fresh process is best.
    """

    def __init__(self, device: str = "cpu") -> None:
        self.mib = float("nan")
        self._gpu = torch.device(device).type == "cuda"
        self._before = float("nan")

    def __enter__(self) -> PeakMemory:
        gc.collect()
        if self._gpu:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            self._before = torch.cuda.memory_allocated() / MIB
            return self
        try:
            # Return freed memory, so that it counts when it is allocated again.
            ctypes.CDLL(None).malloc_trim(0)
            RESET.write_text("5")
        except (OSError, AttributeError):
            # Not Linux, or a C library of another kind.
            return self
        self._before = _resident("VmRSS")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._gpu:
            self.mib = torch.cuda.max_memory_allocated() / MIB - self._before
        elif not math.isnan(self._before):
            self.mib = max(0.0, _resident("VmHWM") - self._before)


def _resident(name: str) -> float:
    """Read a line of the process's status, in MiB."""
    match = re.search(rf"^{name}:\s+(\d+) kB", STATUS.read_text(), re.MULTILINE)
    return int(match[1]) / 1024 if match else float("nan")
