"""The learning rate's schedule: linear warm-up, then linear or cosine decay, or none."""

from __future__ import annotations

import math
from typing import Literal

Schedule = Literal["linear", "cosine", "constant"]
"""Decay of the learning rate after a linear warm-up."""


def learning_rate_factor(schedule: Schedule, warmup: float, step: int, total: int) -> float:
    """Return the factor, 0 to 1, of the learning rate at ``step`` (from 0) of ``total``.

    It rises linearly during the ``warmup``, a share of the steps, then falls by the schedule:
    linearly to 0, along half a cosine to 0, or not at all.

    >>> [learning_rate_factor("linear", 0.5, step, 4) for step in range(4)]
    [0.3333333333333333, 0.6666666666666666, 1.0, 0.5]
    """
    warm_steps = warmup * total
    if step < warm_steps:
        return (step + 1) / (warm_steps + 1)
    if schedule == "constant":
        return 1.0
    # at least 1, since nothing is left to divide by if all steps are warm-up
    remaining = max(1.0, total - warm_steps)
    if schedule == "cosine":
        # half a period, from 1 to 0
        return 0.5 * (1 + math.cos(math.pi * (step - warm_steps) / remaining))
    return max(0.0, (total - step) / remaining)
