"""What a run's numbers depend on beside its recipe: its device, its precision, and the versions of packages.

How ``precision="auto"`` is resolved, and what a forward pass at a precision is, stands in ``clwork/precision.py``.
"""

from __future__ import annotations

import importlib.metadata

import torch

from ...precision import forward_pass, resolve

__all__ = ["forward_pass", "is_here", "resolve", "versions"]

CASTS = "2"  # version of :func:`forward_pass` at bfloat16; raised when equal recipes no longer give equal numbers


def is_here(device: str | None) -> bool:
    """Whether this machine has a run's device; None, any device, is always available."""
    return device is None or not device.startswith("cuda") or torch.cuda.is_available()


def versions(precision: str) -> dict[str, str]:
    """Versions on which equal numbers depend beside recipe and machine."""
    packages = {package: importlib.metadata.version(package) for package in ("torch", "transformers")}
    return packages | ({"bfloat16 casts": CASTS} if precision == "bfloat16" else {})
