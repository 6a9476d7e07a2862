"""Claims of the five papers as data, the stored answers to them, and a test by paired runs.

Claims, answers and stored runs can be read without torch; only :func:`test` computes an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .ledger import Claim, get, names
from .table import Answer, answers
from .verdicts import RULE

if TYPE_CHECKING:
    from .testing import test

__all__ = ["RULE", "Answer", "Claim", "answers", "get", "names", "test"]


def __getattr__(name: str) -> Any:
    """Import :func:`test`, which needs torch, when it is first used."""
    if name != "test":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .testing import test

    return test
