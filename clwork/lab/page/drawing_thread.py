"""A thread that draws again and again: four times a second at most, less often where that is costly, within limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import torch
from threadpoolctl import threadpool_limits

TRIES = 5  # failing drawings in a row, then it gives up
PERIOD = 0.25  # seconds between drawings, at least
# The share of the time that may go into drawing: on a slow machine pictures come less often, training does not suffer.
# With what looks take (training/loop/probe.py), being watched costs a run 5 %.
SHARE = 0.01
LONGEST = 0.5  # seconds between drawings, at most: beside a busy core a picture is no older than a second
HURRY = 2.0  # seconds after a touch in which its answer is not made to wait for that


class DrawingThread(threading.Thread):
    """Calls ``draw`` until it returns False; a drawing that fails is reported and tried again a few times."""

    def __init__(
        self, draw: Callable[[], bool], report: Callable[[Exception], None], begin: Callable[[], bool] = lambda: True
    ) -> None:
        """Make ready; ``start()`` begins.

        ``begin`` is called once, before the first drawing: what prepares the drawings is no drawing, and rations none,
        however long it takes. Where it returns False, nothing is drawn.
        """
        super().__init__(name="clwork drawing", daemon=True)
        self._draw, self._report, self._begin = draw, report, begin
        self._over, self._gone, self._woken = threading.Event(), threading.Event(), threading.Event()
        self._soon = 0.0  # until then drawings follow one another
        self.drawings = 0
        self.busy = 0.0

    def run(self) -> None:
        """Begin, draw, rest, draw, and so on."""
        try:
            if self._begin():
                torch.get_num_threads()  # torch sets this thread's number the first time that it is asked
                with threadpool_limits(limits=1, user_api="openmp"):  # of this thread: a second team slows the run's
                    self._go_on()
        except Exception as error:
            self._report(error)
        finally:
            self._gone.set()

    @property
    def going(self) -> bool:
        """Whether it was started and has not ended: its own word, for an interrupted ``join`` makes a thread lie."""
        return self.ident is not None and not self._gone.is_set()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the last drawing is done, or ``timeout`` seconds have passed."""
        self._gone.wait(timeout)

    def _go_on(self) -> None:
        failures = 0
        while not self._over.is_set() and failures < TRIES:
            before = time.thread_time()
            try:
                if not self._draw():
                    return
                failures = 0
            except Exception as error:
                failures += 1
                self._report(error)
            finally:
                cost = time.thread_time() - before
                self.drawings, self.busy = self.drawings + 1, self.busy + cost
            self.rest(PERIOD if self.hurried else min(max(PERIOD, cost / SHARE), LONGEST))

    def rest(self, seconds: float) -> None:
        """Let so much time pass between two drawings, less where it is asked to hurry or to end."""
        self._woken.wait(seconds)
        self._woken.clear()

    @property
    def hurried(self) -> bool:
        """Whether the reader has just touched something."""
        return time.monotonic() < self._soon

    def hurry(self) -> None:
        """The reader has touched something: draw now, and often for a moment, until the answer is there."""
        self._soon = time.monotonic() + HURRY
        self.wake()

    def wake(self) -> None:
        """Draw now: there is something that must not wait."""
        self._woken.set()

    def end(self) -> None:
        """Ask it to stop; returns at once."""
        self._over.set()
        self.wake()
