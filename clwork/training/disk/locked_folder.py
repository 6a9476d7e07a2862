"""A folder with one writer at a time: a lock of the operating system, asked again before each change."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ...disk import disk_errors, is_plain_file
from .plain_files import PlainFiles
from .run_files import LOCK, RECIPE

GONE = " any more: it was deleted or renamed; lab.desk() shows the runs that there are"
PATIENCE = 0.2  # seconds: asking whether a folder is busy holds its lock for a moment


class BusyRunError(RuntimeError):
    """Another thread or process is writing to the run's folder."""


class LockedFolder(PlainFiles):
    """Of one run; what it writes while it holds the lock goes to the folder that was locked, or nowhere."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._lock = FileLock(self.path / LOCK, thread_local=False)
        self._held: tuple[int, int] | None = None  # the lock's file, while it is held

    def lock(self) -> None:
        """Become the only writer, in this process and among all others, until :meth:`unlock` or the process ends.

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
        """Let go of a lock that ``filelock`` made anew, with a folder, in the place of one that is gone."""
        with suppress(OSError):
            (self.path / LOCK).unlink()
            self.path.rmdir()
        self.unlock()

    @contextmanager
    def writing(self, needs: int | None = None) -> Iterator[None]:
        """Stand around every change of the folder, of so many bytes where that is known.

        Raises:
            FileNotFoundError: the folder that was locked is not there any more, or another is in its place.
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
        """See to it that the lock, where it is held, is that of the folder which is there now."""
        held = self._held
        if held is None or _identity(self.path / LOCK) == held:
            return
        if self._held == held:  # else another thread, at whose end nothing is locked any more, has let go meanwhile
            raise FileNotFoundError(
                f"{self.path} is no longer the folder that the run was writing to: that one was deleted or renamed, or "
                f"its {LOCK} removed, and nothing more is written there. Where it was renamed, clwork.resume('ITS NEW "
                "PLACE') goes on from its last checkpoint; here run.encoder.save('A FOLDER') keeps the run's weights"
            )

    def unlock(self) -> None:
        """Let the next writer in."""
        self._held = None
        self._lock.release()

    def busy(self) -> bool:
        """Whether somebody, this process included, is writing; False where the folder cannot be written at all."""
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
        """Who writes, in words."""
        return "another run"

    def check_there(self) -> None:
        """See to it that the folder holds a run, and the one that was locked where it was.

        Raises:
            FileNotFoundError: it does not.
        """
        self._check_held()
        if not self.has(RECIPE):
            raise FileNotFoundError(f"{self.path} holds no run{GONE}")

    def move(self, target: Path) -> None:
        """Give the folder another name on the same disk; its lock goes along.

        Raises:
            DiskError: the disk refuses.
        """
        with self.writing():
            if os.name == "nt":
                self.unlock()  # there a folder with an open file cannot be renamed
            os.rename(self.path, target)
        self.path = target


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode: they differ between a file and a later one of the same name; None without a file."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
