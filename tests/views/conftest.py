"""A synthetic history with known values, so that figures can be checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.fixture
def records() -> list[dict[str, Any]]:
    """1,200 steps: geometry every 10, a score every 100, one spike in the loss, two events."""
    rows: list[dict[str, Any]] = [{"step": 0, "alignment": 0.2, "uniformity": -1.0, "silver": 50.0}]
    for step in range(1, 1201):
        row: dict[str, Any] = {"step": step, "loss": 4.0 * float(np.exp(-step / 100)) + 0.01}
        if step % 10 == 0:
            row |= {"alignment": 0.2 + step / 1e4, "uniformity": -1.0 - step / 1e3}
        if step % 100 == 0:
            row |= {"silver": 50.0 + step / 100}
        rows.append(row)
    rows[700]["loss"] = 9.0
    rows[300]["events"] = [{"moved": {"temperature": [0.05, 0.1]}}]
    # Runs of earlier versions have an event as text.
    rows[900]["event"] = "paused 3 s"
    return rows
