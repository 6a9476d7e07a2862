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
from ..run_folder.history import ListenerThread, OnRow, Row, RunHistory
from ..wording import explain
from .controls import Controls
from .fork import repeat_steps
from .loop import Loop
from .preparation import Progress, RunInputs, prepare

CHECKPOINT_SECONDS = 60.0  # longest time between checkpoints
WAITING, RUNNING, PAUSED, STOPPED, FINISHED, FAILED = (
    "waiting",
    "running",
    "paused",
    "stopped",
    "finished",
    "failed",
)
PROGRAM_ENDED = "stopped, because the program ended; call run.wait() at the end of a script"


class StoppedEarlyError(Exception):
    """The run was stopped during the method's preparation; no step was done and nothing failed."""


class FairLock:
    """A lock that a waiting thread acquires before the thread that has just released it."""

    def __init__(self) -> None:
        # the waiting thread holds _next; without it, the releasing thread could reacquire _held first
        self._next, self._held = threading.Lock(), threading.Lock()

    def __enter__(self) -> None:
        with self._next:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class StepGate:
    """Blocks the training thread before each step; other threads open or shut it, or request single steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.pace, self._began = 0.0, 0.0  # minimum seconds between steps; time of the last start
        self.is_open, self._ended, self._single, self._stopping = True, False, False, False
        self._requested = self._admitted = self._done = (
            0  # number of the latest single step in each state
        )

    def set_pace(self, seconds: float) -> None:
        with self._changed:
            self.pace = seconds
            self._changed.notify_all()

    def open(self, stopping: bool = False) -> None:
        """Admit all steps, including requested single steps; with ``stopping``, the gate cannot be shut again."""
        with self._changed:
            self._stopping = self._stopping or stopping
            self.is_open, self._admitted, self._done = True, self._requested, self._requested
            self._changed.notify_all()

    def shut(self) -> None:
        with self._changed:
            self.is_open = self._stopping

    def request(self) -> int | None:
        """Request a single step; return its number for :meth:`wait_for`, or None if no step can be requested."""
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
            self._changed.wait_for(lambda: self.is_open or self._admitted < self._requested)
            self._single = not self.is_open
            self._admitted += self._single

    def keep_pace(self) -> None:
        """Block the training thread until the pace admits a step, the gate is shut, or the run is stopping."""
        with self._changed:
            while (
                self.is_open
                and not self._stopping
                and (left := self._began + self.pace - time.monotonic()) > 0
            ):
                self._changed.wait(left)
            self._began = time.monotonic()

    def passed(self) -> None:
        with self._changed:
            if self._single:
                self._single, self._done = False, min(self._done + 1, self._requested)
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class TrainingThread:
    """Trains one run in the background; other threads use :class:`.Run`."""

    def __init__(
        self,
        recipe: RunConfig,
        files: RunFolder,
        config: MethodConfig,
        history: RunHistory,
        inputs: RunInputs | None,
        on_row: OnRow | None = None,
    ) -> None:
        self.recipe, self.files, self.config, self.history, self.inputs = (
            recipe,
            files,
            config,
            history,
            inputs,
        )
        self.controls = Controls(config)
        self.listener = (
            ListenerThread(on_row, history.listeners, recipe.name) if on_row and inputs else None
        )
        self.status, self.status_of_copy = WAITING, STOPPED
        self.error: str | None = None
        self.failure: BaseException | None = None  # the exception behind error
        self.loop: Loop | None = None  # set after preparation
        self.progress: Progress | None = None  # of the method's preparation
        self.gate = StepGate()
        self.between = (
            FairLock()
        )  # held during a step; when it is free, loop, history and folder are consistent
        self.released = False  # whether the last checkpoint is written and training state is freed
        self.last = recipe.steps  # the last step to do
        self.ended = threading.Event()  # set once the folder is unlocked
        self.thread = threading.Thread(target=self._main, name=f"clwork {recipe.name}", daemon=True)
        self._stop = threading.Event()
        self._why_stopped = ""
        self._paused_seconds = 0.0
        self._events: list[Event] = []  # for the next row
        self._saved = time.monotonic()  # when the last checkpoint was written

    def never_start(self, status: str, error: str | None) -> None:
        self.status, self.error, self.released = status, error, True
        self.status_of_copy = status if status in (FINISHED, FAILED) else STOPPED
        self.controls._close(status)
        self.history.listeners.put(None)
        self.ended.set()

    @property
    def alive(self) -> bool:
        return not self.ended.is_set()

    @property
    def step(self) -> int:
        return self.history.last_step if self.loop is None else self.loop.step

    def start(self) -> None:
        """Begin training in the background; an error before the thread starts unlocks the folder."""
        try:
            self._set_status(WAITING)
        except BaseException:
            self.files.unlock()
            raise
        if self.listener is not None:
            self.listener.start()
        self.thread.start()

    def stop(self, why: str = "") -> None:
        """End the run after the step in progress; ``why`` is recorded if the run has not begun to train."""
        self._why_stopped = why
        self._stop.set()
        self.gate.open(stopping=True)

    def wait(self, timeout: float | None = None) -> None:
        """Block until the run has ended and the listener has received all rows; raise the error of run or listener."""
        began = time.monotonic()
        self.ended.wait(timeout)
        if self.listener is not None:
            self.listener.wait(
                None if timeout is None else max(0.0, timeout - (time.monotonic() - began))
            )
        failure = self.failure or (
            self.listener.error if self.listener is not None and not self.alive else None
        )
        if failure is not None:
            raise failure

    def require_loop(self) -> Loop:
        """Return the loop; RuntimeError if the run is not prepared or not trained here."""
        if self.loop is None:
            raise RuntimeError(f"{self.recipe.name} has no training state here{self.why()}")
        return self.loop

    def why(self) -> str:
        """Return the run's status and error as text to append to an error message."""
        return f"; its status is {self.status!r}" + (f": {self.error}" if self.error else "")

    def write_checkpoint(self, complete: bool = True) -> None:
        """Write a checkpoint; ``complete=False`` omits the optimizer's state."""
        loop = self.require_loop()
        loop.save(self.files, self._events, complete)
        if complete and self.recipe.keeps(loop.step):
            self.files.checkpoints.keep(loop.step)
        self._saved = time.monotonic()

    def _main(self) -> None:
        inputs = self.inputs
        try:
            assert inputs is not None
            if inputs.resume:
                repeat_steps(self.recipe, self.files, self.history.rows, inputs, self._prepared)
            loop, self._events = prepare(
                self.recipe, self.files, self.config, inputs, self._prepared
            )
            self._events[:0] = inputs.events
            if inputs.resume:
                if not inputs.forked:
                    self._events.insert(0, {"resumed": loop.step})
                loop.measure()
            self.loop = loop
            ended = self._train(loop, fresh=not inputs.resume)
        except StoppedEarlyError:
            ended, self.error = STOPPED, self._why_stopped or None
        except (
            BaseException
        ) as error:  # of any kind: the failure must be reported and the folder unlocked
            if self.loop is None and not threading.main_thread().is_alive():
                ended, self.error = (
                    STOPPED,
                    PROGRAM_ENDED,
                )  # libraries can start no thread then, and raise errors
            else:
                ended, self.failure, self.error = FAILED, error, explain(error)
        finally:
            self._end(ended)

    def _prepared(self, progress: Progress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise StoppedEarlyError

    def _end(self, status: str) -> None:
        self.controls._close(status)
        try:
            given = self.inputs
            child = given is not None and (
                given.forked or (bool(given.events) and not given.resume)
            )  # a fork
            if status == FAILED and self.loop is None and child:
                self.files.delete()  # the folder of a fork that failed to begin has only copies of its parent's files
            else:
                self._set_status(status)
        except OSError as error:
            self.failure, self.error = self.failure or error, self.error or explain(error)
        finally:
            self.status = self.status_of_copy = status
            self.files.unlock()
            self.ended.set()
            self.gate.close()
            self.history.listeners.put(None)

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
            self.files.save_encoder(loop.method.test_encoder(), END)
            self.write_checkpoint(complete=not finished)
            self.released, self.status_of_copy = True, FINISHED if finished else STOPPED
            loop.release()  # since RUNS retains the run, and optimizer state is twice as large as the encoder
        with suppress(
            OSError, AttributeError, TypeError
        ):  # other C libraries than Linux's have no such function
            ctypes.CDLL(None).malloc_trim(
                0
            )  # else half a gigabyte of freed memory stays in the process
        return FINISHED if finished else STOPPED

    def _take_steps(self, loop: Loop) -> None:
        """Do the steps together with the run's other processes, which start from the checkpoint in the folder."""
        assert self.inputs is not None
        together = self.inputs.processes
        together.split_batch(loop.method.config)
        if self._is_over(
            loop
        ):  # stopped meanwhile; the other processes may have ended by the same signal
            return
        run = {"folder": str(self.files.path), "module": type(loop.method).__module__}
        with together.joined(run, loop.method.encoder.device) as processes:
            with self.between:
                loop.processes = processes
            while not self._is_over(loop):
                self._hold_if_paused()
                if self._is_over(loop):
                    break
                self._apply_controls()
                with self.between:
                    self._write(loop.advance())
                    due = loop.step % self.recipe.checkpoint_every == 0 or self.recipe.keeps(
                        loop.step
                    )
                    if due or time.monotonic() - self._saved > CHECKPOINT_SECONDS:
                        self.write_checkpoint()
                self.gate.passed()

    def _is_over(self, loop: Loop) -> bool:
        return loop.step >= min(loop.total, self.last) or self._stop.is_set() or loop.stop_requested

    def _write(self, row: Row) -> None:
        events = [*row.get("events", ()), *self._events]
        self.history.add(row | ({"events": events} if events else {}))
        self._events.clear()

    def _apply_controls(self, closing: str = "") -> None:
        if changed := self.controls._apply(closing):
            self._events.append({"moved": changed})

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

    def _set_status(self, status: str) -> None:
        self.status = status
        self.files.write_state(status, self.step, self.error)
