"""Numbers as people read and type them."""

from __future__ import annotations

import math
from typing import Any

from ...checks import shown
from ...methods import Field

DIGITS = 12  # digits beyond these are rounding errors


def plain(value: Any) -> str:
    """A value as it is shown: never the last digits of binary arithmetic.

    >>> plain(0.1 + 0.2), plain(0.00030000000000000003), plain(512), plain(True), plain(1e-6)
    ('0.3', '0.0003', '512', 'yes', '1e-06')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def rounded(value: float, low: float, high: float) -> float:
    """What a slider says: three digits, inside its bounds.

    >>> rounded(0.05248074602497726, 0.001, 1.0), rounded(0.00030000000000000003, 0.0, 1.0)
    (0.0525, 0.0003)
    """
    return min(max(float(f"{value:.3g}"), low), high)


def typed(text: str, field: Field) -> Any:
    """The value of ``field`` that was typed; nothing is rounded, cut or clamped in silence.

    Raises:
        ValueError: it is no number, no whole one where that is asked, or out of range; the message says what to type.
    """
    told = f"{field.called}: "
    try:
        number = float(text.strip())
    except ValueError:
        hint = "write a point, not a comma, in" if "," in text else "type"
        raise ValueError(f"{told}{shown(text)} is no number; {hint} {_allowed(field)}") from None
    if field.kind == "int":
        if not math.isfinite(number) or number != int(number):
            raise ValueError(f"{told}{text.strip()} is no whole number; type {_allowed(field)}")
        number = int(text) if text.strip().lstrip("+-").isdigit() else int(number)
    if not math.isfinite(number) or not _inside(number, field):
        raise ValueError(f"{told}{text.strip()} is out of range; type {_allowed(field)}")
    return number


def bounds(field: Field) -> str:
    """The range in a few words; empty where there is none.

    >>> bounds(Field("s", "int", 1, "Steps.", 1, 10_000_000, "", False, False, None))
    '1 to 10,000,000'
    """
    if field.low is None or field.high is None:
        return ""
    low, high = (f"{end:,}" if field.kind == "int" else plain(float(end)) for end in (field.low, field.high))
    return f"{low} to {high}" + (f" ({field.unit})" if field.unit else "")


def _inside(number: float, field: Field) -> bool:
    return (field.low is None or number >= field.low) and (field.high is None or number <= field.high)


def _allowed(field: Field) -> str:
    kind = "a whole number" if field.kind == "int" else "a number"
    if field.low is None or field.high is None:
        return kind
    low, high = (str(int(end)) if field.kind == "int" else plain(float(end)) for end in (field.low, field.high))
    return f"{kind} from {low} to {high}"
