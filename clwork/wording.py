"""Text for display: a count with its noun, a time span, and an error as one sentence."""

from __future__ import annotations

import re

# Types of errors whose messages are for users.
READABLE = (ValueError, TypeError, RuntimeError, ImportError, OSError, FloatingPointError)


def plural(count: int, noun: str, many: str = "") -> str:
    """Format a count with its noun; ``many`` is an irregular plural."""
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


# Classes of HTML in which a notebook typesets no formulas: $5 stays $5.
NO_MATH = "tex2jax_ignore mathjax_ignore"
# Share of unknown tokens that is reported; English has under 1 % with the bundled vocabulary.
MANY_UNKNOWN = 0.5


def unknown_tokens(share: float) -> str:
    """Explain that a vocabulary lacks most of a text, and what to do."""
    return (
        f"{100 * share:.0f} % of the tokens are unknown to the encoder's vocabulary, so that "
        "different texts look equal; give an encoder of the texts' language, such as a "
        "multilingual one"
    )


def explain(error: BaseException) -> str:
    """Return an error's message; for unexpected types of error, a generic sentence."""
    message = str(error).strip()
    if isinstance(error, OSError) and error.strerror is not None:  # raised by the system
        cause = [error.strerror] if error.filename is None else [error.strerror, error.filename]
        return f"unexpected error: {', '.join(map(str, cause))}"
    if message and isinstance(error, READABLE) and not isinstance(error, UnicodeError):
        return message
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
    return f"unexpected error: {', '.join(filter(None, [kind, message]))}"


def duration(seconds: float) -> str:
    """Format a time span."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
