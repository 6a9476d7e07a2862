"""The gate before each step of a run: open, shut, or open for single steps."""

from __future__ import annotations

import threading
import time


class FairLock:
    """A lock that goes to a waiting thread rather than back to the one that has just released it.

    A bare lock is usually acquired again by the thread that released it, since waking another takes longer. Here a
    waiting thread holds a second lock, the door, at which the previous owner has to wait.
    """

    def __init__(self) -> None:
        self._door, self._held = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._door:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class StepGate:
    """One thread passes it, step by step; others open it, shut it, or request a single step and wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pace, self._began = 0.0, 0.0  # least seconds from step to step, and when the last one was admitted
        self._open, self._over, self._single, self._for_good = True, False, False, False
        self._asked = self._let = self._done = 0  # single steps: requested, admitted, and done

    @property
    def is_open(self) -> bool:
        """Whether steps may follow each other."""
        return self._open

    @property
    def pace(self) -> float:
        """Least seconds from the start of one step to that of the next."""
        return self._pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        with self._changed:
            self._pace = seconds
            self._changed.notify_all()

    def open(self, for_good: bool = False) -> None:
        """Admit all steps, pending single ones among them."""
        with self._changed:
            self._for_good = self._for_good or for_good
            self._open, self._let, self._done = True, self._asked, self._asked
            self._changed.notify_all()

    def shut(self) -> None:
        """Admit single steps only, unless it was opened for good."""
        with self._changed:
            self._open = self._for_good

    def ask(self) -> int | None:
        """Request a single step; return its number for :meth:`wait_for`, or None where the gate is open anyway."""
        with self._changed:
            if self._open or self._over:
                return None
            self._asked += 1
            self._changed.notify_all()
            return self._asked

    def wait_for(self, number: int) -> None:
        """Block until that single step is done, or the gate is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._done >= number or self._over)

    def pass_through(self) -> None:
        """Block the training thread until it may do a step."""
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._let < self._asked)
            self._single = not self._open
            self._let += self._single

    def keep_pace(self) -> None:
        """Block the training thread until the pace admits a step, or the gate is shut, or opened for good."""
        with self._changed:
            while self._open and not self._for_good and (left := self._began + self._pace - time.monotonic()) > 0:
                self._changed.wait(left)
            self._began = time.monotonic()

    def passed(self) -> None:
        """Signal the end of the step that :meth:`pass_through` admitted."""
        with self._changed:
            if self._single:
                self._single, self._done = False, min(self._done + 1, self._asked)
                self._changed.notify_all()

    def close(self) -> None:
        """Signal that no more steps follow."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
