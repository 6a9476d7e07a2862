"""The runs of a folder, read in a thread that continues while one of them trains."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from ...events import worded
from ...training.stored import AT_WORK, RunListing, Stored
from ...views.history import RunColumns
from ...wording import explain
from ..page.drawing_thread import DrawingThread

FULL_READ_EVERY = 10  # reads of the training runs between reads of the whole folder


@dataclass(frozen=True)
class DeskRun:
    """A run, its columns, the number of rows in them, its size in bytes, and a number that grows with every change."""

    run: Stored
    columns: RunColumns
    rows: int
    bytes: int
    version: int

    @staticmethod
    def of(run: Stored, version: int, former: DeskRun | None = None) -> DeskRun:
        """Read ``run``; the columns of ``former``, the same run before, are extended."""
        same = former is not None and former.run.recipe is run.recipe and former.rows <= len(run.rows)
        columns, known = (copy(former.columns), former.rows) if same and former is not None else (RunColumns(), 0)
        columns.extend(run.rows[known:])
        run.settings()  # computed here once, in the thread
        return DeskRun(run, columns, len(run.rows), run.files.size(), version)

    @property
    def id(self) -> str:
        """The name of its folder, which no other run of the desk has."""
        return self.run.folder.name

    @property
    def label(self) -> str:
        """Its name, followed by its folder's name if that differs, as for copies."""
        return self.run.name if self.id == self.run.name else f"{self.run.name} in {self.id}"

    @property
    def active(self) -> bool:
        """Whether it is being trained, in this process or another."""
        return self.run.status in AT_WORK

    @property
    def fork(self) -> str:
        """Where a fork left its parent, and what was changed there; empty for others."""
        parent = self.run.parent
        return "" if parent is None else worded({"forked": parent.model_dump()}).removeprefix("forked ")

    def equals(self, run: Stored) -> bool:
        """Whether ``run``, the same folder read again, has changed nothing since."""
        then = self.run
        same = then.recipe is run.recipe and self.rows == len(run.rows) and then.status == run.status
        return then is run or same


class FolderReader:
    """Reads a folder's runs in a thread."""

    def __init__(self, folder: Path) -> None:
        self.listing, self.error = RunListing(folder), ""
        self.runs: tuple[DeskRun, ...] = ()
        self.unreadable: list[str] = []
        self.version, self.progress = 0, (0, 0)
        self._lock = threading.RLock()
        self._first_read = threading.Event()
        self._thread: DrawingThread | None = None
        self._reads = 0

    @property
    def ready(self) -> bool:
        """Whether the folder was read once."""
        return self._first_read.is_set()

    @property
    def active(self) -> int:
        """The number of runs that are being trained."""
        return sum(item.active for item in self.runs)

    @property
    def running(self) -> bool:
        """Whether the thread reads, or follows training runs."""
        return self._thread is not None and self._thread.going

    def start(self) -> None:
        """Read the folder in a thread, which then follows the training runs."""
        with self._lock:
            if not self.running:
                self._thread = DrawingThread(self._follow, self._failed, begin=self._begin)
                self._thread.start()

    def read(self) -> None:
        """Read the folder in this thread; training runs are followed from then on."""
        self._read()
        if self.active and not self.running:
            self.start()

    def wait_until_read(self, timeout: float | None = None) -> None:
        """Block until the folder was read once."""
        self._first_read.wait(timeout)

    def end(self) -> None:
        """Stop the thread."""
        if self._thread is not None:
            self._thread.end()

    def _begin(self) -> bool:
        try:
            self._read()
        finally:
            self._first_read.set()  # after an error, too, so that waiting ends
        return self.active > 0

    def _follow(self) -> bool:
        self._reads += 1
        self._read(all_runs=self._reads % FULL_READ_EVERY == 0)
        return self.active > 0

    def _read(self, all_runs: bool = True) -> None:
        with self._lock:
            found, unreadable = self.listing.read(self._progressed, only_at_work=not all_runs)
            former = {item.run.folder: item for item in self.runs}
            runs = tuple(self._updated(run, former) for run in found)
            if [item.id for item in runs] != [item.id for item in self.runs] or unreadable != self.unreadable:
                self.version += 1
            self.runs, self.unreadable, self.error = runs, unreadable, ""
            self._first_read.set()

    def _updated(self, run: Stored, former: Mapping[Path, DeskRun]) -> DeskRun:
        before = former.get(run.folder)
        if before is not None and before.equals(run):
            return before
        self.version += 1
        return DeskRun.of(run, self.version, before)

    def _failed(self, error: Exception) -> None:
        self.error = f"Reading failed: {explain(error)}"

    def _progressed(self, done: int, total: int) -> None:
        self.progress = (done, total)
