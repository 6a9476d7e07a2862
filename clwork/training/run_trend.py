"""Which way a run moved its sentences, wherever the run is: trained here, stored, or recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .. import metrics
from ..methods import get, names


def trend_of(rows: Iterable[Mapping[str, Any]], total_steps: int, method: str) -> metrics.Trend | None:
    """The trend of a history's rows; a method that this kernel does not know is not expected to push."""
    return metrics.trend(rows, total_steps, pushes=method in names() and get(method).negatives)
