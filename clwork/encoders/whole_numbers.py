"""Values from outside: whole numbers, numpy's among them but no fractions or truth values; how errors show them."""

from __future__ import annotations

import operator
from typing import Any


def shown(value: Any) -> str:
    """The beginning of a value's repr, for an error's text, whatever the value is.

    >>> shown(10**5000)
    'an int that cannot be shown'
    """
    try:
        return repr(value)[:60]
    except Exception:
        return f"an {type(value).__name__} that cannot be shown"


def whole(name: str, value: Any, least: int, most: int = (1 << 63) - 1) -> int:
    """``value`` as an int from ``least`` to ``most``.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is too small or too large.

    >>> import numpy
    >>> whole("rows", numpy.int64(3), least=1)
    3
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(
            f"{name}={shown(value)} ({type(value).__name__}) is no whole number; give one of {least} or more"
        )
    if number < least:
        raise ValueError(f"{name}={number} is too small; give {least} or more")
    if number > most:
        raise ValueError(f"{name} is too large; give {most:,} or less")
    return number
