"""The columns of a run's history: their descriptions, and the class of a history."""

from __future__ import annotations

import json
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._validation import is_number
from .events import events_of, sentence

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Row = Mapping[str, Any]  # "step", a number for each column, and "events"

UPPER = "all-MiniLM-L6-v2"  # the encoder of the upper lines
STRONG_SCORES = "data/silver/strong_scores.json"  # written by scripts/silver_pairs.py
Place = Literal["history", "numbers", "table", "choice"]
# Subplots, row by row; the last one has several curves.
CELLS = ("loss", "alignment", "uniformity", "validation")


@dataclass(frozen=True)
class Column:
    """A column of the history and how it is shown.

    The places of ``shown`` are "history": in every history, even if not measured; "numbers": in the
    panel's latest numbers; "table": in the table of runs; "choice": in the menu of further curves.
    """

    name: str
    shown: tuple[Place, ...] = ("choice",)
    title: str = ""  # title in figures; default: the name with spaces instead of underscores
    unit: str = ""  # unit of the plotted values
    scale: float = 1.0  # factor from recorded to plotted values
    better: Literal["", "lower", "higher"] = ""  # direction of improvement, if there is one
    cell: str = ""  # the subplot of CELLS that shows the column, if any
    smoothed: bool = False  # whether the running mean is plotted

    @property
    def upper(self) -> float | None:
        """The score of a strong encoder, plotted as the upper line; None if the column has none."""
        return strong_scores().get(self.name)

    @property
    def label(self) -> str:
        """The title with the factor of the plotted values."""
        title = self.title or self.name.replace("_", " ")
        return f"{title} {self.unit}" if self.unit.startswith("×") else title

    @property
    def heading(self) -> str:
        """The label with unit, direction of improvement and smoothing."""
        unit = "" if self.unit.startswith("×") else self.unit
        better = f"{self.better} is better" if self.better else ""
        smoothing = "running mean" if self.smoothed else ""
        hints = ", ".join(filter(None, [unit, better, smoothing]))
        return f"{self.label} ({hints})" if hints else self.label


ALWAYS: tuple[Place, ...] = ("history", "numbers", "table")
PLOTTED: tuple[Place, ...] = ("history", "choice")
_score = partial(Column, unit="× 100", better="higher", cell="validation")
_proxy = partial(_score, shown=("table", "choice"), scale=100.0)
TABLE = (
    # Number of completed optimizer steps; 0 before the training.
    Column("step", shown=("history",)),
    # Loss of the step's batch.
    Column("loss", ALWAYS, cell="loss", smoothed=True),
    # Mean squared distance between the unit vectors of two sentences with the same meaning.
    Column("alignment", ALWAYS, better="lower", cell="alignment"),
    # Log of the mean of exp(-2 x squared distance) over all pairs of sentences, for unit vectors.
    Column("uniformity", ALWAYS, better="lower", cell="uniformity"),
    # Mean cosine over all pairs of sentences.
    Column("mean_cosine", PLOTTED),
    # Exponential of the entropy of the singular values, an estimate of the dimensions in use.
    Column("effective_rank", ("history", "numbers", "choice"), unit="dimensions"),
    # Mean standard deviation of a coordinate of the unit vectors, times the square root of their
    # width; near 1 for vectors in all directions.
    Column("std_sqrt_d", PLOTTED, title="std × √d"),
    # Length of the gradient over all weights before clipping.
    Column("gradient_norm"),
    Column("learning_rate", PLOTTED),
    # Share of the elapsed time that was spent on measurements.
    Column("probe_share", shown=("history",)),
    # Elapsed time of steps and measurements.
    Column("seconds", shown=("history",), unit="s"),
    # Rank correlations between cosines and human ratings on validation sets, and with the cosines
    # of all-MiniLM-L6-v2 on the same 500 pairs of wikipedia-mini for every run.
    _score("stsb", ("numbers", "table", "choice"), title="STS-B Spearman"),
    _score("sickr", ("numbers", "table", "choice"), title="SICK-R Spearman"),
    _score("silver", ("numbers", "table", "choice"), title="silver score (a model's opinion)"),
    # Probability that two sentences of one article have a higher cosine than two of others.
    _proxy("same_article_auc", title="same article, AUC (proxy)"),
    # Share of sentences that have the topic of most of their nearest neighbours.
    _proxy("topic_knn", title="topic k-NN accuracy (proxy)"),
    # Events before the step, as text.
    Column("event", shown=("history",)),
)
_BY_NAME = {column.name: column for column in TABLE}


@cache
def strong_scores() -> dict[str, float]:
    """Return the scores of UPPER, a strong encoder, by column, to compare a small encoder with."""
    text = (files(__package__) / STRONG_SCORES).read_text(encoding="utf-8")
    return dict(json.loads(text)["scores"])


