"""Learning-rate schedules: a linear warm-up, then linear, cosine or no decay."""

from __future__ import annotations

import math
from typing import Literal

Schedule = Literal["linear", "cosine", "constant"]


def rate_factor(schedule: Schedule, warmup: float, step: int, total: int) -> float:
    """Return the factor of the learning rate at ``step`` (from 0) of ``total``; ``warmup`` is a share of the steps."""
    warm = warmup * total
    if step < warm:
        return (step + 1) / (warm + 1)
    if schedule == "constant":
        return 1.0
    if schedule == "cosine":  # half a period, from 1 to 0
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1.0, total - warm)))
    return max(0.0, (total - step) / max(1.0, total - warm))
