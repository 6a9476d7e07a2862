"""Claims of the five papers as data, the stored answers to them, and a test by paired runs.

Claims, answers and stored runs can be read without torch; only :func:`test` computes an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .ledger import Claim, get, names
from .table import Answer, answers, count_verdicts
from .verdicts import RULE

if TYPE_CHECKING:
    from .reference import Reference
    from .testing import test

__all__ = [
    "RULE",
    "Answer",
    "Claim",
    "Reference",
    "answers",
    "count_verdicts",
    "get",
    "names",
    "test",
]


def __getattr__(name: str) -> Any:
    """Import what needs torch or scientific packages when it is first used."""
    if name == "test":
        from .testing import test

        return test
    if name == "Reference":
        from .reference import Reference

        return Reference
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
