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

# Instructions for bfloat16, as PyTorch and Linux call them.
BFLOAT16_INSTRUCTIONS = {"avx512_bf16", "amx_bf16", "arm_bf16", "bf16"}
# A user may limit the instructions of matrix products by this environment variable, for example to
# "AVX2". The limits that contain one of these names allow bfloat16.
LIMIT = "ONEDNN_MAX_CPU_ISA"
WITH_BFLOAT16 = ("DEFAULT", "BF16", "FP16", "AMX", "AVX10")
# Version of the forward pass, raised when equal settings no longer give equal numbers. In version 4
# rows are packed, and the last layer is computed at [CLS] only if the pooling reads no other token.
FORWARD_PASS = "4"


class Precision(NamedTuple):
    """The name of a torch dtype, such as ``"bfloat16"``, and the reason for the choice."""

    name: str
    why: str


def default_device() -> str:
    """Return the device that is used if none is named: a GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def resolve(wish: str, device: str) -> Precision:
    """Choose the precision of a run on a device.

    ``wish`` is the name of a dtype, which is returned unchanged, or ``"auto"``.
    """
    if wish != "auto":
        return Precision(wish, f"{wish}: set explicitly")
    device_type = torch.device(device).type
    if device_type == "cuda":
        if torch.cuda.is_bf16_supported(including_emulation=False):
            return Precision("bfloat16", "bfloat16: this GPU has it natively")
        return Precision("float16", "float16: this GPU has no native bfloat16; the loss is scaled")
    if device_type != "cpu":
        return Precision(
            "float32", f"float32: on {device_type!r} bfloat16 is used only if it is set explicitly"
        )
    instructions = sorted(abilities() & BFLOAT16_INSTRUCTIONS)
    if instructions:
        return Precision(
            "bfloat16",
            f"bfloat16: this processor has instructions for it: {', '.join(instructions)}",
        )
    return Precision("float32", "float32: this processor has no instructions for bfloat16")


def abilities() -> set[str]:
    """Return the instruction sets of the processor, by name, that the user has not excluded.

    Empty if neither PyTorch nor Linux lists them.
    """
    query = getattr(torch.cpu, "get_capabilities", None)  # some releases of PyTorch lack it
    cpuinfo = Path("/proc/cpuinfo")
    instructions: set[str] = set()
    if query is not None:
        instructions = {name for name, has in query().items() if has is True}
    elif cpuinfo.is_file():
        instructions = set(cpuinfo.read_text().split())  # with other words, which do no harm
    limit = os.environ.get(LIMIT, "DEFAULT").upper()
    if any(name in limit for name in WITH_BFLOAT16):
        return instructions
    return instructions - BFLOAT16_INSTRUCTIONS


def forward_pass(device: torch.device, precision: str) -> torch.autocast:
    """Return the autocast context of a forward pass, which does nothing at float32.

    Autocast's cache of cast weights is one for the process, so two runs at a time would change each
    other's numbers: it is off.
    """
    dtype = getattr(torch, precision)
    return torch.autocast(device.type, dtype, enabled=dtype != torch.float32, cache_enabled=False)


def loss_scaler(
    device: torch.device, precision: str, state: Mapping[str, float] | None = None
) -> torch.amp.GradScaler:
    """Return a run's loss scaler, with the state of a checkpoint if there is one.

    At float16 small gradients would be 0; a scaled loss keeps them. At other precisions it does
    nothing.
    """
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


def versions() -> dict[str, str]:
    """Return the versions that the numbers of a run depend on, by name."""
    packages = {name: importlib.metadata.version(name) for name in ("torch", "transformers")}
    return packages | {"forward pass": FORWARD_PASS}
