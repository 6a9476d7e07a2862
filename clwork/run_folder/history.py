"""The history of a run on disk: ``record.jsonl``, a line of JSON for each step."""

from __future__ import annotations

import math
from typing import Any

from ..columns import History
from ..events import Event
from .files import HISTORY
from .folder import RunFolder

Row = dict[str, Any]
"""A step's number, measurements by column, and events, see :class:`clwork.columns.History`."""


class RunHistory(History):
    """A history that is also in a file; the training thread adds rows, any thread can read them.

    ``damaged`` is the number of lines of the file that could not be read.
    """

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Read the history in ``folder``, which is empty if there is no file.

        A run that is resumed from step ``upto`` repeats the steps after it, so they are dropped
        from memory and file. None: read all, and write nothing.
        """
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
        """Append a row to memory and file, without values that are not finite.

        JSON has no NaN, and a column that is absent from a row counts as not measured.
        """
        measured = {
            name: value
            for name, value in row.items()
            if not isinstance(value, float) or math.isfinite(value)
        }
        self._folder.append_line(HISTORY, measured)
        self.append(measured)

    def faults(self, step: int) -> list[Event]:
        """Return an event for rows that are missing up to ``step``, and one for damaged lines."""
        events: list[Event] = []
        missing = sorted(set(range(step + 1)) - {row["step"] for row in self.rows})
        if missing:
            events.append({"lost": [len(missing), missing[0], missing[-1]]})
        if self.damaged:
            events.append({"damaged": self.damaged})
        return events
