"""The lock that all settings of an instrument share, the version that grows with them, and their callbacks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType


class Changes:
    """A reentrant lock; callbacks that are asked for under it run once, after its release.

    So several settings change as one, and a callback may wait for another thread that reads them. All callbacks run,
    also after one that fails; the first error is raised then.

    Attributes:
        version: grows with every change of what a page shows.
    """

    def __init__(self) -> None:
        """Begin with version 1 and the lock open."""
        self.version = 1
        self._lock = threading.RLock()
        self._depth = 0
        self._acts: dict[Callable[[], object], None] = {}  # an ordered set

    def __enter__(self) -> Changes:
        self._lock.acquire()
        self._depth += 1
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._depth -= 1
        acts: list[Callable[[], object]] = []
        if not self._depth:
            acts = list(self._acts)
            self._acts.clear()
        self._lock.release()
        failed: list[Exception] = []
        for act in acts:
            try:
                act()
            except Exception as error:
                failed.append(error)
        if failed:
            raise failed[0]

    def note(self) -> None:
        """Count a change; the caller holds the lock."""
        self.version += 1

    def afterwards(self, act: Callable[[], object]) -> None:
        """Call ``act()`` after the lock is released, once however often it is asked for; the caller holds the lock."""
        self._acts[act] = None
