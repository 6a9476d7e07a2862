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

STARTED: list[TrainingThread] = []  # of this kernel
LAST_STEP_SECONDS = 60.0  # timeout for the last step and its checkpoint
HANDLER_SECONDS = 5.0  # timeout for the main thread to receive a signal
# SIGHUP is the signal of a closed terminal; Windows has none.
ENDING = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def stop_with_program(training: TrainingThread) -> None:
    """Make the end of the program stop this run first, as its thread cannot outlive it."""
    STARTED.append(training)
    # Only the main thread can set signal handlers.
    if threading.current_thread() is threading.main_thread():
        _handle_signals()


def _stop_all() -> None:
    """Stop all runs of this kernel and wait for their checkpoints."""
    alive = [training for training in STARTED if training.alive]
    for training in alive:
        training.stop(PROGRAM_ENDED)
    for training in alive:
        with contextlib.suppress(Exception):
            training.wait(LAST_STEP_SECONDS)


@atexit.register
def _end_with_program() -> None:
    """Stop all runs and print it."""
    alive = [training for training in STARTED if training.alive]
    _stop_all()
    for training in alive:
        name = training.run_config.name
        text = f"{name} at step {training.step}: {training.error or PROGRAM_ENDED}"
        with contextlib.suppress(OSError, ValueError, AttributeError):  # the output may be closed
            print(text, file=sys.stderr)


def _handle_signals() -> None:
    """Make signals that end the process stop the runs first, unless they have a handler."""
    began = threading.Event()
    stopped = threading.Event()

    def end(number: int) -> None:
        _stop_all()
        stopped.set()
        os.kill(os.getpid(), number)
        time.sleep(HANDLER_SECONDS)
        os._exit(128 + number)  # the main thread is in foreign code that lets no handler run

    def terminated(number: int, _: object) -> None:
        if stopped.is_set():
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif not began.is_set():  # launchers such as Slurm send the signal more than once
            began.set()
            # In a thread, since the main thread may hold a lock that a run needs to end. It is no
            # daemon, which could lose the exit status.
            threading.Thread(target=end, args=(number,), name="clwork ends", daemon=False).start()

    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, terminated)
