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

# Files that a start writes before run.json.
OF_A_START = {*GIVEN, *GROWING, STATE, LOCK, CHECKPOINT, EARLIER}
DELETED = ".deleted"


class RunFolder(RunFiles):
    """The folder of one run."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.checkpoints = Checkpoints(self)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @staticmethod
    @contextmanager
    def new(method: str, name: str | None, folder: str | Path | None) -> Iterator[RunFolder]:
        """Context that creates and locks the folder of a new run.

        An error in the block removes the folder. Without a name and a folder, the run gets the
        next free name of its method.
        """
        path = runs_folder() / (name or method) if folder is None else Path(folder)
        with disk_errors(path):
            if folder is None and name is None:
                made = _next_free(path.absolute())
            else:
                made = _made_empty(path.absolute())
        files = RunFolder(made)
        try:
            files.lock()
            yield files
        except BaseException:
            files.unlock()
            shutil.rmtree(made, ignore_errors=True)
            raise

    def keep_encoder(
        self, name: str, make: Callable[[], Encoder], device: str | None = None
    ) -> Encoder:
        """Load the encoder in the subfolder ``name``; the first call makes and saves it."""
        if not self.has_folder(name):
            self.save_encoder(make(), name)
        return load_encoder(self.path / name, device=device)

    def save_encoder(self, encoder: Encoder, name: str) -> None:
        with self.writing():
            encoder.save(self.path / name)

    def best_encoder(self, step: int | None = None) -> Path | None:
        """Return the folder of the best encoder at ``step``; None if it is missing.

        By default, the step is that of the checkpoint's best.
        """
        step = self.best().get("step") if step is None else step
        name = None if step is None else at_step(BEST, step)
        return self.path / name if name is not None and self.has_folder(name) else None

    def best(self) -> dict[str, Any]:
        """Return step, score and rule of the best encoder from the checkpoint; may be empty."""
        try:
            best = self.checkpoints.meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def latest_encoder(self) -> Path | None:
        """Return the folder of the last encoder, else of the best one so far, if there is one."""
        return self.path / END if self.has_folder(END) else self.best_encoder()

    def copy_to(self, target: Path, status: str) -> None:
        """Copy the run to an empty or missing folder, with ``status`` as the copy's status."""
        state = self.state()
        with RunFolder.new("", None, target) as copy:
            self.copy_parts(copy)
            copy.write_state(status, state.step if state else 0, state.error if state else None)
        copy.unlock()

    def delete(self) -> None:
        """Delete the folder."""
        for left in self.path.parent.glob(f".*{DELETED}"):
            # Left by a deletion that was killed.
            shutil.rmtree(left, ignore_errors=True)
        # Renamed first, so that a kill leaves no incomplete run under this name.
        self.rename(self.path.with_name(f".{self.path.name}{DELETED}"))
        shutil.rmtree(self.path, ignore_errors=True)


def encoder_of(run: str) -> Path | None:
    """Return the folder of a run's latest encoder, by the run's name or folder.

    None if there is no such run.
    """
    for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
        if folder.has(RUN):
            latest = folder.latest_encoder()
            if latest is None:
                problem = f"the run in {folder.path} has no encoder yet"
                raise FileNotFoundError(f"{problem}; wait until it has finished")
            return latest
    return None


def check_place(folder: object) -> None:
    """Check the path of a new run's folder; FileExistsError if it is a file."""
    path = _validation.path("folder", folder)
    if os.path.lexists(path) and not path.is_dir():
        problem = f"folder={_validation.shown(str(path), 200)} is not a folder"
        raise FileExistsError(f"{problem}; give another path")


def _next_free(path: Path) -> Path:
    """Create and return the first free folder of ``path-001``, ``path-002`` and so on."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        with suppress(FileExistsError):
            made.mkdir(parents=True)
            break
    return made


def _made_empty(path: Path) -> Path:
    """Create the folder if it is missing; FileExistsError if it is not empty."""
    files = RunFolder(path)
    if _is_killed_start(files):
        shutil.rmtree(files.path)
    if path.exists() and any(path.iterdir()):
        remedy = "give another name or folder"
        if files.has(RUN) and files.checkpoints.any():
            remedy = f"continue that run with clwork.resume({str(files.path)!r}), or {remedy}"
        elif files.has(RUN):
            remedy = f"its run ended before its first checkpoint, so delete the folder, or {remedy}"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _is_killed_start(files: RunFolder) -> bool:
    """Whether the folder holds nothing but what a start writes before it is killed."""
    if not files.has(LOCK) or files.has(RUN) or files.busy():
        return False
    return all(
        path.name in OF_A_START or path.name.startswith(".") or (path / META).is_file()
        for path in files.path.iterdir()
    )
