"""Which arithmetic the encoder's forward pass gets: bfloat16 where the processor or GPU has it, else float32.

No timing decides, so that equal machines choose alike. Loss, softmax, normalisation and metrics are float32 whatever is
chosen here.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import NamedTuple

import torch

# Where a run trains.


def is_here(device: str | None) -> bool:
    """Whether a run's device is one of this machine; one that named none goes anywhere."""
    return device is None or not device.startswith("cuda") or torch.cuda.is_available()


CASTS = "2"  # how bfloat16 is done, see forward_pass; raised where equal recipes no longer give equal numbers
ABILITIES = {"avx512_bf16", "amx_bf16", "arm_bf16", "bf16"}  # as PyTorch and Linux call them


class Precision(NamedTuple):
    """The name of a torch dtype, and a sentence that says why."""

    name: str
    why: str


def resolve(wish: str, device: str) -> Precision:
    """What ``precision=wish`` comes to on a device; ``"auto"`` is decided here, anything else is taken at its word.

    >>> resolve("float32", "cpu")
    Precision(name='float32', why='float32: as asked for')
    """
    if wish != "auto":
        return Precision(wish, f"{wish}: as asked for")
    kind = torch.device(device).type
    if kind == "cuda":
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return Precision("bfloat16", "bfloat16: this GPU has it natively")
        return Precision("float32", "float32: this GPU has no bfloat16 of its own")
    if kind != "cpu":
        return Precision("float32", f"float32: on {kind!r} nothing else is chosen without being asked for")
    if found := sorted(abilities() & ABILITIES):
        return Precision("bfloat16", f"bfloat16: this processor has instructions for it: {', '.join(found)}")
    return Precision("float32", "float32: this processor has no instructions for bfloat16")


def versions(precision: str) -> dict[str, str]:
    """What equal numbers depend on beside recipe and machine: whose code runs, and how it does ``precision``."""
    packages = {package: importlib.metadata.version(package) for package in ("torch", "transformers")}
    return packages | ({"bfloat16 casts": CASTS} if precision == "bfloat16" else {})


def abilities() -> set[str]:
    """What the processor says it can do, by name; empty where neither PyTorch nor Linux tells."""
    query = getattr(torch.cpu, "get_capabilities", None)  # not in every PyTorch that clwork runs with
    if query is not None:
        return {name for name, has in query().items() if has is True}
    listed = Path("/proc/cpuinfo")
    return set(listed.read_text().split()) if listed.is_file() else set()


def forward_pass(device: torch.device, precision: str) -> torch.autocast:
    """The context of an encoder's forward pass at a run's precision.

    A weight is cast at each use. Autocast's cache of casts is one for the whole process, and any thread that leaves
    autocast empties it: with it, the sum of a weight's gradients was rounded in other places beside another run.
    """
    dtype = getattr(torch, precision)
    return torch.autocast(device.type, dtype, enabled=dtype != torch.float32, cache_enabled=False)
