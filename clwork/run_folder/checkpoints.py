"""Checkpoints of a run as safetensors with JSON metadata."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from ..disk import DRAFT, write_file
from .files import BEST, CHECKPOINT, EARLIER, FOR_ONE_STEP, GROWING, SAVED, RunFiles, at_step
from .schema import CheckpointMeta, parse_meta

META = "clwork"
# Prefix of the names of a method's tensors in a checkpoint.
METHOD = "method."
# Name of the tensor of the probe's vectors; the metadata has the sentences.
SEEN = "probe.vectors"

Tensors = dict[str, torch.Tensor]


class Checkpoints:
    """The checkpoints in a run's folder.

    They are the newest, the previous one, and those retained by ``keep_every``.
    """

    def __init__(self, files: RunFiles) -> None:
        self._files = files

    def write(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]) -> None:
        """Write a checkpoint; the newest one so far becomes the previous one."""
        files = self._files
        for name in GROWING:
            files.sync(name)
        new = files.path / f".{CHECKPOINT}{DRAFT}"
        with files.writing():
            write_state(new, tensors, meta)
            if files.has(CHECKPOINT):
                os.replace(files.path / CHECKPOINT, files.path / EARLIER)
            os.replace(new, files.path / CHECKPOINT)
            self._prune_best()

    def read(self, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the newest readable checkpoint; ``only`` names the tensors to read, default all."""
        failures: list[ValueError] = []
        for name in (CHECKPOINT, EARLIER):
            if self._files.has(name):
                try:
                    return self.of(name, only)
                except ValueError as error:
                    failures.append(error)
        if failures:
            raise failures[0]
        problem = f"{self._files.path} has no {CHECKPOINT}"
        raise FileNotFoundError(f"{problem}; the run ended before its first checkpoint")

    def meta(self) -> CheckpointMeta:
        return self.read(())[1]

    def any(self) -> bool:
        return self._files.has(CHECKPOINT) or self._files.has(EARLIER)

    def keep(self, step: int) -> None:
        """Save the newest checkpoint, written at ``step``, under its own name as well."""
        newest = self._files.path / CHECKPOINT

        def link_or_copy(draft: Path) -> None:
            try:
                os.link(newest, draft)
            except (OSError, NotImplementedError):
                shutil.copyfile(newest, draft)

        with self._files.writing():
            write_file(self._files.path / at_step(SAVED, step), link_or_copy)

    def on_disk(self) -> dict[str, CheckpointMeta]:
        """Return the metadata of each readable checkpoint by file name; retained ones first."""
        folder = self._files.path
        readable = {}
        for path in (*sorted(folder.glob(SAVED)), folder / CHECKPOINT, folder / EARLIER):
            with contextlib.suppress(FileNotFoundError, ValueError):
                readable[path.name] = self.of(path.name, ())[1]
        return readable

    def of(self, name: str, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the checkpoint in the file ``name``; ``only`` names tensors, default all."""
        path = self._files.path / name
        tensors, meta = read_state(path, only)
        return tensors, parse_meta(meta, path)

    def drop_earlier(self) -> None:
        """Remove the previous checkpoint of a finished run."""
        with self._files.writing():
            (self._files.path / EARLIER).unlink(missing_ok=True)
            self._prune_best()

    def _prune_best(self) -> None:
        """Remove best encoders that no checkpoint names."""
        steps = {meta.best_step for meta in self.on_disk().values()}
        named = {at_step(BEST, step) for step in steps if step is not None}
        for path in self._files.path.glob(BEST):
            if FOR_ONE_STEP.fullmatch(path.name) and path.name not in named:
                shutil.rmtree(path, ignore_errors=True)


def write_state(
    path: Path, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]
) -> None:
    """Write tensors and JSON-able ``meta`` into one safetensors file, atomically."""
    flat = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    header = {META: json.dumps(meta, allow_nan=False)}
    needs = sum(tensor.nbytes for tensor in flat.values()) + len(header[META])
    write_file(path, lambda draft: save_file(flat, str(draft), metadata=header), needs)


def read_state(path: Path, only: Container[str] | None = None) -> tuple[Tensors, dict[str, Any]]:
    """Read a file of :func:`write_state`; ``only`` names the tensors to read, default all.

    ValueError if the file is damaged or of another program.
    """
    try:
        with safe_open(str(path), framework="pt") as stored:
            meta = json.loads((stored.metadata() or {})[META])
            names = [name for name in stored.keys() if only is None or name in only]
            return {name: stored.get_tensor(name) for name in names}, meta
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is damaged, or was not written by clwork: {error}") from error


def method_tensors(method: torch.nn.Module) -> Tensors:
    """Return a method's parameters and buffers under their names in a checkpoint."""
    return {f"{METHOD}{name}": tensor for name, tensor in method.state_dict().items()}


def restore_method(method: torch.nn.Module, tensors: Mapping[str, torch.Tensor]) -> None:
    """Load the result of :func:`method_tensors`; RuntimeError if it is of another method."""
    state = {
        name.removeprefix(METHOD): tensor
        for name, tensor in tensors.items()
        if name.startswith(METHOD)
    }
    method.load_state_dict(state)


def optimizer_tensors(optimizer: torch.optim.Optimizer, prefix: str = "optimizer.") -> Tensors:
    """Return the optimizer's state, named ``prefix + parameter index + key``."""
    tensors = {}
    for index, state in optimizer.state_dict()["state"].items():
        for key, value in state.items():
            tensors[f"{prefix}{index}.{key}"] = value
    return tensors


def restore_optimizer(
    optimizer: torch.optim.Optimizer,
    tensors: Mapping[str, torch.Tensor],
    prefix: str = "optimizer.",
) -> None:
    """Load the result of :func:`optimizer_tensors`; learning rates stay unchanged."""
    state: dict[int, Tensors] = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix):
            index, key = name[len(prefix) :].split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})
