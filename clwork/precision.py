"""Precision of the encoder's forward pass: bfloat16 where the hardware has it.

Else it is float16 on a GPU, and float32 on a processor.

The choice needs no timings, so equal machines choose alike. Loss, softmax, normalisation and
metrics are float32.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch

ABILITIES = {"avx512_bf16", "amx_bf16", "arm_bf16", "bf16"}  # as PyTorch and Linux call them
# The user's limit on the instructions of matrix products, such as "AVX2".
LIMIT = "ONEDNN_MAX_CPU_ISA"
# Parts of the limits that allow bfloat16.
WITH_BFLOAT16 = ("DEFAULT", "BF16", "FP16", "AMX", "AVX10")
# Version of the forward pass, raised when equal settings no longer give equal numbers: 2 cast
# weights to bfloat16 at each use, 3 packs rows and retains the graph of the last part, 4 computes
# the last layer at [CLS] only where pooling reads no other token.
FORWARD_PASS = "4"


class Precision(NamedTuple):
    """The name of a torch dtype, and the reason for the choice."""

    name: str
    why: str


def default_device() -> str:
    """Return the device that is used if none is named: a GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def resolve(wish: str, device: str) -> Precision:
    """Resolve ``precision=wish`` on a device; anything but ``"auto"`` is returned unchanged."""
    if wish != "auto":
        return Precision(wish, f"{wish}: set explicitly")
    kind = torch.device(device).type
    if kind == "cuda":
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return Precision("bfloat16", "bfloat16: this GPU has it natively")
        return Precision("float16", "float16: this GPU has no native bfloat16; the loss is scaled")
    if kind != "cpu":
        return Precision(
            "float32", f"float32: on {kind!r} bfloat16 is used only if it is set explicitly"
        )
    if instructions := sorted(abilities() & ABILITIES):
        return Precision(
            "bfloat16",
            f"bfloat16: this processor has instructions for it: {', '.join(instructions)}",
        )
    return Precision("float32", "float32: this processor has no instructions for bfloat16")


def abilities() -> set[str]:
    """Instruction sets of the processor, by name; empty if neither PyTorch nor Linux lists them."""
    query = getattr(torch.cpu, "get_capabilities", None)  # some releases of PyTorch lack it
    listed = Path("/proc/cpuinfo")
    found: set[str] = set()
    if query is not None:
        found = {name for name, has in query().items() if has is True}
    elif listed.is_file():
        found = set(listed.read_text().split())
    limit = os.environ.get(LIMIT, "DEFAULT").upper()
    allows_bfloat16 = any(name in limit for name in WITH_BFLOAT16)
    return found if allows_bfloat16 else found - ABILITIES


def forward_pass(device: torch.device, precision: str) -> torch.autocast:
    """Return the autocast context of a forward pass, without its process-wide cache of casts."""
    dtype = getattr(torch, precision)
    return torch.autocast(device.type, dtype, enabled=dtype != torch.float32, cache_enabled=False)


def loss_scaler(
    device: torch.device, precision: str, state: Mapping[str, float] | None = None
) -> torch.amp.GradScaler:
    """Return a run's loss scaler, enabled at float16, with the state of a checkpoint."""
    scaler = torch.amp.GradScaler(device.type, enabled=precision == "float16")
    if state:
        scaler.load_state_dict(dict(state))
    return scaler


def without_scaler(precision: str) -> str:
    """Return the precision for gradients of an unscaled loss: small ones are 0 at float16."""
    return "float32" if precision == "float16" else precision


def is_here(device: str | None) -> bool:
    """Whether this machine has the device of a run; None means any device."""
    return device is None or not device.startswith("cuda") or torch.cuda.is_available()


def packages() -> dict[str, str]:
    """Versions of the packages that compute vectors."""
    return {package: importlib.metadata.version(package) for package in ("torch", "transformers")}


def versions() -> dict[str, str]:
    """Versions that the numbers of a run depend on."""
    return packages() | {"forward pass": FORWARD_PASS}
