"""How a setting looks on the page: its label, its help and the scale of its slider.

What happens when the reader moves a slider is in ``settings.py``, which sets the panel's value, or
during a run the run's control (clwork/training/controls.py). Ranges and titles are declared with
the settings, in clwork/methods/hyperparameters.py.
"""

from __future__ import annotations

import math
from typing import Any

from ...settings import Field
from ..page.labels import plain
from ..page.markup import mathml

POSITIONS = 100
"""Positions of a slider."""
LARGEST_FACTOR = 64
"""Largest over smallest value of a linear slider of integers.

In a wider range, a linear slider of 100 positions could set no small values: it has a logarithmic
slider, or none, and the value is typed."""


def describe(field: Field, value: Any) -> dict[str, Any]:
    """Describe a field for the page; its slider has room for ``value``, also out of its span."""
    slider = slider_of(field, value)
    kind_of_control = field.kind
    if field.kind == "str":
        kind_of_control = "text" if field.choices is None else "choice"
    help_text = field.help
    # The help names the range only if no slider shows it.
    if slider is None and field.low is not None and field.high is not None:
        low = _limit(field, field.low)
        high = _limit(field, field.high)
        unit = f" ({field.unit})" if field.unit else ""
        help_text += f" {low} to {high}{unit}."
    return {
        "name": field.name,
        "title": field.called,
        "symbol": mathml(field.symbol),
        "kind": kind_of_control,
        "help": help_text,
        "unit": field.unit,
        "hot": field.hot,
        "choices": None if field.choices is None else list(field.choices),
        "slider": slider,
        "low": field.low,
        "high": field.high,
    }


def _limit(field: Field, limit: float) -> str:
    """Format a limit of a field's range, such as "100,000" or "0.5"."""
    return f"{limit:,}" if field.kind == "int" else plain(float(limit))


def slider_of(field: Field, value: Any) -> dict[str, float] | None:
    """Return a slider over the field's span and ``value``; None for a field without one.

    On a logarithmic slider, ``min``, ``max`` and ``step`` are logarithms to the base ``log``; on a
    linear one they are values, and ``log`` is 0. Words and numbers without limits have no slider,
    nor has a wide range of integers, see :data:`LARGEST_FACTOR`.
    """
    if field.kind not in ("int", "float") or field.low is None or field.high is None:
        return None
    # A field's span is the useful part of its range.
    low, high = field.span or (field.low, field.high)
    is_logarithmic = field.log and low > 0
    # The ends of the slider are those of the span, or further out if the value is beyond it.
    least = min(low, value)
    most = max(high, value)
    if field.kind == "int":
        is_narrow = high <= LARGEST_FACTOR * max(low, 1)
        if is_narrow:
            return _linear(least, most, step=1.0)
        # Each position doubles the value.
        return _logarithmic(least, most, base=2, step=1.0) if is_logarithmic else None
    if is_logarithmic:
        return _logarithmic(least, most, base=10, step=math.log10(high / low) / POSITIONS)
    return _linear(least, most, round_step((high - low) / POSITIONS))


def _linear(least: float, most: float, step: float) -> dict[str, float]:
    """Return a slider whose positions are values; a base (``log``) of 0 stands for linear."""
    return {"min": float(least), "max": float(most), "step": step, "log": 0}


def _logarithmic(least: float, most: float, base: int, step: float) -> dict[str, float]:
    """Return a slider whose positions are logarithms of values, to the base 2 or 10."""
    # These functions are exact for powers of the base, unlike math.log(value, base).
    logarithm = math.log2 if base == 2 else math.log10
    return {"min": logarithm(least), "max": logarithm(most), "step": step, "log": base}


def round_step(least: float) -> float:
    """Round ``least`` up to 1, 2 or 5 times a power of ten.

    >>> round_step(0.03)
    0.05
    """
    power = 10.0 ** math.floor(math.log10(least))
    # 0.999: a step of 0.020000000000000004 is round but for binary digits
    digit = next(digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999)
    # 12 digits, without binary rounding errors
    return float(f"{power * digit:.12g}")
