"""A run: training in a background thread that can be talked to."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from ... import checks
from ...edges import checked
from ...events import Event
from ...wording import explain
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Listener, OnRow, Record
from ..loop.loop import Loop
from ..loop.preparation import Progress, RunInputs, prepare
from .controls import Controls
from .forking import Forking
from .run_view import FAILED, FINISHED, PAUSED, RUNNING, STOPPED, WAITING, Left
from .steering import Steering
from .step_gate import FairLock, StepGate

CHECKPOINT_SECONDS = 60.0  # at the latest, whatever number of steps that is


class StoppedEarlyError(Exception):
    """The run was stopped while its method was being prepared: there is no step to go back to, nothing has failed."""


class Run(Steering, Forking):
    """One training, from its first moment a folder on disk; made by :func:`clwork.start` and its kin.

    Attributes:
        name: its name, also that of its folder.
        method: the name of its method; ``clwork.methods.get(run.method)`` is the class.
        status: ``waiting`` (reading encoder and corpus), ``running``, ``paused``, ``stopped``, ``finished`` or
            ``failed``; also kept on disk. One opened to look at may also have been ``killed``.
        step: steps done; ``total_steps`` is where it will end.
        error: what went wrong, in words, or None.
        controls: hot hyperparameters, see :class:`Controls`.
        config: the configuration in force.
        recipe: what the run is made of, as ``run.json`` keeps it.
        probe: sentences and their latest vectors, once the run has begun.
    """

    def __init__(
        self,
        recipe: Recipe,
        files: RunFolder,
        config: Any,
        record: Record,
        given: RunInputs | Left,
        on_row: OnRow | None = None,
    ) -> None:
        """Make ready what :meth:`start` begins; what is left of a run is only there to be looked at."""
        self.name, self.method, self.files, self.folder = recipe.name, recipe.method, files, files.path
        self.total_steps, self.config, self.status = recipe.steps, config, WAITING
        self.error: str | None = None
        self.controls = Controls(config)
        self.recipe, self._given = recipe, given
        self._record = record
        self._listener = (
            Listener(on_row, record.listeners, self.name) if on_row and isinstance(given, RunInputs) else None
        )
        self._loop: Loop | None = None
        self._failure: BaseException | None = None
        self._stop, self._ended = threading.Event(), threading.Event()
        self._progress: Progress | None = None  # of the method's preparation
        self._gate = StepGate()  # before each step
        self._held = 0.0  # seconds at it, since the run was paused
        self._last = self.total_steps  # the step to end after
        self._between = FairLock()  # held while a step is done and written: all is whole outside of it
        self._over = False  # the last checkpoint is written, and what further steps need is let go
        self._told = STOPPED  # how it ended, once it has; how a copy of it stands before that
        self._events: list[Event] = []
        self._saved = time.monotonic()  # when the last checkpoint was written
        self._thread = threading.Thread(target=self._main, name=f"clwork {self.name}", daemon=True)
        if isinstance(given, Left):
            self.status, self.error, self._over = given.status, given.error, True
            self._told = given.status if given.status in (FINISHED, FAILED) else STOPPED
            self.controls._close(self.status)
            self._record.listeners.close()
            self._ended.set()

    # --- the folder ------------------------------------------------------------------------------------------------

    @checked()
    def save(self, folder: str | Path) -> Path:
        """Copy the run, with a checkpoint of this moment, to ``folder``; :func:`clwork.resume` opens it there.

        Raises:
            TypeError, ValueError: the folder is no path, or lies inside the run's own.
            FileExistsError: the folder holds something already.
            RuntimeError: the run has not begun, and has nothing to copy.
        """
        target = Path(folder).resolve()
        checks.beside("folder", target, self.folder, "holds the run itself")
        with self._between:
            if self.alive and not self._over:  # else its last checkpoint is in the folder
                self._checkpoint()
            if target != self.folder:
                self.files.copy_to(target, self._told)
        return target

    # --- the thread -------------------------------------------------------------------------------------------

    def start(self) -> Run:
        """Begin in the background; the thread lets go of the folder, whatever interrupts the one who waits for it."""
        try:
            self._turn(WAITING)
        except BaseException:
            self.files.unlock()
            raise
        if self._listener is not None:
            self._listener.start()
        self._thread.start()
        return self

    def _main(self) -> None:
        try:
            assert isinstance(self._given, RunInputs)
            loop, self._events = prepare(self.recipe, self.files, self.config, self._given, self._prepared)
            self._events[:0] = self._given.told
            if self._given.resume:
                if not self._given.forked:
                    self._events.insert(0, {"resumed": loop.step})
                loop.measure()
            self._loop = loop
            ended = self._train(loop, fresh=not self._given.resume)
        except StoppedEarlyError:
            ended = STOPPED
        except BaseException as error:  # whatever it was: the thread's end must be told, and the folder let go
            ended, self._failure, self.error = FAILED, error, explain(error)
        finally:
            self._end(ended)

    def _prepared(self, progress: Progress) -> None:
        """Note the progress of the method's preparation, or end it where the run is to stop."""
        self._progress = progress
        if self._stop.is_set():
            raise StoppedEarlyError

    def _end(self, status: str) -> None:
        self.controls._close(status)
        try:
            if status == FAILED and self._loop is None and isinstance(self._given, RunInputs) and self._given.is_child:
                self.files.remove()  # it has nothing but copies of another run, with which it cannot be trained
            self._turn(status)
        except OSError as error:
            self._failure, self.error = self._failure or error, self.error or explain(error)
        finally:
            self.status = self._told = status
            self.files.unlock()
            self._ended.set()
            self._gate.close()
            self._record.listeners.close()

    def _train(self, loop: Loop, fresh: bool) -> str:
        self._turn(RUNNING)
        self._saved = time.monotonic()
        if fresh:
            row = loop.first_row()
            with self._between:
                self._write(row)
                self._checkpoint()
        while not self._is_over(loop):
            self._hold_if_paused()
            if self._is_over(loop):
                break
            self._apply_controls()
            with self._between:
                self._write(loop.advance())
                if self._due(loop.step):
                    self._checkpoint()
            self._gate.passed()
        finished = loop.step >= loop.total
        if finished:
            self.controls._close(FINISHED)
        else:  # a wish of the last moment holds from the next step on, when the run is taken up
            self._apply_controls(closing=STOPPED)
        with self._between, loop.busy("saving"):
            self.files.save_end(loop.method.test_encoder())
            self._checkpoint(whole=not finished)
            self._over, self._told = True, FINISHED if finished else STOPPED
            loop.release()  # a kernel keeps all its runs, and an optimizer weighs twice as much as its encoder
        return FINISHED if finished else STOPPED

    def _is_over(self, loop: Loop) -> bool:
        return loop.step >= min(loop.total, self._last) or self._stop.is_set()

    def _write(self, row: dict[str, Any]) -> None:
        """Add a step's row to the record, with what happened before it."""
        events = [*row.get("events", ()), *self._events]
        self._record.add(row | ({"events": events} if events else {}))
        self._events.clear()

    def _apply_controls(self, closing: str = "") -> None:
        if isinstance(self._given, RunInputs) and not closing:  # of a replay
            for name, value in self._given.moves.get(self.step + 1, {}).items():
                setattr(self.controls, name, value)
        if changed := self.controls._apply(closing):
            self._events.append({"moved": changed})

    def _due(self, step: int) -> bool:
        rhythm = step % self.recipe.checkpoint_every == 0 or self.recipe.keeps(step)
        return rhythm or time.monotonic() - self._saved > CHECKPOINT_SECONDS

    def _hold_if_paused(self) -> None:
        if self._gate.is_open and self.status != PAUSED:
            return
        if self.status != PAUSED:
            self._held = 0.0
            with self._between:
                self._checkpoint()
        self._turn(PAUSED)
        began = time.perf_counter()
        self._gate.pass_through()
        self._held += time.perf_counter() - began
        if self._gate.is_open:  # else it is a single step: the pause goes on after it
            self._turn(RUNNING)
            self._events.append({"paused": round(self._held, 3)})

    def _checkpoint(self, whole: bool = True) -> None:
        """Write all that the next step depends on; not ``whole``: what a finished run leaves, without moments."""
        loop = self._begun()
        loop.save(self.files, self._events, whole)
        if whole and self.recipe.keeps(loop.step):
            self.files.keep(loop.step)
        self._saved = time.monotonic()

    def _turn(self, status: str) -> None:
        """Say how the run stands, here and on disk."""
        self.status = status
        self.files.write_state(status, self.step, self.error)
