"""Runs that are given in any form, their curves for figures, and bands of stored runs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .._validation import shown
from ..columns import Floats, History
from ..columns import of as column_info
from .style import LIMIT

# The share of new seeds that a band contains.
CONFIDENCE = 0.95
# The file of a run's folder that holds its history.
HISTORY_FILE = "record.jsonl"
# The weight of the earlier steps in a running mean.
MEMORY = 0.9
# The steps (S,) and values (S,) of a curve.
Curve: TypeAlias = tuple[Floats, Floats]


def as_history(run: Any) -> History:
    """Return the history of a run, its folder, its recording, its rows, or its DataFrame."""
    if isinstance(run, str | Path):
        rows = _rows_in(Path(run))
    elif _is_recording(run):
        rows = run["rows"]
    # A run, live or stored.
    elif hasattr(run, "records"):
        rows = run.records()
    # A DataFrame, run.history.
    elif hasattr(run, "to_dict"):
        rows = run.to_dict("records")
    else:
        rows = run
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise TypeError(f"{shown(run)} is not a run; give a run, its folder or run.history")
    return History(rows)


def _rows_in(folder: Path) -> list[Any]:
    """Return the rows of the history in a run's folder."""
    path = folder / HISTORY_FILE
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder} holds no run: it has no {HISTORY_FILE}; give a run or the folder of one"
        )
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _is_row(value: object) -> bool:
    """Whether a value is a row of a history: the numbers of one step."""
    return isinstance(value, Mapping) and "step" in value


def _is_recording(value: object) -> bool:
    """Whether a value is a result of :func:`clwork.recording`."""
    return isinstance(value, Mapping) and "rows" in value


def groups_of(runs: Any) -> dict[str, list[History]]:
    """Return the histories of each name, one for each seed.

    ``runs`` maps a name to a run or to the runs of several seeds. A run or a list of runs, without
    names, is also possible: each then has the name of its run, else ``run 1``, ``run 2``, … Runs
    of the same name are taken for seeds of one setting.
    """
    groups: dict[str, list[History]] = {}
    # A recording is a mapping, too, but of one run.
    if isinstance(runs, Mapping) and not _is_recording(runs):
        for name, group in runs.items():
            groups[str(name)] = [as_history(run) for run in _list_of_runs(group)]
        return groups
    for number, run in enumerate(_list_of_runs(runs), start=1):
        name = _name_of(run) or f"run {number}"
        groups.setdefault(name, []).append(as_history(run))
    return groups


def _list_of_runs(runs: Any) -> list[Any]:
    """Return the runs of an argument that may be one run; a list of rows is one run."""
    if not isinstance(runs, list | tuple) or (runs and _is_row(runs[0])):
        return [runs]
    return list(runs)


def _name_of(run: Any) -> str:
    """Return the name of a run; empty if it has none."""
    if _is_recording(run):
        return str(run["name"])
    if isinstance(run, str | Path):
        return Path(run).name
    return str(getattr(run, "name", ""))


def smooth(values: Floats) -> Floats:
    """Return the exponential running mean of values (S,), with the bias correction of Adam.

    The correction divides by the sum of the weights, so that the first values are not too small.
    """
    import pandas as pd

    means: Floats = pd.Series(values).ewm(alpha=1 - MEMORY).mean().to_numpy()
    return means


def downsample(values: Floats, limit: int = LIMIT) -> npt.NDArray[np.intp]:
    """Return the indices of at most ``limit`` of the values (S,), which are drawn.

    They are the first and the last one, and the minimum and maximum of each of ``(limit - 2) / 2``
    buckets, so that a spike is never left out.
    """
    count = len(values)
    if count <= limit:
        return np.arange(count)
    indices = {0, count - 1}
    edges = np.linspace(0, count, (limit - 2) // 2 + 1).astype(int)
    for start, stop in pairwise(edges.tolist()):
        bucket = values[start:stop]
        indices.add(start + int(bucket.argmin()))
        indices.add(start + int(bucket.argmax()))
    return np.array(sorted(indices))


def plotted(history: History, column: str) -> Curve:
    """Return a column's curve, smoothed if :mod:`clwork.columns` says so."""
    steps, values = history.xy(column)
    if column_info(column).smoothed:
        values = smooth(values)
    return steps, values


class MeanCurve(NamedTuple):
    """Mean and sample standard deviation over the curves of several seeds, by step, each (S,)."""

    steps: Floats
    mean: Floats
    deviation: Floats


def mean_curve(curves: Sequence[Curve]) -> MeanCurve:
    """Average the curves of several seeds, which may have different steps.

    Between its steps a curve is a straight line. The mean is from the latest first step to the
    earliest last step, at all steps of all curves. It is empty if a curve is empty, or if there is
    none. The deviation of a single curve is 0.
    """
    if not curves or any(len(steps) == 0 for steps, _ in curves):
        return MeanCurve(np.array([]), np.array([]), np.array([]))
    first = max(steps[0] for steps, _ in curves)
    last = min(steps[-1] for steps, _ in curves)
    all_steps = np.unique(np.concatenate([steps for steps, _ in curves]))
    steps = all_steps[(first <= all_steps) & (all_steps <= last)]

    values = np.array([np.interp(steps, *curve) for curve in curves])  # (curves, steps)
    deviation = np.zeros(len(steps))
    if len(curves) > 1:
        # ddof=1 divides by n - 1: the sample standard deviation.
        deviation = values.std(axis=0, ddof=1)
    return MeanCurve(steps, values.mean(axis=0), deviation)


class Band(NamedTuple):
    """Mean of a column over seeds and the ends of a band for a new seed, by step, each (S,)."""

    steps: Floats
    mean: Floats
    low: Floats
    high: Floats


def band_of(runs: Sequence[Any], column: str) -> Band:
    """Return the band of a column over stored runs.

    Its ends are ``mean ± t · s · sqrt(1 + 1/n)``, the prediction interval of a normal variable from
    n values with the sample standard deviation s. t is the quantile of Student's distribution for
    which the interval contains the value of a new seed with the probability ``CONFIDENCE``. For a
    single seed both ends equal the mean.
    """
    curves = [as_history(run).xy(column) for run in runs]
    measured = [(steps, values) for steps, values in curves if len(steps)]
    steps, mean, deviation = mean_curve(measured)
    margin = half_width(len(measured)) * deviation
    return Band(steps, mean, mean - margin, mean + margin)


def half_width(seeds: int) -> float:
    """Return half the width of a band of so many seeds, in sample standard deviations.

    It is 0 for a single seed, of which no deviation is known.
    """
    from scipy.special import stdtrit

    if seeds < 2:
        return 0.0
    # stdtrit is the inverse of the distribution function of Student's t.
    quantile = stdtrit(seeds - 1, (1 + CONFIDENCE) / 2)
    return float(quantile * math.sqrt(1 + 1 / seeds))
