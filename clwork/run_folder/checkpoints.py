"""Checkpoints of a run: safetensors with JSON metadata.

The tensors are the method's parameters and buffers, the optimizer's state, the probe's vectors and
the axes of the positions. The metadata is described in :class:`.CheckpointMeta`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import torch
from pydantic import BaseModel
from safetensors import safe_open
from safetensors.torch import save_file

from ..disk import sync, write_file
from .files import BEST, CHECKPOINT, FOR_ONE_STEP, GROWING, SAVED, at_step

# Key of the JSON text among the metadata of the safetensors file, which are texts by name.
META = "clwork"
# Prefix of the names of a method's tensors, such as "method.encoder.…".
METHOD = "method."
OPTIMIZER = "optimizer."
# Name of the tensor of the probe's vectors (N, D); the metadata has the sentences.
SEEN = "probe.vectors"

Tensors = dict[str, torch.Tensor]


class ProbeMeta(BaseModel):
    """The probe's N sentences, with a topic each, and its pairs of sentences with one meaning.

    The checkpoint has the vectors ``(N, D)`` of the sentences at ``step``. ``positives`` says as
    text what the pairs are.
    """

    texts: list[str]
    labels: list[str | None] | None
    pairs: list[list[str]]
    positives: str
    step: int


class CheckpointMeta(BaseModel):
    """The state of a run at a checkpoint, apart from its tensors.

    Attributes:
        step: number of completed steps.
        best: step, score and rule of the best encoder so far; empty before the first validation.
        config: the method's settings, with the values to which controls were moved.
        seconds: time of all steps and measurements so far.
        probe_seconds: time of the measurements alone.
        events: events since the last row of the history, which the next row gets.
        probe: the probe; None before the first measurement.
        references: reference levels by name, see :func:`clwork.columns.by_column`.
        scaler: state of the loss scaler of float16; empty for other precisions.
    """

    step: int
    best: dict[str, Any]
    config: dict[str, Any]
    seconds: float
    probe_seconds: float
    events: list[dict[str, Any]]
    probe: ProbeMeta | None
    references: dict[str, float]
    scaler: dict[str, Any]


class Checkpoints:
    """The checkpoints in a run's folder: the newest one, and those that ``keep_every`` retains.

    The argument ``only`` of methods that read a checkpoint names the tensors to read: None for all,
    and an empty tuple if the metadata suffice.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]) -> None:
        """Replace the newest checkpoint, and delete encoders that are no longer the best one.

        They are deleted last, since until then the checkpoint on disk may name one of them.
        """
        # First the rows up to this step reach the disk: a resumed run does not write them again.
        for name in GROWING:
            if (self._folder / name).exists():
                sync(self._folder / name)
        write_state(self._folder / CHECKPOINT, tensors, meta)
        self._prune_best()

    def read(self, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the newest checkpoint; FileNotFoundError if there is none."""
        if not self.any():
            raise FileNotFoundError(
                f"{self._folder} has no {CHECKPOINT}; the run ended before its first checkpoint"
            )
        return self.of(CHECKPOINT, only)

    def meta(self) -> CheckpointMeta:
        """Return the metadata of the newest checkpoint."""
        _, meta = self.read(only=())
        return meta

    def any(self) -> bool:
        """Whether there is a checkpoint to resume from."""
        return (self._folder / CHECKPOINT).is_file()

    def keep(self, step: int) -> None:
        """Retain the newest checkpoint, written at ``step``, under a name with its step."""
        newest = self._folder / CHECKPOINT
        retained = self._folder / at_step(SAVED, step)
        write_file(retained, lambda draft: shutil.copyfile(newest, draft))

    def on_disk(self) -> dict[str, CheckpointMeta]:
        """Return the metadata of each checkpoint by file name.

        Retained ones come first, in order of step, then the newest one.
        """
        names = sorted(path.name for path in self._folder.glob(SAVED))
        if self.any():
            names.append(CHECKPOINT)
        return {name: self.of(name, only=())[1] for name in names}

    def of(self, name: str, only: Container[str] | None = None) -> tuple[Tensors, CheckpointMeta]:
        """Read the checkpoint in the file ``name``."""
        tensors, meta = read_state(self._folder / name, only)
        return tensors, CheckpointMeta.model_validate(meta)

    def _prune_best(self) -> None:
        """Remove encoders that were the best once, except those that a checkpoint names.

        A run that is resumed, or a fork, from an older checkpoint needs the best encoder of then.
        """
        bests = [meta.best for meta in self.on_disk().values() if meta.best]
        still_needed = {at_step(BEST, best["step"]) for best in bests}
        for path in self._folder.glob(BEST):
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
    write_file(path, lambda draft: save_file(copies, str(draft), metadata=header))


def read_state(path: Path, only: Container[str] | None = None) -> tuple[Tensors, dict[str, Any]]:
    """Read tensors and metadata from a file of :func:`write_state`.

    ``only`` names the tensors to read; None: all.
    """
    with safe_open(str(path), framework="pt") as stored:
        meta = json.loads(stored.metadata()[META])
        names = [name for name in stored.keys() if only is None or name in only]  # noqa: SIM118
        tensors = {name: stored.get_tensor(name) for name in names}
    return tensors, meta


def method_tensors(method: torch.nn.Module) -> Tensors:
    """Return a method's parameters and buffers under their names in a checkpoint."""
    tensors: Tensors = method.state_dict(prefix=METHOD)
    return tensors


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
