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

from .events import events_of, sentence

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Row = Mapping[str, Any]  # "step", a number for each column, and "events"

UPPER = "all-MiniLM-L6-v2"  # the encoder of the upper lines
STRONG_SCORES = "data/silver/strong_scores.json"  # written by scripts/silver_pairs.py
Place = Literal["history", "numbers", "table", "choice"]
CELLS = (
    "loss",
    "alignment",
    "uniformity",
    "validation",
)  # subplots, row by row; the last one has several curves


@dataclass(frozen=True)
class Column:
    """A column of the history."""

    name: str
    about: str = ""
    title: str = ""  # title in figures; default: the name with spaces instead of underscores
    unit: str = ""  # unit of the plotted values
    scale: float = 1.0  # factor from recorded to plotted values
    better: Literal["", "lower", "higher"] = ""  # direction of improvement, if there is one
    cell: str = ""  # the subplot of CELLS that shows the column, if any
    # "history": in every history, even if not measured; "numbers": in the panel's latest numbers; "table": in the
    # table of runs; "choice": in the menu of further curves
    shown: tuple[Place, ...] = ("choice",)
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
        hints = [hint for hint in (unit, better, "running mean" if self.smoothed else "") if hint]
        return self.label + (f" ({', '.join(hints)})" if hints else "")


ALWAYS: tuple[Place, ...] = ("history", "numbers", "table")
_score = partial(
    Column, unit="× 100", better="higher", cell="validation", shown=("numbers", "table", "choice")
)
_proxy = partial(
    Column, unit="× 100", scale=100.0, better="higher", cell="validation", shown=("table", "choice")
)
TABLE = (
    Column(
        "step", "Number of completed optimizer steps; 0 before the training.", shown=("history",)
    ),
    Column("loss", "Loss of the step's batch.", cell="loss", smoothed=True, shown=ALWAYS),
    Column(
        "alignment",
        "Mean squared distance between the unit vectors of two sentences with the same meaning.",
        better="lower",
        cell="alignment",
        shown=ALWAYS,
    ),
    Column(
        "uniformity",
        "Log of the mean of exp(-2 x squared distance) over all pairs of sentences, for unit vectors.",
        better="lower",
        cell="uniformity",
        shown=ALWAYS,
    ),
    Column("mean_cosine", "Mean cosine over all pairs of sentences.", shown=("history", "choice")),
    Column(
        "effective_rank",
        "Exponential of the entropy of the singular values, an estimate of the number of dimensions in use.",
        unit="dimensions",
        shown=("history", "numbers", "choice"),
    ),
    Column(
        "std_sqrt_d",
        "Mean standard deviation of a coordinate of the unit vectors, times the square root of their width; near 1 for "
        "vectors in all directions.",
        "std × √d",
        shown=("history", "choice"),
    ),
    Column("gradient_norm", "Length of the gradient over all weights before clipping."),
    Column("learning_rate", "Learning rate of the step.", shown=("history", "choice")),
    Column(
        "tokens_per_second",
        "Tokens encoded per second, without padding.",
        shown=("history", "choice"),
    ),
    Column(
        "probe_share",
        "Share of the elapsed time that was spent on measurements.",
        shown=("history",),
    ),
    Column("seconds", "Elapsed time of steps and measurements.", unit="s", shown=("history",)),
    Column("alignment_all", "Alignment of all pairs, at the start and the end.", shown=()),
    Column("uniformity_all", "Uniformity of more sentences, at the start and the end.", shown=()),
    Column("pairs_all", "Number of pairs of alignment_all.", unit="pairs", shown=()),
    Column("sentences_all", "Number of sentences of uniformity_all.", unit="sentences", shown=()),
    _score(
        "stsb",
        "Rank correlation between cosines and human ratings, STS-B validation.",
        "STS-B Spearman",
    ),
    _score(
        "sickr",
        "Rank correlation between cosines and human ratings, SICK-R validation.",
        "SICK-R Spearman",
    ),
    _score(
        "silver",
        "Rank correlation between cosines and those of all-MiniLM-L6-v2, a strong encoder, on 500 pairs of sentences "
        "of wikipedia-mini for every run: a model's opinion instead of human ratings. That encoder itself has 100.",
        "silver score (a model's opinion)",
    ),
    _proxy(
        "same_article_auc",
        "Probability that two sentences of one article have a higher cosine than two of different articles.",
        "same article, AUC (proxy)",
    ),
    _proxy(
        "topic_knn",
        "Share of sentences that have the topic of most of their nearest neighbours.",
        "topic k-NN accuracy (proxy)",
    ),
    Column("event", "Events before the step, as text.", shown=("history",)),
)
_BY_NAME = {column.name: column for column in TABLE}


