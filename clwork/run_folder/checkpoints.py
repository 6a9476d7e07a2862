"""Checkpoints of a run: safetensors with JSON metadata.

The tensors are the method's parameters and buffers, the optimizer's state, the probe's vectors and
the axes of the positions. The metadata is described in :class:`.CheckpointMeta`.
"""

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

# Key of the JSON text among the metadata of the safetensors file, which are texts by name.
META = "clwork"
# Prefix of the names of a method's tensors, such as "method.encoder.…".
METHOD = "method."
OPTIMIZER = "optimizer."
# Name of the tensor of the probe's vectors (N, D); the metadata has the sentences.
SEEN = "probe.vectors"

Tensors = dict[str, torch.Tensor]


class Checkpoints:
    """The checkpoints in a run's folder.

    They are the newest one, the previous one in case the newest is damaged, and those that
    ``keep_every`` retains. The argument ``only`` of methods that read a checkpoint names the
    tensors to read: None for all, and an empty tuple if the metadata suffice.
    """

    def __init__(self, files: RunFiles) -> None:
        self._files = files

    def write(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]) -> None:
        """Write a checkpoint; the newest one so far becomes the previous one."""
        files = self._files
        newest = files.path / CHECKPOINT
        # First the rows up to this step reach the disk: a resumed run does not write them again.
        for name in GROWING:
            files.sync(name)
        with files.writing():
            # The new file is complete before the others are renamed. A kill between the two
            # renamings leaves the previous one, which `read` then returns.
            draft = files.path / f".{CHECKPOINT}{DRAFT}"
            write_state(draft, tensors, meta)
            if newest.exists():
                os.replace(newest, files.path / EARLIER)
            os.replace(draft, newest)
            self._prune_best()

    def read(self, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the newest checkpoint, or the previous one if the newest is missing or damaged.

        ValueError if all are damaged, FileNotFoundError if there is none.
        """
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
        """Return the metadata of the checkpoint that :meth:`read` reads."""
        _, meta = self.read(only=())
        return meta

    def any(self) -> bool:
        """Whether there is a checkpoint to resume from."""
        return self._files.has(CHECKPOINT) or self._files.has(EARLIER)

    def keep(self, step: int) -> None:
        """Retain the newest checkpoint, written at ``step``, under a name with its step."""
        newest = self._files.path / CHECKPOINT
        retained = self._files.path / at_step(SAVED, step)
        with self._files.writing():
            write_file(retained, lambda draft: shutil.copyfile(newest, draft))

    def on_disk(self) -> dict[str, CheckpointMeta]:
        """Return the metadata of each readable checkpoint by file name.

        Retained ones come first, in order of step, then the newest and the previous one.
        """
        folder = self._files.path
        saved = [path.name for path in sorted(folder.glob(SAVED))]
        readable = {}
        for name in (*saved, CHECKPOINT, EARLIER):
            with contextlib.suppress(FileNotFoundError, ValueError):
                _, readable[name] = self.of(name, only=())
        return readable

    def of(self, name: str, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the checkpoint in the file ``name``; ValueError if it is damaged."""
        path = self._files.path / name
        tensors, meta = read_state(path, only)
        return tensors, parse_meta(meta, path)

    def drop_earlier(self) -> None:
        """Remove the previous checkpoint of a finished run."""
        with self._files.writing():
            (self._files.path / EARLIER).unlink(missing_ok=True)
            self._prune_best()

    def _prune_best(self) -> None:
        """Remove encoders that were the best once, except those that a checkpoint names.

        A run that is resumed, or a fork, from an older checkpoint needs the best encoder of then.
        """
        steps = {meta.best_step for meta in self.on_disk().values()}
        still_needed = {at_step(BEST, step) for step in steps if step is not None}
        for path in self._files.path.glob(BEST):
            # A method may have made a folder such as "best-teacher", which matches BEST too.
            if FOR_ONE_STEP.fullmatch(path.name) and path.name not in still_needed:
                shutil.rmtree(path, ignore_errors=True)


def write_state(
    path: Path, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]
) -> None:
    """Write tensors, and ``meta`` as JSON, into one safetensors file, atomically."""
    # Copies, since safetensors refuses tensors that share memory, such as tied embeddings.
    copies = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    header = {META: json.dumps(meta, allow_nan=False)}
    needs = sum(tensor.nbytes for tensor in copies.values()) + len(header[META])
    write_file(path, lambda draft: save_file(copies, str(draft), metadata=header), needs)


def read_state(path: Path, only: Container[str] | None = None) -> tuple[Tensors, dict[str, Any]]:
    """Read tensors and metadata from a file of :func:`write_state`.

    ``only`` names the tensors to read; None: all. ValueError if the file is damaged, or was written
    by another program.
    """
    try:
        with safe_open(str(path), framework="pt") as stored:
            meta = json.loads((stored.metadata() or {})[META])
            names = [name for name in stored.keys() if only is None or name in only]  # noqa: SIM118
            tensors = {name: stored.get_tensor(name) for name in names}
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is damaged, or was not written by clwork: {error}") from error
    return tensors, meta


def method_tensors(method: torch.nn.Module) -> Tensors:
    """Return a method's parameters and buffers under their names in a checkpoint."""
    return {f"{METHOD}{name}": tensor for name, tensor in method.state_dict().items()}


def restore_method(method: torch.nn.Module, tensors: Mapping[str, torch.Tensor]) -> None:
    """Load the method's tensors of a checkpoint; RuntimeError if they are of another method."""
    state = {
        name.removeprefix(METHOD): tensor
        for name, tensor in tensors.items()
        if name.startswith(METHOD)
    }
    method.load_state_dict(state)


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> Tensors:
    """Return the optimizer's state, named such as ``optimizer.3.exp_avg`` for parameter 3."""
    tensors = {}
    for index, state in optimizer.state_dict()["state"].items():
        for key, value in state.items():
            tensors[f"{OPTIMIZER}{index}.{key}"] = value
    return tensors


def restore_optimizer(
    optimizer: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor]
) -> None:
    """Load the optimizer's tensors of a checkpoint; learning rates stay unchanged."""
    state: dict[int, Tensors] = {}
    for name, tensor in tensors.items():
        if name.startswith(OPTIMIZER):
            index, key = name.removeprefix(OPTIMIZER).split(".", 1)
            state.setdefault(int(index), {})[key] = tensor
    # The groups hold the learning rates, which the method sets before each step.
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})
