"""A run: a training in the background, and what any thread can do with it."""

from __future__ import annotations

import atexit
import contextlib
import copy
import os
import signal
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from .. import _validation, metrics
from .._validation import checked
from ..encoders import Encoder, load_encoder
from ..methods import MethodConfig, config, names
from ..methods.base import MethodName
from ..metrics.diagnosis import Trend
from ..run_folder.config import RunConfig
from ..run_folder.files import START, run_name
from ..run_folder.folder import RunFolder
from ..run_folder.history import OnRow, Row, RunHistory
from .examples import read_again
from .fork import fill_fork, fork_points, plan_fork
from .positions import Positions
from .preparation import Progress, RunInputs
from .probe import Probe, trend_of
from .thread import FINISHED, TrainingThread

if TYPE_CHECKING:
    import pandas as pd

RUNS: list[Run] = []  # of this kernel, in the order they were started
SLOWEST = 60  # seconds that a pace may put between two steps
LAST_STEP_SECONDS = 60.0  # that the end of the interpreter waits for a step and its checkpoint


@dataclass(frozen=True)
class Ended:
    """State of a run that is not trained here; probe and references are those of its last checkpoint."""

    status: str
    error: str | None = None
    probe: Probe | None = None
    references: dict[str, float] = field(default_factory=dict)


