"""The records of a run as columns of measured values, ready to draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .._validation import is_finite, is_number, kind, listed, shown
from ..columns import Floats, History
from .style import LIMIT

if TYPE_CHECKING:
    import pandas as pd

    Records: TypeAlias = History | pd.DataFrame | Iterable[Mapping[str, Any]]  # accepted by as_history
else:
    Records = Any  # not checked by annotation, because importing pandas takes long


def downsample(y: Floats, limit: int = LIMIT) -> npt.NDArray[np.intp]:
    """Return indices of points to draw: first, last, and minimum and maximum of each of ``(limit − 2) / 2`` buckets."""
    if limit < 4:
        raise ValueError(f"limit={limit}; give at least 4 points (first, last, one minimum, one maximum)")
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


def as_history(records: Records) -> History:
    """Convert a run's history (DataFrame) or records (list of dicts) to a History; a History is returned unchanged."""
    if isinstance(records, History):
        return records
    if not isinstance(records, Iterable) or isinstance(records, str | bytes | Mapping):
        found = f"{kind(records)} ({shown(records)})"
        raise TypeError(f"expected run.history (a DataFrame) or run.records() (a list of dicts), got {found}")
    rows = records.to_dict("records") if hasattr(records, "to_dict") else listed("records", records)
    for row in rows:
        if not isinstance(row, Mapping) or not (is_number(row.get("step")) and is_finite(row["step"])):
            raise TypeError(f"records contain {shown(row)}; give dicts with a number for 'step', as in run.records()")
    return History(rows)
