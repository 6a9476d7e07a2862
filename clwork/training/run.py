"""The class :class:`Run`: a training in the background that any thread can control."""

from __future__ import annotations

import atexit
import contextlib
import copy
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _validation
from .._validation import kind, shown
from ..encoders import Encoder, load_encoder
from ..methods import MethodConfig, names
from ..metrics.diagnosis import Diagnosis
from ..run_folder.config import RunConfig
from ..run_folder.folder import RunFolder
from ..run_folder.history import Row, RunHistory
from ..run_folder.positions import Positions
from .fork import ForkRequest, fork_points, write_fork
from .loop import Loop
from .preparation import Progress, RunInputs
from .probe import Probe
from .stored import Stored, diagnose_run
from .thread import FINISHED, PROGRAM_ENDED, TrainingThread

if TYPE_CHECKING:
    import pandas as pd

# The runs of this kernel, in the order they were started.
RUNS: list[Run] = []
# Time for the last step of a run and its checkpoint when the program ends.
LAST_STEP_SECONDS = 60.0
# Signals that end a process. SIGHUP is that of a closed terminal; Windows has none.
ENDING = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


class Run:
    """A training run with a folder on disk.

    It is made by :func:`clwork.start`, ``train`` or ``resume``.

    Attributes:
        name: name of the run and of its folder.
        method: name of the run's method; ``clwork.methods.get(run.method)`` is the class.
        folder: the folder.
        total_steps: the number of steps at the end.
        controls: hot hyperparameters, see :class:`Controls`.
        config: the present hyperparameters.
        run_config: the run configuration when it began, as in ``run.json``.
        training: the training thread, for access to the weights between two steps.

    >>> run = clwork.start("simcse")  # doctest: +SKIP
    >>> run.controls.temperature = 0.1  # doctest: +SKIP
    """

    def __init__(
        self,
        run_config: RunConfig,
        files: RunFolder,
        config: MethodConfig,
        history: RunHistory,
        inputs: RunInputs | Stored,
    ) -> None:
        """``inputs`` are those of a run to train; of a run to show, its reader."""
        self.name = run_config.name
        self.method = run_config.method
        self.files = files
        self.folder = files.path
        self.total_steps = run_config.steps
        self.run_config = run_config
        # Of the method's own class of hyperparameters.
        self.config: Any = config
        # None for a run that is trained here.
        self._stored = inputs if isinstance(inputs, Stored) else None
        inputs_to_train = inputs if isinstance(inputs, RunInputs) else None
        self.training = TrainingThread(run_config, files, config, history, inputs_to_train)
        self.controls = self.training.controls
        if self._stored is not None:
            self.training.never_start(self._stored.status, self._stored.error)

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
        """Continue after :meth:`pause`.

        Raises:
            RuntimeError: the run was stopped or failed; use :func:`clwork.resume`.
        """
        if not self.alive and self.status != FINISHED:
            raise RuntimeError(
                f"{self.name} is {self.status}, not paused; call "
                f"clwork.resume({str(self.folder)!r}) to continue from its last checkpoint"
            )
        self.training.gate.open()

    @property
    def pace(self) -> float:
        """Minimum seconds from step to step, to slow a run down; can be set at any time."""
        return self.training.gate.pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        self.training.gate.set_pace(seconds)

    def step_once(self, wait: bool = True) -> Run:
        """Do exactly one step of a paused run, which stays paused; return the run.

        Returns once the step's row is written, or at once if not ``wait``.

        Raises:
            RuntimeError: the run is not paused.
        """
        request = self.training.gate.request()
        if request is None:
            remedy = "run.pause()" if self.alive else f"clwork.resume({str(self.folder)!r})"
            raise RuntimeError(f"{self.name} is {self.status}, not paused; call {remedy} first")
        if wait:
            self.training.gate.wait_for(request)
            if self.training.failure is not None:
                raise self.training.failure
        return self

    def stop(self, after: int | None = None) -> None:
        """End the run after the step in progress, with a checkpoint for :func:`clwork.resume`.

        With ``after``, the run ends once that number of steps is done, counted from step 0.
        """
        if after is not None:
            self.training.last = after
        if after is None or self.step >= after:
            self.training.stop()

    def wait(self, timeout: float | None = None) -> Run:
        """Block until the run has ended, or for ``timeout`` seconds; raise the run's error."""
        self.training.wait(timeout)
        return self

    def save(self, folder: str | Path) -> Path:
        """Copy the run to an empty ``folder``, with a checkpoint of the present step.

        Returns the path of the copy, which :func:`clwork.resume` continues. The run's own folder
        as ``folder`` only writes the checkpoint.

        Raises:
            ValueError: ``folder`` is inside the run's folder.
            FileExistsError: ``folder`` is not empty.
            OSError: ``folder`` cannot be written.
        """
        target = Path(folder).resolve()
        if target != self.folder and target.is_relative_to(self.folder):
            raise ValueError(
                f"folder={str(target)!r} is inside {self.folder}, which holds the run itself; give "
                "one next to it"
            )
        with self.training.step_lock:
            if self.alive and not self.training.released:
                self.training.write_checkpoint()
            if target != self.folder:
                self.files.copy_to(target, self.training.status_of_copy)
        return target

    def checkpoint_steps(self) -> list[int]:
        """List the steps that :meth:`fork` accepts: 0, a new start, and those of checkpoints."""
        return sorted({0, *fork_points(self.run_config, self.files)})

    def fork(
        self,
        step: int | None = None,
        *,
        steps: int | None = None,
        name: str | None = None,
        folder: str | Path | None = None,
        **changes: Any,
    ) -> Run:
        """Start a new run from a checkpoint of this run, in the background; this one stays.

        Without changes, the fork repeats this run, on a CPU bit for bit. The fork's history begins
        with this run's history up to the step, and its ``run.json`` names this run as parent.

        Args:
            step: one of :meth:`checkpoint_steps`; default: the present step of a live run, else the
                latest checkpoint.
            steps: the step at which the fork ends; a learning-rate schedule follows the new length.
            name: name of the fork; default: the method and a number.
            folder: folder that stores the fork, as for :func:`clwork.start`.
            changes: hyperparameters, hot or not, that do not change the model's shape.

        Raises:
            ValueError: no checkpoint of the step, or a value out of range or of no effect.
            TypeError: a hyperparameter is unknown or has a value of another type.
            FileExistsError: the folder is not empty.
            FileNotFoundError: this run was deleted or renamed.
            OSError: the folder cannot be written.

        >>> longer = run.fork(200, temperature=0.1)  # doctest: +SKIP
        """
        if step is not None:
            step = _validation.integer("step", step, 0)
        request = ForkRequest(step, steps, changes)
        with self.training.step_lock:
            self._checkpoint_for_fork(step)
            with RunFolder.new(self.method, name, folder) as files:
                run_config, config, history, inputs = write_fork(
                    request, self.run_config, self.files, files
                )
                child = Run(run_config, files, config, history, inputs)
        return child.start()

    def _checkpoint_for_fork(self, step: int | None) -> None:
        """Write a checkpoint if a live run is forked at its present step.

        Steps 0 and ``total`` need none: a fork of step 0 starts anew, and the run writes the last
        checkpoint itself.
        """
        loop = self.training.loop
        if loop is None or not self.alive or self.training.released:
            return
        if 0 < loop.step < loop.total and step in (None, loop.step):
            self.training.write_checkpoint()

    @property
    def status(self) -> str:
        """What the run does, as also stored on disk.

        It is ``waiting`` (reading encoder and corpus), ``running``, ``paused``, ``stopped``,
        ``finished`` or ``failed``; for a run that was only opened also ``killed``.
        """
        return self.training.status

    @property
    def error(self) -> str | None:
        """The error of a failed run, or why a run was stopped before it began; else None."""
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
        """Seconds spent on preparation, steps and measurements, without validation and pauses."""
        loop = self.training.loop
        if loop is not None:
            return loop.begin_seconds + loop.seconds + loop.probe_seconds
        # A run that is not trained here has them in its last row, if it has any.
        last_rows = self.records(since=-1)
        return float(last_rows[0].get("seconds", 0.0)) if last_rows else 0.0

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN if nothing was measured. ``clwork/columns.py`` has the columns."""
        return self.training.history.as_frame()

    def records(self, since: int = 0) -> list[Row]:
        """Return the rows of :attr:`history` as dicts, from row number ``since``; -1: the last."""
        return self.training.history.rows[since:]

    @property
    def _state(self) -> Loop | Stored | None:
        """What has the run's probe, positions, references and best; None until it is prepared."""
        return self.training.loop or self._stored

    @property
    def probe(self) -> Probe | None:
        """The fixed sentences and their latest vectors; None until the corpus has been read."""
        return None if self._state is None else self._state.probe

    @property
    def preparing(self) -> Progress | None:
        """Progress of the method's preparation, such as training a model; None at other times."""
        return self.training.progress if self.alive and self.training.loop is None else None

    @property
    def busy_with(self) -> str:
        """The task between two steps, such as ``"validation"``; empty if there is none."""
        return self.training.loop.busy_with if self.training.loop is not None else ""

    @property
    def positions(self) -> Positions:
        """Positions of the probe's sentences at each recorded step."""
        return Positions.open(self.files) if self._state is None else self._state.positions

    @property
    def references(self) -> dict[str, float]:
        """Reference levels by name: scores of the encoder as loaded, then levels of the loss."""
        return {} if self._state is None else dict(self._state.references)

    @property
    def best(self) -> dict[str, Any]:
        """Step, score and rule of the best encoder so far; empty before the first validation."""
        return {} if self._state is None else dict(self._state.best)

    @property
    def encoder(self) -> Encoder:
        """A copy of the present encoder, at its test-time representation.

        Raises:
            RuntimeError: there is none yet.
            FileNotFoundError: the run is only opened, and no encoder is saved yet.
        """
        # A run that is only opened, not trained here.
        if self._stored is not None:
            return self._stored.encoder
        # Copied while no step changes the weights.
        with self.training.step_lock:
            method = self.training.require_loop().method
            encoder = copy.deepcopy(method.test_encoder())
        # A method may have frozen weights, such as the embeddings; the copy can be trained whole.
        return encoder.requires_grad_(True)

    def best_encoder(self) -> Encoder:
        """Return the best encoder so far, see :attr:`best`.

        Raises:
            RuntimeError: the run has not been validated yet.
        """
        best = self.best
        if not best:
            raise RuntimeError(
                f"{self.name} has not been validated yet{self.training.status_and_error()}"
            )
        folder = self.files.best_encoder(best["step"])
        # Without human ratings the last step is the best, and has no folder of its own.
        if folder is None and not self.alive and best["step"] == self.step:
            folder = self.files.latest_encoder()
        return self.encoder if folder is None else load_encoder(folder)

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of the probe's latest vectors, with trend and suggested settings.

        Raises:
            RuntimeError: nothing has been measured yet.
        """
        settings = vars(self.config)
        return diagnose_run(self.run_config, self.folder, self.records(), self.probe, settings)

    def __repr__(self) -> str:
        progress = f"step {self.step} of {self.total_steps}"
        return f"<Run {self.name}: {self.method}, {self.status}, {progress}>"


RunSource = Run | Stored | str | Path | Mapping[str, Any]
"""A run, a stored run, a run's folder, a recording, or the method of a bundled recording.

