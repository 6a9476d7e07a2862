"""The folder of a run: create, copy and delete it, and access its checkpoints and encoders."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import _validation
from ..disk import disk_errors, runs_folder
from ..encoders import Encoder, load_encoder
from ..encoders.saving import META
from .checkpoints import Checkpoints
from .files import (
    BEST,
    CHECKPOINT,
    EARLIER,
    END,
    GIVEN,
    GROWING,
    LOCK,
    RUN,
    STATE,
    RunFiles,
    at_step,
)
from .schema import Best

# Files that a new run or a fork has before its first checkpoint.
BEFORE_CHECKPOINT = {RUN, *GIVEN, *GROWING, STATE, LOCK, CHECKPOINT, EARLIER}
# Ending of the name of a folder that is being deleted.
DELETED = ".deleted"


class RunFolder(RunFiles):
    """The folder of one run, with its checkpoints and its encoders; see :mod:`.files`."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.checkpoints = Checkpoints(self)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    @contextmanager
    def new(method: str, name: str | None, folder: str | Path | None) -> Iterator[RunFolder]:
        """Context that creates and locks the folder of a new run, and yields it.

        The folder stays locked after the block, since the run's thread goes on writing. An error in
        the block removes the folder. ``folder`` is used if it is given, otherwise the folder of
        runs has a subfolder ``name``, or the next free one of the method, such as ``simcse-002``.
        """
        path = runs_folder() / (name or method) if folder is None else Path(folder)
        with disk_errors(path):
            if folder is None and name is None:
                created = _create_numbered(path.absolute())
            else:
                created = _create_empty(path.absolute())
        run_folder = RunFolder(created)
        try:
            run_folder.lock()
            yield run_folder
        except BaseException:  # also of an interrupt
            run_folder.unlock()
            shutil.rmtree(created, ignore_errors=True)
            raise

    def keep_encoder(
        self, name: str, make: Callable[[], Encoder], device: str | None = None
    ) -> Encoder:
        """Load the encoder in the subfolder ``name``; if it is missing, make and save it first."""
        if not self.has_folder(name):
            self.save_encoder(make(), name)
        return load_encoder(self.path / name, device=device)

    def save_encoder(self, encoder: Encoder, name: str) -> None:
        """Save an encoder in the subfolder ``name``; one that is there is replaced."""
        with self.writing():
            encoder.save(self.path / name)

    def best_encoder(self, step: int | None = None) -> Path | None:
        """Return the folder of the best encoder, saved at ``step``; None if it is missing.

        Without ``step``, the newest checkpoint determines the step.
        """
        if step is None:
            step = self.best().get("step")
        if step is None:
            return None
        folder = self.path / at_step(BEST, step)
        return folder if folder.is_dir() else None

    def best(self) -> dict[str, Any]:
        """Return step, score and rule of the best encoder, as the newest checkpoint has them.

        Empty without a readable checkpoint, or without a validation before it.
        """
        try:
            best = self.checkpoints.meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def latest_encoder(self) -> Path | None:
        """Return the folder of the last step's encoder; None if there is no encoder.

        A run that has not ended has only the best encoder so far.
        """
        return self.path / END if self.has_folder(END) else self.best_encoder()

    def copy_to(self, target: Path, status: str) -> None:
        """Copy the run to an empty or missing folder ``target``.

        The copy has ``status`` as its status, since nothing trains it.
        """
        state = self.state()
        step = state.step if state else 0
        error = state.error if state else None
        with RunFolder.new("", None, target) as copy:
            self.copy_parts(copy)
            copy.write_state(status, step, error)
        copy.unlock()

    def delete(self) -> None:
        """Delete the folder."""
        # Left by deletions that were killed.
        for remains in self.path.parent.glob(f".*{DELETED}"):
            shutil.rmtree(remains, ignore_errors=True)
        # Renamed first: a kill leaves a hidden folder, not a run that lacks files.
        self.rename(self.path.with_name(f".{self.path.name}{DELETED}"))
        shutil.rmtree(self.path, ignore_errors=True)


def encoder_of(run: str) -> Path | None:
    """Return the folder of the latest encoder of ``run``, a run's name or folder.

    None if there is no such run; FileNotFoundError if it has no encoder yet.
    """
    for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
        if not folder.has(RUN):
            continue
        encoder = folder.latest_encoder()
        if encoder is None:
            problem = f"the run in {folder.path} has no encoder yet"
            raise FileNotFoundError(f"{problem}; wait until it has finished")
        return encoder
    return None


def check_place(folder: object) -> None:
    """Raise FileExistsError if the path of a new run's folder is that of a file."""
    path = _validation.path("folder", folder)
    if os.path.lexists(path) and not path.is_dir():
        problem = f"folder={_validation.shown(str(path), 200)} is not a folder"
        raise FileExistsError(f"{problem}; give another path")


def _create_numbered(path: Path) -> Path:
    """Create and return the first free folder of ``path-001``, ``path-002`` and so on."""
    for number in itertools.count(1):
        folder = path.with_name(f"{path.name}-{number:03d}")
        # mkdir is atomic, so that two kernels do not choose the same number.
        with suppress(FileExistsError):
            folder.mkdir(parents=True)
            break
    return folder


def _create_empty(path: Path) -> Path:
    """Create the folder if it is missing, and return it; FileExistsError if it is not empty."""
    folder = RunFolder(path)
    if _is_unfinished_start(folder):
        shutil.rmtree(folder.path)
    if path.exists() and any(path.iterdir()):
        remedy = "give another name or folder"
        if folder.has(RUN) and folder.checkpoints.any():
            remedy = f"continue that run with clwork.resume({str(folder.path)!r}), or {remedy}"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _is_unfinished_start(folder: RunFolder) -> bool:
    """Whether a run failed or was killed here before its first checkpoint.

    Then nothing of it is worth keeping, unless the user has added other files.
    """
    can_resume = folder.has(RUN) and folder.checkpoints.any()
    if not folder.has(LOCK) or can_resume or folder.busy():
        return False
    for path in folder.path.iterdir():
        is_encoder = (path / META).is_file()
        is_temporary = path.name.startswith(".")
        if not (path.name in BEFORE_CHECKPOINT or is_encoder or is_temporary):
            return False
    return True
