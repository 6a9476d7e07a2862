"""The columns of a run's history: what each holds and how it is shown; and the history itself."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

import numpy as np
import numpy.typing as npt

from ._validation import is_number
from .events import events_of, sentence

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Row = Mapping[str, Any]
"""A step: ``"step"``, a number for each measured column, and a list of ``"events"``, if any."""

Place = Literal["history", "numbers", "table", "choice"]
# Subplots, row by row; the last one has several curves.
CELLS = ("loss", "alignment", "uniformity", "validation")


@dataclass(frozen=True)
class Column:
    """A column of the history and how it is shown.

    Attributes:
        name: the key in a row of the history.
        shown: where the column appears. ``"history"``: in every DataFrame of a history, even if
            not measured; ``"numbers"``: among the panel's latest numbers; ``"table"``: in
            :func:`clwork.runs`; ``"choice"``: in the panel's menu of further curves.
        title: title in figures; default: the name with spaces instead of underscores.
        better: direction of improvement; empty if there is none.
        cell: the subplot of :data:`CELLS` that shows the column; empty for none.
        smoothed: whether the running mean is plotted.
    """

    name: str
    shown: tuple[Place, ...] = ("choice",)
    title: str = ""
    better: Literal["", "lower", "higher"] = ""
    cell: str = ""
    smoothed: bool = False

    @property
    def label(self) -> str:
        """The title: ``"STS-B Spearman × 100"``."""
        return self.title or self.name.replace("_", " ")

    @property
    def heading(self) -> str:
        """The label with hints in parentheses: ``"alignment (lower is better)"``."""
        better = f"{self.better} is better" if self.better else ""
        smoothing = "running mean" if self.smoothed else ""
        hints = ", ".join(filter(None, [better, smoothing]))
        return f"{self.label} ({hints})" if hints else self.label


ALWAYS: tuple[Place, ...] = ("history", "numbers", "table")
PLOTTED: tuple[Place, ...] = ("history", "choice")
SCORE: tuple[Place, ...] = ("numbers", "table", "choice")
_score = partial(Column, shown=SCORE, better="higher", cell="validation")
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
    Column("effective_rank", ("history", "numbers", "choice")),
    # Mean standard deviation of a coordinate of the unit vectors, times the square root of their
    # width; near 1 for vectors in all directions.
    Column("std_sqrt_d", PLOTTED, title="std × √d"),
    # Length of the gradient over all weights before clipping.
    Column("gradient_norm"),
    Column("learning_rate", PLOTTED),
    # Share of the elapsed time that was spent on measurements.
    Column("probe_share", shown=("history",)),
    # Elapsed time of steps and measurements.
    Column("seconds", shown=("history",)),
    # Rank correlations between cosines and human ratings on validation sets, and with the cosines
    # of all-MiniLM-L6-v2 on the same 500 pairs of wikipedia-mini for every run.
    _score("stsb", title="STS-B Spearman × 100"),
    _score("sickr", title="SICK-R Spearman × 100"),
    _score("silver", title="silver score × 100 (a model's opinion)"),
    # Events before the step, as text.
    Column("event", shown=("history",)),
)
_BY_NAME = {column.name: column for column in TABLE}


def of(name: str) -> Column:
    """Return the column with this name; one that a method adds has default properties.

    >>> of("alignment").heading
    'alignment (lower is better)'
    """
    return _BY_NAME.get(name) or Column(name)


def shown(place: Place) -> list[str]:
    """Return the names of the columns that appear in a place, see :class:`Column`."""
    return [column.name for column in TABLE if place in column.shown]


def in_cell(*cells: str) -> list[Column]:
    """Return the columns of these subplots of :data:`CELLS`, in the order of the subplots."""
    return [column for cell in cells for column in TABLE if column.cell == cell]


def choices(recorded: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """Return the ``recorded`` columns that can be drawn beyond those that are ``drawn`` already.

    Validation scores come first.
    """
    left_out = set(drawn)
    names = [name for name in recorded if "choice" in of(name).shown and name not in left_out]
    return sorted(names, key=lambda name: of(name).cell != "validation")


# Ending of the name of a reference level: the score of the encoder before the training.
AS_LOADED = ": untrained, as loaded"


def by_column(references: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Group reference levels, which are drawn as horizontal lines, by column.

    A level without the ending :data:`AS_LOADED` is one of the loss.

    >>> by_column({"log 64": 4.16, "stsb: untrained, as loaded": 61.0})
    {'loss': {'log 64': 4.16}, 'stsb': {'untrained, as loaded': 61.0}}
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
    """The rows of a run's history, and their columns; rows can only be appended.

    Values that are not finite count as not measured.

    Attributes:
        rows: a mapping for each step: ``"step"``, measurements by column, and ``"events"``.

    >>> history = History([{"step": 0, "loss": 2.0}, {"step": 1, "loss": 1.5}])
    >>> history.xy("loss")
    (array([0., 1.]), array([2. , 1.5]))
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows = [dict(row) for row in rows]

    def append(self, row: Row) -> None:
        """Add the row of a later step."""
        self.rows.append(dict(row))

    @property
    def events(self) -> list[tuple[int, str]]:
        """Step and text of each row with events."""
        texts = [(row["step"], sentence(row)) for row in self.rows]
        return [(step, text) for step, text in texts if text]

    @property
    def last_step(self) -> int:
        """The step of the last row; 0 without rows."""
        return int(self.rows[-1]["step"]) if self.rows else 0

    @property
    def names(self) -> list[str]:
        """The columns that were measured at least once."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return [name for name in names if name != "step" and self.last(name) is not None]

    def xy(self, *names: str) -> tuple[Floats, ...]:
        """Return the steps at which all of these columns were measured, and then their values.

        The arrays are empty if there is no such step.
        """
        columns: dict[str, list[float]] = {name: [] for name in ("step", *names)}
        for row in self.rows:
            if all(_is_measured(row.get(name)) for name in names):
                for name, values in columns.items():
                    values.append(row[name])
        return tuple(np.array(values, float) for values in columns.values())

    def last(self, name: str) -> float | None:
        """Return the last value of a column; None if it was never measured."""
        values = (row.get(name) for row in reversed(self.rows))
        return next((float(value) for value in values if _is_measured(value)), None)

    def thinned(self, most: int, keep: Container[int] = ()) -> History:
        """Return a history of at most ``most`` of the rows; all, if there are not more.

        The first and the last row, rows of the steps in ``keep`` and rows with events have
        priority; others are chosen at even distances. If even those with priority are too many, the
        latest of them are left out, but not the last row.
        """
        last = len(self.rows) - 1
        if last < most:
            return self
        chosen = {0, last}
        for index, row in enumerate(self.rows):
            if row["step"] in keep or events_of(row):
                chosen.add(index)
        if len(chosen) < most:
            evenly = np.linspace(0, last, most - len(chosen)).round().astype(int)
            chosen.update(evenly.tolist())
        indices = sorted(chosen)
        if len(indices) > most:
            indices = [*indices[: most - 1], last]
        return History(self.rows[index] for index in indices)

    def as_bytes(self, names: Sequence[str]) -> bytes:
        """Return the steps and C columns, as they are plotted, as a table ``(R, 1 + C)``.

        The bytes are little-endian float32, row by row; NaN: not measured.
        """
        table = np.full((len(self.rows), 1 + len(names)), np.nan, "<f4")
        for index, row in enumerate(self.rows):
            table[index, 0] = row["step"]
            for column, name in enumerate(names, start=1):
                if _is_measured(row.get(name)):
                    table[index, column] = row[name]
        return table.tobytes()

    def as_frame(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each step; NaN means not measured.

        The columns of every history come first, then others in the order in which they were
        recorded, and at the end ``event``, the events as text.
        """
        import pandas as pd

        # A copy, since another thread may append a row.
        rows = list(self.rows)
        names = dict.fromkeys(shown("history"))
        names.update(dict.fromkeys(name for row in rows for name in row))
        numbers = [name for name in names if name not in ("event", "events")]
        frame = pd.DataFrame(rows, columns=numbers).astype(float)
        frame["step"] = frame["step"].astype(int)
        frame["event"] = [sentence(row) for row in rows]
        return frame


def _is_measured(value: Any) -> TypeGuard[float]:
    """Whether a value of a row is a finite number."""
    return is_number(value) and math.isfinite(value)
