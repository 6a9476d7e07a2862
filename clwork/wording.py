"""Text for display: a count with its noun, a time span, and an error as one sentence."""

from __future__ import annotations

import re
from typing import Any

# Types of errors whose messages are for users.
READABLE = (ValueError, TypeError, RuntimeError, ImportError, OSError, FloatingPointError)


def plural(count: int, noun: str, many: str = "") -> str:
    """Format a count with its noun, as in ``1 pair`` and ``1,000 pairs``.

    ``many`` is the plural if it is irregular, as in ``plural(2, "pair has", "pairs have")``.
    """
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


# Classes of HTML in which a notebook typesets no formulas: $5 stays $5.
NO_MATH = "tex2jax_ignore mathjax_ignore"
# Share of unknown tokens that is reported; English has under 1 % with the bundled vocabulary.
MANY_UNKNOWN = 0.5


def unknown_tokens_message(share: float) -> str:
    """Explain that a vocabulary lacks a share (0 to 1) of a text, and what to do."""
    return (
        f"{100 * share:.0f} % of the tokens are unknown to the encoder's vocabulary, so that "
        "different texts look equal; give an encoder of the texts' language, such as a "
        "multilingual one"
    )


def explain(error: BaseException) -> str:
    """Return an error as text for users.

    It is the message, if clwork or a library wrote it for users. Else it begins with "unexpected
    error", as in ``unexpected error: No space left on device, /tmp/a`` for an error of the system,
    or ``unexpected error: key error, 'loss'`` for an error of Python.
    """
    message = str(error).strip()
    details: list[Any]
    # Only an error that the system raised has a strerror.
    if isinstance(error, OSError) and error.strerror is not None:
        details = [error.strerror, error.filename]
    elif message and isinstance(error, READABLE) and not isinstance(error, UnicodeError):
        return message
    else:
        # KeyError becomes "key error".
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
        details = [words, message]
    return f"unexpected error: {', '.join(str(detail) for detail in details if detail)}"


def duration(seconds: float) -> str:
    """Format a time span, as in ``7 s``, ``2 min 5 s`` and ``1 h 30 min``."""
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 3600:
        return f"{rounded // 60} min {rounded % 60} s"
    return f"{rounded // 3600} h {rounded % 3600 // 60} min"
