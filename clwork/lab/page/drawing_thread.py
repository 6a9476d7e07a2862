"""A thread that repeats a function at most four times a second, and less often where it is costly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import torch
from threadpoolctl import threadpool_limits

TRIES = 5  # failures in a row before the thread ends
PERIOD, LONGEST = 0.25, 0.5  # seconds between two calls, at least and at most
SHARE = 0.01  # of the time that the function may take, so that it does not slow down training


class DrawingThread(threading.Thread):
    """Calls ``draw`` until it returns False; reports errors and tries again a few times."""

    def __init__(
        self, draw: Callable[[], bool], report: Callable[[Exception], None], begin: Callable[[], bool] = lambda: True
    ) -> None:
        """``begin`` is called once before the first drawing; if it returns False, nothing is drawn."""
        super().__init__(name="clwork drawing", daemon=True)
        self._draw, self._report, self._begin = draw, report, begin
        self._stopping, self._ended = threading.Event(), threading.Event()

    def run(self) -> None:
        """Draw until there is nothing more to draw."""
        try:
            if self._begin():
                torch.get_num_threads()  # torch sets this thread's number at the first call
                with threadpool_limits(limits=1, user_api="openmp"):  # a second team of threads slows down the run's
                    self._repeat()
        except Exception as error:
            self._report(error)
        finally:
            self._ended.set()

    @property
    def going(self) -> bool:
        """Whether it was started and has not ended; ``is_alive`` is wrong after an interrupted ``join``."""
        return self.ident is not None and not self._ended.is_set()

    def _repeat(self) -> None:
        failures = 0
        while not self._stopping.is_set() and failures < TRIES:
            before = time.thread_time()
            try:
                if not self._draw():
                    return
                failures = 0
            except Exception as error:
                failures += 1
                self._report(error)
            cost = time.thread_time() - before
            self._stopping.wait(min(max(PERIOD, cost / SHARE), LONGEST))

    def end(self) -> None:
        """Stop after the current drawing; does not wait for it."""
        self._stopping.set()
