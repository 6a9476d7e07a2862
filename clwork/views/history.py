"""The records of a run as columns of measured values, ready to draw."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .._validation import is_finite, is_number, kind, listed, shown
from ..columns import Floats, History
from .style import LIMIT

HISTORY = "record.jsonl"  # the file in a run's folder

if TYPE_CHECKING:
    import pandas as pd

    Records: TypeAlias = (
        History | pd.DataFrame | Iterable[Mapping[str, Any]]
    )  # accepted by as_history
else:
    Records = Any  # not checked by annotation, because importing pandas takes long


def is_recording(value: object) -> bool:
    """Whether ``value`` is the result of :func:`clwork.recording`."""
    return isinstance(value, Mapping) and "rows" in value


def _stored(folder: Path) -> list[Any]:
    """Read the records of a run's folder."""
    path = folder / HISTORY
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder} holds no run: it has no {HISTORY}; give a run or the folder of one"
        )
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


def are_several(given: Any) -> bool:
    """Whether ``given`` is a list of runs, and not one run or the records of one."""
    if not isinstance(given, list | tuple):
        return False
    return not given or not isinstance(given[0], Mapping) or is_recording(given[0])


def seeds_of(given: Any) -> list[Any]:
    """Return the runs of a group, which may be one run."""
    return list(given) if are_several(given) else [given]


def groups_of(runs: Any) -> dict[str, list[Any]]:
    """Return the runs of each name; runs that are given without names have their own."""
    if isinstance(runs, Mapping) and not is_recording(runs):
        return {str(name): seeds_of(given) for name, given in runs.items()}
    groups: dict[str, list[Any]] = {}
    for number, run in enumerate(seeds_of(runs), start=1):
        own = run["name"] if is_recording(run) else getattr(run, "name", None)
        name = Path(run).name if isinstance(run, str | Path) else own or f"run {number}"
        groups.setdefault(str(name), []).append(run)
    return groups


def downsample(y: Floats, limit: int = LIMIT) -> npt.NDArray[np.intp]:
    """Return indices of points to draw: first, last, and minimum and maximum of each of ``(limit − 2) / 2`` buckets."""
    if limit < 4:
        raise ValueError(
            f"limit={limit}; give at least 4 points (first, last, one minimum, one maximum)"
        )
    if len(y) <= limit:
        return np.arange(len(y))
    drawn = {0, len(y) - 1}
    edges = np.linspace(0, len(y), (limit - 2) // 2 + 1).astype(int)
    for start, stop in pairwise(edges.tolist()):
        drawn.add(start + int(np.argmin(y[start:stop])))
        drawn.add(start + int(np.argmax(y[start:stop])))
    return np.array(sorted(drawn))


def smooth(y: Floats, weight: float = 0.9) -> Floats:
    """Return the exponential running mean with the bias correction of Adam."""
    out, total, mass = np.empty(len(y)), 0.0, 0.0
    for index, value in enumerate(y):
        total, mass = weight * total + (1 - weight) * value, weight * mass + (1 - weight)
        out[index] = total / mass
    return out


def as_history(records: Any) -> History:
    """Convert a run, its folder, its recording, its history (DataFrame) or its records (list of dicts) to a History."""
    if isinstance(records, History):
        return records
    if callable(getattr(records, "records", None)):
        records = records.records()
    elif isinstance(records, str | Path):
        records = _stored(Path(records))
    elif is_recording(records):
        records = records["rows"]
    if not isinstance(records, Iterable) or isinstance(records, str | bytes | Mapping):
        found = f"{kind(records)} ({shown(records)})"
        raise TypeError(f"expected a run, its folder or run.history (a DataFrame), got {found}")
    rows = records.to_dict("records") if hasattr(records, "to_dict") else listed("records", records)
    for row in rows:
        if not isinstance(row, Mapping) or not (
            is_number(row.get("step")) and is_finite(row["step"])
        ):
            raise TypeError(
                f"records contain {shown(row)}; give dicts with a number for 'step', as in run.records()"
            )
    return History(rows)
