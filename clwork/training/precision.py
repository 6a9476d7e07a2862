"""What a run's numbers depend on beside its recipe: its device, its precision, and the versions of packages.

How ``precision="auto"`` is resolved, and what a forward pass at a precision is, stands in ``clwork/precision.py``.
"""

from __future__ import annotations

import importlib.metadata

import torch

from ..precision import forward_pass, resolve

__all__ = ["forward_pass", "is_here", "packages", "resolve", "versions"]

# Version of what a step computes, raised when equal recipes no longer give equal numbers: 2 cast weights to bfloat16 at
# each use ("bfloat16 casts" in the recipes of that time), 3 lays rows end to end and keeps the graph of the last part.
FORWARD_PASS = "3"


def is_here(device: str | None) -> bool:
    """Whether this machine has a run's device; None, any device, is always available."""
    return device is None or not device.startswith("cuda") or torch.cuda.is_available()


def packages() -> dict[str, str]:
    """Versions of the packages that compute vectors."""
    return {package: importlib.metadata.version(package) for package in ("torch", "transformers")}


def versions() -> dict[str, str]:
    """Versions on which the numbers of a run depend beside recipe and machine."""
    return packages() | {"forward pass": FORWARD_PASS}
