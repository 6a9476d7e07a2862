"""Stop the runs of this kernel, with a checkpoint each, when the program ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
import time

from .thread import PROGRAM_ENDED, TrainingThread

# The training threads of this kernel.
STARTED: list[TrainingThread] = []
# Time for the last step of a run and its checkpoint.
LAST_STEP_SECONDS = 60.0
# Time for the main thread to receive a signal.
HANDLER_SECONDS = 5.0
# Signals that end a process. SIGHUP is that of a closed terminal; Windows has none.
ENDING = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def stop_with_program(training: TrainingThread) -> None:
    """Make the end of the program stop this run first, as its thread cannot outlive it."""
    STARTED.append(training)
    # Only the main thread can set signal handlers.
    if threading.current_thread() is threading.main_thread():
        _handle_signals()


def _stop_all() -> list[TrainingThread]:
    """Stop all runs of this kernel, wait for their checkpoints, and return these runs."""
    alive = [training for training in STARTED if training.alive]
    # All are stopped before the first is awaited, so that they end at the same time.
    for training in alive:
        training.stop(PROGRAM_ENDED)
    for training in alive:
        # A failed run must not keep the others from ending.
        with contextlib.suppress(Exception):
            training.wait(LAST_STEP_SECONDS)
    return alive


@atexit.register
def _end_with_program() -> None:
    """Stop all runs and print it."""
    for training in _stop_all():
        name = training.run_config.name
        text = f"{name} at step {training.step}: {training.error or PROGRAM_ENDED}"
        # The output may be closed already.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            print(text, file=sys.stderr)


def _handle_signals() -> None:
    """Make signals that end the process stop the runs first, unless they have a handler.

    The first signal starts a thread that stops all runs and then sends the signal again. That one
    ends the process as if there were no handler, so its parent sees the expected exit status.
    """
    began = threading.Event()
    stopped = threading.Event()

    def stop_and_end(number: int) -> None:
        _stop_all()
        stopped.set()
        os.kill(os.getpid(), number)
        # If this thread is still here, the main thread is in foreign code that runs no handler.
        time.sleep(HANDLER_SECONDS)
        # The exit status of a process that a signal has ended.
        os._exit(128 + number)

    def handle(number: int, _: object) -> None:
        if stopped.is_set():
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif not began.is_set():
            # Launchers such as Slurm send the signal more than once.
            began.set()
            # In a thread, since the main thread may hold a lock that a run needs to end. It is no
            # daemon, which could lose the exit status.
            threading.Thread(
                target=stop_and_end, args=(number,), name="clwork ends", daemon=False
            ).start()

    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, handle)