class Run:
    """One training, from the start a folder on disk; made by :func:`clwork.start`, ``train``, ``resume`` or ``launch``.

    Attributes:
        name: its name, also that of its folder.
        method: the name of its method; ``clwork.methods.get(run.method)`` is the class.
        status: ``waiting`` (reading encoder and corpus), ``running``, ``paused``, ``stopped``, ``finished`` or
            ``failed``; also on disk. A run that was opened to be shown may also have been ``killed``.
        step: steps done; ``total_steps`` is where it will end.
        error: what went wrong, as text, or None.
        controls: hot hyperparameters, see :class:`Controls`.
        config: the hyperparameters in force.
        recipe: the run's configuration when it began, as in ``run.json``.
        probe: sentences and their latest vectors, once the run has begun.
        training: the thread behind it, for what needs the weights between two steps.
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
            recipe, files, config, history, inputs if isinstance(inputs, RunInputs) else None, on_row
        )
        self.controls = self.training.controls
        if self._ended_as is not None:
            self.training.never_start(self._ended_as.status, self._ended_as.error)

    def start(self) -> Run:
        """Begin in the background; the run ends with this kernel."""
        RUNS.append(self)
        _handle_sigterm()
        self.training.start()
        return self

    def pause(self) -> None:
        """Hold after the step in progress; a checkpoint is written."""
        self.training.gate.shut()

    def resume(self) -> None:
        """Continue after :meth:`pause`; RuntimeError for a run that has ended, see :func:`clwork.resume`."""
        if not self.alive and self.status != FINISHED:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused: clwork.resume({str(self.folder)!r}) resumes it from its "
                "last checkpoint"
            )
        self.training.gate.open()

    @property
    def pace(self) -> float:
        """Least seconds from step to step, 0 to 60, to watch a run slowly; may be set at any time, changes no step."""
        return self.training.gate.pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        given = _validation.finite("pace", seconds)
        if not 0 <= given <= SLOWEST:
            raise ValueError(f"pace={_validation.shown(seconds)} is out of range; give seconds from 0 to {SLOWEST}")
        self.training.gate.set_pace(given)

    @checked()
    def step_once(self, wait: bool = True) -> Run:
        """Do exactly one step and hold again: of a run that is paused, or was paused before it began.

        Returns the run once the step's row is written, or at once if not ``wait``; RuntimeError if it is not paused.
        """
        number = self.training.gate.request()
        if number is None and self.alive:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused: call run.pause() first, then run.step_once() as often "
                "as you like"
            )
        if number is None:
            raise RuntimeError(
                f"{self.name} is {self.status} at step {self.step}: there is no next step. A stopped run continues by "
                f"clwork.resume({str(self.folder)!r}, background=True); run.fork(steps=…) makes a longer one of any"
            )
        if wait:
            self.training.gate.wait_for(number)
            if self.training.failure is not None:
                raise self.training.failure
        return self

    def stop(self, after: int | None = None) -> None:
        """End after the step in progress; a checkpoint is written, and :func:`clwork.resume` can continue it.

        With ``after`` it ends once so many steps are done, or after the one in progress where they are done already.
        """
        if after is not None:
            self.training.last = after = _validation.whole("after", after, 0)
        if after is None or self.step >= after:
            self.training.stop()

    @checked()
    def wait(self, timeout: float | None = None) -> Run:
        """Block until the run has ended, or for ``timeout`` seconds; raise what made the run or its listener fail."""
        self.training.wait(timeout)
        return self

    @checked()
    def save(self, folder: str | Path) -> Path:
        """Copy the run, with a checkpoint of this moment, to an empty ``folder``; :func:`clwork.resume` opens it."""
        target = Path(folder).resolve()
        _validation.not_inside("folder", target, self.folder, "holds the run itself")
        with self.training.between:
            if self.alive and not self.training.released:  # else its last checkpoint is in the folder
                self.training.write_checkpoint()
            if target != self.folder:
                self.files.copy_to(target, self.training.status_of_copy)
        return target

    def checkpoint_steps(self) -> list[int]:
        """List the steps that :meth:`fork` takes: 0, a new start, and those of the checkpoints on disk."""
        return sorted({0, *fork_points(self.recipe, self.files)})

    @checked(name=run_name)
    def fork(
        self,
        step: int | None = None,
        *,
        steps: int | None = None,
        seed: int | None = None,
        name: str | None = None,
        folder: str | Path | None = None,
        sentences: Any = None,
        **changes: Any,
    ) -> Run:
        """Start a new run from a checkpoint of this one, in the background; this one is not changed.

        Without changes it does what this run did, on a CPU bit for bit. Its folder begins with this run's history up
        to the step, and its ``run.json`` names its parent.

        Args:
            step: one of :meth:`checkpoint_steps`; default: where a run that is alive is now, else the latest.
            steps: at which step it ends; a learning rate with a schedule then follows the new length.
            seed: of batches, dropout and all else that is drawn after the step; the weights are the parent's.
            name: of the run; default: method and number.
            folder: where to store it, as for :func:`clwork.start`.
            sentences: the examples again; needed only where this run was opened from its folder, which does not hold
                them (a stream of your own).
            changes: hyperparameters, hot or not, that do not change the model's shape.

        Raises:
            ValueError: the step has no checkpoint, the folder lies inside this run's, or a value is out of range or
                would change nothing.
            TypeError: a hyperparameter is unknown or a value of another kind.
            FileExistsError: the folder holds something already.
            FileNotFoundError: this run was deleted or renamed.
            DiskError: the disk refuses.

        >>> longer = run.fork(200, temperature=0.1)  # doctest: +SKIP
        """
        examples, inputs = read_again(sentences), self.training.inputs
        if examples is None and inputs is not None:
            examples = inputs.examples
        if folder is not None:
            _validation.not_inside("folder", Path(folder).resolve(), self.folder, "holds its parent")
        with self.training.between:
            self.files.check_exists()
            begins = None if step is None else _validation.whole("step", step, 0)
            loop = self.training.loop
            if self.alive and not self.training.released and loop is not None and 0 < loop.step < loop.total:
                if begins in (None, loop.step):
                    self.training.write_checkpoint()
            named = frozenset(self.recipe.external() if self.alive else changes)  # checked when the live run began
            fork = plan_fork(self.recipe, self.files, begins, steps, seed, changes, examples, named)
            with RunFolder.new(self.method, name, folder) as files:
                fork = fork._replace(recipe=replace(fork.recipe, name=files.path.name))
                child = Run(fork.recipe, files, fork.config, *fill_fork(fork, self.files, files))
        return child.start()

    @property
    def status(self) -> str:
        """Status of the run, see the class."""
        return self.training.status

    @property
    def error(self) -> str | None:
        """What went wrong, as text, or None."""
        return self.training.error

    @property
    def alive(self) -> bool:
        """Whether it still trains, paused included."""
        return self.training.alive

    @property
    def step(self) -> int:
        """Steps done so far."""
        return self.training.step

    @property
    def seconds(self) -> float:
        """Seconds of preparation, steps and measurements so far; not of validation, files or pauses."""
        if (loop := self.training.loop) is not None:
            return loop.begin_seconds + loop.seconds + loop.probe_seconds
        rows = self.records(-1)
        return float(rows[0].get("seconds", 0.0)) if rows else 0.0

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN where nothing was measured. ``clwork/columns.py`` has a table of them."""
        return self.training.history.as_frame()

    @checked()
    def records(self, since: int = 0) -> list[Row]:
        """The rows of :attr:`history` as dicts, from row number ``since``, with events as data."""
        return self.training.history.rows[since:]

    def listen(self) -> SimpleQueue[Row | None]:
        """Return a queue that receives each row from now on without delaying the run; None ends it."""
        return self.training.history.listeners.queue()

    @property
    def probe(self) -> Probe | None:
        """The fixed sentences and their latest vectors; None until the corpus has been read."""
        if self.training.loop is not None:
            return self.training.loop.probe
        return self._ended_as.probe if self._ended_as is not None else None

    @property
    def preparing(self) -> Progress | None:
        """Progress of the method's own preparation, such as an evaluator's training; None at any other time."""
        return self.training.progress if self.alive and self.training.loop is None else None

    @property
    def busy_with(self) -> str:
        """What the run does just now between its steps, such as ``"validation"``; else empty."""
        return self.training.loop.busy_with if self.training.loop is not None else ""

    @property
    def positions(self) -> Positions:
        """Where these sentences are at each recorded step; empty before the first."""
        return self.training.loop.positions if self.training.loop is not None else Positions.open(self.files)

    @property
    def references(self) -> dict[str, float]:
        """Levels to draw next to the loss, by name."""
        if self.training.loop is not None:
            return self.training.loop.method.references()
        return dict(self._ended_as.references) if self._ended_as is not None else {}

    @property
    def selection(self) -> str:
        """The rule by which the best checkpoint is chosen."""
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
        """A copy of the encoder as it is now, at its test-time representation; RuntimeError before it is loaded."""
        if self._ended_as is not None:
            if (latest := self.files.latest_encoder()) is None:
                raise RuntimeError(f"{self.name} was {self.status} before it saved an encoder; resume it to get one")
            return load_encoder(latest)
        with self.training.between:
            return copy.deepcopy(self.training.require_loop().method.test_encoder())

    def best_encoder(self) -> Encoder:
        """The encoder that :attr:`selection` chose."""
        if not self.best:
            raise RuntimeError(f"{self.name} has not been validated yet; its status is {self.status!r}")
        folder = self.files.best_encoder(self.best["step"])
        if folder is None and not self.alive and self.best["step"] == self.step:
            folder = self.files.latest_encoder()
        return self.encoder if folder is None else load_encoder(folder)

    @property
    def trend(self) -> Trend | None:
        """How the run moved its sentences, from the first measurement to the latest; None before the first."""
        return trend_of(self.records(), self.total_steps, self.method)

    def diagnosis(self) -> metrics.Diagnosis:
        """Diagnosis of the probe's latest vectors, with the run's trend and what helped in such runs."""
        if self.probe is None or self.probe.vectors is None:
            raise RuntimeError(f"{self.name} has no vectors yet{self.training.why()}")
        step, vectors = self.probe.vectors_step, self.probe.vectors
        diagnosis = metrics.diagnose(vectors)
        latest = {"step": step, "mean_cosine": diagnosis.signals["mean_cosine"]}  # its row may not be written yet
        rows = [*(row for row in self.records() if row["step"] < step), latest]
        trend = trend_of(rows, self.total_steps, self.method)
        return diagnosis.of_run(trend, vars(self.config), usual_settings(self.recipe, self.folder))

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.method}, {self.status}, step {self.step} of {self.total_steps}>"


def usual_settings(recipe: RunConfig, folder: Path) -> dict[str, Any]:
    """The method's default settings for the encoder that a run began with; none of a method unknown to this kernel."""
    if recipe.method not in names():
        return {}
    return dict(vars(config(recipe.method, folder / START if recipe.encoder == f"./{START}" else recipe.encoder)))


def stop_runs() -> None:
    """Stop the runs of this kernel, and wait for their checkpoints."""
    alive = [run.training for run in RUNS if run.alive]
    for training in alive:
        training.stop()
    for training in alive:
        with contextlib.suppress(Exception):
            training.wait(LAST_STEP_SECONDS)


atexit.register(stop_runs)


def _handle_sigterm() -> None:
    """Let SIGTERM stop the runs first, unless another handler is installed."""
    if threading.current_thread() is not threading.main_thread():
        return  # signals belong to the main thread

    def terminated(number: int, _: object) -> None:
        def end() -> None:  # in a thread: the interrupted main thread may hold a lock that a run needs to end
            stop_runs()
            os.kill(os.getpid(), number)

        signal.signal(number, signal.SIG_DFL)
        threading.Thread(target=end, name="clwork ends", daemon=False).start()  # else the exit status may be 0

    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminated)
