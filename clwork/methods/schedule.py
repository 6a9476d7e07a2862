"""The learning rate during a run: a linear warm-up, then a decay by the chosen schedule."""

from __future__ import annotations

import math
from typing import Literal

Schedule = Literal["linear", "cosine", "constant"]
"""Decay of the learning rate after the warm-up."""


def learning_rate_factor(schedule: Schedule, warmup: float, step: int, total: int) -> float:
    """Return by what the peak learning rate is multiplied at ``step``: a factor from 0 to 1.

    It rises linearly during the warm-up, then falls by the schedule: linearly to 0, along half a
    cosine to 0, or not at all.

    Args:
        schedule: the decay after the warm-up.
        warmup: share of the steps in which the factor rises, 0 to 1.
        step: number of the step, from 0.
        total: number of steps of the run.

    >>> [learning_rate_factor("linear", 0.5, step, 4) for step in range(4)]
    [0.3333333333333333, 0.6666666666666666, 1.0, 0.5]
    """
    warm_steps = warmup * total
    if step < warm_steps:
        # from above 0, so that the first step trains too, to below 1, which the next step has
        return (step + 1) / (warm_steps + 1)
    if schedule == "constant":
        return 1.0
    # at least 1, since nothing is left to divide by if all steps are warm-up
    remaining = max(1.0, total - warm_steps)
    if schedule == "cosine":
        # half a period, from 1 to 0
        return 0.5 * (1 + math.cos(math.pi * (step - warm_steps) / remaining))
    return max(0.0, (total - step) / remaining)
