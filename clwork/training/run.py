"""The class :class:`Run`: a training in the background that any thread can control."""

from __future__ import annotations

import atexit
import contextlib
import copy
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from .. import _validation
from .._validation import checked
from ..encoders import Encoder, load_encoder
from ..methods import MethodConfig
from ..methods.base import MethodName
from ..metrics.diagnosis import Diagnosis, Trend
from ..run_folder.config import RunConfig
from ..run_folder.files import run_name
from ..run_folder.folder import RunFolder
from ..run_folder.history import OnRow, Row, RunHistory
from ..run_folder.positions import Positions
from ..run_folder.stored import diagnose_run, trend_of
from .examples import read_again
from .fork import fill_fork, fork_points, plan_fork, settings_at
from .preparation import Progress, RunInputs
from .probe import Probe
from .thread import FINISHED, PROGRAM_ENDED, TrainingThread

if TYPE_CHECKING:
    import pandas as pd

RUNS: list[Run] = []  # of this kernel, in the order they were started
SLOWEST = 60  # longest pace: seconds from step to step
LAST_STEP_SECONDS = 60.0  # timeout for the last step and its checkpoint when the interpreter exits
HANDLER_SECONDS = 5.0  # timeout for the main thread to receive a signal
ENDING = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
]  # SIGHUP: a closed terminal


@dataclass(frozen=True)
class Ended:
    """State of a run that is not trained here; probe and references come from its last checkpoint."""

    status: str
    error: str | None = None
    probe: Probe | None = None
    references: dict[str, float] = field(default_factory=dict)


