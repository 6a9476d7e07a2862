"""How runs end when their interpreter does: with a checkpoint."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Sequence

from .training_thread import TrainingThread

PATIENCE = 60.0  # seconds that the end of the interpreter waits for a step and its checkpoint


def stop_all(trainings: Sequence[TrainingThread]) -> None:
    """Stop what is alive, and wait for its checkpoint."""
    alive = [training for training in trainings if training.alive]
    for training in alive:
        training.stop()
    for training in alive:
        with contextlib.suppress(Exception):
            training.wait(PATIENCE)


def install_sigterm_handler(stop: Callable[[], None]) -> None:
    """Let SIGTERM call ``stop`` first, unless another handler is installed."""
    if threading.current_thread() is not threading.main_thread():
        return  # signals belong to the main thread

    def terminated(number: int, _: object) -> None:
        def end() -> None:  # in a thread: the interrupted main thread may hold a lock that a run needs to end
            stop()
            os.kill(os.getpid(), number)

        signal.signal(number, signal.SIG_DFL)
        threading.Thread(target=end, name="clwork ends", daemon=False).start()  # else a main that ends first says 0

    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminated)
