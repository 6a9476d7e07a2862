"""The loop over the steps of a run, in a thread, with pauses, checkpoints and the end of the run.

What one step computes is in ``loop.py``.
"""

from __future__ import annotations

import ctypes
import threading
import time
from contextlib import suppress

from ..events import Event
from ..methods import MethodConfig
from ..methods.step import ProcessGroup
from ..run_folder.config import RunConfig
from ..run_folder.files import END
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..wording import explain
from .controls import Controls
from .distributed import joined, split_batch
from .loop import Loop
from .preparation import Progress, RunInputs, prepare

# Longest time between two checkpoints, which a killed process loses at most.
CHECKPOINT_SECONDS = 60.0
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
    """A lock that a waiting thread acquires before the thread that has just released it.

    With an ordinary lock, the training thread would acquire it again at once for the next step, and
    a thread that reads the weights could wait for minutes.
    """

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
    """Blocks the training thread before each step while the run is paused, or ahead of its pace.

    Other threads open the gate (resume), shut it (pause), or request single steps, each of which
    passes the shut gate. The training thread calls :meth:`keep_pace` or :meth:`pass_through` before
    a step, and :meth:`passed` after it.
    """

    def __init__(self) -> None:
        self.is_open = True
        self.stopping = False
        # Minimum seconds from step to step.
        self.pace = 0.0
        # Notified at every change, so that all waiting threads check their conditions again.
        self._changed = threading.Condition()
        self._ended = False
        # Numbers of single steps that were requested, and of those that are done.
        self._requested = 0
        self._done = 0
        self._doing_single = False
        self._step_began = 0.0

    def set_pace(self, seconds: float) -> None:
        """Set the minimum seconds from step to step, also for a step that is being waited for."""
        with self._changed:
            self.pace = seconds
            self._changed.notify_all()

    def open(self, stopping: bool = False) -> None:
        """Admit all steps; with ``stopping``, the gate cannot be shut again.

        Single steps that were requested count as done, since the run goes on without them.
        """
        with self._changed:
            self.stopping = self.stopping or stopping
            self.is_open = True
            self._done = self._requested
            self._changed.notify_all()

    def shut(self) -> None:
        """Admit single steps only, unless the run is being stopped."""
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
        """Block the training thread until the gate is open, or a single step is requested.

        :meth:`passed` counts the step as a single one if the gate was shut.
        """
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
        """Record the end of a step; the end of a single step wakes the thread that requested it."""
        with self._changed:
            if self._doing_single:
                self._doing_single = False
                # No more than were requested: if the gate was opened during this step, open() has
                # counted all single steps as done, this one included.
                self._done = min(self._done + 1, self._requested)
                self._changed.notify_all()

    def close(self) -> None:
        """Release all threads that wait, since the run has ended."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class TrainingThread:
    """Trains one run in the background; other threads use :class:`.Run`.

    Attributes:
        status: one of the constants above.
        error: the error of a failed run as text, or why it was stopped before its first step.
        failure: the exception behind ``error``.
        loop: None until the preparation has ended.
        progress: the latest progress of the method's preparation.
        step_lock: held during a step; when it is free, loop, history and folder are consistent.
        released: whether the last checkpoint is written and the training state is freed.
        last: the step after which the run ends.
        ended: set once the run has ended and its folder is unlocked.
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
        self.failure: BaseException | None = None
        self.loop: Loop | None = None
        self.progress: Progress | None = None
        self.gate = StepGate()
        self.step_lock = FairLock()
        self.released = False
        self.last = run_config.steps
        self.ended = threading.Event()
        name = f"clwork {run_config.name}"
        self.thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._why_stopped = ""
        # Events for the next row of the history.
        self._events: list[Event] = []
        # When the last checkpoint was written.
        self._saved_at = time.monotonic()

    def never_start(self, status: str, error: str | None) -> None:
        """Set the state of a run that is only opened: its thread is not started."""
        self.status = status
        self.error = error
        self.released = True
        self.controls._close(status)
        self.ended.set()

    @property
    def alive(self) -> bool:
        """Whether the run has not ended."""
        return not self.ended.is_set()

    @property
    def step(self) -> int:
        """Steps done so far; before the loop is prepared, those of the stored history."""
        return self.history.last_step if self.loop is None else self.loop.step

    @property
    def status_of_copy(self) -> str:
        """The status of a copy of the folder, which nothing trains."""
        return self.status if self.status in (FINISHED, FAILED) else STOPPED

    def start(self) -> None:
        """Begin training."""
        self.thread.start()

    def stop(self, why: str = "") -> None:
        """End the run after the step in progress; ``why`` is recorded if it has not begun."""
        self._why_stopped = why
        self.gate.open(stopping=True)

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended, or for ``timeout`` seconds; raise the run's error."""
        self.ended.wait(timeout)
        if self.failure is not None:
            raise self.failure

    def require_loop(self) -> Loop:
        """Return the loop; RuntimeError if the run is not prepared or not trained here."""
        if self.loop is None:
            raise RuntimeError(
                f"{self.run_config.name} has no training state here{self.status_and_error()}"
            )
        return self.loop

    def status_and_error(self) -> str:
        """Return the run's status and error as the last clause of an error message."""
        clause = f"; its status is {self.status!r}"
        return f"{clause}: {self.error}" if self.error else clause

    def write_checkpoint(self, with_optimizer: bool = True) -> None:
        """Write a checkpoint, and retain it if ``keep_every`` includes its step."""
        loop = self.require_loop()
        loop.save(self._events, with_optimizer)
        if with_optimizer and self.run_config.keeps(loop.step):
            self.files.checkpoints.keep(loop.step)
        self._saved_at = time.monotonic()

    def _main(self) -> None:
        """Prepare and train the run; whatever happens, its end is recorded."""
        inputs = self.inputs
        assert inputs is not None
        assert inputs.device is not None
        try:
            self._set_status(WAITING)
            # Connected before the preparation, which may take longer than the others would wait.
            with joined(inputs.processes, inputs.device) as processes:
                loop = self._prepare(inputs)
                loop.processes = processes
                self.loop = loop
                status = self._train(loop, inputs, processes)
        except StoppedEarlyError:
            status = STOPPED
            self.error = self._why_stopped or None
        except BaseException as error:
            # Of any kind, since the failure must be reported and the folder unlocked.
            program_has_ended = not threading.main_thread().is_alive()
            if self.loop is None and program_has_ended:
                # Libraries cannot start threads then, and their errors are no failure of the run.
                status = STOPPED
                self.error = PROGRAM_ENDED
            else:
                status = FAILED
                self.failure = error
                self.error = explain(error)
        finally:
            self._end(status)

    def _prepare(self, inputs: RunInputs) -> Loop:
        """Return the loop, at step 0 or at the step to resume from."""
        loop, events = prepare(self.run_config, self.files, self.config, inputs, self._report)
        self._events = [*inputs.events, *events]
        if inputs.resume:
            # For the panel, which shows the vectors before the next step.
            loop.measure()
        # After loading a checkpoint, whose settings are of another number of processes.
        split_batch(loop.method.config, inputs.processes)
        return loop

    def _report(self, progress: Progress) -> None:
        """Record the progress of the preparation, or end it if the run is being stopped."""
        self.progress = progress
        if self.gate.stopping:
            raise StoppedEarlyError

    def _train(self, loop: Loop, inputs: RunInputs, processes: ProcessGroup) -> str:
        """Train until the last step or a stop; return the status."""
        self._set_status(RUNNING)
        self._saved_at = time.monotonic()
        if not inputs.resume:
            row = loop.first_row()
            with self.step_lock:
                self._write(row)
                self.write_checkpoint()
        if not self._is_over(loop):
            # The other processes start from the checkpoint in the folder.
            processes.share_order(str(self.files.path))
            self._take_steps(loop)

        is_finished = loop.step >= loop.total
        if is_finished:
            self.controls._close(FINISHED)
        else:
            # Changes made during the last step are recorded and apply once the run is resumed.
            self._apply_controls(closing=STOPPED)

        with self.step_lock, loop.busy("saving"):
            self.files.save_encoder(loop.method.test_encoder(), END)
            # A finished run needs no optimizer state, which is twice as large as the encoder.
            self.write_checkpoint(with_optimizer=not is_finished)
            self.released = True
            # The list of this kernel's runs retains the run, so its state must be freed here.
            loop.release()
        _return_freed_memory()
        return FINISHED if is_finished else STOPPED

    def _take_steps(self, loop: Loop) -> None:
        """Do steps until the run is over: wait while it is paused, train, record, save."""
        while not self._is_over(loop):
            self._hold_if_paused()
            # The run may have been stopped while it was paused.
            if self._is_over(loop):
                break
            self._apply_controls()
            # Other threads may read weights and history only between two steps.
            with self.step_lock:
                self._write(loop.advance())
                is_due = loop.step % self.run_config.checkpoint_every == 0
                is_late = time.monotonic() - self._saved_at > CHECKPOINT_SECONDS
                if is_due or is_late or self.run_config.keeps(loop.step):
                    self.write_checkpoint()
            self.gate.passed()

    def _is_over(self, loop: Loop) -> bool:
        """Whether the last step is done, or a stop was requested on any process."""
        last = min(loop.total, self.last)
        return loop.step >= last or self.gate.stopping or loop.stop_requested

    def _hold_if_paused(self) -> None:
        """Return at once if the run is not paused, else when it is resumed or may do a step.

        A checkpoint is written when the pause begins. The status stays "paused" during single
        steps, so the next call then continues the same pause.
        """
        if self.status != PAUSED:
            self.gate.keep_pace()
            if self.gate.is_open:
                return
            with self.step_lock:
                self.write_checkpoint()
        self._set_status(PAUSED)
        self.gate.pass_through()
        # Otherwise a single step was admitted.
        if self.gate.is_open:
            self._set_status(RUNNING)

    def _apply_controls(self, closing: str = "") -> None:
        """Apply the changed controls and record them; with the status ``closing``, close them."""
        if changed := self.controls._apply(closing):
            self._events.append({"moved": changed})

    def _write(self, row: Row) -> None:
        """Append a row to the history, with the events since the last one."""
        events = [*row.get("events", ()), *self._events]
        self.history.add(row | {"events": events} if events else row)
        self._events.clear()

    def _set_status(self, status: str) -> None:
        """Set the status, also in the run's folder, from which other processes read it."""
        self.status = status
        self.files.write_state(status, self.error)

    def _end(self, status: str) -> None:
        """Record the last status, unlock the folder and release all waiting threads."""
        self.controls._close(status)
        try:
            self._set_status(status)
        except OSError as error:
            # An earlier failure is the cause, so it is not replaced.
            self.failure = self.failure or error
            self.error = self.error or explain(error)
        finally:
            self.status = status
            self.files.unlock()
            self.ended.set()
            self.gate.close()


def _return_freed_memory() -> None:
    """Return freed memory to the system: half a gigabyte would stay in the process."""
    # Only Linux's C library has this function.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
