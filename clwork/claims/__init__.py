"""What the five papers claim, as data, and the answers that paired runs give to it.

Reading the ledger needs no torch; asking it (:func:`test`, :func:`load`, :func:`answers`) opens the rooms that train.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .ledger import METRICS, Arm, Claim, Expectation, Metric, Reported, get, names
from .reference import Reference, ReferenceRun
from .reference_file import ReferenceCloud
from .results import Results

if TYPE_CHECKING:
    from .asking import answers, load, test
    from .corpora import corpus
    from .verdicts import RULE, Answer, Comparison, Control, count_verdicts

_ROOMS = {
    "RULE": "verdicts",
    "Answer": "verdicts",
    "Comparison": "verdicts",
    "Control": "verdicts",
    "count_verdicts": "verdicts",
    "answers": "asking",
    "load": "asking",
    "test": "asking",
    "corpus": "corpora",
}

__all__ = [
    "METRICS",
    "RULE",
    "Answer",
    "Arm",
    "Claim",
    "Comparison",
    "Control",
    "Expectation",
    "Metric",
    "Reference",
    "ReferenceCloud",
    "ReferenceRun",
    "Reported",
    "Results",
    "answers",
    "corpus",
    "count_verdicts",
    "get",
    "load",
    "names",
    "test",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(importlib.import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
