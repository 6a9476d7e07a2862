"""How runs end when their interpreter does: with a checkpoint."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Sequence

from .run import Run

PATIENCE = 60.0  # seconds that the end of the interpreter waits for a step and its checkpoint


def stop_all(runs: Sequence[Run]) -> None:
    """Stop what is going on, and wait for its checkpoint."""
    going = [run for run in runs if run.alive]
    for run in going:
        run.stop()
    for run in going:
        with contextlib.suppress(Exception):
            run.wait(PATIENCE)


def mind_termination(runs: Sequence[Run]) -> None:
    """Let SIGTERM write checkpoints first, where nobody else has said what it should do."""
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