class Run:
    """A training run with a folder on disk; made by :func:`clwork.start`, ``train`` or ``resume``.

    Attributes:
        name: name of the run and of its folder.
        method: name of the run's method; ``clwork.methods.get(run.method)`` is the class.
        status: ``waiting`` (reading encoder and corpus), ``running``, ``paused``, ``stopped``, ``finished`` or
            ``failed``; also stored on disk. A run that was opened for viewing may also be ``killed``.
        step: number of steps done; ``total_steps`` is the number at the end.
        error: the error of a failed run, or why a run was stopped before it began, as text; else None.
        controls: hot hyperparameters, see :class:`Controls`.
        config: the present hyperparameters.
        recipe: the run's configuration when it began, as in ``run.json``.
        probe: sentences and their latest vectors, once the run has begun.
        training: the training thread, for access to the weights between two steps.
    """

    def __init__(
        self,
        recipe: RunConfig,
        files: RunFolder,
        config: MethodConfig,
        history: RunHistory,
        inputs: RunInputs | Ended,
        on_row: OnRow | None = None,
    ) -> None:
        self.name, self.files, self.folder = recipe.name, files, files.path
        self.method: MethodName = recipe.method
        self.total_steps, self.recipe = recipe.steps, recipe
        self.config: Any = config  # of the method's own class
        self._ended_as = inputs if isinstance(inputs, Ended) else None
        self.training = TrainingThread(
            recipe,
            files,
            config,
            history,
            inputs if isinstance(inputs, RunInputs) else None,
            on_row,
        )
        self.controls = self.training.controls
        if self._ended_as is not None:
            self.training.never_start(self._ended_as.status, self._ended_as.error)

    def start(self) -> Run:
        """Begin training in the background; the run ends when this kernel ends."""
        RUNS.append(self)
        _handle_signals()
        self.training.start()
        return self

    def pause(self) -> None:
        """Pause after the step in progress, with a checkpoint."""
        self.training.gate.shut()

    def resume(self) -> None:
        """Continue after :meth:`pause`; RuntimeError if the run was stopped or failed (use :func:`clwork.resume`)."""
        if not self.alive and self.status != FINISHED:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused; call clwork.resume({str(self.folder)!r}) to continue from "
                "its last checkpoint"
            )
        self.training.gate.open()

    @property
    def pace(self) -> float:
        """Minimum seconds from step to step, 0 to 60, to slow a run down; can be set at any time."""
        return self.training.gate.pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        given = _validation.finite("pace", seconds)
        if not 0 <= given <= SLOWEST:
            raise ValueError(
                f"pace={_validation.shown(seconds)} is out of range; give seconds from 0 to {SLOWEST}"
            )
        self.training.gate.set_pace(given)

    @checked()
    def step_once(self, wait: bool = True) -> Run:
        """Do exactly one step of a paused run, which stays paused; return the run.

        Returns once the step's row is written, or at once if not ``wait``; RuntimeError if the run is not paused.
        """
        number = self.training.gate.request()
        if number is None and self.alive:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused; call run.pause() first, then run.step_once() for each step"
            )
        if number is None:
            raise RuntimeError(
                f"{self.name} is {self.status} at step {self.step}: there is no next step. Continue a stopped run with "
                f"clwork.resume({str(self.folder)!r}, background=True); for a longer run, run.fork(steps=…)"
            )
        if wait:
            self.training.gate.wait_for(number)
            if self.training.failure is not None:
                raise self.training.failure
        return self

    def stop(self, after: int | None = None) -> None:
        """End the run after the step in progress, with a checkpoint from which :func:`clwork.resume` can continue.

        With ``after``, the run ends once that number of steps is done.
        """
        if after is not None:
            self.training.last = after = _validation.integer("after", after, 0)
        if after is None or self.step >= after:
            self.training.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Run:
        """Block until the run has ended, or for ``timeout`` seconds; raise the error of the run or its listener."""
        self.training.wait(timeout)
        return self

    @checked()
    def save(self, folder: str | Path) -> Path:
        """Copy the run with a checkpoint of the present step to an empty ``folder``, for :func:`clwork.resume`."""
        target = Path(folder).resolve()
        _validation.not_inside("folder", target, self.folder, "holds the run itself")
        with self.training.between:
            if (
                self.alive and not self.training.released
            ):  # otherwise the last checkpoint is in the folder
                self.training.write_checkpoint()
            if target != self.folder:
                self.files.copy_to(target, self.training.status_of_copy)
        return target

    def settings_at(self, step: int) -> dict[str, Any]:
        """Return the hyperparameters in force at a step, with the controls moved up to then."""
        return settings_at(self.recipe, self.records(), step)

    def checkpoint_steps(self) -> list[int]:
        """List the steps that :meth:`fork` accepts: 0 (a new start) and the steps of the checkpoints on disk."""
        return sorted({0, *fork_points(self.recipe, self.files)})

    @checked(name=run_name)
    def fork(
        self,
        step: int | None = None,
        *,
        repeat: bool = False,
        steps: int | None = None,
        seed: int | None = None,
        name: str | None = None,
        folder: str | Path | None = None,
        sentences: Any = None,
        **changes: Any,
    ) -> Run:
        """Start a new run from a checkpoint of this run, in the background; this run is not changed.

        Without changes, the fork repeats this run, on a CPU bit for bit. The fork's history begins with this run's
        history up to the step, and its ``run.json`` names this run as parent.

        Args:
            step: one of :meth:`checkpoint_steps`; default: the present step of a live run, else the latest checkpoint.
            repeat: accept any step up to the present one; the fork first trains the steps since the last checkpoint
                before it again, with the controls moved as they were, which gives the same weights on a CPU.
            steps: the step at which the fork ends; a learning-rate schedule follows the new length.
            seed: seed of batches, dropout and all other draws after the step; the weights stay the parent's.
            name: name of the fork; default: the method and a number.
            folder: folder that stores the fork, as for :func:`clwork.start`.
            sentences: the examples; needed only if this run's folder does not hold them (a stream of your own).
            changes: hyperparameters, hot or not, that do not change the model's shape.

        Raises:
            ValueError: no checkpoint of the step, a folder inside this run's, or a value out of range or of no effect.
            TypeError: a hyperparameter is unknown or has a value of another type.
            FileExistsError: the folder is not empty.
            FileNotFoundError: this run was deleted or renamed.
            DiskError: the folder cannot be written.

        >>> longer = run.fork(200, temperature=0.1)  # doctest: +SKIP
        """
        examples, inputs = read_again(sentences), self.training.inputs
        if examples is None and inputs is not None:
            examples = inputs.examples
        if folder is not None:
            _validation.not_inside(
                "folder", Path(folder).resolve(), self.folder, "holds its parent"
            )
        with self.training.between:
            self.files.check_exists()
            begins = None if step is None else _validation.integer("step", step, 0)
            loop = self.training.loop
            if (
                self.alive
                and not self.training.released
                and loop is not None
                and 0 < loop.step < loop.total
            ):
                if begins in (None, loop.step):
                    self.training.write_checkpoint()
            rows = self.records()
            fork = plan_fork(
                self.recipe, self.files, rows, begins, repeat, steps, seed, changes, examples
            )
            with RunFolder.new(self.method, name, folder) as files:
                fork = fork._replace(recipe=replace(fork.recipe, name=files.path.name))
                child = Run(fork.recipe, files, fork.config, *fill_fork(fork, self.files, files))
        return child.start()

    @property
    def status(self) -> str:
        """Status of the run, see :class:`Run`."""
        return self.training.status

    @property
    def error(self) -> str | None:
        """The error of a failed run, or why a run was stopped before it began, as text; else None."""
        return self.training.error

    @property
    def alive(self) -> bool:
        """Whether the run has not ended; True while it waits or is paused."""
        return self.training.alive

    @property
    def step(self) -> int:
        """Steps done so far."""
        return self.training.step

    @property
    def seconds(self) -> float:
        """Seconds spent on preparation, steps and measurements so far, without validation, files and pauses."""
        if (loop := self.training.loop) is not None:
            return loop.begin_seconds + loop.seconds + loop.probe_seconds
        rows = self.records(-1)
        return float(rows[0].get("seconds", 0.0)) if rows else 0.0

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN if nothing was measured. ``clwork/columns.py`` describes the columns."""
        return self.training.history.as_frame()

    @checked()
    def records(self, since: int = 0) -> list[Row]:
        """Return the rows of :attr:`history` as dicts, from row number ``since``; events stay structured."""
        return self.training.history.rows[since:]

    def listen(self) -> SimpleQueue[Row | None]:
        """Return a queue that receives each new row without delaying the run; None marks the end."""
        return self.training.history.listeners.queue()

    @property
    def probe(self) -> Probe | None:
        """The fixed sentences and their latest vectors; None until the corpus has been read."""
        if self.training.loop is not None:
            return self.training.loop.probe
        return self._ended_as.probe if self._ended_as is not None else None

    @property
    def preparing(self) -> Progress | None:
        """Progress of the method's preparation, such as training an evaluator; None at any other time."""
        return self.training.progress if self.alive and self.training.loop is None else None

    @property
    def busy_with(self) -> str:
        """The task that the run is doing between two steps, such as ``"validation"``; empty if there is none."""
        return self.training.loop.busy_with if self.training.loop is not None else ""

    @property
    def positions(self) -> Positions:
        """Positions of the probe's sentences at each recorded step; empty before the first measurement."""
        return (
            self.training.loop.positions
            if self.training.loop is not None
            else Positions.open(self.files)
        )

    @property
    def references(self) -> dict[str, float]:
        """Levels to draw as lines, by name: the scores of the untrained encoder as loaded, then levels of the loss."""
        if self.training.loop is not None:
            return self.training.loop.references()
        return dict(self._ended_as.references) if self._ended_as is not None else {}

    @property
    def selection(self) -> str:
        """The rule that selects the best checkpoint."""
        if self.training.loop is not None:
            return self.training.loop.validation.rule
        return str(self.best.get("rule", "nothing is chosen yet"))

    @property
    def best(self) -> dict[str, Any]:
        """Step, score and rule of the best checkpoint so far; empty before the first validation."""
        if self.training.loop is not None:
            return dict(self.training.loop.best)
        return self.files.best() if self._ended_as is not None else {}

    @property
    def encoder(self) -> Encoder:
        """A copy of the present encoder, at its test-time representation; RuntimeError before it is loaded."""
        if self._ended_as is not None:
            if (latest := self.files.latest_encoder()) is None:
                raise RuntimeError(
                    f"{self.name} was {self.status} before it saved an encoder; resume it to get one"
                )
            return load_encoder(latest)
        with self.training.between:
            # another method may train what this one froze
            return copy.deepcopy(self.training.require_loop().method.test_encoder()).requires_grad_(
                True
            )

    def best_encoder(self) -> Encoder:
        """Return the encoder of the best checkpoint, see :attr:`best`."""
        if not self.best:
            raise RuntimeError(
                f"{self.name} has not been validated yet; its status is {self.status!r}"
            )
        folder = self.files.best_encoder(self.best["step"])
        if folder is None and not self.alive and self.best["step"] == self.step:
            folder = self.files.latest_encoder()
        return self.encoder if folder is None else load_encoder(folder)

    @property
    def trend(self) -> Trend | None:
        """Change of the geometry from the first measurement to the latest; None before the first."""
        return trend_of(self.records(), self.total_steps, self.method)

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of the probe's latest vectors, with the run's trend and suggested settings."""
        if self.probe is None or self.probe.vectors is None:
            raise RuntimeError(f"{self.name} has no vectors yet{self.training.why()}")
        probe, settings = self.probe, vars(self.config)
        return diagnose_run(
            self.recipe, self.folder, self.records(), probe.vectors_step, probe.vectors, settings
        )

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.method}, {self.status}, step {self.step} of {self.total_steps}>"


def stop_runs() -> None:
    """Stop all runs of this kernel and wait for their checkpoints."""
    alive = [run.training for run in RUNS if run.alive]
    for training in alive:
        training.stop(PROGRAM_ENDED)
    for training in alive:
        with contextlib.suppress(Exception):
            training.wait(LAST_STEP_SECONDS)


@atexit.register
def _end_with_program() -> None:
    """Stop all runs, since their threads cannot outlive the program, and print it."""
    alive = [run for run in RUNS if run.alive]
    stop_runs()
    for run in alive:
        text = f"{run.name} at step {run.step}: {run.error or PROGRAM_ENDED}"
        with contextlib.suppress(OSError, ValueError, AttributeError):  # the output may be closed
            print(text, file=sys.stderr)


def _handle_signals() -> None:
    """Make signals that end the process stop the runs first, unless another handler is installed."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can set signal handlers
    began, stopped = threading.Event(), threading.Event()

    def terminated(number: int, _: object) -> None:
        def end() -> (
            None
        ):  # in a thread, since the main thread may hold a lock that a run needs to end
            stop_runs()
            stopped.set()
            os.kill(os.getpid(), number)
            time.sleep(HANDLER_SECONDS)
            os._exit(128 + number)  # the main thread is in foreign code that lets no handler run

        if stopped.is_set():
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif (
            not began.is_set()
        ):  # launchers such as Slurm and torchrun send the signal more than once
            began.set()
            # not a daemon, which could lose the exit status
            threading.Thread(target=end, name="clwork ends", daemon=False).start()

    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, terminated)
