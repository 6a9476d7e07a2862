"""Checkpoints of a run (newest, previous and kept ones), and the encoders in its folder."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from ...disk import DRAFT, is_plain_folder
from ...encoders import Encoder, load_encoder
from .locked_folder import LockedFolder
from .run_files import BEST, CHECKPOINT, EARLIER, END, KEPT, OLD_BEST, at_step, names_of, row_of
from .schema import Best, CheckpointMeta, parse
from .tensors import read_meta, read_state, read_tensor, write_state

SEEN = "probe.vectors"  # name of the tensor in a checkpoint; the sentences are in its metadata
LARGEST = 1 << 24  # maximum number of its elements

Tensors = dict[str, torch.Tensor]


class Checkpoints:
    """The checkpoints in a run's folder: the newest, the one before, and those that are kept for good."""

    def __init__(self, files: LockedFolder) -> None:
        self._files = files

    def write(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, object]) -> None:
        """Write the present state; the one before stays as the earlier generation.

        The rows up to it are synced first, so that a crash later loses none of them. The new checkpoint is whole on
        disk before anything moves, and a kill between the two moves leaves the earlier one.
        """
        files = self._files
        for name in names_of(lambda row: row.grows):
            files.settle(name)
        fresh = files.path / f".{CHECKPOINT}{DRAFT}"
        with files.writing():
            write_state(fresh, tensors, meta)
        with files.writing():  # checks the lock once more: the first part takes its time
            if files.has(CHECKPOINT):
                os.replace(files.path / CHECKPOINT, files.path / EARLIER)
            os.replace(fresh, files.path / CHECKPOINT)
            self._prune_best()

    def read(self) -> tuple[Tensors, CheckpointMeta]:
        """Read the newer of the two generations that can be read.

        Raises:
            FileNotFoundError: the run wrote none.
            ValueError: none can be read; the message is that of the newest.
        """
        return self._newest(read_state)

    def meta(self) -> CheckpointMeta:
        """Read the metadata of that checkpoint; raises as :meth:`read`."""
        return self._newest(lambda path: (None, read_meta(path)))[1]

    def last_look(self) -> tuple[torch.Tensor | None, CheckpointMeta]:
        """That checkpoint's vectors of the probe, None in older ones, and metadata; raises as :meth:`read`."""
        return self._newest(lambda path: read_tensor(path, SEEN, LARGEST))

    def _newest(self, read: Callable[[Path], tuple[Any, Any]]) -> tuple[Any, CheckpointMeta]:
        files = self._files
        failures: list[ValueError] = []
        for name in (CHECKPOINT, EARLIER):
            if not files.has(name):
                continue
            try:
                tensors, meta = read(files.path / name)
                return tensors, parse(CheckpointMeta, meta, files.path / name)
            except ValueError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        raise FileNotFoundError(f"{files.path} has no {CHECKPOINT}: the run ended before its first")

    def any(self) -> bool:
        """Whether there is a checkpoint to resume from."""
        return self._files.has(CHECKPOINT) or self._files.has(EARLIER)

    def keep(self, step: int) -> None:
        """Keep the newest checkpoint, that of ``step``, for good; where the disk allows, it is not copied."""
        files = self._files
        kept = files.path / at_step(KEPT, step)
        fresh = files.path / f".{kept.name}{DRAFT}"
        with files.writing():
            fresh.unlink(missing_ok=True)
            try:
                os.link(files.path / CHECKPOINT, fresh, follow_symlinks=False)
            except (OSError, NotImplementedError):
                shutil.copyfile(files.path / CHECKPOINT, fresh, follow_symlinks=False)
            os.replace(fresh, kept)
            self._prune_best()

    def on_disk(self) -> dict[str, CheckpointMeta]:
        """Metadata of each checkpoint that can be read, by its file's name; kept ones first."""
        readable = {}
        kept = sorted(path.name for path in self._files.path.glob(KEPT))
        for name in (*kept, CHECKPOINT, EARLIER):
            path = self._files.path / name
            with contextlib.suppress(FileNotFoundError, ValueError):
                readable[name] = parse(CheckpointMeta, read_meta(path), path)
        return readable

    def of(self, name: str) -> tuple[Tensors, CheckpointMeta]:
        """Read one of these files; raises as :meth:`read`."""
        tensors, meta = read_state(self._files.path / name)
        return tensors, parse(CheckpointMeta, meta, self._files.path / name)

    def drop_earlier(self) -> None:
        """Remove the previous checkpoint of a finished run."""
        with self._files.writing():
            (self._files.path / EARLIER).unlink(missing_ok=True)
            self._prune_best()

    def _prune_best(self) -> None:
        """Remove best encoders that no checkpoint names; a damaged one names none."""
        named = {at_step(BEST, meta.best_step) for meta in self.on_disk().values() if meta.best_step is not None}
        for path in self._files.path.glob(BEST):
            if is_plain_folder(path) and row_of(path.name) is not None and path.name not in named:
                shutil.rmtree(path, ignore_errors=True)


class SavedEncoders:
    """The encoders in a run's folder: the best, the last, and those that its method keeps there."""

    def __init__(self, files: LockedFolder, checkpoints: Checkpoints) -> None:
        self._files, self._checkpoints = files, checkpoints

    def keep(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """Load the encoder in the folder ``name``; ``make`` it and save it there the first time."""
        if not self._files.has_folder(name):
            self._save(make(), name)
        return load_encoder(self._files.path / name, device=device)

    def save_best(self, encoder: Encoder, step: int) -> None:
        """Save the best encoder so far; the next checkpoint names it, and removes those before."""
        self._save(encoder, at_step(BEST, step))

    def best(self, step: int | None = None) -> Path | None:
        """Folder of the best encoder: that of ``step``, or the one that the checkpoint names; None without one."""
        if step is None:
            step = self.best_meta().get("step")
        candidates = ([] if step is None else [at_step(BEST, step)]) + [OLD_BEST]
        return next((self._files.path / name for name in candidates if self._files.has_folder(name)), None)

    def best_meta(self) -> dict[str, Any]:
        """Step, score and rule of the best encoder, from the checkpoint; empty if none was chosen."""
        try:
            best = self._checkpoints.meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def save_last(self, encoder: Encoder) -> None:
        """Save the encoder that the run ended or was stopped with."""
        self._save(encoder, END)

    def has_last(self) -> bool:
        """Whether the encoder that the run ended or was stopped with is there."""
        return self._files.has_folder(END)

    def latest(self) -> Path | None:
        """Folder of the last encoder, else of the best so far; None before the first."""
        return self._files.path / END if self.has_last() else self.best()

    def _save(self, encoder: Encoder, name: str) -> None:
        with self._files.writing():
            encoder.save(self._files.path / name)
