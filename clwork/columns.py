"""The table of a run's history columns, which training, views and lab read.

A new metric costs two files: the one that computes it, and a row here. It is then in the history, in the panel, on the
desk and in :func:`frame`, wherever its row lists it. A column without a row, such as a part of a loss that a method
records, is kept and can be drawn; its name is then its title.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

UPPER = "all-MiniLM-L6-v2"  # the encoder of the upper lines
Place = Literal["history", "numbers", "desk", "choice"]
STRONG_SCORES = "data/silver/strong_scores.json"  # written by scripts/strong_scores.py
CELLS = ("loss", "alignment", "uniformity", "validation")  # subplots, row by row; the last one holds several curves


@dataclass(frozen=True)
class Column:
    """A column of the history.

    Attributes:
        name: of the column in ``run.history``.
        about: what it is, in a sentence.
        title: for figures; default: the name with spaces for underscores.
        unit: of the plotted values.
        scale: factor from recorded to plotted values.
        better: direction of improvement, if there is one.
        cell: the subplot of CELLS that shows it, if any.
        shown: where else it is: ``history`` in every history, measured or not; ``numbers`` among the panel's latest
            numbers; ``desk`` in the table of runs; ``choice`` among the curves that can be asked for.
        smoothed: whether the running mean is plotted.
    """

    name: str
    about: str = ""
    title: str = ""
    unit: str = ""
    scale: float = 1.0
    better: Literal["", "lower", "higher"] = ""
    cell: str = ""
    shown: tuple[Place, ...] = ("choice",)
    smoothed: bool = False

    @property
    def upper(self) -> float | None:
        """Score of a strong encoder, plotted as an upper line; None for columns without one.

        >>> of("stsb").upper > 80, of("loss").upper
        (True, None)
        """
        return strong_scores().get(self.name)

    @property
    def label(self) -> str:
        """Title with the factor of the plotted values."""
        title = self.title or self.name.replace("_", " ")
        return f"{title} {self.unit}" if self.unit.startswith("×") else title

    @property
    def heading(self) -> str:
        """Label with unit, direction of improvement and smoothing.

        >>> of("alignment").heading, of("stsb").heading
        ('alignment (lower is better)', 'STS-B Spearman × 100 (higher is better)')
        """
        unit = "" if self.unit.startswith("×") else self.unit
        better = f"{self.better} is better" if self.better else ""
        hints = [hint for hint in (unit, better, "running mean" if self.smoothed else "") if hint]
        return self.label + (f" ({', '.join(hints)})" if hints else "")


ALWAYS: tuple[Place, ...] = ("history", "numbers", "desk")
SCORE: tuple[Place, ...] = ("numbers", "desk", "choice")
PROXY: tuple[Place, ...] = ("desk", "choice")
TABLE = (
    Column("step", "Optimizer steps done; row 0 is before the first.", shown=("history",)),
    Column("loss", "Of the step's batch.", cell="loss", smoothed=True, shown=ALWAYS),
    Column(
        "alignment",
        "Mean squared distance between the sentences of a pair that mean the same, on the unit sphere.",
        better="lower",
        cell="alignment",
        shown=ALWAYS,
    ),
    Column(
        "uniformity",
        "Log of the mean over all pairs of sentences of exp(-2 x their squared distance).",
        better="lower",
        cell="uniformity",
        shown=ALWAYS,
    ),
    Column("mean_cosine", "Mean cosine over all pairs of sentences.", shown=("history", "choice")),
    Column(
        "effective_rank",
        "Exponential of the entropy of the singular values: how many dimensions the vectors fill.",
        unit="dimensions",
        shown=("history", "numbers", "choice"),
    ),
    Column(
        "std_sqrt_d",
        "Mean deviation of a coordinate of the unit vectors, times the root of their width: near 1 where "
        "they spread evenly.",
        "std × √d",
        shown=("history", "choice"),
    ),
    Column("gradient_norm", "Length of the gradient over all weights, before it is clipped."),
    Column("learning_rate", "In force at the step.", shown=("history", "choice")),
    Column("tokens_per_second", "That passed the encoder, padding not counted.", shown=("history", "choice")),
    Column("probe_share", "Part of the time so far that looks at the geometry took.", shown=("history",)),
    Column("seconds", "Of steps and looks so far.", unit="s", shown=("history",)),
    Column("alignment_all", "Alignment of all the pairs at hand, at the start and the end.", shown=()),
    Column("uniformity_all", "Uniformity of more sentences, at the start and the end.", shown=()),
    Column("pairs_all", "The pairs that alignment_all is of.", unit="pairs", shown=()),
    Column("sentences_all", "The sentences that uniformity_all is of.", unit="sentences", shown=()),
    Column(
        "stsb",
        "Rank correlation between cosines and human ratings, STS-B validation.",
        "STS-B Spearman",
        unit="× 100",
        better="higher",
        cell="validation",
        shown=SCORE,
    ),
    Column(
        "sickr",
        "Rank correlation between cosines and human ratings, SICK-R validation.",
        "SICK-R Spearman",
        unit="× 100",
        better="higher",
        cell="validation",
        shown=SCORE,
    ),
    Column(
        "silver",
        "Rank correlation between cosines and those of all-MiniLM-L6-v2, a strong encoder, on 500 pairs of sentences "
        "of wikipedia-mini, whatever the run trains on: a model's opinion, not people's. That encoder itself has 100.",
        "silver score (a model's opinion)",
        unit="× 100",
        better="higher",
        cell="validation",
        shown=SCORE,
    ),
    Column(
        "same_article_auc",
        "Chance that two sentences of one article have a higher cosine than two of different ones.",
        "same article, AUC (proxy)",
        unit="× 100",
        scale=100.0,
        better="higher",
        cell="validation",
        shown=PROXY,
    ),
    Column(
        "topic_knn",
        "Share of sentences whose nearest neighbours give their topic away.",
        "topic k-NN accuracy (proxy)",
        unit="× 100",
        scale=100.0,
        better="higher",
        cell="validation",
        shown=PROXY,
    ),
    Column("event", "What happened before the step, in words.", shown=("history",)),
)
_BY_NAME = {column.name: column for column in TABLE}


@cache
def strong_scores() -> dict[str, float]:
    """Scores of UPPER, a strong encoder, by column: what a small one may be compared with."""
    place = files(__package__).joinpath(STRONG_SCORES)
    scores: dict[str, float] = json.loads(place.read_text(encoding="utf-8"))["scores"]
    return scores


def of(name: str) -> Column:
    """Look up a column's row; a column without one gets a default row with its name.

    >>> of("noise_mass").heading
    'noise mass'
    """
    return _BY_NAME.get(name) or Column(name)


def shown(place: Place) -> list[str]:
    """List the names of the columns shown in ``place``, in table order.

    >>> shown("history")[:3]
    ['step', 'loss', 'alignment']
    """
    return [column.name for column in TABLE if place in column.shown]


def in_cell(*cells: str) -> list[Column]:
    """List the columns shown in these subplots."""
    return [column for cell in cells for column in TABLE if column.cell == cell]


def choices(recorded: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """List the recorded columns to offer as a further curve: those not ``drawn`` yet, validation scores first.

    >>> choices(["loss", "seconds", "noise_mass", "stsb"], ["loss"])
    ['stsb', 'noise_mass']
    """
    there, left = list(recorded), set(drawn)
    scores = [column.name for column in in_cell("validation") if column.name in there]
    names = dict.fromkeys([*scores, *there])
    return [name for name in names if name not in left and "choice" in of(name).shown]


def labelled(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (label, name) of each column, the options of a drop-down.

    >>> labelled(["stsb", "noise_mass"])
    [('STS-B Spearman × 100', 'stsb'), ('noise mass', 'noise_mass')]
    """
    return [(of(name).label, name) for name in names]


def frame() -> pd.DataFrame:
    """Return the table as a DataFrame."""
    import pandas as pd

    shown_fields = [field.name for field in fields(Column) if field.name not in ("name", "smoothed")]
    rows = [{name: getattr(column, name) for name in shown_fields} | {"title": column.label} for column in TABLE]
    return pd.DataFrame(rows, index=pd.Index([column.name for column in TABLE], name="column"))
