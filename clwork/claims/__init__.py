"""Claims of the five papers as data, the stored answers to them, and a test by paired runs.

Claims, answers and stored runs can be read without torch; only :func:`test` computes an answer.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .ledger import Claim, get, names
from .table import Answer, answers, count_verdicts
from .verdicts import RULE

if TYPE_CHECKING:
    from .lesson_table import running_table
    from .reference import Reference
    from .testing import test

_LATER = {"Reference": "reference", "running_table": "lesson_table", "test": "testing"}

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
