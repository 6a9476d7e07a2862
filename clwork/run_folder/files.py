"""The files of a run's folder: their names, how they are read and written, and the lock.

Three rules hold: weights are safetensors and everything else is JSON, so that opening a folder runs
no code; a file is replaced in one step; one process at a time writes.

A finished run that began with an encoder object and a list of sentences has these files::

    run.json                         the run configuration; a folder that has it holds a run
    state.json                       the last status
    run.lock                         locked while a process writes
    sentences.jsonl                  the sentences that the caller passed
    start/                           the encoder that the caller passed
    record.jsonl                     the history: a line for each step
    positions.jsonl                  positions of the probe's sentences: a line for each measurement
    checkpoint.safetensors           the newest checkpoint
    saved-000050.safetensors         a checkpoint that keep_every retains
    best-000040/                     the best encoder by validation
    encoder/                         the encoder of the last step
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from .. import _validation
from ..disk import DRAFT, write_file

RUN = "run.json"
STATE = "state.json"
LOCK = "run.lock"
HISTORY = "record.jsonl"
POSITIONS = "positions.jsonl"
SENTENCES = "sentences.jsonl"
CHECKPOINT = "checkpoint.safetensors"
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
# File systems allow 255 bytes, and the name of a temporary file contains that of the run.
VALID_NAME = re.compile(r"\w[\w.+-]{,99}")


class BusyRunError(RuntimeError):
    """Another thread or process trains the run in this folder, so nothing else may write to it.

    >>> clwork.resume("clwork-runs/simcse-001")  # doctest: +SKIP
    clwork.training.BusyRunError: … is being trained by another run or process; stop it first
    """


class State(NamedTuple):
    """The content of ``state.json``: the last status, and the error of a failed run as text."""

    status: str
    error: str | None = None


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

    def sync(self, name: str) -> None:
        """Make the system write a file to the disk, so that it survives a power failure."""
        if self.has(name):
            with open(self.path / name, "rb+") as file:
                os.fsync(file.fileno())

    def state(self) -> State:
        """Read ``state.json``; a folder without it, such as a fork's, is ``"unfinished"``."""
        return State(**self.read_json(STATE)) if self.has(STATE) else State("unfinished")

    def write_state(self, status: str, error: str | None = None) -> None:
        """Write ``state.json``."""
        self.write_json(STATE, State(status, error)._asdict())

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

    def copy_parts(self, target: RunFiles, names: Container[str] | None = None) -> None:
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


def run_name(argument: str, name: object) -> str:
    """Return ``name``, passed as ``argument``, if it can name a run's folder; else ValueError."""
    text = _validation.text(argument, name)
    if not VALID_NAME.fullmatch(text):
        raise ValueError(
            f"{argument}={_validation.shown(name)} cannot name a folder; use at most 100 letters, "
            "digits, '.', '_', '+' and '-', with a letter or digit first"
        )
    return text
