"""What the desk keeps of each run, and the reader that gets it from the disk in a thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar
from weakref import WeakSet, WeakValueDictionary

from ...events import worded
from ...training import Stored
from ...training.stored.listing import RunListing
from ...training.stored.stored import AT_WORK
from ...views import RunColumns
from ...wording import explain
from ..page.drawing_thread import DrawingThread

FULL_LOOK_EVERY = 10  # looks at the runs at work between looks at the whole folder


@dataclass(frozen=True)
class Facts:
    """A run as the desk shows it; what takes time is computed once.

    Attributes:
        run: the run.
        tracks: its columns.
        rows: how many rows of its record are in ``tracks``.
        bytes: its size on disk.
        version: grows with every change of any run of the desk.
    """

    run: Stored
    tracks: RunColumns
    rows: int
    bytes: int
    version: int

    @staticmethod
    def of(run: Stored, version: int, former: Facts | None = None) -> Facts:
        """Facts on ``run``; of ``former``, of the same run in this kernel, the columns are extended."""
        same = former is not None and former.run.recipe is run.recipe and former.rows <= len(run.rows)
        tracks, known = (copy(former.tracks), former.rows) if same and former is not None else (RunColumns(), 0)
        tracks.extend(run.rows[known:])
        run.settings()  # which keeps them: a page that asks is not to wait for it
        return Facts(run, tracks, len(run.rows), run.files.size(), version)

    @property
    def id(self) -> str:
        """The name of its folder, which no other run of the desk has."""
        return self.run.folder.name

    @property
    def called(self) -> str:
        """Its name, followed by its folder's name if that differs, as for copies."""
        return self.run.name if self.id == self.run.name else f"{self.run.name} in {self.id}"

    @property
    def at_work(self) -> bool:
        """Whether it is being trained, here or elsewhere."""
        return self.run.status in AT_WORK

    @property
    def fork(self) -> str:
        """Where a fork left its parent, and what was changed there; empty for others."""
        parent = self.run.parent
        return "" if parent is None else worded({"forked": parent.model_dump()}).removeprefix("forked ")

    @cached_property
    def words(self) -> str:
        """What the filter looks through: name, method, state and settings (``name=value``), in lower case."""
        facts = [self.called, self.run.method, self.run.status, f"seed={self.run.recipe.seed}", self.fork]
        facts += [f"{name}={value}" for name, value in self.run.settings().items()]
        return "\n".join(map(str, facts)).lower()


class FolderReader:
    """Reads a folder's runs in a thread, and reads on while one of them is at work.

    Attributes:
        facts: of all runs, oldest first; replaced whole, never changed.
        trouble: a sentence on each folder that cannot be read.
        version: grows whenever a run has come, gone or changed.
        progress: how many folders the present look has seen, and of how many.
        error: why the last look failed, as a sentence; empty where it did not.
    """

    _shared: ClassVar[WeakValueDictionary[Path, FolderReader]] = WeakValueDictionary()

    def __init__(self, folder: Path) -> None:
        self.listing, self.error = RunListing(folder), ""
        self._users = WeakSet[object]()
        self.facts: tuple[Facts, ...] = ()
        self.trouble: list[str] = []
        self.version, self.progress = 0, (0, 0)
        self._one_at_a_time = threading.RLock()
        self._read_once = threading.Event()
        self._thread: DrawingThread | None = None
        self._looks = 0

    @classmethod
    def of(cls, folder: Path, user: object) -> FolderReader:
        """The reader of ``folder`` that all its desks share: a second one has nothing to read."""
        place = folder.resolve()
        reader = cls._shared.get(place)
        if reader is None:
            reader = cls._shared[place] = cls(folder)
        reader._users.add(user)
        return reader

    def leave(self, user: object) -> None:
        """Follow no more, once the last user has left."""
        self._users.discard(user)
        if not self._users and self._thread is not None:
            self._thread.end()

    @property
    def ready(self) -> bool:
        """Whether the folder was read once."""
        return self._read_once.is_set()

    @property
    def at_work(self) -> int:
        """How many runs are at work."""
        return sum(item.at_work for item in self.facts)

    @property
    def going(self) -> bool:
        """Whether the thread reads or follows runs at work."""
        return self._thread is not None and self._thread.going

    def start(self) -> None:
        """Read the folder in a thread, which then follows the runs at work."""
        with self._one_at_a_time:
            if not self.going:
                self._thread = DrawingThread(self._follow, self._failed, begin=self._begin)
                self._thread.start()

    def read(self) -> None:
        """Read the folder now, in this thread; runs at work are followed from then on."""
        self._look()
        if self.at_work and not self.going:
            self.start()

    def wait_until_read(self, timeout: float | None = None) -> None:
        """Block until the folder was read once."""
        self._read_once.wait(timeout)

    def wait(self, timeout: float) -> None:
        """Block until no run is at work any more, or for ``timeout`` seconds."""
        if self._thread is not None:
            self._thread.wait(timeout)

    def _begin(self) -> bool:
        try:
            self._look()
        finally:
            self._read_once.set()  # after an error, too, so that waiting ends
        return self.at_work > 0

    def _follow(self) -> bool:
        self._looks += 1
        self._look(all_runs=self._looks % FULL_LOOK_EVERY == 0)
        return self.at_work > 0

    def _look(self, all_runs: bool = True) -> None:
        with self._one_at_a_time:
            found, trouble = self.listing.look(self._progressed) if all_runs else self.listing.look_at_work()
            former = {item.run.folder: item for item in self.facts}
            facts = tuple(self._facts_on(run, former) for run in found)
            if [item.id for item in facts] != [item.id for item in self.facts] or trouble != self.trouble:
                self.version += 1
            self.facts, self.trouble, self.error = facts, trouble, ""
            self._read_once.set()

    def _facts_on(self, run: Stored, former: Mapping[Path, Facts]) -> Facts:
        before = former.get(run.folder)
        if before is not None and (before.run is run or _same(before, run)):
            return before
        self.version += 1
        return Facts.of(run, self.version, before)

    def _failed(self, error: Exception) -> None:
        self.error = f"Reading failed: {explain(error)}"

    def _progressed(self, done: int, total: int) -> None:
        self.progress = (done, total)


def _same(before: Facts, run: Stored) -> bool:
    """Whether a run of this kernel has done nothing since."""
    then = before.run
    return then.recipe is run.recipe and before.rows == len(run.rows) and then.status == run.status
