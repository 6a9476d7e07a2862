"""Writing and reading a training state: tensors as safetensors, the rest as JSON, no pickle, and never half a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

META = "clwork"


def write_state(path: Path, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, Any]) -> None:
    """Write tensors and JSON-able ``meta`` into one safetensors file that appears whole or not at all.

    Raises:
        OSError: the disk refused; an older file at ``path`` is then still as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    flat = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    try:
        save_file(flat, str(partial), metadata={META: json.dumps(meta)})
        with open(partial, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def read_state(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Read what :func:`write_state` wrote.

    Raises:
        FileNotFoundError: nothing is at ``path``.
        ValueError: the file is damaged, or another program wrote it.
    """
    if not path.exists():
        raise FileNotFoundError(f"no saved state at {path}")
    try:
        with safe_open(str(path), framework="pt") as stored:
            meta = (stored.metadata() or {}).get(META)
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}
    except SafetensorError as error:
        raise ValueError(f"{path} cannot be read as safetensors ({error}); it is damaged or of another kind") from error
    if meta is None:
        raise ValueError(f"{path} was not written by clwork: its header has no '{META}' entry")
    return tensors, json.loads(meta)


def optimizer_tensors(optimizer: torch.optim.Optimizer, prefix: str = "optimizer.") -> dict[str, torch.Tensor]:
    """The optimizer's per-parameter state, named ``prefix + parameter index + key``; every entry must be a tensor."""
    found = {}
    for index, state in optimizer.state_dict()["state"].items():
        for key, value in state.items():
            found[f"{prefix}{index}.{key}"] = value
    return found


def restore_optimizer(
    optimizer: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor], prefix: str = "optimizer."
) -> None:
    """Give the optimizer back what :func:`optimizer_tensors` took; learning rates stay as they are."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix):
            index, key = name[len(prefix) :].split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
