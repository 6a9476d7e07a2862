"""What can be asked of a run while it trains, from any thread."""

from __future__ import annotations

import threading
import time
from typing import Self

from ... import checks
from ...edges import checked
from ..disk.record import Listener
from .run_view import FINISHED, RunView
from .step_gate import StepGate


class Steering(RunView):
    """The part of :class:`.Run` that is talked to."""

    _gate: StepGate
    _stop: threading.Event
    _last: int
    _listener: Listener | None
    _failure: BaseException | None

    def pause(self) -> None:
        """Hold after the step in progress; a checkpoint is written."""
        self._gate.shut()

    def resume(self) -> None:
        """Go on after :meth:`pause`; a run that has ended is taken up from its folder, by :func:`clwork.resume`.

        Raises:
            RuntimeError: it was stopped or has failed.
        """
        if not self.alive and self.status != FINISHED:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused: clwork.resume({str(self.folder)!r}) takes it up from its "
                "last checkpoint"
            )
        self._gate.open()

    @checked()
    def step_once(self, wait: bool = True) -> Self:
        """Do exactly one step and hold again: of a run that is paused, or was paused before it began.

        Returns the run once the step's row is written, or at once where ``wait`` is False.

        Raises:
            RuntimeError: the run is not paused, or has ended.
            Exception: the step made the run fail.
        """
        number = self._gate.ask()
        if number is None and self.alive:
            raise RuntimeError(
                f"{self.name} is {self.status}, and goes on by itself: call run.pause() first, then run.step_once() as "
                "often as you like"
            )
        if number is None:
            raise RuntimeError(
                f"{self.name} is {self.status} at step {self.step}: there is no next step. A stopped run goes on by "
                f"clwork.resume({str(self.folder)!r}, background=True); run.fork(steps=…) makes a longer one of any"
            )
        if wait:
            self._gate.wait_for(number)
            if self._failure is not None:
                raise self._failure
        return self

    def stop(self, after: int | None = None) -> None:
        """End after the step in progress; a checkpoint is written, and :func:`clwork.resume` can take it up again.

        With ``after`` it ends once so many steps are done, or after the one in progress where they are done already.

        Raises:
            TypeError: ``after`` is no whole number.
            ValueError: it is below 0.
        """
        if after is not None:
            self._last = after = checks.whole("after", after, 0)
        if after is None or self.step >= after:
            self._stop.set()
            self._gate.open(for_good=True)

    @checked()
    def wait(self, timeout: float | None = None) -> Self:
        """Block until the run has ended and its listener was told all rows, or for ``timeout`` seconds; return the run.

        Raises:
            Exception: whatever made the run fail, or else what its listener raised.
        """
        began = time.monotonic()
        self._ended.wait(timeout)
        if self._listener is not None:
            self._listener.wait(None if timeout is None else max(0.0, timeout - (time.monotonic() - began)))
        failure = self._failure or (self._listener.error if self._listener is not None and not self.alive else None)
        if failure is not None:
            raise failure
        return self
