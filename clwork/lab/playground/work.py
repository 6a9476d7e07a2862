"""A thread that does one piece of work after the other."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable


class Work:
    """Pieces of work by name, done on one thread: one that waits is replaced by a newer one of its name.

    One thread for all, because torch starts a pool of threads for each that computes.

    Attributes:
        idle: set while nothing is to be done.
    """

    def __init__(
        self, failed: Callable[[Exception], None], done: Callable[[str], None], rest: Callable[[], None]
    ) -> None:
        """``failed`` receives what a piece raises, ``done`` its name when it ends; ``rest`` is called once idle."""
        self._failed, self._done, self._rest = failed, done, rest
        self._waiting: dict[str, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._doing = ""
        self.idle = threading.Event()  # not the thread's is_alive, which is wrong after an interrupted join
        self.idle.set()

    def add(self, name: str, work: Callable[[], None]) -> bool:
        """Do it after what is done now; False where work of that name is being done or waits, which it replaces."""
        with self._changed:
            if self._closed:
                return False
            new = not self.pending(name)
            self._waiting[name] = work
            self.idle.clear()
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="clwork playground", daemon=True)
                self._thread.start()
            self._changed.notify()
            return new

    def pending(self, name: str) -> bool:
        """Whether work of that name is being done or waits."""
        return name == self._doing or name in self._waiting

    def run_first(self, name: str) -> None:
        """Do what waits under that name now, in the middle of other work; for use on the thread itself."""
        with self._changed:
            work = self._waiting.pop(name, None)
        if work is not None:
            self._try(work)

    def close(self) -> None:
        """Do nothing more."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()

    def _loop(self) -> None:
        while (piece := self._next()) is not None:
            name, work = piece
            self._try(work)
            self._try(functools.partial(self._done, name))
            with self._changed:
                self._doing = ""
                if not self._waiting:
                    self.idle.set()
            self._rest()

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # of any kind: it may come from a stranger's encoder
            self._failed(error)

    def _next(self) -> tuple[str, Callable[[], None]] | None:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if self._closed:
                self.idle.set()
                return None
            self._doing = next(iter(self._waiting))
            return self._doing, self._waiting.pop(self._doing)
