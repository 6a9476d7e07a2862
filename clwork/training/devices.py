"""Where a run trains."""

from __future__ import annotations

import torch


def usual_device() -> str:
    """A GPU where there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def is_here(device: str | None) -> bool:
    """Whether a run's device is one of this machine; one that named none goes anywhere."""
    return device is None or not device.startswith("cuda") or torch.cuda.is_available()
