"""Settings described for the page: labels, help and the scale of a slider."""

from __future__ import annotations

import math
from typing import Any

from ...settings import Field
from ..page.labels import plain
from ..page.markup import mathml

POSITIONS = 100
"""Positions of a slider."""
COARSE = 64
"""An integer range that spans a larger factor has a logarithmic slider, or none."""


def describe(field: Field, value: Any) -> dict[str, Any]:
    """Describe a field for the page; the slider has room for ``value``."""
    slider = slider_of(field, value)
    kind = field.kind
    if kind == "str":
        kind = "text" if field.choices is None else "choice"
    help_text = field.help
    if slider is None and field.low is not None and field.high is not None:
        low, high = _limit(field, field.low), _limit(field, field.high)
        unit = f" ({field.unit})" if field.unit else ""
        help_text += f" {low} to {high}{unit}."
    return {
        "name": field.name,
        "title": field.called,
        "symbol": mathml(field.symbol),
        "kind": kind,
        "help": help_text,
        "unit": field.unit,
        "hot": field.hot,
        "choices": None if field.choices is None else list(field.choices),
        "slider": slider,
        "low": field.low,
        "high": field.high,
    }


def _limit(field: Field, limit: float) -> str:
    return f"{limit:,}" if field.kind == "int" else plain(float(limit))


def slider_of(field: Field, value: Any) -> dict[str, float] | None:
    """Return a slider over the field's span and ``value``, or None.

    ``min``, ``max`` and ``step`` are on a scale of which ``log`` is the base, 0 for a linear one.
    """
    if field.kind not in ("int", "float") or field.low is None or field.high is None:
        return None
    low, high = field.span or (field.low, field.high)
    is_logarithmic = field.log and low > 0
    if field.kind == "int":
        if high <= COARSE * max(low, 1):
            return _linear(low, high, value, 1.0)
        return _logarithmic(low, high, value, 2, 1.0) if is_logarithmic else None
    if is_logarithmic:
        return _logarithmic(low, high, value, 10, math.log10(high / low) / POSITIONS)
    step = round_step((high - low) / POSITIONS)
    if 0 < value - low < 5 * step:
        # finer steps for a value near the low end
        step = min(step, round_step(value / 10))
    return _linear(low, high, value, step)


def _linear(low: float, high: float, value: float, step: float) -> dict[str, float]:
    return {"min": float(min(low, value)), "max": float(max(high, value)), "step": step, "log": 0}


def _logarithmic(low: float, high: float, value: float, base: int, step: float) -> dict[str, float]:
    logarithm = math.log2 if base == 2 else math.log10
    least, most = logarithm(min(low, value)), logarithm(max(high, value))
    return {"min": least, "max": most, "step": step, "log": base}


def round_step(least: float) -> float:
    """Round ``least`` up to 1, 2 or 5 times a power of ten.

    >>> round_step(0.03)
    0.05
    """
    power = 10.0 ** math.floor(math.log10(least))
    # a little less, for steps that are round but for binary digits
    digit = next(digit for digit in (1, 2, 5, 10) if power * digit >= least * 0.999)
    return float(f"{power * digit:.12g}")
