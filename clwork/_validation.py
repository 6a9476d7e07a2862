"""Checks of single arguments at the public boundary, and the words of their errors.

Each check returns the value in a plain Python type, or raises an error that names the argument,
its value and a remedy. Scalars of numpy count as numbers, bools do not.
"""

from __future__ import annotations

import difflib
import math
import numbers
import os
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

# Control characters that XML forbids, and halves of surrogate pairs.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The largest seed of numpy and scikit-learn.
MOST_SEED = 2**32 - 1


def shown(value: object, most: int = 60) -> str:
    """Format a value for an error message, on one line of at most ``most`` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def printable(text: str) -> str:
    """Replace characters that XML forbids by ``U+FFFD``."""
    return UNPRINTABLE.sub("\ufffd", text)


def kind(value: object) -> str:
    """Return the name of a value's type."""
    return type(value).__name__


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `` (did you mean 'mean'?)`` for a misspelt name; empty if no known one is similar."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def is_integer(value: object) -> bool:
    """Whether a value is an integer, Python's or numpy's."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether a value is an int or float, Python's or numpy's."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Whether a number is finite, and small enough for a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def integer(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return an integer from ``least`` to ``most``."""
    wanted = "an int"
    if least is not None:
        wanted += f" of at least {least}" if most is None else f" from {least} to {most}"
    if not is_integer(value):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give {wanted}")
    too_small = least is not None and value < least
    too_large = most is not None and value > most
    if too_small or too_large:
        raise ValueError(f"{name}={shown(value)} is out of range; give {wanted}")
    return int(value)


def number(name: str, value: Any) -> float:
    """Return a finite number as a float."""
    if not is_number(value):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a plain number")
    if not is_finite(value):
        raise ValueError(f"{name}={shown(value)} is not finite; give a plain number")
    return float(value)


def flag(name: str, value: object) -> bool:
    """Return a bool; strings are refused, since ``"no"`` is truthy."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give True or False")
    return value


def path(name: str, value: Any) -> Path:
    """Return a path with ``~`` expanded; nothing needs to exist there."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give a path")
    if not os.fspath(value).strip():
        raise ValueError(f"{name}={shown(value)} is blank; give the path of a file or folder")
    return Path(value).expanduser()


def choice(name: str, value: Any, known: Sequence[str]) -> str:
    """Return one of the ``known`` words."""
    words = ", ".join(map(repr, known))
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)} is {kind(value)}; give one of {words}")
    if value not in known:
        hint = nearest(value, known)
        raise ValueError(f"{name}={shown(value)} is not known{hint}; give one of {words}")
    return value


def seed(value: Any) -> int:
    """Return a seed, 0 to 2³² - 1; None is refused, since each call would draw differently."""
    return integer("seed", value, 0, MOST_SEED)


def strings(name: str, value: Any) -> list[str]:
    """Return the sentences of a list or another container that has an order."""
    without_order = isinstance(value, str | bytes | Mapping | Set)
    if without_order or hasattr(value, "columns") or not isinstance(value, Iterable):
        raise TypeError(
            f"{name}={shown(value, 40)} is {kind(value)}; give a list or another ordered container "
            "(for a table, one of its columns; for a file, its path)"
        )
    rows = list(value)
    for row, item in enumerate(rows):
        if not isinstance(item, str):
            raise TypeError(
                f"{name}, row {row}: {shown(item)} is {kind(item)}; every sentence must be a str"
            )
    return rows


def tensor(name: str, value: Any, shape: str = "(B, D)") -> Any:
    """Return ``value`` if it is a tensor; ``shape`` is shown in the error message."""
    import torch

    if not isinstance(value, torch.Tensor):
        wanted = f"a torch.Tensor of shape {shape}"
        raise TypeError(f"{name}={shown(value, 40)} is {kind(value)}; give {wanted}")
    return value


def device(value: Any) -> str | None:
    """Return the name of a device if this machine has it; None stays None."""
    import torch

    if value is None:
        return None
    try:
        named = torch.device(value)
        # "meta" has no numbers to read
        torch.zeros(1, device=named).tolist()
    except (TypeError, RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).strip().splitlines()[0][:120]
        raise ValueError(f"device={value!r} cannot be used here ({reason}); give 'cpu'") from None
    return str(named)
