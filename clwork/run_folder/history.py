"""The history of a run on disk: ``record.jsonl``, a line of JSON for each step."""

from __future__ import annotations

import math
from typing import Any

from ..columns import History
from .files import HISTORY
from .folder import RunFolder

Row = dict[str, Any]
"""A step's number, measurements by column, and events, see :class:`clwork.columns.History`."""


class RunHistory(History):
    """A history that is also in a file; the training thread adds rows, any thread can read them."""

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Read the history in ``folder``, which is empty if there is no file.

        A run that is resumed from step ``upto`` repeats the steps after it, so they are dropped
        from memory and file. None: read all, and write nothing.
        """
        rows = folder.lines(HISTORY)
        super().__init__(row for row in rows if upto is None or row["step"] <= upto)
        self._folder = folder
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
