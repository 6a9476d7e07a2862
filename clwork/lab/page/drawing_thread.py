"""A thread that redraws at most four times a second, and less often where drawing is costly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import torch
from threadpoolctl import threadpool_limits

TRIES = 5  # failing drawings in a row before the thread ends
PERIOD = 0.25  # seconds between drawings, at least
# The share of the time that may go into drawing: on a slow machine pictures come less often, training does not suffer.
# With what looks take (training/probe.py), being watched costs a run 5 %.
SHARE = 0.01
LONGEST = 0.5  # seconds between drawings, at most: beside a busy core a picture is no older than a second
PROMPT = 2.0  # seconds after a touch in which drawings are not rationed


class DrawingThread(threading.Thread):
    """Calls ``draw`` until it returns False; reports errors and tries again a few times."""

    def __init__(
        self, draw: Callable[[], bool], report: Callable[[Exception], None], begin: Callable[[], bool] = lambda: True
    ) -> None:
        """Prepare; ``start()`` begins.

        ``begin`` is called once before the first drawing, and its time does not ration drawings. If it returns False,
        nothing is drawn.
        """
        super().__init__(name="clwork drawing", daemon=True)
        self._draw, self._report, self._begin = draw, report, begin
        self._stopping, self._ended, self._woken = threading.Event(), threading.Event(), threading.Event()
        self._prompt_until = 0.0
        self.drawings = 0
        self.busy = 0.0

    def run(self) -> None:
        """Draw until there is nothing more to draw."""
        try:
            if self._begin():
                torch.get_num_threads()  # torch sets this thread's number the first time that it is asked
                with threadpool_limits(limits=1, user_api="openmp"):  # of this thread: a second team slows the run's
                    self._draw_on()
        except Exception as error:
            self._report(error)
        finally:
            self._ended.set()

    @property
    def going(self) -> bool:
        """Whether it was started and has not ended; ``is_alive`` is wrong after an interrupted ``join``."""
        return self.ident is not None and not self._ended.is_set()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the last drawing is done, or ``timeout`` seconds have passed."""
        self._ended.wait(timeout)

    def _draw_on(self) -> None:
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
            finally:
                cost = time.thread_time() - before
                self.drawings, self.busy = self.drawings + 1, self.busy + cost
            self.rest(PERIOD if self.redraw_requested else min(max(PERIOD, cost / SHARE), LONGEST))

    def rest(self, seconds: float) -> None:
        """Sleep between two drawings, until :meth:`wake`."""
        self._woken.wait(seconds)
        self._woken.clear()

    @property
    def redraw_requested(self) -> bool:
        """Whether the user interacted within the last PROMPT seconds."""
        return time.monotonic() < self._prompt_until

    def request_redraw(self) -> None:
        """Draw now, and often for PROMPT seconds, after a user interaction."""
        self._prompt_until = time.monotonic() + PROMPT
        self.wake()

    def wake(self) -> None:
        """Draw now."""
        self._woken.set()

    def end(self) -> None:
        """Stop after the current drawing; does not wait for it."""
        self._stopping.set()
        self.wake()
