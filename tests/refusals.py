"""Check a table of calls that must raise in one test, and list all calls that do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Case = tuple[object, Callable[[], object], type[Exception] | tuple[type[Exception], ...], str]


def not_refused(cases: Iterable[Case]) -> list[str]:
    """Return one line for each call that does not raise the error with a matching message."""
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
