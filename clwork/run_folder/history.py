"""The history of a run on disk: ``record.jsonl``, a line of JSON per step."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..columns import History
from ..events import Event
from .files import HISTORY
from .folder import RunFolder

Row = dict[str, Any]


class RunHistory(History):
    """A history on disk; the training thread adds rows, and any thread can read them."""

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Open the history in ``folder``; drop the steps after ``upto``, which a run repeats."""
        super().__init__()
        self._folder = folder
        self.damaged = 0
        for row in folder.lines(HISTORY) if folder.has(HISTORY) else ():
            if not isinstance(row, dict) or not isinstance(row.get("step"), int):
                self.damaged += 1
            elif upto is None or row["step"] <= upto:
                self.append(row)
        if upto is not None:
            folder.write_lines(HISTORY, self.rows)

    def add(self, row: Row) -> None:
        """Append a row to memory and file; omit values that are not finite."""
        row = {
            name: value
            for name, value in row.items()
            if not isinstance(value, float) or math.isfinite(value)
        }
        self._folder.append_line(HISTORY, row)
        self.append(row)

    def faults(self, step: int) -> list[Event]:
        """Return events for missing steps up to ``step`` and for damaged lines."""
        lost = missing((row["step"] for row in self.rows), step)
        return ([{"lost": lost}] if lost else []) + (
            [{"damaged": self.damaged}] if self.damaged else []
        )


def missing(steps: Iterable[int], last: int) -> list[int]:
    """Return number, first and last of the steps up to ``last`` that are missing; may be empty."""
    lacking = sorted(set(range(last + 1)) - set(steps))
    return [len(lacking), lacking[0], lacking[-1]] if lacking else []
