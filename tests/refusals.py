"""A table of calls that must raise, checked in one test: all that do not are listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Case = tuple[object, Callable[[], object], type[Exception] | tuple[type[Exception], ...], str]


def not_refused(cases: Iterable[Case]) -> list[str]:
    """One line for each case whose call does not raise this error with these words (a regular expression)."""
    failures = []
    for name, call, error, words in cases:
        try:
            call()
        except error as raised:
            if not re.search(words, str(raised)):
                failures.append(f"{name}: {raised!r} lacks {words!r}")
        except Exception as other:
            failures.append(f"{name}: {other!r} is not a {error}")
        else:
            failures.append(f"{name}: nothing was raised")
    return failures
