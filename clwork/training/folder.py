"""The folder of a run: the one place that knows its files, writes them, and lets one writer at a time in."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import socket
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

from ..data.settings import runs_folder
from ..data.writing import DRAFT, is_plain_file, is_plain_folder
from ..encoders import Encoder, load_encoder
from ..encoders.leftovers import sweep_all
from .checkpoints import BEST, END, OLD_BEST, Checkpoints
from .schema import State, parse

RECIPE, STATE, RECORD, SENTENCES = "run.json", "state.json", "record.jsonl", "sentences.jsonl"
POSITIONS = "positions.jsonl"
START = "start"  # folder of the encoder that was given as an object
LOCK = "run.lock"
TENSORS_DRAFT = re.compile(r"\.tmp[A-Za-z0-9]{6}")  # what safetensors writes to before it has the name it was asked for
NAME = r"[\w][\w.+-]*"  # what a run's folder may be called


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


class RunFolder(Checkpoints):
    """A run's files.

    ==================================  =====================================================================
    ``run.json``                        what the run is made of
    ``state.json``                      how it stands: status, error, and which process writes
    ``record.jsonl``                    a row per step
    ``positions.jsonl``                 where the probe's sentences lay at each look
    ``checkpoint.safetensors``          all that the next step depends on; ``checkpoint.earlier…`` the one before
    ``kept-STEP.safetensors``           checkpoints that ``keep_every`` asked for
    ``best-STEP/``                      the best encoder, where a score decides; the checkpoint names it
    ``encoder/``                        the encoder of the last step, once the run has ended or was stopped
    ``start/``, ``sentences.jsonl``     the encoder and the examples that were given as objects
    ``run.lock``                        held by whoever writes
    ==================================  =====================================================================

    Only these and what :meth:`keep_encoder` was asked to keep are ever read or copied, only where they are plain files
    and folders inside this one: a link is treated as absent.

    Attributes:
        path: absolute, and resolved when the object is made, so that a later change of directory does not matter.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._lock = FileLock(self.path / LOCK, timeout=0, thread_local=False)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    def new(method: str, name: str | None, folder: str | Path | None) -> RunFolder:
        """Make the folder of a new run, locked; never one that already holds something.

        Raises:
            ValueError: the name would leave the runs' folder.
            FileExistsError: the folder is not empty.
        """
        if name is not None:
            check_name(name)
        if folder is None and name is None:
            made = _next_free(runs_folder() / method)
        else:
            made = Path(folder).expanduser() if folder is not None else runs_folder() / str(name)
            if made.exists() and any(made.iterdir()):
                raise FileExistsError(f"{made} is not empty; {_way_out(RunFolder(made))}")
            made.mkdir(parents=True, exist_ok=True)
        fresh = RunFolder(made)
        fresh.lock()
        return fresh

    # --- one writer at a time ---------------------------------------------------------------------------------

    def lock(self) -> None:
        """Become the only writer, in this process and among all others, until :meth:`unlock` or the process ends.

        Raises:
            BusyRunError: another one is; the message names it.
        """
        if os.path.lexists(self.path / LOCK) and not is_plain_file(self.path / LOCK):
            raise OSError(f"{self.path / LOCK} is no plain file; this is not a run of clwork's own: nothing is written")
        try:
            self._lock.acquire()
        except Timeout:
            raise BusyRunError(f"{self.path} is being trained by {self.writer()}; stop it there first") from None
        self._tidy()

    def _tidy(self) -> None:
        """Remove what a writer that was killed has left: nobody else writes here now."""
        for left in self.path.iterdir():
            if (left.name.startswith(".") and left.name.endswith(DRAFT)) or TENSORS_DRAFT.fullmatch(left.name):
                left.unlink(missing_ok=True)
        sweep_all(self.path)

    def unlock(self) -> None:
        """Let the next writer in."""
        self._lock.release()

    def busy(self) -> bool:
        """Whether somebody, this process included, is writing; False where the folder cannot be written at all."""
        if not is_plain_file(self.path / LOCK):
            return False
        asking = FileLock(self.path / LOCK, timeout=0, thread_local=False)
        try:
            asking.acquire()
        except Timeout:
            return True
        except OSError:
            return False
        asking.release()
        return False

    def writer(self) -> str:
        """Who writes, or wrote last, in words."""
        state = self.state()
        if state is None:
            return "another run"
        if state.process == os.getpid() and state.host == socket.gethostname():
            return "this kernel (clwork.runs() finds the run)"
        return f"process {state.process} on {state.host}"

    # --- how it stands, and its encoders ----------------------------------------------------------------------

    def encoder_of(self, run: str) -> Path | None:
        """Where another run, given by name or folder, keeps its encoder; None where no run is called so.

        Raises:
            FileNotFoundError: that run has none yet.
        """
        for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
            if folder.has(RECIPE):
                if (kept := folder.encoder()) is None:
                    raise FileNotFoundError(f"the run in {folder.path} has no encoder yet; wait until it has finished")
                return kept
        return None

    def state(self) -> State | None:
        """How the run stood when that was last written; None for runs from before it was kept, or where damaged."""
        try:
            return parse(State, self.read_json(STATE), self.path / STATE)
        except (FileNotFoundError, ValueError):
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write down how the run stands; process and host are this one's."""
        about = {"process": os.getpid(), "host": socket.gethostname()}
        self.write_json(STATE, {"status": status, "step": step, "error": error, **about})

    def write_checkpoint(self, tensors: Mapping[str, torch.Tensor], meta: Mapping[str, Any]) -> None:
        """Write the state of this moment, once the rows up to it are on the disk: none of a later crash lacks them."""
        for name in (RECORD, POSITIONS):
            self.settle(name)
        super().write_checkpoint(tensors, meta)

    def keep_encoder(self, name: str, make: Callable[[], Encoder], device: str | None = None) -> Encoder:
        """What lies in the folder under ``name``; ``make`` puts it there the first time."""
        if not is_plain_folder(self.path / name):
            make().save(self.path / name)
        return load_encoder(self.path / name, device=device)

    # --- the whole --------------------------------------------------------------------------------------------

    def files(self) -> Iterator[Path]:
        """Every plain file of the run, relative to the folder; the lock and unfinished ones are none of it."""
        for top in sorted(self.path.iterdir()):
            if is_plain_file(top) and top.name != LOCK and not top.name.startswith("."):
                yield top.relative_to(self.path)
            elif is_plain_folder(top) and not top.name.startswith("."):  # an encoder: it has folders of one more level
                inner = [top, *(part for part in sorted(top.iterdir()) if is_plain_folder(part))]
                yield from (
                    p.relative_to(self.path) for part in inner for p in sorted(part.iterdir()) if is_plain_file(p)
                )

    def size(self) -> int:
        """Bytes on disk; a checkpoint that is kept and is the newest, too, is there once."""
        found = {stat.st_ino: stat.st_size for stat in ((self.path / name).lstat() for name in self.files())}
        return sum(found.values())

    def made_by_method(self) -> list[str]:
        """The encoders that :meth:`keep_encoder` made for the method, by folder."""
        tops = {name.parts[0] for name in self.files() if len(name.parts) > 1}
        return sorted(top for top in tops if top not in (START, END, OLD_BEST) and not top.startswith(BEST))

    def copy_parts(self, target: RunFolder, tops: Container[str]) -> None:
        """Copy these files and folders, as far as they are there, plain ones only."""
        for name in self.files():
            if name.parts[0] in tops:
                (target.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.path / name, target.path / name, follow_symlinks=False)

    def copy_to(self, target: Path, status: str) -> None:
        """Copy every plain file to an empty or missing folder, where the run then stands at ``status``.

        Raises:
            FileExistsError: the target holds something.
        """
        if target.exists() and any(target.iterdir()):
            raise FileExistsError(f"{target} is not empty; give a new folder")
        copy, state = RunFolder(target), self.state()
        self.copy_parts(copy, {name.parts[0] for name in self.files()})
        copy.write_state(status, state.step if state else 0, state.error if state else None)


def check_name(name: str) -> None:
    """A run's folder may be called so.

    Raises:
        ValueError: it could lead elsewhere.
    """
    if not re.fullmatch(NAME, name):
        raise ValueError(f"name={name!r} cannot name a folder; use letters, digits, '.', '_', '+' and '-'")


def _next_free(path: Path) -> Path:
    """The first of ``path-001``, ``path-002``, … that nobody has taken, made."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        try:
            made.mkdir(parents=True)
        except FileExistsError:
            continue
        return made
    raise AssertionError("unreachable")


def _way_out(folder: RunFolder) -> str:
    """What can be done about a folder that is not empty."""
    if folder.has(RECIPE) and folder.has_checkpoint():
        return f"go on with that run, clwork.resume({str(folder.path)!r}), or give another name or folder"
    if folder.has(RECIPE):
        return "its run ended before its first checkpoint: delete the folder, or give another name or folder"
    return "give another name or folder"
