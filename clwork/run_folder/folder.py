"""The folder of a run: where a new one is made, its checkpoints and encoders, and its copies."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .. import _validation
from ..disk import disk_errors, runs_folder
from .checkpoints import Checkpoints, SavedEncoders
from .files import CHECKPOINT, EARLIER, END, FOR_ONE_STEP, GIVEN, GROWING, LOCK, RUN, STATE, RunFiles, is_unfinished

OWN = {*GIVEN, *GROWING, STATE, LOCK, CHECKPOINT, EARLIER, END}


class RunFolder(RunFiles):
    """The folder of one run.

    Attributes:
        path: absolute, and resolved when the object is made.
        checkpoints: those in the folder.
        encoders: those in the folder.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.checkpoints = Checkpoints(self)
        self.encoders = SavedEncoders(self, self.checkpoints)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    @contextmanager
    def new(method: str, name: str | None, folder: str | Path | None) -> Iterator[RunFolder]:
        """Create the folder of a new run, locked, to be filled in the block; it is removed if the block fails."""
        own = runs_folder() / (name or method)
        place = (own if folder is None else _validation.path("folder", folder)).absolute()
        with disk_errors(place):
            made = _next_free(place) if folder is None and name is None else _empty(place)
        files = RunFolder(made)
        try:
            files.lock()
            yield files
        except BaseException:
            files.unlock()
            shutil.rmtree(made, ignore_errors=True)
            raise

    def copy_to(self, target: Path, status: str) -> None:
        """Copy the run to an empty or missing folder, and write ``status`` there."""
        state = self.state()
        with RunFolder.new("", None, target) as copy:
            self.copy_parts(copy)
            copy.write_state(status, state.step if state else 0, state.error if state else None)
        copy.unlock()


def encoder_of(run: str) -> Path | None:
    """Folder of the encoder of a run, given by name or folder; None if there is no such run."""
    for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
        if folder.has(RUN):
            if (latest := folder.encoders.latest()) is None:
                raise FileNotFoundError(f"the run in {folder.path} has no encoder yet; wait until it has finished")
            return latest
    return None


def check_place(folder: object) -> None:
    """Check the path of a new run's folder, which may be missing."""
    place = _validation.path("folder", folder)
    if os.path.lexists(place) and not place.is_dir():
        raise FileExistsError(f"folder={_validation.shown(str(place), 200)} is there, and no folder; give another")


def _next_free(path: Path) -> Path:
    """Create and return the first free folder of ``path-001``, ``path-002`` and so on."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        with suppress(FileExistsError):
            made.mkdir(parents=True)
            return made
    raise AssertionError("unreachable")


def _empty(path: Path) -> Path:
    """Create the folder where it is missing; an existing one must be empty."""
    files = RunFolder(path)
    if files.has(LOCK) and not files.has(RUN) and not files.busy():  # a start may have been killed
        if all(p.name in OWN or FOR_ONE_STEP.fullmatch(p.name) or is_unfinished(p) for p in path.iterdir()):
            shutil.rmtree(files.path)
    if path.exists() and any(path.iterdir()):
        remedy = "give another name or folder"
        if files.has(RUN) and files.checkpoints.any():
            remedy = f"continue that run with clwork.resume({str(files.path)!r}), or {remedy}"
        elif files.has(RUN):
            remedy = f"its run ended before its first checkpoint: delete the folder, or {remedy}"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    path.mkdir(parents=True, exist_ok=True)
    return path
