"""What can be seen of a run: its record, its geometry, its encoders."""

from __future__ import annotations

import copy
import threading
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from ... import metrics
from ...edges import checked
from ...encoders import Encoder, load_encoder
from ...methods import MethodName, config, names
from ..disk.comparing import Replay
from ..disk.folder import RunFolder
from ..disk.recipe import Recipe
from ..disk.record import Record
from ..disk.run_files import START
from ..loop.loop import Loop
from ..loop.positions import Positions
from ..loop.preparation import Progress, RunInputs
from ..loop.probe import Probe, trend_of
from .step_gate import FairLock

if TYPE_CHECKING:
    import pandas as pd

WAITING, RUNNING, PAUSED, STOPPED, FINISHED, FAILED = "waiting", "running", "paused", "stopped", "finished", "failed"


@dataclass(frozen=True)
class Left:
    """What there is to see of a run that is not trained here, beside its record: its last checkpoint's part."""

    status: str
    error: str | None = None
    probe: Probe | None = None
    references: dict[str, float] = field(default_factory=dict)


class RunView:
    """The half of :class:`.Run` that only looks; another thread may train meanwhile."""

    name: str
    method: MethodName
    status: str
    error: str | None
    total_steps: int
    config: Any
    recipe: Recipe
    files: RunFolder
    folder: Path
    replayed: Replay | None = None
    """How a run that :func:`clwork.replay` made compares with the one that it repeats."""
    _given: RunInputs | Left
    _loop: Loop | None
    _record: Record
    _between: FairLock
    _progress: Progress | None
    _ended: threading.Event

    @property
    def alive(self) -> bool:
        """Whether it is still at work, paused included."""
        return not self._ended.is_set()

    @property
    def step(self) -> int:
        """Steps done so far."""
        if self._loop is not None:
            return self._loop.step
        rows = self._record.rows(-1)
        return int(rows[0]["step"]) if rows else 0

    @property
    def seconds(self) -> float:
        """Seconds of work so far: the method's own preparations, steps and looks; not validation, files or pauses."""
        if (loop := self._loop) is not None:
            return loop.begin_seconds + loop.seconds + loop.probe_seconds
        rows = self._record.rows(-1)
        return float(rows[0].get("seconds", 0.0)) if rows else 0.0

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN where nothing was measured. ``clwork.columns.frame()`` says what each column is."""
        return self._record.frame()

    @checked()
    def records(self, since: int = 0) -> list[dict[str, Any]]:
        """The rows of :attr:`history` as dicts, from row number ``since``; what happened stands there as data."""
        return self._record.rows(since)

    def listen(self) -> SimpleQueue[dict[str, Any] | None]:
        """A queue of the rows from now on, as they are written, without back-pressure on the run; None ends it."""
        return self._record.listeners.queue()

    @property
    def probe(self) -> Probe | None:
        """The fixed sentences and their latest vectors; None until the corpus has been read."""
        if self._loop is not None:
            return self._loop.probe
        return self._given.probe if isinstance(self._given, Left) else None

    @property
    def preparing(self) -> Progress | None:
        """How far the method's own preparation is, such as a judge's training; None where nothing is prepared now."""
        return self._progress if self.alive and self._loop is None else None

    @property
    def busy_with(self) -> str:
        """What the run does beside its steps just now, where that takes long, such as ``"last look"``; else empty."""
        return self._loop.busy_with if self._loop is not None else ""

    @property
    def positions(self) -> Positions:
        """Where these sentences lay at each look; empty for runs from before that was recorded."""
        return self._loop.positions if self._loop is not None else Positions.open(self.files)

    @property
    def references(self) -> dict[str, float]:
        """Levels to draw beside the loss, by name."""
        if self._loop is not None:
            return self._loop.method.references()
        return dict(self._given.references) if isinstance(self._given, Left) else {}

    @property
    def selection(self) -> str:
        """The rule by which the best checkpoint is chosen."""
        return self._loop.validation.rule if self._loop else str(self.best.get("rule", "nothing is chosen yet"))

    @property
    def best(self) -> dict[str, Any]:
        """Step, score and rule of the best checkpoint so far; empty before the first validation."""
        if self._loop is not None:
            return dict(self._loop.best)
        return self.files.best_meta() if isinstance(self._given, Left) else {}

    @property
    def encoder(self) -> Encoder:
        """The encoder as it is now, at its test-time representation: a copy, so that training does not change it.

        Raises:
            RuntimeError: the run has not got as far as having one.
        """
        if isinstance(self._given, Left):
            if (kept := self.files.encoder()) is None:
                raise RuntimeError(f"{self.name} was {self.status} before it kept an encoder; resume it to get one")
            return load_encoder(kept)
        with self._between:
            return copy.deepcopy(self._begun().method.test_encoder())

    def best_encoder(self) -> Encoder:
        """The encoder that :attr:`selection` chose."""
        if not self.best:
            raise RuntimeError(f"{self.name} has not been validated yet; its status is {self.status!r}")
        kept = self.files.best(self.best["step"])
        if kept is None and not self.alive and self.best["step"] == self.step:
            kept = self.files.encoder()
        return self.encoder if kept is None else load_encoder(kept)

    @property
    def trend(self) -> metrics.Trend | None:
        """Which way the run moved its sentences, from its first look to the latest; None before the first."""
        return trend_of(self.records(), self.total_steps, self.method)

    def diagnosis(self) -> metrics.Diagnosis:
        """What the probe's latest vectors look like, how the run brought them there, and what helped in such runs."""
        if self.probe is None or self.probe.vectors is None:
            raise RuntimeError(f"{self.name} has no vectors to look at{self._why()}")
        step, vectors = self.probe.vectors_step, self.probe.vectors
        found = metrics.diagnose(vectors)
        latest = {"step": step, "mean_cosine": found.signals["mean_cosine"]}  # its row may not be written yet
        rows = [*(row for row in self.records() if row["step"] < step), latest]
        trend = trend_of(rows, self.total_steps, self.method)
        return found.of_run(trend, vars(self.config), self._usual())

    def _usual(self) -> dict[str, Any]:
        """The method's settings for an encoder like the one that the run began with."""
        if self.method not in names():
            return {}
        given = self.recipe.encoder
        return dict(vars(config(self.method, self.folder / START if given == f"./{START}" else given)))

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.method}, {self.status}, step {self.step} of {self.total_steps}>"

    def _begun(self) -> Loop:
        if self._loop is None:
            raise RuntimeError(f"{self.name} has no training state here{self._why()}")
        return self._loop

    def _why(self) -> str:
        return f"; its status is {self.status!r}" + (f": {self.error}" if self.error else "")
