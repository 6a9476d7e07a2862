"""Whole numbers from outside: numpy's too, but no fractions, truth values or text."""

from __future__ import annotations

import operator
from typing import Any


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
            f"{name}={value!r:.60} ({type(value).__name__}) is no whole number; give one of {least} or more"
        )
    if number < least:
        raise ValueError(f"{name}={number} is too small; give {least} or more")
    if number > most:
        raise ValueError(f"{name} is too large; give {most:,} or less")
    return number
