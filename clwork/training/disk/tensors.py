"""Write and read a training state: tensors as safetensors, the rest as JSON, no pickle, never half a file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from ...disk import is_plain_file, write_whole
from ...encoders.disk.weights import check_header

META = "clwork"
METHOD = "method."  # what the names of a method's tensors begin with in a checkpoint


def write_state(path: Path, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]) -> None:
    """Write tensors and JSON-able ``meta`` into one safetensors file that appears whole or not at all.

    Raises:
        DiskError: the disk refused; an older file at ``path`` is then unchanged.
    """
    flat = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    header = {META: json.dumps(meta, allow_nan=False)}
    needs = sum(tensor.nbytes for tensor in flat.values()) + len(header[META])
    write_whole(path, lambda draft: save_file(flat, str(draft), metadata=header), needs)


def read_state(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Read what :func:`write_state` wrote.

    Raises:
        FileNotFoundError: no plain file is at ``path``.
        ValueError: the file is damaged, or another program wrote it.
    """
    with _opened(path) as stored:
        return {name: stored.get_tensor(name) for name in stored.keys()}, _meta(stored, path)


def read_tensor(path: Path, name: str, most: int) -> tuple[torch.Tensor | None, dict[str, Any]]:
    """Read one tensor of at most ``most`` numbers, None if there is none of that name; raises as :func:`read_state`."""
    with _opened(path) as stored:
        if name not in stored.keys():
            return None, _meta(stored, path)
        shape = stored.get_slice(name).get_shape()
        if math.prod(shape) > most:
            raise ValueError(f"{path} is damaged: {name} has the shape {str(shape)[:100]}, more than {most:,} numbers")
        return stored.get_tensor(name), _meta(stored, path)


def read_meta(path: Path) -> dict[str, Any]:
    """Read the metadata alone; raises as :func:`read_state`."""
    with _opened(path) as stored:
        return _meta(stored, path)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    if not is_plain_file(path):
        raise FileNotFoundError(f"no saved state at {path}")
    try:
        check_header(path)
    except ValueError as error:
        raise ValueError(f"{path} cannot be read as safetensors: {error}") from None
    try:
        with safe_open(str(path), framework="pt") as stored:
            yield stored
    except SafetensorError as error:
        raise ValueError(f"{path} cannot be read as safetensors ({error}); it is damaged or of another kind") from error


def _meta(stored: Any, path: Path) -> dict[str, Any]:
    header = (stored.metadata() or {}).get(META)
    if header is None:
        raise ValueError(f"{path} was not written by clwork: its header has no '{META}' entry")
    try:
        meta = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: what stands beside its tensors is no JSON ({error})") from error
    if not isinstance(meta, dict):
        raise ValueError(f"{path} is damaged: what stands beside its tensors is a {type(meta).__name__}")
    return meta


def method_tensors(method: torch.nn.Module) -> dict[str, torch.Tensor]:
    """A method's parameters and buffers under the names that a checkpoint gives them."""
    return {f"{METHOD}{name}": tensor for name, tensor in method.state_dict().items()}


def restore_method(method: torch.nn.Module, tensors: Mapping[str, torch.Tensor]) -> None:
    """Load what :func:`method_tensors` gave.

    Raises:
        RuntimeError: the tensors are another method's.
    """
    own = {name.removeprefix(METHOD): tensor for name, tensor in tensors.items() if name.startswith(METHOD)}
    method.load_state_dict(own)


def optimizer_tensors(optimizer: torch.optim.Optimizer, prefix: str = "optimizer.") -> dict[str, torch.Tensor]:
    """The optimizer's per-parameter state, named ``prefix + parameter index + key``; every entry must be a tensor."""
    states = optimizer.state_dict()["state"].items()
    return {f"{prefix}{index}.{key}": value for index, state in states for key, value in state.items()}


def restore_optimizer(
    optimizer: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor], prefix: str = "optimizer."
) -> None:
    """Load what :func:`optimizer_tensors` gave; learning rates stay unchanged."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix):
            index, key = name[len(prefix) :].split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
