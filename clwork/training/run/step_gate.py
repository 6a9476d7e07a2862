"""What stands before each step of a run: open, shut, or open for single steps."""

from __future__ import annotations

import threading


class FairLock:
    """A lock for a thread that takes it again at once, and others who want it now and then: they get the next turn.

    A bare lock goes back to the thread that has just let it go: waking another takes longer than asking again.
    So a waiting thread holds a second lock, the door, at which the previous owner has to wait.
    """

    def __init__(self) -> None:
        self._door, self._held = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._door:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class StepGate:
    """One thread goes through it, step by step; any others open it, shut it, or ask for one step and wait for that."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open, self._over, self._single, self._for_good = True, False, False, False
        self._asked = self._let = self._done = 0  # single steps: asked for, let through, and done

    @property
    def is_open(self) -> bool:
        """Whether steps may follow each other."""
        return self._open

    def open(self, for_good: bool = False) -> None:
        """Let all steps through; single ones that were asked for are among them."""
        with self._changed:
            self._for_good = self._for_good or for_good
            self._open, self._let, self._done = True, self._asked, self._asked
            self._changed.notify_all()

    def shut(self) -> None:
        """Let no step through but single ones; not where it was opened for good."""
        with self._changed:
            self._open = self._for_good

    def ask(self) -> int | None:
        """Ask for a single step; returns its number for :meth:`wait_for`, or None where the gate is open anyway."""
        with self._changed:
            if self._open or self._over:
                return None
            self._asked += 1
            self._changed.notify_all()
            return self._asked

    def wait_for(self, number: int) -> None:
        """Block until that single step is done, or there will be no more steps."""
        with self._changed:
            self._changed.wait_for(lambda: self._done >= number or self._over)

    def pass_through(self) -> None:
        """Block until a step may be done: for the thread that does them."""
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._let < self._asked)
            self._single = not self._open
            self._let += self._single

    def passed(self) -> None:
        """Signal the end of the step that :meth:`pass_through` admitted."""
        with self._changed:
            if self._single:
                self._single, self._done = False, min(self._done + 1, self._asked)
                self._changed.notify_all()

    def close(self) -> None:
        """Signal that there will be no more steps."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
