"""The runs of this kernel, and how they end when their interpreter does: with a checkpoint."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

PATIENCE = 60.0  # seconds that the end of the interpreter waits for a step and its checkpoint


class StoppableRun(Protocol):
    """What is asked of a run here: :class:`.Run` answers it, whose module this one cannot import."""

    @property
    def alive(self) -> bool:
        """Whether it is at work."""

    def stop(self) -> None:
        """End it after the step in progress."""

    def wait(self, timeout: float | None = None) -> Any:
        """Block until it has ended."""


R = TypeVar("R", bound=StoppableRun)
RUNS: list[Any] = []  # of this kernel, in the order they were started


def register(run: R) -> R:
    """Count a run among those of this kernel, which end with it."""
    RUNS.append(run)
    install_sigterm_handler(RUNS)
    return run


def stop_all(runs: Sequence[StoppableRun]) -> None:
    """Stop what is going on, and wait for its checkpoint."""
    going = [run for run in runs if run.alive]
    for run in going:
        run.stop()
    for run in going:
        with contextlib.suppress(Exception):
            run.wait(PATIENCE)


def install_sigterm_handler(runs: Sequence[StoppableRun]) -> None:
    """Let SIGTERM write checkpoints first, unless another handler is installed."""
    if threading.current_thread() is not threading.main_thread():
        return  # signals belong to the main thread

    def terminated(number: int, _: object) -> None:
        def end() -> None:  # in a thread: the interrupted main thread may hold a lock that a run needs to end
            stop_all(runs)
            os.kill(os.getpid(), number)

        signal.signal(number, signal.SIG_DFL)
        threading.Thread(target=end, name="clwork ends", daemon=True).start()

    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminated)


atexit.register(stop_all, RUNS)
