"""Claims of the five papers as data, and verdicts on them from paired runs.

The ledger and stored runs can be read without torch; the functions that answer claims load torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .ledger import Claim, get, names
from .reference import Reference

if TYPE_CHECKING:
    from .arms import test
    from .lesson_table import running_table
    from .verdicts import RULE, Answer, answers, count_verdicts

_LATER = {"test": "arms", "running_table": "lesson_table"}
_LATER |= dict.fromkeys(("RULE", "Answer", "answers", "count_verdicts"), "verdicts")

__all__ = [
    "RULE",
    "Answer",
    "Claim",
    "Reference",
    "answers",
    "count_verdicts",
    "get",
    "names",
    "running_table",
    "test",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
