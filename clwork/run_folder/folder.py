"""The folder of a run: its lock and files, its checkpoints and encoders."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from .. import _validation
from ..disk import DRAFT, runs_folder, write_file
from ..encoders import Encoder, load_encoder
from ..encoders.saving import refuse_foreign_files
from .checkpoints import Checkpoints
from .files import (
    BEFORE_CHECKPOINT,
    BEST,
    END,
    FOR_ONE_STEP,
    LOCK,
    RUN,
    START,
    STATE,
    at_step,
    run_name,
)

# Seconds to wait for the lock, since `busy` of another process holds it for a moment.
LOCK_TIMEOUT = 0.2
LOCK_POLL = 0.02


class BusyRunError(RuntimeError):
    """Another thread or process trains the run in this folder, so nothing else may write to it.

    >>> clwork.resume("clwork-runs/simcse-001")  # doctest: +SKIP
    BusyRunError: … is being trained by another run or process; stop it first
    """


class State(NamedTuple):
    """The content of ``state.json``: the last status, and the error of a failed run as text."""

    status: str
    error: str | None = None


class RunFolder:
    """The folder of one run, with its checkpoints and its encoders; see :mod:`.files`."""

    def __init__(self, path: str | Path) -> None:
        # Absolute, so that the run is found after a change of the working folder.
        self.path = _validation.path("folder", path).resolve()
        self._lock = FileLock(self.path / LOCK, thread_local=False)
        self.checkpoints = Checkpoints(self.path)

    @staticmethod
    @contextmanager
    def new(method: str, name: str | None, folder: str | Path | None) -> Iterator[RunFolder]:
        """Context that creates and locks the folder of a new run, and yields it.

        The folder stays locked after the block, since the run's thread goes on writing. An error in
        the block removes the folder. ``folder`` is used if it is given, otherwise the folder of
        runs has a subfolder ``name``, or the next free one of the method, such as ``simcse-002``.
        """
        if name is not None:
            run_name("name", name)
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

    def lock(self) -> None:
        """Acquire the folder's lock and remove what a killed writer left unfinished.

        BusyRunError if another thread or process has the lock.
        """
        try:
            self._lock.acquire(LOCK_TIMEOUT, LOCK_POLL)
        except Timeout:
            problem = f"{self.path} is being trained by another run or process"
            raise BusyRunError(f"{problem}; stop it first") from None
        # Drafts of files and of encoders, and those of safetensors, such as .tmpAb12Cd.
        for draft in (*self.path.glob(f".*{DRAFT}"), *self.path.glob(".tmp??????")):
            if draft.is_dir():
                shutil.rmtree(draft)
            else:
                draft.unlink()

    def unlock(self) -> None:
        self._lock.release()

    def busy(self) -> bool:
        """Whether a process, including this one, holds the lock."""
        if not self.has(LOCK):
            return False
        try:
            with FileLock(self.path / LOCK, timeout=0, thread_local=False):
                return False
        except Timeout:
            return True
        except OSError:
            # A folder in which no lock can be acquired, such as a read-only one, has no writer.
            return False

    def has(self, name: str) -> bool:
        """Whether there is a file ``name``."""
        return (self.path / name).is_file()

    def read_json(self, name: str) -> Any:
        """Read a file with a JSON value."""
        return json.loads((self.path / name).read_bytes())

    def write_json(self, name: str, content: object) -> None:
        """Replace a file by one with ``content`` as JSON."""
        write_file(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def lines(self, name: str) -> Iterator[Any]:
        """Parse a file with a JSON value on each line; nothing if the file is missing.

        Reading ends at a line that is not complete, because its writer was killed or is writing it.
        """
        if not self.has(name):
            return
        with open(self.path / name, "rb") as file:
            for line in file:
                try:
                    value = json.loads(line)
                except ValueError:
                    return
                yield value

    def write_lines(self, name: str, rows: Iterable[object]) -> None:
        """Replace a file by one with each row as a line of JSON."""
        text = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
        write_file(self.path / name, text)

    def append_line(self, name: str, row: object) -> None:
        """Append a row to a file as a line of JSON; the file is made if it is missing."""
        line = json.dumps(row, allow_nan=False) + "\n"
        with open(self.path / name, "a", encoding="utf-8") as file:
            file.write(line)

    def state(self) -> State:
        """Read ``state.json``; a folder without it, such as a fork's, is ``"unfinished"``."""
        return State(**self.read_json(STATE)) if self.has(STATE) else State("unfinished")

    def write_state(self, status: str, error: str | None = None) -> None:
        """Write ``state.json``."""
        self.write_json(STATE, State(status, error)._asdict())

    def refuse_foreign_files(self) -> None:
        """Raise FileExistsError if anything here is not of a run before its first checkpoint."""
        # This removes unfinished files, which have other names.
        self.lock()
        self.unlock()
        own = {*BEFORE_CHECKPOINT, *self.made_by_method()}
        for path in sorted(self.path.iterdir()):
            if path.name not in own:
                problem = f"{self.path} holds {path.name}, which would be lost"
                raise FileExistsError(f"{problem}; give another name or folder")
            if path.is_dir():
                refuse_foreign_files(path)

    def made_by_method(self) -> list[str]:
        """List the folders of encoders that the method made before the first step.

        An example is ``complementary``, the frozen encoder of DCLR. Method classes choose these
        names, so they are all subfolders but ``start``, ``encoder``, and such as ``best-000040``.
        """
        return [
            path.name
            for path in sorted(self.path.glob("[!.]*/"))
            if path.name not in (START, END) and not FOR_ONE_STEP.fullmatch(path.name)
        ]

    def copy_parts(self, target: RunFolder, names: Container[str] | None = None) -> None:
        """Copy the files and folders in ``names`` to ``target``; None: all.

        The lock and temporary files, whose names begin with a dot, are never copied.
        """
        # run.json is copied last: a folder that has it holds a complete run.
        paths = sorted(self.path.iterdir(), key=lambda path: path.name == RUN)
        for path in paths:
            is_wanted = names is None or path.name in names
            if not is_wanted or path.name == LOCK or path.name.startswith("."):
                continue
            if path.is_dir():
                shutil.copytree(path, target.path / path.name)
            else:
                shutil.copyfile(path, target.path / path.name)

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

    def best_encoder(self, step: int) -> Path | None:
        """Return the folder of the best encoder, saved at ``step``; None if it is missing."""
        folder = self.path / at_step(BEST, step)
        return folder if folder.is_dir() else None

    def latest_encoder(self) -> Path | None:
        """Return the folder of the last step's encoder; None if there is no encoder.

        A run that has not ended has only the best encoder so far.
        """
        end = self.path / END
        if end.is_dir():
            return end
        best = self.checkpoints.meta().best if self.checkpoints.any() else {}
        return self.best_encoder(best["step"]) if best else None

    def copy_to(self, target: Path, status: str) -> None:
        """Copy the run to an empty or missing folder ``target``.

        The copy has ``status`` as its status, since nothing trains it.
        """
        # The first two arguments would make a name, which a given folder does not need.
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
        folder.refuse_foreign_files()
        shutil.rmtree(path)
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        remedy = "give another name or folder"
        if folder.checkpoints.any():
            remedy += f", or continue that run with clwork.resume({str(path)!r})"
        raise FileExistsError(f"{path} is not empty; {remedy}")
    return path
