"""The records of a run as columns of measured values, ready to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from .._validation import checked, is_finite, is_number, kind, listed, shown
from ..events import sentence
from .style import LIMIT

Floats = npt.NDArray[np.float64]


def downsample(y: Floats, limit: int = LIMIT) -> npt.NDArray[np.intp]:
    """Indices of the points to draw: first, last, and the lowest and highest of each of ``(limit − 2) / 2`` buckets.

    A stride would drop spikes; means would flatten them.

    >>> downsample(np.arange(4.0)).tolist()
    [0, 1, 2, 3]

    Raises:
        ValueError: ``limit`` is below 4.
    """
    if limit < 4:
        raise ValueError(f"limit={limit}: a thinned curve needs at least 4 points (first, last, one low, one high)")
    if len(y) <= limit:
        return np.arange(len(y))
    drawn = {0, len(y) - 1}
    edges = np.linspace(0, len(y), (limit - 2) // 2 + 1).astype(int)
    for start, stop in pairwise(edges.tolist()):
        drawn.add(start + int(np.argmin(y[start:stop])))
        drawn.add(start + int(np.argmax(y[start:stop])))
    return np.array(sorted(drawn))


def smooth(y: Floats, weight: float = 0.9) -> Floats:
    """Exponential running mean with bias correction, as Adam corrects its moments."""
    out, total, mass = np.empty(len(y)), 0.0, 0.0
    for index, value in enumerate(y):
        total, mass = weight * total + (1 - weight) * value, weight * mass + (1 - weight)
        out[index] = total / mass
    return out


class RunColumns:
    """Columns of a run's records; extended with new records, so that drawing reads each record once.

    >>> columns = RunColumns([{"step": 1, "loss": 2.0}, {"step": 2, "loss": float("nan"), "events": [{"paused": 3.0}]}])
    >>> columns.xy("loss")[1].tolist(), columns.events
    ([2.0], [(2, 'paused 3 s')])
    """

    def __init__(self, records: Iterable[Mapping[str, Any]] = ()) -> None:
        """Start with ``records``, or empty."""
        self.clear()
        self.extend(records)

    def __copy__(self) -> RunColumns:
        """Copy the lists, so that the copy can be extended while these are drawn."""
        copied = RunColumns()
        copied._columns = {name: (list(steps), list(values)) for name, (steps, values) in self._columns.items()}
        copied.events, copied.last_step = list(self.events), self.last_step
        return copied

    def clear(self) -> None:
        """Remove all records."""
        self._columns: dict[str, tuple[list[float], list[float]]] = {}
        self.events: list[tuple[int, str]] = []
        self.last_step = 0

    @checked(records=listed)
    def extend(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records: dicts with ``step`` and numbers; other values, NaN and infinities count as not measured."""
        for record in records:
            if not isinstance(record, Mapping) or not (is_number(record.get("step")) and is_finite(record["step"])):
                raise TypeError(f"records hold {shown(record)}; give dicts with a step each, as run.records() does")
            step = int(record["step"])
            self.last_step = max(self.last_step, step)
            if text := sentence(record):
                self.events.append((step, text))
            for name, value in record.items():
                if isinstance(value, bool) or not isinstance(value, int | float | np.number):
                    continue
                if name != "step" and math.isfinite(value):
                    steps, values = self._columns.setdefault(name, ([], []))
                    steps.append(step)
                    values.append(float(value))

    @property
    def names(self) -> list[str]:
        """The columns that hold at least one value."""
        return list(self._columns)

    @checked()
    def xy(self, name: str) -> tuple[Floats, Floats]:
        """Steps and values of one column; two empty arrays if it was never measured."""
        steps, values = self._columns.get(name, ([], []))
        return np.array(steps, dtype=float), np.array(values, dtype=float)

    @checked()
    def last(self, name: str) -> float | None:
        """The newest value of a column, or None."""
        column = self._columns.get(name)
        return column[1][-1] if column else None

    @checked()
    def joint(self, first: str, second: str) -> tuple[Floats, Floats, Floats]:
        """Steps, and the two columns at the steps where both were measured."""
        (s1, v1), (s2, v2) = self.xy(first), self.xy(second)
        a, b = dict(zip(s1, v1, strict=True)), dict(zip(s2, v2, strict=True))
        steps = np.array([step for step in a if step in b], dtype=float)
        return steps, np.array([a[s] for s in steps]), np.array([b[s] for s in steps])


Records: TypeAlias = RunColumns | pd.DataFrame | Iterable[Mapping[str, Any]]  # what a run's history may be


def as_run_columns(records: Records) -> RunColumns:
    """Convert a run's history (DataFrame) or records (list of dicts); :class:`RunColumns` are returned as they are.

    Raises:
        TypeError: something else was given.
    """
    if isinstance(records, RunColumns):
        return records
    if hasattr(records, "to_dict"):
        return RunColumns(records.to_dict("records"))
    if isinstance(records, Iterable) and not isinstance(records, str | bytes | Mapping):
        return RunColumns(records)
    raise TypeError(
        f"expected run.history (a DataFrame) or run.records() (a list of dicts), got {kind(records)} ({shown(records)})"
    )