@cache
def strong_scores() -> dict[str, float]:
    """Return the scores of UPPER, a strong encoder, by column, to compare a small encoder with."""
    place = files(__package__) / STRONG_SCORES
    return dict(json.loads(place.read_text(encoding="utf-8"))["scores"])


def of(name: str) -> Column:
    """Return the column with this name; a column that is not in ``TABLE`` has default properties."""
    return _BY_NAME.get(name) or Column(name)


def shown(place: Place) -> list[str]:
    return [column.name for column in TABLE if place in column.shown]


def in_cell(*cells: str) -> list[Column]:
    return [column for cell in cells for column in TABLE if column.cell == cell]


def choices(recorded: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """Return the recorded columns that can be drawn and are not ``drawn`` yet, validation scores first."""
    there, left = list(recorded), set(drawn)
    scores = [column.name for column in in_cell("validation") if column.name in there]
    names = dict.fromkeys([*scores, *there])
    return [name for name in names if name not in left and "choice" in of(name).shown]


AS_LOADED = ": untrained, as loaded"


def by_column(references: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Group reference levels by column: ``"stsb: untrained, as loaded"`` is one of ``stsb``, all others of the loss."""
    levels: dict[str, dict[str, float]] = {}
    for name, level in references.items():
        column = name.removesuffix(AS_LOADED)
        if column == name:
            levels.setdefault("loss", {})[name] = level
        else:
            levels.setdefault(column, {})[AS_LOADED.removeprefix(": ")] = level
    return levels


class History:
    """The rows of a run's history, which can only be appended; values that are not finite count as not measured."""

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
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if number and name != "step" and math.isfinite(value):
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
        one, other = (dict(zip(*self.xy(name), strict=True)) for name in (first, second))
        steps = np.array([step for step in one if step in other], dtype=float)
        return (
            steps,
            np.array([one[step] for step in steps]),
            np.array([other[step] for step in steps]),
        )

    def thinned(self, most: int, keep: Container[int] = ()) -> History:
        """Return at most ``most`` rows at even distances; first, last, steps in ``keep`` and events have priority."""
        count = len(self.rows)
        if count <= most:
            return self
        wanted = {0, count - 1}
        wanted |= {
            place for place, row in enumerate(self.rows) if row["step"] in keep or events_of(row)
        }
        strides = range(1 if len(wanted) < most else count, count + 1)
        stride = next(
            n for n in strides if len(wanted | set(range(0, count, n))) <= most or n == count
        )
        places = sorted(wanted | set(range(0, count, stride)))
        places = places if len(places) <= most else [*places[: most - 1], places[-1]]
        return History(self.rows[place] for place in places)

    def as_bytes(self, names: Sequence[str]) -> bytes:
        """Return steps and columns as little-endian float32 ``(R, 1 + C)`` in row order; NaN means not measured."""
        at = {int(row["step"]): number for number, row in enumerate(self.rows)}
        values = np.full((len(self.rows), 1 + len(names)), np.nan, "<f4")
        values[:, 0] = [row["step"] for row in self.rows]
        for place, name in enumerate(names, start=1):
            steps, numbers = self.xy(name)
            values[[at[int(step)] for step in steps], place] = of(name).scale * numbers
        return values.tobytes()

    def as_frame(self) -> pd.DataFrame:
        """Return a DataFrame, columns of every history first; NaN means not measured; events are text."""
        import pandas as pd

        rows = list(self.rows)
        usual = shown("history")
        extra = dict.fromkeys(key for row in rows for key in row if key not in (*usual, "events"))
        names = [*usual[:-1], *extra, usual[-1]]
        frame = pd.DataFrame(rows, columns=names)
        numbers = [name for name in names if name != "event"]
        frame[numbers] = frame[numbers].astype(float)
        frame["step"] = frame["step"].astype(int)
        frame["event"] = [sentence(row) for row in rows]
        return frame
