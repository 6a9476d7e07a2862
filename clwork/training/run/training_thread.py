"""The thread that trains a run: its steps, pauses, checkpoints and end."""

from __future__ import annotations

import threading
import time

from ...events import Event
from ...methods import MethodConfig
from ...wording import explain
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Listener, OnRow, Record, Row
from ..loop import Loop
from ..preparation import Progress, RunInputs, prepare
from .controls import Controls
from .step_gate import FairLock, StepGate

CHECKPOINT_SECONDS = 60.0  # at the latest, whatever number of steps that is
WAITING, RUNNING, PAUSED, STOPPED, FINISHED, FAILED = "waiting", "running", "paused", "stopped", "finished", "failed"


class StoppedEarlyError(Exception):
    """The run was stopped while its method was being prepared: no step was done, and nothing failed."""


class TrainingThread:
    """Trains one run in the background; other threads go through :class:`.Run`.

    Attributes:
        status: see :class:`.Run`; also written to disk whenever it changes.
        error: what went wrong, in words, or None.
        failure: the exception behind ``error``.
        loop: the training state, once it is prepared.
        progress: how far the method's own preparation is.
        gate: what each step waits at.
        between: held while a step is done and written: outside of it, loop, record and folder agree.
        released: the last checkpoint is written, and what only further steps need is gone.
        status_of_copy: the status to write into a copy of the run's folder.
        last: the step to end after.
        ended: set once the thread has released the folder.
    """

    def __init__(
        self,
        recipe: Recipe,
        files: RunFolder,
        config: MethodConfig,
        record: Record,
        controls: Controls,
        inputs: RunInputs | None,
        on_row: OnRow | None = None,
    ) -> None:
        """Get ready for :meth:`start`; without ``inputs`` there is nothing to train, see :meth:`never_start`."""
        self.recipe, self.files, self.config, self.record, self.controls = recipe, files, config, record, controls
        self.inputs = inputs
        self.listener = Listener(on_row, record.listeners, recipe.name) if on_row and inputs else None
        self.status, self.status_of_copy = WAITING, STOPPED
        self.error: str | None = None
        self.failure: BaseException | None = None
        self.loop: Loop | None = None
        self.progress: Progress | None = None
        self.gate, self.between = StepGate(), FairLock()
        self.released = False
        self.last = recipe.steps
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._main, name=f"clwork {recipe.name}", daemon=True)
        self._stop = threading.Event()
        self._paused_seconds = 0.0
        self._events: list[Event] = []  # for the next row
        self._saved = time.monotonic()  # when the last checkpoint was written

    def never_start(self, status: str, error: str | None) -> None:
        """Set the final state of a run that is not trained here."""
        self.status, self.error, self.released = status, error, True
        self.status_of_copy = status if status in (FINISHED, FAILED) else STOPPED
        self.controls._close(status)
        self.record.listeners.close()
        self.ended.set()

    @property
    def alive(self) -> bool:
        """Whether it still trains, or will."""
        return not self.ended.is_set()

    @property
    def step(self) -> int:
        """Steps done so far."""
        if self.loop is not None:
            return self.loop.step
        rows = self.record.rows(-1)
        return int(rows[0]["step"]) if rows else 0

    def start(self) -> None:
        """Begin in the background; the folder is unlocked at the end, whatever interrupts the caller meanwhile."""
        try:
            self._set_status(WAITING)
        except BaseException:
            self.files.unlock()
            raise
        if self.listener is not None:
            self.listener.start()
        self.thread.start()

    def stop(self) -> None:
        """End after the step in progress."""
        self._stop.set()
        self.gate.open(for_good=True)

    def wait(self, timeout: float | None = None) -> None:
        """Block until it has ended and the listener has received all rows.

        Raises:
            Exception: whatever made the run fail, or else what its listener raised.
        """
        began = time.monotonic()
        self.ended.wait(timeout)
        if self.listener is not None:
            self.listener.wait(None if timeout is None else max(0.0, timeout - (time.monotonic() - began)))
        failure = self.failure or (self.listener.error if self.listener is not None and not self.alive else None)
        if failure is not None:
            raise failure

    def begun(self) -> Loop:
        """Return the loop.

        Raises:
            RuntimeError: there is none yet, or none here.
        """
        if self.loop is None:
            raise RuntimeError(f"{self.recipe.name} has no training state here{self.why()}")
        return self.loop

    def why(self) -> str:
        """Status and error, to end an error message with."""
        return f"; its status is {self.status!r}" + (f": {self.error}" if self.error else "")

    def write_checkpoint(self, whole: bool = True) -> None:
        """Write all that the next step depends on; not ``whole``: what a finished run leaves, without moments."""
        loop = self.begun()
        loop.save(self.files, self._events, whole)
        if whole and self.recipe.keeps(loop.step):
            self.files.checkpoints.keep(loop.step)
        self._saved = time.monotonic()

    def write_checkpoint_at(self, step: int | None) -> None:
        """Write a checkpoint if the run is at ``step`` (None: at any), and has steps left."""
        if self.alive and not self.released and self.loop is not None and 0 < self.loop.step < self.loop.total:
            if step in (None, self.loop.step):
                self.write_checkpoint()

    # --- in the thread itself --------------------------------------------------------------------------------------

    def _main(self) -> None:
        inputs = self.inputs
        try:
            assert inputs is not None
            loop, self._events = prepare(self.recipe, self.files, self.config, inputs, self._prepared)
            self._events[:0] = inputs.events
            if inputs.resume:
                if not inputs.forked:
                    self._events.insert(0, {"resumed": loop.step})
                loop.measure()
            self.loop = loop
            ended = self._train(loop, fresh=not inputs.resume)
        except StoppedEarlyError:
            ended = STOPPED
        except BaseException as error:  # whatever it was: the end must be reported, and the folder unlocked
            ended, self.failure, self.error = FAILED, error, explain(error)
        finally:
            self._end(ended)

    def _prepared(self, progress: Progress) -> None:
        """Note the progress of the method's preparation, or end it where the run is to stop."""
        self.progress = progress
        if self._stop.is_set():
            raise StoppedEarlyError

    def _end(self, status: str) -> None:
        self.controls._close(status)
        try:
            if status == FAILED and self.loop is None and self.inputs is not None and self.inputs.is_child:
                self.files.remove()  # it has nothing but copies of another run, with which it cannot be trained
            self._set_status(status)
        except OSError as error:
            self.failure, self.error = self.failure or error, self.error or explain(error)
        finally:
            self.status = self.status_of_copy = status
            self.files.unlock()
            self.ended.set()
            self.gate.close()
            self.record.listeners.close()

    def _train(self, loop: Loop, fresh: bool) -> str:
        self._set_status(RUNNING)
        self._saved = time.monotonic()
        if fresh:
            row = loop.first_row()
            with self.between:
                self._write(row)
                self.write_checkpoint()
        self._take_steps(loop)
        finished = loop.step >= loop.total
        if finished:
            self.controls._close(FINISHED)
        else:  # changes made during the last step apply once the run is resumed
            self._apply_controls(closing=STOPPED)
        with self.between, loop.busy("saving"):
            self.files.encoders.save_last(loop.method.test_encoder())
            self.write_checkpoint(whole=not finished)
            self.released, self.status_of_copy = True, FINISHED if finished else STOPPED
            loop.release()  # a kernel keeps all its runs, and an optimizer weighs twice as much as its encoder
        return FINISHED if finished else STOPPED

    def _take_steps(self, loop: Loop) -> None:
        """Do the steps, with the processes that share them; these read the checkpoint in the folder."""
        assert self.inputs is not None
        together = self.inputs.processes
        together.split_batch(loop.method.config)
        with together.joined(self.files.path, loop.method, loop.method.encoder.device) as processes:
            with self.between:
                loop.processes = processes
            while not self._is_over(loop):
                self._hold_if_paused()
                if self._is_over(loop):
                    break
                self._apply_controls()
                with self.between:
                    self._write(loop.advance())
                    if self._checkpoint_is_due(loop.step):
                        self.write_checkpoint()
                self.gate.passed()

    def _is_over(self, loop: Loop) -> bool:
        return loop.step >= min(loop.total, self.last) or self._stop.is_set()

    def _write(self, row: Row) -> None:
        """Add a step's row to the record, with what happened before it."""
        events = [*row.get("events", ()), *self._events]
        self.record.add(row | ({"events": events} if events else {}))
        self._events.clear()

    def _apply_controls(self, closing: str = "") -> None:
        if changed := self.controls._apply(closing):
            self._events.append({"moved": changed})

    def _checkpoint_is_due(self, step: int) -> bool:
        rhythm = step % self.recipe.checkpoint_every == 0 or self.recipe.keeps(step)
        return rhythm or time.monotonic() - self._saved > CHECKPOINT_SECONDS

    def _hold_if_paused(self) -> None:
        if self.status != PAUSED:
            self.gate.keep_pace()
            if self.gate.is_open:
                return
        if self.status != PAUSED:
            self._paused_seconds = 0.0
            with self.between:
                self.write_checkpoint()
        self._set_status(PAUSED)
        began = time.perf_counter()
        self.gate.pass_through()
        self._paused_seconds += time.perf_counter() - began
        if self.gate.is_open:  # else a single step was admitted: the run stays paused
            self._set_status(RUNNING)
            self._events.append({"paused": round(self._paused_seconds, 3)})

    def _set_status(self, status: str) -> None:
        self.status = status
        self.files.write_state(status, self.step, self.error)
