"""Stored runs as bands, and in words where the reader's own runs leave them.

The band at a step is where one more seed would lie in 95 cases of 100: mean ± t · s · √(1 + 1/n) of the n stored seeds,
with Student's t for n - 1 degrees of freedom, as each value is one draw from a normal distribution of unknown mean and
spread. Lowest and highest of five seeds would leave a third of all further seeds outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from .._validation import checked, like, nearest, shown
from ..columns import of
from ..wording import plural
from .recorded_columns import Floats, RunColumns, as_run_columns

CONFIDENCE = 0.95
SCORE = "score"  # the claim's metric at the end, in place of a column of the history
ROUNDING = 1e-4  # relative: stored values have five digits
MOST_RANGES = 4  # of steps that a sentence names
REMEDY = "what clwork.reference gives"


class StoredRun(Protocol):
    """A run of a reference."""

    @property
    def score(self) -> float | None:
        """By the claim's metric."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each step."""


class ReferenceLike(Protocol):
    """What :func:`clwork.reference` gives, as far as it is drawn."""

    @property
    def claim(self) -> Any:
        """With a name and a metric."""

    @property
    def arms(self) -> list[str]:
        """With stored runs."""

    @property
    def absent(self) -> list[str]:
        """Arms that are trained, and have none."""

    def runs(self, arm: str) -> Sequence[Any]:
        """The stored runs of an arm."""


class Band(NamedTuple):
    """Mean and band of one arm's seeds at the steps that all of them have."""

    steps: Floats
    mean: Floats
    low: Floats
    high: Floats
    seeds: int


def band_of(runs: Sequence[Any], column: str) -> Band:
    """The band of a column over stored runs; of one seed there is no more than its line."""
    curves = [{row["step"]: row[column] for row in run.records() if column in row} for run in runs]
    curves = [curve for curve in curves if curve]
    common = sorted(set.intersection(*map(set, curves))) if curves else []
    values = of(column).scale * np.array([[curve[step] for step in common] for curve in curves])  # (seeds, steps)
    if not common:
        return Band(*(np.array([]),) * 4, len(curves))
    half = further(len(curves)) * values.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(len(common))
    mean = values.mean(axis=0)
    return Band(np.array(common), mean, mean - half, mean + half, len(curves))


def further(seeds: int) -> float:
    """Half the width of the band of so many seeds, in their sample deviations.

    >>> round(further(5), 2)
    3.04
    """
    from scipy.stats import t

    return float(t.ppf((1 + CONFIDENCE) / 2, seeds - 1) * math.sqrt(1 + 1 / seeds))


class Looked(NamedTuple):
    """How one run of the reader's lies to a band: the steps that both have, and those where it is outside."""

    arm: str
    column: str
    steps: list[int]
    above: list[int]
    below: list[int]
    seeds: int

    def __str__(self) -> str:
        outside = sorted([*self.above, *self.below])
        where = "above" if not self.below else "below" if not self.above else "on both sides"
        return (
            f"{self.arm}: {of(self.column).label} is outside the band of {self.seeds} seeds at {len(outside)} of "
            f"{plural(len(self.steps), 'step')} looked at ({ranges(outside)}), {where}; chance alone gives about "
            f"{(1 - CONFIDENCE) * len(self.steps):.1f}."
        )


def ranges(steps: Sequence[int]) -> str:
    """Steps in words, the first ranges of them.

    >>> ranges([1, 2, 3, 7])
    '1 to 3, 7'
    """
    parts: list[list[int]] = []
    for step in steps:
        if parts and step == parts[-1][-1] + 1:
            parts[-1].append(step)
        else:
            parts.append([step])
    words = [str(part[0]) if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]
    return ", ".join(words[:MOST_RANGES]) + (" …" if len(words) > MOST_RANGES else "")


@checked(reference=like(REMEDY, "claim", "arms", "runs"))
def outside(
    reference: ReferenceLike, yours: Mapping[str, Any], columns: Sequence[str] = ("loss", "uniformity", "alignment")
) -> list[str]:
    """Name in words each column of your runs that leaves the band of the stored seeds; empty where none does.

    Arguments as for :func:`against`.

    Raises:
        ValueError: ``yours`` names no arm of the reference.
    """
    return [str(look) for look in looks_at(reference, own_runs(reference, yours), columns) if look.above or look.below]


def arm_of(reference: ReferenceLike, name: str, known: Sequence[str] | None = None) -> str:
    """Return the name of an arm, of those ``known`` or with stored runs; raise for any other."""
    arms = reference.arms if known is None else known
    if name not in arms:
        raise ValueError(
            f"{shown(name)} is no arm with stored runs{nearest(name, arms)}; these are {', '.join(map(repr, arms))}"
        )
    return name


def stored(reference: ReferenceLike, arm: str) -> Sequence[Any]:
    """The stored runs of an arm; none of one that has not been run yet."""
    return reference.runs(arm) if arm in reference.arms else ()


def own_runs(reference: ReferenceLike, yours: Mapping[str, Any]) -> dict[str, list[RunColumns]]:
    """The reader's runs by arm, as columns; also of arms of which none is stored yet."""
    known = [*reference.arms, *reference.absent]
    return {arm_of(reference, arm, known): [_columns(run) for run in _several(given)] for arm, given in yours.items()}


def _several(given: Any) -> list[Any]:
    """One run, or several in a list; records are a list, too, of dicts."""
    if isinstance(given, list | tuple) and not (given and isinstance(given[0], Mapping)):
        return list(given)
    return [given]


def _columns(run: Any) -> RunColumns:
    records = getattr(run, "records", None)
    return RunColumns(records()) if callable(records) else as_run_columns(run)


def looks_at(reference: ReferenceLike, own: Mapping[str, list[RunColumns]], columns: Iterable[str]) -> list[Looked]:
    """Each of the reader's runs at each column, at the steps that both have; of one seed there is no band."""
    found = []
    for arm, runs in own.items():
        for column in columns:
            band = band_of(stored(reference, arm), column)
            looks = [_look(arm, column, band, run) for run in runs] if band.seeds > 1 else []
            found += [look for look in looks if look.steps]
    return found


def _look(arm: str, column: str, band: Band, run: RunColumns) -> Looked:
    at = {int(step): place for place, step in enumerate(band.steps)}
    looked, above, below = [], [], []
    for step, value in zip(*run.xy(column), strict=True):
        place, scaled = at.get(int(step)), value * of(column).scale
        if place is None:
            continue
        slack = ROUNDING * max(1.0, abs(band.mean[place]))
        looked.append(int(step))
        if scaled > band.high[place] + slack:
            above.append(int(step))
        elif scaled < band.low[place] - slack:
            below.append(int(step))
    return Looked(arm, column, looked, above, below, band.seeds)
