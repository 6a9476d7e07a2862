"""What a run can go on from, or be used by: two generations of its state, its best encoder and its last."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from ...disk import DRAFT, is_plain_folder
from ...encoders import Encoder
from .locked_folder import LockedFolder
from .run_files import BEST, CHECKPOINT, EARLIER, END, KEPT, OLD_BEST, at_step, row_of
from .schema import Best, CheckpointMeta, parse
from .tensors import read_meta, read_state, read_tensor, write_state

SEEN = "probe.vectors"  # name of the tensor in a checkpoint; the sentences stand beside the tensors
LARGEST = 1 << 24  # numbers of it


class Checkpoints(LockedFolder):
    """Of one run's folder."""

    def write_checkpoint(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, Any]) -> None:
        """Write the state of this moment; the one before stays as the earlier generation.

        The new one is whole on disk before anything moves, and a kill between the two moves leaves the earlier one.
        """
        fresh = self.path / f".{CHECKPOINT}{DRAFT}"
        with self.writing():
            write_state(fresh, tensors, meta)
        with self.writing():  # asked once more: the first part takes its time
            if self.has(CHECKPOINT):
                os.replace(self.path / CHECKPOINT, self.path / EARLIER)
            os.replace(fresh, self.path / CHECKPOINT)
            self._prune_best()

    def read_checkpoint(self) -> tuple[dict[str, torch.Tensor], CheckpointMeta]:
        """The newer of the two generations that can be read.

        Raises:
            FileNotFoundError: the run wrote none.
            ValueError: none can be read; the message is that of the newest.
        """
        return self._newest(read_state)

    def checkpoint_meta(self) -> CheckpointMeta:
        """What that checkpoint says of itself; raises as :meth:`read_checkpoint`."""
        return self._newest(lambda path: (None, read_meta(path)))[1]

    def last_look(self) -> tuple[torch.Tensor | None, CheckpointMeta]:
        """That checkpoint's vectors of the probe, None in older ones, and meta; raises as :meth:`read_checkpoint`."""
        return self._newest(lambda path: read_tensor(path, SEEN, LARGEST))

    def _newest(self, read: Callable[[Path], tuple[Any, Any]]) -> tuple[Any, CheckpointMeta]:
        failures: list[ValueError] = []
        for name in (CHECKPOINT, EARLIER):
            if not self.has(name):
                continue
            try:
                tensors, meta = read(self.path / name)
                return tensors, parse(CheckpointMeta, meta, self.path / name)
            except ValueError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        raise FileNotFoundError(f"{self.path} has no {CHECKPOINT}: the run ended before its first")

    def has_checkpoint(self) -> bool:
        """Whether there is anything to go on from."""
        return self.has(CHECKPOINT) or self.has(EARLIER)

    def keep(self, step: int) -> None:
        """Keep the newest checkpoint, that of ``step``, for good; where the disk allows, it is not copied."""
        kept = self.path / at_step(KEPT, step)
        fresh = self.path / f".{kept.name}{DRAFT}"
        with self.writing():
            fresh.unlink(missing_ok=True)
            try:
                os.link(self.path / CHECKPOINT, fresh, follow_symlinks=False)
            except (OSError, NotImplementedError):
                shutil.copyfile(self.path / CHECKPOINT, fresh, follow_symlinks=False)
            os.replace(fresh, kept)
            self._prune_best()

    def on_disk(self) -> dict[str, CheckpointMeta]:
        """What each checkpoint that can be read says of itself, by its file's name; kept ones first."""
        found = {}
        kept = sorted(path.name for path in self.path.glob(KEPT))
        for name in (*kept, CHECKPOINT, EARLIER):
            with contextlib.suppress(FileNotFoundError, ValueError):
                found[name] = parse(CheckpointMeta, read_meta(self.path / name), self.path / name)
        return found

    def checkpoint_of(self, name: str) -> tuple[dict[str, torch.Tensor], CheckpointMeta]:
        """One of these files; raises as :meth:`read_checkpoint`."""
        tensors, meta = read_state(self.path / name)
        return tensors, parse(CheckpointMeta, meta, self.path / name)

    def drop_earlier(self) -> None:
        """Remove the earlier generation: of a run that has come to its end."""
        with self.writing():
            (self.path / EARLIER).unlink(missing_ok=True)
            self._prune_best()

    def save_best(self, encoder: Encoder, step: int) -> None:
        """Keep the best encoder so far; the next checkpoint names it, and lets go of those before."""
        self._save(encoder, at_step(BEST, step))

    def best(self, step: int | None = None) -> Path | None:
        """Where the best encoder lies: that of ``step``, or the one that the checkpoint names; None without one."""
        if step is None:
            step = self.best_meta().get("step")
        names = ([] if step is None else [at_step(BEST, step)]) + [OLD_BEST]
        return next((self.path / name for name in names if is_plain_folder(self.path / name)), None)

    def best_meta(self) -> dict[str, Any]:
        """Step, score and rule of the best encoder, from the checkpoint; empty if none was chosen."""
        try:
            best = self.checkpoint_meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def save_end(self, encoder: Encoder) -> None:
        """Keep the encoder that the run ended or was stopped with."""
        self._save(encoder, END)

    def _save(self, encoder: Encoder, name: str) -> None:
        with self.writing():
            encoder.save(self.path / name)

    def has_end(self) -> bool:
        """Whether the encoder of the run's end, or of its stop, is kept."""
        return is_plain_folder(self.path / END)

    def encoder(self) -> Path | None:
        """Where the run's encoder lies: that of its end, else the best so far; None before the first."""
        return self.path / END if self.has_end() else self.best()

    def _prune_best(self) -> None:
        """Let go of best encoders that no checkpoint names; a damaged one names none."""
        named = {at_step(BEST, meta.best_step) for meta in self.on_disk().values() if meta.best_step is not None}
        for path in self.path.glob(BEST):
            if is_plain_folder(path) and row_of(path.name) is not None and path.name not in named:
                shutil.rmtree(path, ignore_errors=True)
