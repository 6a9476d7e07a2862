"""Where runs of a method at its defaults have gone: bands of stored seeds, to draw behind a reader's own run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...claims import get
from ...claims.reference import reference
from ...data.sources import DEFAULT
from ...views.reference import band_of
from .sources import CURVES, Part

HEALTHY = "clwork/verdict-spares-healthy-runs"  # a claim with an arm for each method at its defaults
MOST = 60  # points of a band
FEWEST = 3  # seeds of a band


def bands_of(method: str) -> Part:
    """Bands of the strip's columns: 95 of 100 further seeds would lie within; without any where no run is stored."""
    usual: tuple[str, dict[str, Any], str] = (method, {}, DEFAULT)
    arms = [arm.name for arm in get(HEALTHY).arms.values() if (arm.method, dict(arm.config), arm.data) == usual]
    try:
        stored: list[Any] = list(reference(HEALTHY).runs(arms[0])) if arms else []
    except (KeyError, ValueError, FileNotFoundError):
        stored = []
    if len(stored) < FEWEST:
        return {}
    drawn = {}
    for column in CURVES:
        band = band_of(stored, column)
        if band.seeds == len(stored) and len(band.steps) > 1:
            places = np.unique(np.linspace(0, len(band.steps) - 1, MOST).round().astype(int))
            drawn[column] = {
                "steps": [int(step) for step in band.steps[places]],
                "low": [round(float(value), 4) for value in band.low[places]],
                "high": [round(float(value), 4) for value in band.high[places]],
            }
    return {"name": f"{len(stored)} runs at the defaults", "columns": drawn}
