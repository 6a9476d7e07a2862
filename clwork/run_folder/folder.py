"""The folder of a run: create, copy and delete it, and access its checkpoints and encoders."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..disk import runs_folder
from ..encoders import Encoder, load_encoder
from .checkpoints import Checkpoints
from .files import BEST, END, LOCK, RUN, RunFiles, at_step


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
        if not (self.path / name).is_dir():
            self.save_encoder(make(), name)
        return load_encoder(self.path / name, device=device)

    def save_encoder(self, encoder: Encoder, name: str) -> None:
        """Save an encoder in the subfolder ``name``; one that is there is replaced."""
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

        Empty without a checkpoint, or without a validation before it.
        """
        return self.checkpoints.meta().best if self.checkpoints.any() else {}

    def latest_encoder(self) -> Path | None:
        """Return the folder of the last step's encoder; None if there is no encoder.

        A run that has not ended has only the best encoder so far.
        """
        end = self.path / END
        return end if end.is_dir() else self.best_encoder()

    def copy_to(self, target: Path, status: str) -> None:
        """Copy the run to an empty or missing folder ``target``.

        The copy has ``status`` as its status, since nothing trains it.
        """
        with RunFolder.new("", None, target) as copy:
            self.copy_parts(copy)
            copy.write_state(status, self.state().error)
        copy.unlock()


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
    if folder.has(LOCK) and not folder.checkpoints.any() and not folder.busy():
        # A run ended here before its first checkpoint, so nothing of it is worth keeping.
        shutil.rmtree(path)
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        remedy = "give another name or folder"
        if folder.checkpoints.any():
            remedy += f", or continue that run with clwork.resume({str(path)!r})"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    return path
