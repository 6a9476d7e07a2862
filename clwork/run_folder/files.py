"""The files of a run's folder. Three rules hold.

Weights are safetensors and everything else is JSON, so that no code is loaded; a file is replaced
in one step; one process at a time writes.
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

RUN, STATE, LOCK = "run.json", "state.json", "run.lock"
HISTORY, POSITIONS, SENTENCES = "record.jsonl", "positions.jsonl", "sentences.jsonl"
CHECKPOINT = "checkpoint.safetensors"
EARLIER = "checkpoint.earlier.safetensors"
SAVED = "saved-*.safetensors"
# Folders of the first, the best and the last encoder.
START, BEST, END = "start", "best-*", "encoder"
# Objects that the caller passed; a fork copies them.
GIVEN = (SENTENCES, START)
# Steps append to these files; they are synced before each checkpoint, and a fork copies them.
GROWING = (HISTORY, POSITIONS)
FOR_ONE_STEP = re.compile(r"(saved|best)-\d+(\.safetensors)?")
# Seconds to acquire the lock, which a check for a busy folder holds briefly.
PATIENCE = 0.2
GONE = "was deleted or renamed; clwork.runs() lists the runs on disk"
NAME = re.compile(r"\w[\w.+-]*")
# Bytes, so that the names of temporary files can contain a run's name.
MOST_OF_NAME = 200


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


@dataclass(frozen=True)
class State:
    """The last written status of a run, and the process that wrote it."""

    status: str
    step: int
    error: str | None
    process: int
    host: str


def at_step(name: str, step: int) -> str:
    """Return the file name for one step: the pattern ``name`` with the step in place of ``*``."""
    return name.replace("*", f"{step:06d}")


class RunFiles:
    """The files of one run; ``path`` is absolute and resolved when the object is made."""

    def __init__(self, path: str | Path) -> None:
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
                self._lock.acquire(PATIENCE, 0.02)
        except Timeout:
            problem = f"{self.path} is being trained by {self._writer()}"
            raise BusyRunError(f"{problem}; stop it there first") from None
        self._clean_up()

    def _clean_up(self) -> None:
        """Remove unfinished files, and restore an encoder that was being replaced."""
        for old in filter(Path.is_dir, self.path.glob(".*.old")):
            replaced = self.path / old.name[1:].removesuffix(".old")
            if replaced.exists():
                shutil.rmtree(old)
            else:
                old.rename(replaced)
        # safetensors writes .tmp files.
        for draft in (*self.path.glob(f".*{DRAFT}"), *self.path.glob(f".tmp{'?' * 6}")):
            if draft.is_dir():
                shutil.rmtree(draft)
            else:
                draft.unlink()

    def unlock(self) -> None:
        self._lock.release()

    def busy(self) -> bool:
        """Whether a process, including this one, holds the lock; False if it cannot be opened."""
        if not self.has(LOCK):
            return False
        try:
            with FileLock(self.path / LOCK, timeout=0, thread_local=False):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    def _writer(self) -> str:
        state = self.state()
        if state is None:
            return "another run"
        if state.process == os.getpid() and state.host == socket.gethostname():
            return "this kernel (clwork.runs() finds the run)"
        return f"process {state.process} on {state.host}"

    def check_exists(self) -> None:
        if not self.has(RUN):
            raise FileNotFoundError(f"{self.path} {GONE}")

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Context for a change of the folder; ``needs`` is the number of bytes, if known."""
        try:
            with disk_errors(self.path, needs):
                yield
        except FileNotFoundError:
            self.check_exists()
            raise

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def has_folder(self, name: str) -> bool:
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
        with self.writing():
            write_file(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def lines(self, name: str) -> Iterator[Any]:
        """Parse the lines of a file; a damaged one is None, and one being written is left out."""
        with open(self.path / name, "rb") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    if line.endswith(b"\n"):
                        yield None

    def write_lines(self, name: str, rows: Iterable[object]) -> None:
        text = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
        with self.writing():
            write_file(self.path / name, text)

    def append_line(self, name: str, row: object) -> None:
        line = json.dumps(row, allow_nan=False) + "\n"
        with self.writing(len(line)), open(self.path / name, "a", encoding="utf-8") as file:
            file.write(line)

    def sync(self, name: str) -> None:
        """Write a file's data from the system's memory to the disk."""
        if self.has(name):
            with self.writing(), open(self.path / name, "rb+") as file:
                os.fsync(file.fileno())

    def state(self) -> State | None:
        """Read the last status that was written; None if its file is missing or damaged."""
        try:
            return State(**self.read_json(STATE))
        except (FileNotFoundError, TypeError, ValueError):
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write the run's status, with this process and host."""
        self.write_json(STATE, vars(State(status, step, error, os.getpid(), socket.gethostname())))

    def made_by_method(self) -> list[str]:
        """List the folders of encoders that the method made before the first step."""
        return [
            path.name
            for path in folders(self.path)
            if path.name not in (START, END) and not FOR_ONE_STEP.fullmatch(path.name)
        ]

    def copy_parts(self, target: RunFiles, names: Container[str] | None = None) -> None:
        """Copy the files and folders in ``names`` to ``target``; default: all.

        ``run.json`` is copied last, so that a killed copy is not listed as a run.
        """
        self.check_exists()
        paths = sorted(self.path.iterdir(), key=lambda path: (path.name == RUN, path.name))
        with target.writing():
            for path in paths:
                if path.name == LOCK or path.name.startswith("."):
                    continue
                if names is not None and path.name not in names:
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
    """Check that ``name`` is a valid name of a run; return it."""
    text = _validation.text(argument, name)
    if len(text.encode()) > MOST_OF_NAME or not NAME.fullmatch(text):
        problem = f"{argument}={_validation.shown(name)} cannot name a folder"
        remedy = "letters, digits, '.', '_', '+' and '-', with a letter or digit first"
        raise ValueError(f"{problem}; use at most {MOST_OF_NAME} {remedy}")
    return text
