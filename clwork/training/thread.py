"""The thread that trains a run, with its steps, pauses, checkpoints and end."""

from __future__ import annotations

import ctypes
import threading
import time
from contextlib import suppress

from ..events import Event
from ..methods import MethodConfig
from ..run_folder.config import RunConfig
from ..run_folder.files import END
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..wording import explain
from .controls import Controls
from .distributed import joined, split_batch
from .fork import repeat_steps
from .loop import Loop
from .preparation import Progress, RunInputs, prepare

CHECKPOINT_SECONDS = 60.0  # longest time between checkpoints
WAITING = "waiting"
RUNNING = "running"
PAUSED = "paused"
STOPPED = "stopped"
FINISHED = "finished"
FAILED = "failed"
PROGRAM_ENDED = "stopped, because the program ended; call run.wait() at the end of a script"


class StoppedEarlyError(Exception):
    """The run was stopped during the method's preparation; no step was done, nothing failed."""


class FairLock:
    """A lock that a waiting thread acquires before the thread that has just released it."""

    def __init__(self) -> None:
        # The waiting thread holds _next, so the releasing thread cannot acquire _held first.
        self._next = threading.Lock()
        self._held = threading.Lock()

    def __enter__(self) -> None:
        with self._next:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class StepGate:
    """Blocks the training thread before each step.

    Other threads open or shut it, or request single steps.
    """

    def __init__(self) -> None:
        self.is_open = True
        self.stopping = False
        self.pace = 0.0  # minimum seconds from step to step
        self._changed = threading.Condition()
        self._ended = False
        self._requested = 0  # single steps
        self._done = 0  # of these
        self._doing_single = False
        self._step_began = 0.0

    def set_pace(self, seconds: float) -> None:
        with self._changed:
            self.pace = seconds
            self._changed.notify_all()

    def open(self, stopping: bool = False) -> None:
        """Admit all steps, also requested ones; with ``stopping``, it cannot be shut again."""
        with self._changed:
            self.stopping = self.stopping or stopping
            self.is_open = True
            self._done = self._requested
            self._changed.notify_all()

    def shut(self) -> None:
        with self._changed:
            self.is_open = self.stopping

    def request(self) -> int | None:
        """Request a single step; return its number, or None if no step can be requested."""
        with self._changed:
            if self.is_open or self._ended:
                return None
            self._requested += 1
            self._changed.notify_all()
            return self._requested

    def wait_for(self, number: int) -> None:
        """Block until single step ``number`` is done, or the run has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._done >= number or self._ended)

    def pass_through(self) -> None:
        """Block the training thread until it may do a step."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_open or self._done < self._requested)
            self._doing_single = not self.is_open

    def keep_pace(self) -> None:
        """Block the training thread until the pace admits a step, or the gate is shut."""
        with self._changed:
            while self.is_open and not self.stopping:
                seconds = self._step_began + self.pace - time.monotonic()
                if seconds <= 0:
                    break
                self._changed.wait(seconds)
            self._step_began = time.monotonic()

    def passed(self) -> None:
        """Record the end of a step."""
        with self._changed:
            if self._doing_single:
                self._doing_single = False
                self._done = min(self._done + 1, self._requested)
                self._changed.notify_all()

    def close(self) -> None:
        """Release all that wait, since the run has ended."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class TrainingThread:
    """Trains one run in the background; other threads use :class:`.Run`.

    ``between`` is held during a step; when it is free, loop, history and folder are consistent.
    """

    def __init__(
        self,
        run_config: RunConfig,
        files: RunFolder,
        config: MethodConfig,
        history: RunHistory,
        inputs: RunInputs | None,
    ) -> None:
        self.run_config = run_config
        self.files = files
        self.config = config
        self.history = history
        self.inputs = inputs
        self.controls = Controls(config)
        self.status = WAITING
        self.error: str | None = None
        self.failure: BaseException | None = None  # the exception behind error
        self.loop: Loop | None = None  # set after the preparation
        self.progress: Progress | None = None  # of the method's preparation
        self.gate = StepGate()
        self.between = FairLock()
        self.released = False  # whether the last checkpoint is written and state is freed
        self.last = run_config.steps  # the last step to do
        self.ended = threading.Event()  # set once the folder is unlocked
        name = f"clwork {run_config.name}"
        self.thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._why_stopped = ""
        self._paused_seconds = 0.0
        self._events: list[Event] = []  # for the next row
        self._saved = time.monotonic()  # when the last checkpoint was written

    def never_start(self, status: str, error: str | None) -> None:
        """Set the state of a run that is only opened."""
        self.status = status
        self.error = error
        self.released = True
        self.controls._close(status)
        self.ended.set()

    @property
    def alive(self) -> bool:
        return not self.ended.is_set()

    @property
    def step(self) -> int:
        return self.history.last_step if self.loop is None else self.loop.step

    @property
    def status_of_copy(self) -> str:
        """The status of a copy of the folder, which nothing trains."""
        return self.status if self.status in (FINISHED, FAILED) else STOPPED

    def start(self) -> None:
        """Begin training; an error before the thread starts unlocks the folder."""
        try:
            self._set_status(WAITING)
        except BaseException:
            self.files.unlock()
            raise
        self.thread.start()

    def stop(self, why: str = "") -> None:
        """End the run after the step in progress; ``why`` is recorded if it has not begun."""
        self._why_stopped = why
        self.gate.open(stopping=True)

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended; raise its error."""
        self.ended.wait(timeout)
        if self.failure is not None:
            raise self.failure

    def require_loop(self) -> Loop:
        """Return the loop; RuntimeError if the run is not prepared or not trained here."""
        if self.loop is None:
            raise RuntimeError(f"{self.run_config.name} has no training state here{self.why()}")
        return self.loop

    def why(self) -> str:
        """Return the run's status and error, to append to an error message."""
        return f"; its status is {self.status!r}" + (f": {self.error}" if self.error else "")

    def write_checkpoint(self, with_optimizer: bool = True) -> None:
        """Write a checkpoint, and retain it if ``keep_every`` includes its step."""
        loop = self.require_loop()
        loop.save(self.files, self._events, with_optimizer)
        if with_optimizer and self.run_config.keeps(loop.step):
            self.files.checkpoints.keep(loop.step)
        self._saved = time.monotonic()

    def _main(self) -> None:
        try:
            status = self._train(self._prepare())
        except StoppedEarlyError:
            status = STOPPED
            self.error = self._why_stopped or None
        except BaseException as error:
            # Of any kind, since the failure must be reported and the folder unlocked.
            if self.loop is None and not threading.main_thread().is_alive():
                # Libraries can start no thread then, and raise errors.
                status = STOPPED
                self.error = PROGRAM_ENDED
            else:
                status = FAILED
                self.failure = error
                self.error = explain(error)
        finally:
            self._end(status)

    def _prepare(self) -> Loop:
        inputs = self.inputs
        assert inputs is not None
        if inputs.resume:
            rows = self.history.rows
            repeat_steps(self.run_config, self.files, rows, inputs, self._report)
        loop, events = prepare(self.run_config, self.files, self.config, inputs, self._report)
        self._events = [*inputs.events, *events]
        if inputs.resume and not inputs.forked:
            self._events.insert(0, {"resumed": loop.step})
        if inputs.resume:
            loop.measure()
        split_batch(loop.method.config, inputs.processes)
        self.loop = loop
        return loop

    def _report(self, progress: Progress) -> None:
        self.progress = progress
        if self.gate.stopping:
            raise StoppedEarlyError

    def _train(self, loop: Loop) -> str:
        """Train to the end; return the status."""
        assert self.inputs is not None
        self._set_status(RUNNING)
        self._saved = time.monotonic()
        if not self.inputs.resume:
            row = loop.first_row()
            with self.between:
                self._write(row)
                self.write_checkpoint()
        # The other processes start from the checkpoint in the folder.
        run = {"folder": str(self.files.path), "module": type(loop.method).__module__}
        if not self._is_over(loop):
            with joined(self.inputs.processes, run, loop.device) as processes:
                with self.between:
                    loop.processes = processes
                self._take_steps(loop)
        finished = loop.step >= loop.total
        if finished:
            self.controls._close(FINISHED)
        else:  # changes made during the last step apply once the run is resumed
            self._apply_controls(closing=STOPPED)
        with self.between, loop.busy("saving"):
            self.files.save_encoder(loop.method.test_encoder(), END)
            self.write_checkpoint(with_optimizer=not finished)
            self.released = True
            # RUNS retains the run, and optimizer state is twice as large as the encoder.
            loop.release()
        _return_freed_memory()
        return FINISHED if finished else STOPPED

    def _take_steps(self, loop: Loop) -> None:
        while not self._is_over(loop):
            self._hold_if_paused()
            if self._is_over(loop):
                break
            self._apply_controls()
            with self.between:
                self._write(loop.advance())
                due = loop.step % self.run_config.checkpoint_every == 0
                late = time.monotonic() - self._saved > CHECKPOINT_SECONDS
                if due or late or self.run_config.keeps(loop.step):
                    self.write_checkpoint()
            self.gate.passed()

    def _is_over(self, loop: Loop) -> bool:
        last = min(loop.total, self.last)
        return loop.step >= last or self.gate.stopping or loop.stop_requested

    def _hold_if_paused(self) -> None:
        if self.status != PAUSED:
            self.gate.keep_pace()
            if self.gate.is_open:
                return
            self._paused_seconds = 0.0
            with self.between:
                self.write_checkpoint()
        self._set_status(PAUSED)
        began = time.perf_counter()
        self.gate.pass_through()
        self._paused_seconds += time.perf_counter() - began
        if self.gate.is_open:  # otherwise a single step was admitted and the run stays paused
            self._set_status(RUNNING)
            self._events.append({"paused": round(self._paused_seconds, 3)})

    def _apply_controls(self, closing: str = "") -> None:
        if changed := self.controls._apply(closing):
            self._events.append({"moved": changed})

    def _write(self, row: Row) -> None:
        events = [*row.get("events", ()), *self._events]
        self.history.add(row | ({"events": events} if events else {}))
        self._events.clear()

    def _set_status(self, status: str) -> None:
        self.status = status
        self.files.write_state(status, self.step, self.error)

    def _end(self, status: str) -> None:
        self.controls._close(status)
        try:
            if status == FAILED and self.loop is None and self.inputs and self.inputs.forked:
                # A fork that failed to begin has only copies of its parent's files.
                self.files.delete()
            else:
                self._set_status(status)
        except OSError as error:
            self.failure = self.failure or error
            self.error = self.error or explain(error)
        finally:
            self.status = status
            self.files.unlock()
            self.ended.set()
            self.gate.close()


def _return_freed_memory() -> None:
    """Return freed memory to the system: half a gigabyte would stay in the process."""
    # Other C libraries than Linux's have no such function.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
