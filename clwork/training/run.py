"""A run: training in a background thread that can be talked to."""

from __future__ import annotations

import copy
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import metrics
from ..data.settings import BEST, ENCODER
from ..encoders import Encoder, load_encoder
from .controls import Controls
from .loop import CHECKPOINT, Loop
from .prepare import prepare
from .probe import Probe
from .recipe import Recipe
from .record import Record
from .state import read_state

if TYPE_CHECKING:
    import pandas as pd

WAITING, RUNNING, PAUSED, STOPPED, FINISHED, FAILED = "waiting", "running", "paused", "stopped", "finished", "failed"


class Run:
    """One training, from its first moment a folder on disk; made by :func:`clwork.start` and its kin.

    Attributes:
        name: its name, also that of its folder.
        status: ``waiting`` (reading encoder and corpus), ``running``, ``paused``, ``stopped``, ``finished`` or
            ``failed``.
        step: steps done; ``total_steps`` is where it will end.
        error: what went wrong, in words, or None.
        controls: hot hyperparameters, see :class:`Controls`.
        config: the configuration in force.
        recipe: what the run is made of, as ``run.json`` keeps it.
        probe: sentences and their latest vectors, once the run has begun.
    """

    def __init__(
        self, recipe: Recipe, folder: Path, config: Any, encoder: str | Encoder, sentences: Any, resume: bool = False
    ) -> None:
        self.name, self.method, self.folder = recipe.name, recipe.method, folder
        self.total_steps, self.config, self.status = recipe.steps, config, WAITING
        self.error: str | None = None
        self.controls = Controls(config)
        self.recipe, self._given_encoder, self._given_sentences, self._resume = recipe, encoder, sentences, resume
        self._record = Record(folder, upto=read_state(folder / CHECKPOINT)[1]["step"] if resume else None)
        self._loop: Loop | None = None
        self._failure: BaseException | None = None
        self._over = False
        self._stop, self._go = threading.Event(), threading.Event()
        self._go.set()
        self._between = threading.Lock()  # held while a step is done: weights are whole outside of it
        self._events: list[str] = []
        self._thread = threading.Thread(target=self._main, name=f"clwork {self.name}", daemon=True)

    # --- talking to it ----------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Hold after the step in progress; a checkpoint is written."""
        self._go.clear()

    def resume(self) -> None:
        """Go on after :meth:`pause`."""
        self._go.set()

    def stop(self) -> None:
        """End after the step in progress; a checkpoint is written, and :func:`clwork.resume` can take it up again."""
        self._stop.set()
        self._go.set()

    def wait(self, timeout: float | None = None) -> Run:
        """Block until the run ends, or ``timeout`` seconds have passed; returns the run.

        Raises:
            Exception: whatever made the run fail.
        """
        self._thread.join(timeout)
        if self._failure is not None:
            raise self._failure
        return self

    @property
    def alive(self) -> bool:
        """Whether its thread is still at work, paused included."""
        return self._thread.is_alive()

    # --- looking at it ----------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """Steps done so far."""
        return self._loop.step if self._loop else 0

    @property
    def seconds(self) -> float:
        """Seconds of work so far: the method's own preparations, steps and looks; not validation, files or pauses."""
        loop = self._loop
        return loop.begin_seconds + loop.seconds + loop.probe_seconds if loop else 0.0

    @property
    def history(self) -> pd.DataFrame:
        """One row per step; NaN where nothing was measured at that step."""
        return self._record.frame()

    def records(self, since: int = 0) -> list[dict[str, Any]]:
        """The rows of :attr:`history` as dicts, from row number ``since``: cheap, for drawing."""
        return self._record.rows(since)

    @property
    def probe(self) -> Probe | None:
        """The fixed sentences and their latest vectors; None until the corpus has been read."""
        return self._loop.probe if self._loop else None

    @property
    def references(self) -> dict[str, float]:
        """Levels to draw beside the loss, by name."""
        return self._loop.method.references() if self._loop else {}

    @property
    def selection(self) -> str:
        """The rule by which the best checkpoint is chosen."""
        return self._loop.validation.rule if self._loop else "not known before the run has begun"

    @property
    def best(self) -> dict[str, Any]:
        """Step, score and rule of the best checkpoint so far; empty before the first validation."""
        return dict(self._loop.best) if self._loop else {}

    @property
    def encoder(self) -> Encoder:
        """The encoder as it is now, at its test-time representation: a copy, so that training does not change it.

        Raises:
            RuntimeError: the run has not got as far as having one.
        """
        with self._between:
            return copy.deepcopy(self._begun().method.test_encoder())

    def best_encoder(self) -> Encoder:
        """The encoder that :attr:`selection` chose."""
        if not self.best:
            raise RuntimeError(f"{self.name} has not been validated yet; its status is {self.status!r}")
        return load_encoder(str(self.folder / BEST))

    def diagnosis(self) -> metrics.Diagnosis:
        """What the probe's latest vectors look like, in words and figures."""
        vectors = self._begun().probe.vectors
        if vectors is None:
            raise RuntimeError(f"{self.name} has not been measured yet; its status is {self.status!r}")
        return metrics.diagnose(vectors)

    def save(self, folder: str | Path) -> Path:
        """Copy the run, with a checkpoint of this moment, to ``folder``; :func:`clwork.resume` opens it there.

        Raises:
            FileExistsError: the folder holds something already.
        """
        target = Path(folder)
        if target.resolve() != self.folder.resolve() and target.exists() and any(target.iterdir()):
            raise FileExistsError(f"{target} is not empty; give a new folder")
        with self._between:
            if not self._over:  # the last checkpoint is in the folder
                self._checkpoint()
            if target.resolve() != self.folder.resolve():
                shutil.copytree(self.folder, target, dirs_exist_ok=True)
        return target

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.method}, {self.status}, step {self.step} of {self.total_steps}>"

    def _begun(self) -> Loop:
        if self._loop is None:
            raise RuntimeError(
                f"{self.name} has not begun; its status is {self.status!r}" + (f": {self.error}" if self.error else "")
            )
        return self._loop

    # --- the thread -------------------------------------------------------------------------------------------

    def start(self) -> Run:
        """Begin in the background."""
        self._thread.start()
        return self

    def _main(self) -> None:
        try:
            loop = prepare(self.recipe, self.folder, self.config, self._given_encoder, self._given_sentences)
            if self._resume:
                loop.load(self.folder / CHECKPOINT)
            self._loop = loop
            self._train(loop)
        except Exception as error:
            self._failure, self.error, self.status = error, f"{type(error).__name__}: {error}", FAILED

    def _train(self, loop: Loop) -> None:
        self.status = RUNNING
        if self._resume:
            self._events.append(f"resumed from step {loop.step}")
            loop.measure()
        else:
            self._record.add(loop.first_row())
        while loop.step < loop.total and not self._stop.is_set():
            self._hold_if_paused()
            if self._stop.is_set():
                break
            changed = self.controls._apply()
            with self._between:
                row = loop.advance()
            events = [*self._events, changed] if changed else self._events
            self._events = []
            self._record.add(row | ({"event": "; ".join(events)} if events else {}))
            if loop.step % self.recipe.checkpoint_every == 0:
                self._checkpoint()
        with self._between:
            self._checkpoint()
            if loop.step >= loop.total:
                loop.method.test_encoder().save(self.folder / ENCODER)
            loop.release()  # a kernel keeps all its runs, and an optimizer weighs twice as much as its encoder
            self._over = True
        self.status = FINISHED if loop.step >= loop.total else STOPPED

    def _hold_if_paused(self) -> None:
        if self._go.is_set():
            return
        self._checkpoint()
        self.status, began = PAUSED, time.perf_counter()
        self._go.wait()
        self.status = RUNNING
        self._events.append(f"paused {time.perf_counter() - began:.0f} s")

    def _checkpoint(self) -> None:
        self._begun().save(self.folder / CHECKPOINT)
