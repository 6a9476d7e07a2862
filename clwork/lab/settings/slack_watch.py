"""Finds the settings whose limit limits nothing, such as a φ that no pair reaches, without holding up the page."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from threadpoolctl import threadpool_limits

from ... import data, methods
from ...checks import usual_device
from ...data.sources import SOURCES
from ...encoders import Encoder, load_encoder
from ...methods.base import PreparationContext
from ...training.disk.recipe import absolute
from ...training.forces.one_step import TooLongError, first_parts
from ...training.loop.preparation import RunPreparation
from .inputs import Inputs

PAUSE = 0.4  # seconds without a change before a batch is looked at
ROWS = 3  # steps of a run that must agree


class SlackWatch:
    """Marks settings by the record of the run at work, else by one batch at the present ones, in a thread of its own.

    Only a method with such a limit in force is looked at, and only where that takes no training and no network: with a
    named encoder on this machine, and a corpus that is one of clwork's own or was given.
    """

    def __init__(self, inputs: Inputs, run: Callable[[], Any]) -> None:
        """Watch ``inputs``; ``run()`` returns the run that is shown, or None."""
        self._inputs, self._run = inputs, run
        self._asked, self._since = 0, -1
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._loaded: tuple[Any, Encoder] | None = None

    def changed(self) -> None:
        """Look again, a moment after the last change."""
        run = self._run()
        self._asked += 1
        if self._timer is not None:
            self._timer.cancel()
        if run is not None and run.alive:
            self._since = run.step
        elif self._inputs.settings.limits():
            self._timer = threading.Timer(PAUSE, self._look, [self._asked])
            self._timer.daemon = True
            self._timer.start()

    def follow(self, run: Any) -> None:
        """Read the record of a run at work: its steps since the last move of a control."""
        limits = self._inputs.settings.limits()
        if not limits:
            return
        rows = [row for row in run.records(-ROWS) if row["step"] > self._since + 1]
        parts = {field.slack.part for field in limits.values() if field.slack}
        if len(rows) == ROWS and all(part in row for row in rows for part in parts):
            self._inputs.settings.set_slack({part: max(row[part] for row in rows) for part in parts}, vars(run.config))

    def close(self) -> None:
        """Look no more."""
        self._asked += 1
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, asked: int) -> None:
        with self._lock:
            if asked != self._asked:
                return
            values = self._inputs.settings.values()
            torch.get_num_threads()  # torch sets this thread's number the first time that it is asked
            try:
                with threadpool_limits(limits=1, user_api="openmp"), warnings.catch_warnings():
                    parts = self._parts(values)
            except Exception:  # no such encoder, corpus or batch: Start says so in words
                parts = {}
            if asked == self._asked:
                self._inputs.settings.set_slack(parts, values)

    def _parts(self, values: dict[str, Any]) -> dict[str, float]:
        """Return what the first step would record; nothing where that would take long."""
        inputs = self._inputs
        chosen, corpus = inputs.encoder.read(), inputs.corpus.read()
        if isinstance(corpus, str):
            corpus = data.sentences(corpus) if corpus in {source.name for source in SOURCES.values()} else None
        if not isinstance(corpus, Sequence):
            return {}
        config = methods.config(inputs.method.name, chosen, **values)
        try:
            prepared = self._prepared(chosen, values)
            return first_parts(inputs.method.name, self._encoder(chosen), corpus, config, inputs.seed.value, prepared)
        except TooLongError:
            return {}

    def _encoder(self, chosen: Any) -> Encoder:
        if isinstance(chosen, Encoder):
            return chosen
        if self._loaded is None or self._loaded[0] != chosen:
            self._loaded = chosen, load_encoder(chosen, device=usual_device())
        return self._loaded[1]

    def _prepared(self, chosen: Any, values: dict[str, Any]) -> PreparationContext | None:
        """Return the preparation of the run that is shown, if a new run's would be the same."""
        run, settings = self._run(), self._inputs.settings
        if run is None or isinstance(chosen, Encoder) or run.recipe.encoder != absolute(chosen):
            return None
        same = all(getattr(run.config, name) == values[name] for name in settings.cold)
        corpus = run.recipe.sentences
        same = same and corpus.is_plain and corpus.name == self._inputs.corpus.name
        return RunPreparation(run.files, read_only=True) if same else None
