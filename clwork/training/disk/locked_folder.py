"""The plain files of one folder, with one writer at a time.

Files are whole when they are written, bounded when they are read, and never links. The lock is the operating system's;
it is checked again before each change.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ... import _validation
from ...disk import disk_errors, is_plain_file, is_plain_folder, write_whole
from ...encoders.disk.files import read_json
from .run_files import LOCK, RECIPE

SMALL, LARGE = 1 << 20, 1 << 31  # bytes that are read at most, of a .json and of any other file of text
LONGEST_LINE = 1 << 24  # bytes of a line
GONE = " any more: it was deleted or renamed; lab.desk() shows the runs that there are"
PATIENCE = 0.2  # seconds: asking whether a folder is busy holds its lock for a moment


class CutShortError(ValueError):
    """The last line of a file lacks its end: it is being written, or a crash cut it short."""


class PlainFiles:
    """Reads and writes files by name in ``path``, which is absolute and resolved when the object is made."""

    def __init__(self, path: str | Path) -> None:
        self.path = _validation.path("folder", path).resolve()

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Context of every change of the folder; ``needs`` are its bytes, where known.

        Raises:
            DiskError: the disk refuses.
        """
        with disk_errors(self.path, needs):
            yield

    def has(self, name: str) -> bool:
        """Whether the folder has this plain file."""
        return is_plain_file(self.path / name)

    def has_folder(self, name: str) -> bool:
        """Whether the folder has this plain folder inside."""
        return is_plain_folder(self.path / name)

    def plain(self, name: str, most: int | None = None) -> Path:
        """Return the path of a file after checking that it is a plain one of at most ``most`` bytes.

        Raises:
            FileNotFoundError: nothing is there, or it is a link, a device or a folder.
            ValueError: it is larger than any of its kind.
        """
        path = self.path / name
        if not is_plain_file(path):
            other = " that is a file of its own: links and devices are not followed" if path.is_symlink() else ""
            raise FileNotFoundError(f"{self.path} has no {name}{other}")
        size = path.stat().st_size
        most = most or (SMALL if name.endswith(".json") else LARGE)
        if size > most:
            raise ValueError(f"{path} has {size:,} bytes; a {name} of clwork has at most {most:,}")
        return path

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a file's JSON object.

        Raises:
            FileNotFoundError: there is no such plain file.
            ValueError: it is too large or too deep, or no JSON object.
        """
        return read_json(self.plain(name), SMALL)

    def write_json(self, name: str, content: object) -> None:
        """Replace a file."""
        with self.writing():
            write_whole(self.path / name, json.dumps(content, indent=1, allow_nan=False) + "\n")

    def write_lines(self, name: str, rows: Iterable[object]) -> None:
        """Replace a file by a line of JSON for each row."""

        def write(draft: Path) -> None:
            with open(draft, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(row, allow_nan=False) + "\n" for row in rows)

        with self.writing():
            write_whole(self.path / name, write)

    def append_line(self, name: str, row: object) -> None:
        """Append a line to a file, which is created if missing."""
        if (self.path / name).is_symlink():
            raise OSError(f"{self.path / name} is a link; nothing is written through it")
        line = json.dumps(row, allow_nan=False) + "\n"
        with self.writing(len(line)), open(self.path / name, "a", encoding="utf-8") as out:
            out.write(line)

    def settle(self, name: str) -> None:
        """Sync a file to the disk, if it is there."""
        if self.has(name):
            with self.writing(), open(self.path / name, "rb+") as written:
                os.fsync(written.fileno())

    def lines(self, name: str, most: int | None = None) -> Iterator[Any]:
        """Parse the lines of a file of at most ``most`` bytes; raises as :meth:`read_json`."""
        for line in self.lines_or_errors(name, most):
            if isinstance(line, ValueError):
                raise line
            yield line

    def count_lines(self, name: str) -> int:
        """Count the lines of a file, an unfinished last one included."""
        count, last = 0, b"\n"
        with open(self.plain(name), "rb") as file:
            while block := file.read(1 << 20):
                count, last = count + block.count(b"\n"), block[-1:]
        return count + (last != b"\n")

    def lines_or_errors(
        self, name: str, most: int | None = None, wanted: Callable[[int, bytes], bool] | None = None
    ) -> Iterator[Any]:
        """As :meth:`lines`, but yield the ValueError of a damaged line and continue.

        A line of more than LONGEST_LINE bytes is the last. ``wanted`` selects lines by number and unparsed bytes.
        """
        path = self.plain(name, most)
        with open(path, "rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE + 1), b""), start=1):
                if len(line) > LONGEST_LINE:
                    yield ValueError(f"{path}, line {number} has more than {LONGEST_LINE:,} bytes: it is damaged")
                    return
                if wanted is not None and not wanted(number, line):
                    continue
                try:
                    parsed = json.loads(line.decode("utf-8"))
                except (ValueError, RecursionError) as error:
                    kind = ValueError if line.endswith(b"\n") else CutShortError
                    parsed = kind(f"{path}, line {number} is damaged: {str(error)[:200]}")
                yield parsed


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


class LockedFolder(PlainFiles):
    """The folder of one run: what is written under the lock goes to the folder that was locked, or nowhere."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._lock = FileLock(self.path / LOCK, thread_local=False)
        self._held: tuple[int, int] | None = None  # the lock's file, while it is held

    def lock(self) -> None:
        """Become the only writer, among all processes, until :meth:`unlock` or the end of this process.

        Raises:
            BusyRunError: another one is; the message names it.
            FileNotFoundError: the folder is not there, or was deleted or renamed while it was being locked.
            DiskError: the disk refuses.
        """
        if os.path.lexists(self.path / LOCK) and not is_plain_file(self.path / LOCK):
            raise OSError(f"{self.path / LOCK} is no plain file; this is not a run of clwork's own: nothing is written")
        was_run = self.has(RECIPE)
        if not self.path.is_dir():
            raise FileNotFoundError(f"{self.path} is not there{GONE}")
        try:
            with disk_errors(self.path):
                self._lock.acquire(PATIENCE, 0.02)
        except Timeout:
            raise BusyRunError(f"{self.path} is being trained by {self.writer()}; stop it there first") from None
        except FileNotFoundError:  # it went between two steps of filelock
            raise FileNotFoundError(f"{self.path} is not there{GONE}") from None
        except NotImplementedError as error:  # older versions of filelock, where a system has no locks
            with disk_errors(self.path):
                raise OSError(errno.ENOLCK, str(error)) from error
        self._held = _identity(self.path / LOCK)
        if self._held is None or (was_run and not self.has(RECIPE)):
            self._leave_nothing()
            raise FileNotFoundError(f"{self.path} is not there{GONE}")

    def _leave_nothing(self) -> None:
        """Release a lock that ``filelock`` created, with a folder, in the place of one that is gone."""
        with suppress(OSError):
            (self.path / LOCK).unlink()
            self.path.rmdir()
        self.unlock()

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Context of every change of the folder; ``needs`` are its bytes, where known.

        Raises:
            FileNotFoundError: the folder that was locked is gone, or another is in its place.
            DiskError: the disk refuses.
        """
        self._check_held()
        try:
            with super().writing(needs):
                yield
        except FileNotFoundError:
            self._check_held()
            raise

    def _check_held(self) -> None:
        """Check that the lock, where it is held, is that of the folder which is there now."""
        held = self._held
        if held is None or _identity(self.path / LOCK) == held:
            return
        if self._held == held:  # else another thread has unlocked it meanwhile, having finished
            raise FileNotFoundError(
                f"{self.path} is no longer the folder that the run was writing to: that one was deleted or renamed, or "
                f"its {LOCK} removed, and nothing more is written there. Where it was renamed, clwork.resume('ITS NEW "
                "PLACE') goes on from its last checkpoint; here run.encoder.save('A FOLDER') keeps the run's weights"
            )

    def unlock(self) -> None:
        """Admit the next writer."""
        self._held = None
        self._lock.release()

    def busy(self) -> bool:
        """Whether a process, this one included, is writing; False where the folder cannot be written at all."""
        if not is_plain_file(self.path / LOCK):
            return False
        asking = FileLock(self.path / LOCK, thread_local=False)
        try:
            asking.acquire(0)
        except Timeout:
            return True
        except OSError:
            return False
        asking.release()
        return False

    def writer(self) -> str:
        """The present writer, in words."""
        return "another run"

    def check_there(self) -> None:
        """Check that the folder holds a run, and the locked one if it was locked.

        Raises:
            FileNotFoundError: it does not.
        """
        self._check_held()
        if not self.has(RECIPE):
            raise FileNotFoundError(f"{self.path} holds no run{GONE}")

    def move(self, target: Path) -> None:
        """Rename the folder on the same disk; its lock goes along.

        Raises:
            DiskError: the disk refuses.
        """
        with self.writing():
            if os.name == "nt":
                self.unlock()  # there a folder with an open file cannot be renamed
            os.rename(self.path, target)
        self.path = target


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode, which differ between a file and a later one of the same name; None without a file."""
    try:
        stat = path.lstat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
