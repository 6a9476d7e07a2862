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

OWN = {*GIVEN, *GROWING, STATE, LOCK, CHECKPOINT, EARLIER}
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
        """Context that creates and locks the folder of a new run; an error in the block removes the folder."""
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
        """Return the folder of the best encoder at ``step`` (default: the checkpoint's best); None if it is missing."""
        step = self.best().get("step") if step is None else step
        name = None if step is None else at_step(BEST, step)
        return self.path / name if name is not None and self.has_folder(name) else None

    def best(self) -> dict[str, Any]:
        """Return step, score and rule of the best encoder from the checkpoint; empty if none was selected."""
        try:
            best = self.checkpoints.meta().best
        except (FileNotFoundError, ValueError):
            return {}
        return best.model_dump() if isinstance(best, Best) else {}

    def latest_encoder(self) -> Path | None:
        """Return the folder of the last encoder, else of the best one so far; None if there is neither."""
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
        place = self.path
        for left in place.parent.glob(f".*{DELETED}"):  # left by a killed deletion
            shutil.rmtree(left, ignore_errors=True)
        # Renamed first, so that a kill leaves no incomplete run under this name.
        self.rename(place.with_name(f".{place.name}{DELETED}"))
        shutil.rmtree(self.path, ignore_errors=True)


def encoder_of(run: str) -> Path | None:
    """Return the folder of a run's latest encoder, by the run's name or folder; None if there is no such run."""
    for folder in (RunFolder(runs_folder() / run), RunFolder(run)):
        if folder.has(RUN):
            if (latest := folder.latest_encoder()) is None:
                raise FileNotFoundError(
                    f"the run in {folder.path} has no encoder yet; wait until it has finished"
                )
            return latest
    return None


def check_place(folder: object) -> None:
    """Check the path of a new run's folder; FileExistsError if it is a file."""
    place = _validation.path("folder", folder)
    if os.path.lexists(place) and not place.is_dir():
        raise FileExistsError(
            f"folder={_validation.shown(str(place), 200)} is not a folder; give another path"
        )


def _next_free(path: Path) -> Path:
    """Create and return the first free folder of ``path-001``, ``path-002`` and so on."""
    for number in itertools.count(1):
        made = path.with_name(f"{path.name}-{number:03d}")
        with suppress(FileExistsError):
            made.mkdir(parents=True)
            return made
    raise AssertionError("unreachable")


def _is_own(path: Path) -> bool:
    """Whether a run's folder may hold this file or folder."""
    return path.name in OWN or path.name.startswith(".") or (path / META).is_file()


def _empty(path: Path) -> Path:
    """Create the folder if it is missing; FileExistsError if it is not empty."""
    files = RunFolder(path)
    if (
        files.has(LOCK)
        and not files.has(RUN)
        and not files.busy()
        and all(map(_is_own, path.iterdir()))
    ):
        shutil.rmtree(files.path)  # left by a killed start
    if path.exists() and any(path.iterdir()):
        remedy = "give another name or folder"
        if files.has(RUN) and files.checkpoints.any():
            remedy = f"continue that run with clwork.resume({str(files.path)!r}), or {remedy}"
        elif files.has(RUN):
            remedy = f"its run ended before its first checkpoint, so delete the folder, or {remedy}"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    path.mkdir(parents=True, exist_ok=True)
    return path
