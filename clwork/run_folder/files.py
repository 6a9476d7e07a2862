"""The files of a run's folder: their names, how they are read and written, and the lock.

Three rules hold: weights are safetensors and everything else is JSON, so that opening a folder runs
no code; a file is replaced in one step; one process at a time writes.

A finished run that began with an encoder object and a list of sentences has these files::

    run.json                         the run configuration; a folder that has it holds a run
    state.json                       status and step, and the process that trains the run
    run.lock                         locked while a process writes
    sentences.jsonl                  the sentences that the caller passed
    start/                           the encoder that the caller passed
    record.jsonl                     the history: a line for each step
    positions.jsonl                  positions of the probe's sentences: a line for each measurement
    checkpoint.safetensors           the newest checkpoint
    checkpoint.earlier.safetensors   the previous one, until the run has finished
    saved-000050.safetensors         a checkpoint that keep_every retains
    best-000040/                     the best encoder by validation
    encoder/                         the encoder of the last step
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from .. import _validation
from ..disk import DRAFT, disk_errors, write_file

RUN = "run.json"
STATE = "state.json"
LOCK = "run.lock"
HISTORY = "record.jsonl"
POSITIONS = "positions.jsonl"
SENTENCES = "sentences.jsonl"
CHECKPOINT = "checkpoint.safetensors"
EARLIER = "checkpoint.earlier.safetensors"
SAVED = "saved-*.safetensors"
# Folders of the first, the best and the last encoder.
START = "start"
BEST = "best-*"
END = "encoder"
# Copies of objects that the caller passed; a fork copies them again.
GIVEN = (SENTENCES, START)
# Steps append to these files; they are synced before each checkpoint, and a fork copies them.
GROWING = (HISTORY, POSITIONS)
# What at_step makes of SAVED and BEST, such as best-000040.
FOR_ONE_STEP = re.compile(r"(saved|best)-\d+(\.safetensors)?")
# Seconds to wait for the lock, since `busy` of another process holds it for a moment.
LOCK_TIMEOUT = 0.2
LOCK_POLL = 0.02
GONE = "was deleted or renamed; clwork.runs() lists the runs on disk"
VALID_NAME = re.compile(r"\w[\w.+-]*")
# Bytes. File systems allow 255, and the name of a temporary file contains that of the run.
LONGEST_NAME = 200


class BusyRunError(RuntimeError):
    """Another thread or process trains the run in this folder, so nothing else may write to it.

    >>> clwork.resume("clwork-runs/simcse-001")  # doctest: +SKIP
    clwork.training.BusyRunError: … is being trained by process 4711 on …; stop it there first
    """


@dataclass(frozen=True)
class State:
    """The content of ``state.json``: the last status, and the process that wrote it.

    ``process`` is its id on the machine ``host``; ``error`` is the error of a failed run as text.
    """

    status: str
    step: int
    error: str | None
    process: int
    host: str


def at_step(name: str, step: int) -> str:
    """Replace the ``*`` of a pattern such as BEST by a step: ``best-*`` becomes ``best-000040``."""
    return name.replace("*", f"{step:06d}")


class RunFiles:
    """Reads and writes the files of one run's folder, and holds its lock."""

    def __init__(self, path: str | Path) -> None:
        # Absolute, so that the run is found after a change of the working folder.
        self.path = _validation.path("folder", path).resolve()
        self._lock = FileLock(self.path / LOCK, thread_local=False)

    def lock(self) -> None:
        """Acquire the folder's lock and remove what a killed writer left unfinished.

        BusyRunError if another thread or process has the lock.
        """
        if not self.path.is_dir():
            raise FileNotFoundError(f"{self.path} {GONE}")
        try:
            with disk_errors(self.path):
                self._lock.acquire(LOCK_TIMEOUT, LOCK_POLL)
        except Timeout:
            problem = f"{self.path} is being trained by {self._writer()}"
            raise BusyRunError(f"{problem}; stop it there first") from None
        self._clean_up()

    def _clean_up(self) -> None:
        """Remove what a killed process left unfinished."""
        # Saving an encoder renames the old folder encoder/ to .encoder.old, then puts the new one
        # in its place. Without the new one, the old one becomes the encoder again.
        for old in filter(Path.is_dir, self.path.glob(".*.old")):
            encoder = self.path / old.name[1:].removesuffix(".old")
            if encoder.exists():
                shutil.rmtree(old)
            else:
                old.rename(encoder)

        # Temporary files of clwork, and those of safetensors, such as .tmpAb12Cd.
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

    def _writer(self) -> str:
        """Describe who trains the run, for an error message."""
        state = self.state()
        if state is None:
            return "another run"
        if state.process == os.getpid() and state.host == socket.gethostname():
            return "this kernel (clwork.runs() finds the run)"
        return f"process {state.process} on {state.host}"

    def check_exists(self) -> None:
        """Raise FileNotFoundError if the folder holds no run any more."""
        if not self.has(RUN):
            raise FileNotFoundError(f"{self.path} {GONE}")

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Context for a change of the folder, whose errors name cause and remedy.

        ``needs`` is the number of bytes to write, if known.
        """
        try:
            with disk_errors(self.path, needs):
                yield
        except FileNotFoundError:
            # Usually the whole folder was deleted or renamed, which this reports.
            self.check_exists()
            raise

    def has(self, name: str) -> bool:
        """Whether there is a file ``name``."""
        return (self.path / name).is_file()

    def has_folder(self, name: str) -> bool:
        """Whether there is a subfolder ``name``."""
        return (self.path / name).is_dir()

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a JSON object; ValueError if the file is damaged."""
        path = self.path / name
        try:
            content = json.loads(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        if not isinstance(content, dict):
            raise ValueError(f"{path} is damaged: it is not a JSON object")
        return content

    def write_json(self, name: str, content: object) -> None:
        """Replace a file by one with ``content`` as JSON."""
        with self.writing():
            write_file(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def lines(self, name: str) -> Iterator[Any]:
        """Parse a file with a JSON value on each line; a damaged line is None."""
        with open(self.path / name, "rb") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    # Without a line break, it is not damaged: another process is writing it.
                    if line.endswith(b"\n"):
                        yield None

    def write_lines(self, name: str, rows: Iterable[object]) -> None:
        """Replace a file by one with each row as a line of JSON."""
        text = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
        with self.writing():
            write_file(self.path / name, text)

    def append_line(self, name: str, row: object) -> None:
        """Append a row to a file as a line of JSON; the file is made if it is missing."""
        line = json.dumps(row, allow_nan=False) + "\n"
        with self.writing(len(line)), open(self.path / name, "a", encoding="utf-8") as file:
            file.write(line)

    def sync(self, name: str) -> None:
        """Make the system write a file to the disk, so that it survives a power failure."""
        if self.has(name):
            with self.writing(), open(self.path / name, "rb+") as file:
                os.fsync(file.fileno())

    def state(self) -> State | None:
        """Read ``state.json``; None if it is missing or damaged."""
        try:
            return State(**self.read_json(STATE))
        except (FileNotFoundError, ValueError):
            return None
        except TypeError:  # a key is missing or unknown
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write ``state.json``, with this process as the one that trains the run."""
        state = State(status, step, error, process=os.getpid(), host=socket.gethostname())
        self.write_json(STATE, vars(state))

    def made_by_method(self) -> list[str]:
        """List the folders of encoders that the method made before the first step.

        An example is ``complementary``, the frozen encoder of DCLR. Method classes choose these
        names, so they are all subfolders but ``start``, ``encoder``, and such as ``best-000040``.
        """
        names = [path.name for path in folders(self.path)]
        return [
            name for name in names if name not in (START, END) and not FOR_ONE_STEP.fullmatch(name)
        ]

    def copy_parts(self, target: RunFiles, names: Container[str] | None = None) -> None:
        """Copy the files and folders in ``names`` to ``target``; None: all.

        The lock and temporary files, whose names begin with a dot, are never copied.
        """
        self.check_exists()
        # run.json is copied last: a folder that has it holds a complete run.
        paths = sorted(self.path.iterdir(), key=lambda path: path.name == RUN)
        with target.writing():
            for path in paths:
                is_wanted = names is None or path.name in names
                if not is_wanted or path.name == LOCK or path.name.startswith("."):
                    continue
                if path.is_dir():
                    shutil.copytree(path, target.path / path.name)
                else:
                    shutil.copyfile(path, target.path / path.name)

    def rename(self, target: Path) -> None:
        """Rename the folder on the same disk; its lock moves with it."""
        with self.writing():
            if os.name == "nt":
                # Windows cannot rename a folder with an open file.
                self.unlock()
            os.rename(self.path, target)
        self.path = target


def folders(parent: Path) -> list[Path]:
    """List the folders in ``parent`` in order of name, without hidden folders."""
    inside = sorted(parent.iterdir()) if parent.is_dir() else []
    return [path for path in inside if path.is_dir() and not path.name.startswith(".")]


def run_name(argument: str, name: object) -> str:
    """Return ``name``, passed as ``argument``, if it can name a run's folder; else ValueError."""
    text = _validation.text(argument, name)
    if len(text.encode()) > LONGEST_NAME or not VALID_NAME.fullmatch(text):
        problem = f"{argument}={_validation.shown(name)} cannot name a folder"
        remedy = "letters, digits, '.', '_', '+' and '-', with a letter or digit first"
        raise ValueError(f"{problem}; use at most {LONGEST_NAME} {remedy}")
    return text
