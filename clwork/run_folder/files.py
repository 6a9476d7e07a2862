"""The files of a run's folder. Three rules hold.

Weights are safetensors and everything else is JSON, so that no code is loaded; a file is replaced in one step; one
process at a time writes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from .. import _validation
from ..disk import DRAFT, disk_errors, write_file
from .schema import State, parse

RUN, STATE, LOCK = "run.json", "state.json", "run.lock"
HISTORY, POSITIONS, SENTENCES = "record.jsonl", "positions.jsonl", "sentences.jsonl"
CHECKPOINT, EARLIER, SAVED = (
    "checkpoint.safetensors",
    "checkpoint.earlier.safetensors",
    "saved-*.safetensors",
)
START, BEST, END = (
    "start",
    "best-*",
    "encoder",
)  # folders of the first, the best and the last encoder
GIVEN = (SENTENCES, START)  # objects that the caller passed; a fork copies them
GROWING = (
    HISTORY,
    POSITIONS,
)  # steps append to these; synced before each checkpoint, and copied by a fork
FOR_ONE_STEP = re.compile(r"(saved|best)-\d+(\.safetensors)?")
PATIENCE = 0.2  # seconds to acquire the lock, which a check for a busy folder holds briefly
GONE = "was deleted or renamed; clwork.runs() lists the runs on disk"
NAME = r"[\w][\w.+-]*"  # valid names of a run's folder
MOST_OF_NAME = 200  # bytes, so that the names of temporary files can contain it


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


class CutShortError(ValueError):
    """The last line of a file is incomplete: it is being written, or a crash cut it short."""


def at_step(name: str, step: int) -> str:
    """Return the file name for one step: the pattern ``name`` with the step in place of ``*``."""
    return name.replace("*", f"{step:06d}")


class RunFiles:
    """The files of one run; ``path`` is absolute and resolved when the object is made."""

    def __init__(self, path: str | Path) -> None:
        self.path = _validation.path("folder", path).resolve()
        self._lock = FileLock(self.path / LOCK, thread_local=False)

    def lock(self) -> None:
        """Acquire the folder's lock and remove what a killed writer left; BusyRunError if the lock is taken."""
        was_run = self.has(RUN)
        if not self.path.is_dir():
            raise FileNotFoundError(f"{self.path} {GONE}")
        try:
            with disk_errors(self.path):
                self._lock.acquire(PATIENCE, 0.02)
        except Timeout:
            raise BusyRunError(
                f"{self.path} is being trained by {self.writer()}; stop it there first"
            ) from None
        if was_run and not self.has(
            RUN
        ):  # deleted meanwhile; acquiring the lock has created the folder again
            self.unlock()
            with suppress(OSError):  # raised if the folder holds other files, which must stay
                (self.path / LOCK).unlink(missing_ok=True)
                self.path.rmdir()
            raise FileNotFoundError(f"{self.path} {GONE}")
        self._clean_up()

    def _clean_up(self) -> None:
        """Remove what a killed writer left unfinished, and restore an encoder that it was replacing."""
        for old in filter(Path.is_dir, self.path.glob(".*.old")):
            place = self.path / old.name[1:].removesuffix(".old")
            if place.exists():
                shutil.rmtree(old)
            else:
                old.rename(place)
        # safetensors writes .tmp files.
        for left in (*self.path.glob(f".*{DRAFT}"), *self.path.glob(f".tmp{'?' * 6}")):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()

    def unlock(self) -> None:
        self._lock.release()

    def busy(self) -> bool:
        """Whether a process, including this one, holds the lock; False if the folder is read-only."""
        if not self.has(LOCK):
            return False
        try:
            with FileLock(self.path / LOCK, timeout=0, thread_local=False):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    def writer(self) -> str:
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
        """Context for every change of the folder; ``needs`` is the number of bytes to write, if known."""
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
        path = self.path / name
        try:
            content: dict[str, Any] = json.loads(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        return content

    def write_json(self, name: str, content: object) -> None:
        with self.writing():
            write_file(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def write_lines(self, name: str, rows: Iterable[object]) -> None:
        with self.writing():
            write_file(
                self.path / name, "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
            )

    def append_line(self, name: str, row: object) -> None:
        path = self.path / name
        line = json.dumps(row, allow_nan=False) + "\n"
        with self.writing(len(line)), open(path, "a", encoding="utf-8") as out:
            out.write(line)

    def sync(self, name: str) -> None:
        if self.has(name):
            with self.writing(), open(self.path / name, "rb+") as written:
                os.fsync(written.fileno())

    def lines(self, name: str) -> Iterator[Any]:
        """Parse the lines of a file; a damaged line raises ValueError."""
        for line in self.lines_or_errors(name):
            if isinstance(line, ValueError):
                raise line
            yield line

    def lines_or_errors(self, name: str) -> Iterator[Any]:
        """Parse the lines of a file; for a damaged line yield its ValueError and continue."""
        path = self.path / name
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield json.loads(line)
                except ValueError as error:
                    kind = ValueError if line.endswith(b"\n") else CutShortError
                    yield kind(f"{path}, line {number} is damaged: {error}")

    def state(self) -> State | None:
        """Read the last status that was written; None if its file is missing or damaged."""
        try:
            return parse(State, self.read_json(STATE), self.path / STATE)
        except (FileNotFoundError, ValueError):
            return None

    def write_state(self, status: str, step: int, error: str | None = None) -> None:
        """Write the run's status, with this process and host."""
        about = {"process": os.getpid(), "host": socket.gethostname()}
        self.write_json(STATE, {"status": status, "step": step, "error": error, **about})

    def files(self) -> Iterator[Path]:
        """Yield the relative path of each regular file, without the lock and unfinished files."""
        for folder, inner, names in os.walk(self.path):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for path in (Path(folder, name) for name in sorted(names)):
                if path.name != LOCK and not path.name.startswith("."):
                    yield path.relative_to(self.path)

    def size(self) -> int:
        """Return the number of bytes on disk; hard links to one file count once."""
        sizes = {
            stat.st_ino: stat.st_size
            for stat in ((self.path / name).lstat() for name in self.files())
        }
        return sum(sizes.values())

    def made_by_method(self) -> list[str]:
        """List the folders of encoders that the method made before the first step."""
        folders = {name.parts[0] for name in self.files() if len(name.parts) > 1}
        return sorted(
            name
            for name in folders
            if name not in (START, END) and not FOR_ONE_STEP.fullmatch(name)
        )

    def copy_parts(self, target: RunFiles, names: Container[str] | None = None) -> None:
        """Copy the regular files and folders in ``names`` to ``target``; default: all."""
        self.check_exists()
        unfinished: dict[Path, Path] = {}
        with target.writing(self.size() if names is None else None):
            for name in self.files():
                if names is None or name.parts[0] in names:
                    copy = target.path / name
                    if (
                        len(name.parts) > 1
                    ):  # a kill leaves a folder that is recognized as unfinished
                        unfinished[target.path / f".{name.parts[0]}.partial"] = (
                            target.path / name.parts[0]
                        )
                        copy = target.path / f".{name.parts[0]}.partial" / Path(*name.parts[1:])
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(self.path / name, copy)
            for partial, complete in unfinished.items():
                partial.rename(complete)
        self.check_exists()  # a folder that is deleted meanwhile can look empty first

    def rename(self, target: Path) -> None:
        """Rename the folder on the same disk; its lock moves with it."""
        with self.writing():
            if os.name == "nt":
                self.unlock()  # Windows cannot rename a folder with an open file
            os.rename(self.path, target)
        self.path = target


def folders(parent: Path) -> list[Path]:
    """List the folders in ``parent`` in order of name, without hidden folders."""
    inside = sorted(parent.iterdir()) if parent.is_dir() else []
    return [path for path in inside if path.is_dir() and not path.name.startswith(".")]


def run_name(argument: str, name: object) -> str:
    """Check that ``name`` is a valid name of a run; return it."""
    if not isinstance(name, str):
        found = f"{argument}={_validation.shown(name)} is {_validation.kind(name)}"
        raise TypeError(f"{found}; give text, or leave {argument} out if it is optional")
    _validation.check_characters(name, argument)
    if len(name.encode()) > MOST_OF_NAME or not re.fullmatch(NAME, name):
        raise ValueError(
            f"{argument}={_validation.shown(name)} cannot name a folder; use at most {MOST_OF_NAME} letters, digits, "
            "'.', '_', '+' and '-', with a letter or digit first"
        )
    return name