Functions that need weights or a folder refuse the last two, see :func:`as_run`.
"""


def as_run(name: str, value: RunSource) -> Run | Stored:
    """Return a run as it is, and open the run in a folder; ``name`` is that of the argument.

    A recording or a method's name is refused, since a recording has no weights and no folder.

    Raises:
        TypeError: ``value`` is neither a run nor a run's folder.
        FileNotFoundError: the folder holds no run.
    """
    if isinstance(value, Run | Stored):
        return value
    if isinstance(value, str | Path) and value not in names():
        return Stored(value)
    raise TypeError(
        f"{name}={shown(value)} is {kind(value)}; give a run, from clwork.start or "
        "clwork.open_run, or a run's folder (a recording has no weights)"
    )


@atexit.register
def _end_with_program() -> None:
    """Stop all runs of this kernel with a checkpoint each, as their threads end with it."""
    alive = [run for run in RUNS if run.alive]
    # All are stopped before the first is awaited, so that they end at the same time.
    for run in alive:
        run.training.stop(PROGRAM_ENDED)
    for run in alive:
        # A failed run must not keep the others from ending, and the output may be closed already.
        with contextlib.suppress(Exception):
            run.wait(LAST_STEP_SECONDS)
        with contextlib.suppress(OSError, ValueError, AttributeError):
            print(f"{run.name} at step {run.step}: {run.error or PROGRAM_ENDED}", file=sys.stderr)


def _handle_signals() -> None:
    """Make signals that end the process stop the runs first, unless they have a handler."""
    # Only the main thread can set signal handlers.
    if threading.current_thread() is not threading.main_thread():
        return
    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _exit)


def _exit(number: int, _: object) -> None:
    """End the program as after its last line, so that the runs are stopped."""
    # Launchers such as Slurm send the signal more than once.
    for ending in ENDING:
        signal.signal(ending, signal.SIG_IGN)
    # IPython does not end while it runs a cell, so the runs are stopped here already.
    for run in RUNS:
        run.training.stop(PROGRAM_ENDED)
    # The exit status that shells report of a process that a signal has ended.
    sys.exit(128 + number)
