"""What an instrument can show: a run of this kernel, a run read back, or a recording; each gives what a page lacks."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from ... import columns
from ...events import sentence
from ...metrics.diagnosis import in_short
from ...training import Run
from ...training.positions import Positions
from ...training.probe import trend_of
from . import sentences
from .player_data import PlayerData

MOST_ROWS = 2000  # sent of a history at once; a row with an event or a look is never left out
LONGEST = 500  # letters of a sentence
SIGNALS_SHOWN = 6
CURVES = tuple(column.name for column in columns.in_cell(*columns.CELLS))

Part = dict[str, Any]


class Source(Protocol):
    """A run, as far as it is shown; ``id`` is a name that no other run has.

    ``head`` is None as long as the sentences are not known; ``looks`` and ``rows`` give what came after a step or after
    a number of rows; ``verdict`` is None where it is the one of step ``known``.
    """

    @property
    def id(self) -> str:
        """By which it is known."""

    def status(self) -> str:
        """How the run stands, in a word."""

    def head(self) -> Part | None:
        """Sentences, axes and levels."""

    def looks(self, after: int) -> list[Part]:
        """Positions and neighbours at each look."""

    def rows(self, start: int, more: Sequence[str]) -> Part:
        """What :func:`table` makes of its record; ``more`` names columns besides those of the strip."""

    def verdict(self, known: int) -> Part | None:
        """The diagnosis of its newest vectors."""


class RunSource:
    """A run of this kernel, at work or ended, or one read back from its folder."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._opened: Positions | None = None
        self._judged = -1
        self._verdict: Part | None = None

    @property
    def id(self) -> str:
        """The run's folder."""
        return str(self.run.folder)

    def status(self) -> str:
        """Of the run."""
        return self.run.status

    @property
    def positions(self) -> Positions:
        """The run's; of one that was not trained here they are read from its folder once, for a page asks often."""
        if self.run.alive or self.run.training.loop is not None:
            return self.run.positions
        self._opened = self._opened or self.run.positions
        return self._opened

    def head(self) -> Part | None:
        """Sentences and axes, once there are any; of a run that records none, its name and curves."""
        about = self.positions.about
        if about is None and not self.run.records(-1):
            return None
        about = about or {"texts": [], "labels": None, "axes": 0, "span": 1.0, "share": []}
        labels = about["labels"]
        run = self.run
        return {
            "id": self.id,
            "name": run.name,
            "texts": [text[:LONGEST] for text in about["texts"]],
            "labels": None if labels is None else [None if label is None else label[:LONGEST] for label in labels],
            "axes": about["axes"],
            "span": about["span"],
            "share": list(about["share"]),
            "total_steps": run.total_steps,
            "seed": run.recipe.seed,
            "credit": run.recipe.sentences.credit,
            "settings": " · ".join(
                [f"seed {run.recipe.seed}", run.recipe.sentences.label, run.recipe.encoder.removeprefix("./")]
            ),
            "levels": {"loss": dict(run.references)},
        }

    def looks(self, after: int) -> list[Part]:
        """The looks of later steps, each with the run's trend by then in words."""
        fresh = [row for row in self.positions.rows() if row["step"] > after]
        told = self._trends({row["step"] for row in fresh})
        return [_look(row, told.get(row["step"], "")) for row in fresh]

    def _trends(self, steps: set[int]) -> dict[int, str]:
        run = self.run
        seen = [row for row in run.records() if "mean_cosine" in row] if steps else []
        told = {}
        for place, row in enumerate(seen):
            if row["step"] in steps and (trend := trend_of(seen[: place + 1], run.total_steps, run.method)):
                told[row["step"]] = in_short(trend)
        return told

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """The rows of its record from number ``start`` on."""
        return table(self.run.records(start), start, more)

    def verdict(self, known: int) -> Part | None:
        """The diagnosis of the newest vectors, computed once a look."""
        probe = self.run.probe
        if probe is None or probe.vectors is None or probe.vectors_step == known:
            return None
        if probe.vectors_step != self._judged:
            step = probe.vectors_step
            torch.get_num_threads()  # torch sets this thread's number the first time that it is asked
            with threadpool_limits(limits=1, user_api="openmp"):  # a second team of threads would slow the run's
                diagnosis = self.run.diagnosis()
            self._verdict = {
                "step": step,
                "sign": sentences.sign(diagnosis),
                "headline": diagnosis.headline,
                "text": diagnosis.text,
                "signals": [
                    [columns.of(name).label, f"{value:.3g}"]
                    for name, value in list(diagnosis.signals.items())[:SIGNALS_SHOWN]
                ],
            }
            self._judged = step
        return self._verdict


class RecordedSource:
    """A recording, checked: what :func:`.player_data` gives; it never changes."""

    def __init__(self, data: PlayerData, name: str) -> None:
        self.data, self._name = data, name

    @property
    def id(self) -> str:
        """The name that it was given."""
        return self._name

    def status(self) -> str:
        """Of the run when it was recorded."""
        return str(self.data["status"] or "recorded")

    def head(self) -> Part:
        """Sentences and axes."""
        shown = ("name", "title", "texts", "labels", "axes", "span", "share", "total_steps", "seed")
        return {"id": self.id, **{name: self.data[name] for name in shown}, "credit": "", "levels": {}}

    def looks(self, after: int) -> list[Part]:
        """The looks of later steps."""
        told = {row["step"]: row.get("trend", "") for row in self.data["rows"]}
        return [_look(row, told.get(row["step"], "")) for row in self.data["looks"] if row["step"] > after]

    def rows(self, start: int, more: Sequence[str] = ()) -> Part:
        """The rows from number ``start`` on."""
        return table(self.data["rows"][start:], start, more)

    def verdict(self, known: int) -> Part | None:
        """None: a recording has no vectors."""
        return None


def _look(row: Mapping[str, Any], trend: str) -> Part:
    at, near = (base64.b64decode(row[name]) for name in ("at", "near"))
    return {"step": row["step"], "at": at, "near": near, "kept": row["kept"], "trend": trend}


def table(records: Sequence[Mapping[str, Any]], start: int, more: Iterable[str] = (), most: int = MOST_ROWS) -> Part:
    """A history as floats (R, 1 + C) of 32 bits, the step first, NaN where nothing was measured.

    ``from`` and ``upto`` number the record's rows; of more than ``most`` some are left out. ``events`` are steps with
    what happened there, in words. Values are multiplied by their column's factor.
    """
    names = [name for name in dict.fromkeys((*CURVES, *more)) if any(name in row for row in records)]
    factors = {name: columns.of(name).scale for name in names}
    every = max(1, -(-len(records) // most))
    kept = [
        row
        for place, row in enumerate(records)
        if place % every == 0 or place == len(records) - 1 or "alignment" in row or sentence(row)
    ]
    values = np.full((len(kept), 1 + len(names)), np.nan, "<f4")
    for line, row in zip(values, kept, strict=True):
        line[0] = row["step"]
        for place, name in enumerate(names, start=1):
            if isinstance(value := row.get(name), int | float):
                line[place] = factors[name] * value
    return {
        "from": start,
        "upto": start + len(records),
        "columns": names,
        "values": values.tobytes(),
        "events": [[int(row["step"]), sentence(row)[:LONGEST]] for row in kept if sentence(row)],
    }