def of(name: str) -> Column:
    """Return the column with this name; one that is not in ``TABLE`` has default properties."""
    return _BY_NAME.get(name) or Column(name)


def shown(place: Place) -> list[str]:
    return [column.name for column in TABLE if place in column.shown]


def in_cell(*cells: str) -> list[Column]:
    return [column for cell in cells for column in TABLE if column.cell == cell]


def choices(recorded: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """Return the recorded columns that can be drawn in addition, validation scores first."""
    names = [name for name in recorded if "choice" in of(name).shown]
    names.sort(key=lambda name: of(name).cell != "validation")
    left_out = set(drawn)
    return [name for name in names if name not in left_out]


AS_LOADED = ": untrained, as loaded"


def by_column(references: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Group reference levels by column.

    ``"stsb: untrained, as loaded"`` is a level of ``stsb``; levels without that ending are those
    of the loss.
    """
    levels: dict[str, dict[str, float]] = {}
    for name, level in references.items():
        if name.endswith(AS_LOADED):
            column = name.removesuffix(AS_LOADED)
            levels.setdefault(column, {})[AS_LOADED.removeprefix(": ")] = level
        else:
            levels.setdefault("loss", {})[name] = level
    return levels


class History:
    """The rows of a run's history, which can only be appended.

    Values that are not finite count as not measured.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: list[dict[str, Any]] = []
        self.events: list[tuple[int, str]] = []  # step and text of each row with events
        self._columns: dict[str, tuple[list[float], list[float]]] = {}
        self.extend(rows)

    def extend(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.append(row)

    def append(self, row: Row) -> None:
        step = int(row["step"])
        if text := sentence(row):
            self.events.append((step, text))
        for name, value in row.items():
            if name != "step" and is_number(value) and math.isfinite(value):
                steps, values = self._columns.setdefault(name, ([], []))
                steps.append(step)
                values.append(float(value))
        self.rows.append(dict(row))

    @property
    def last_step(self) -> int:
        return int(self.rows[-1]["step"]) if self.rows else 0

    @property
    def names(self) -> list[str]:
        return list(self._columns)

    def xy(self, name: str) -> tuple[Floats, Floats]:
        """Return steps and values of a column; two empty arrays if it was never measured."""
        steps, values = self._columns.get(name, ([], []))
        count = len(values)  # another thread may be appending
        return np.array(steps[:count], dtype=float), np.array(values[:count], dtype=float)

    def last(self, name: str) -> float | None:
        column = self._columns.get(name)
        return column[1][-1] if column and column[1] else None

    def joint(self, first: str, second: str) -> tuple[Floats, Floats, Floats]:
        """Return the steps at which both columns were measured, and their values at these steps."""
        first_steps, first_values = self.xy(first)
        second_steps, second_values = self.xy(second)
        steps, first_rows, second_rows = np.intersect1d(
            first_steps, second_steps, return_indices=True
        )
        return steps, first_values[first_rows], second_values[second_rows]

    def thinned(self, most: int, keep: Container[int] = ()) -> History:
        """Return at most ``most`` rows at about even distances.

        The first and the last row, those of the steps in ``keep`` and those with events have
        priority.
        """
        count = len(self.rows)
        if count <= most:
            return self
        important = [
            number for number, row in enumerate(self.rows) if row["step"] in keep or events_of(row)
        ]
        chosen = {0, count - 1, *important}
        if len(chosen) < most:
            chosen.update(np.linspace(0, count - 1, most - len(chosen)).round().astype(int))
        numbers = sorted(chosen)
        if len(numbers) > most:
            numbers = [*numbers[: most - 1], numbers[-1]]
        return History(self.rows[number] for number in numbers)

    def as_bytes(self, names: Sequence[str]) -> bytes:
        """Return steps and columns as little-endian float32 ``(R, 1 + C)``; NaN: not measured."""
        row_of = {int(row["step"]): number for number, row in enumerate(self.rows)}
        table = np.full((len(self.rows), 1 + len(names)), np.nan, "<f4")
        table[:, 0] = [row["step"] for row in self.rows]
        for number, name in enumerate(names, start=1):
            steps, values = self.xy(name)
            table[[row_of[int(step)] for step in steps], number] = of(name).scale * values
        return table.tobytes()

    def as_frame(self) -> pd.DataFrame:
        """Return a DataFrame, columns of every history first; NaN: not measured; events as text."""
        import pandas as pd

        rows = list(self.rows)
        *first, event = shown("history")
        others = dict.fromkeys(key for row in rows for key in row)
        names = [*dict.fromkeys([*first, *others])]
        names = [name for name in names if name not in (event, "events")] + [event]
        frame = pd.DataFrame(rows, columns=names)
        numbers = [name for name in names if name != "event"]
        frame[numbers] = frame[numbers].astype(float)
        frame["step"] = frame["step"].astype(int)
        frame["event"] = [sentence(row) for row in rows]
        return frame
