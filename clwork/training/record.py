"""A run's record: one dict per step, kept in memory and appended to ``record.jsonl``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import columns
from ..events import sentence
from .folder import RECORD, RunFolder
from .listening import Rows
from .schema import check_row

if TYPE_CHECKING:
    import pandas as pd


class Record:
    """Rows are added by the training thread and read by any other; a row is never changed once added."""

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Open the record of ``folder``; with ``upto``, rows of later steps are dropped, a resumed run redoes them."""
        self._folder, self.listeners = folder, Rows()
        self._rows = [row for row in _readable(folder) if upto is None or row["step"] <= upto]
        if upto is not None:
            folder.write_lines(RECORD, self._rows)

    def add(self, row: dict[str, Any]) -> None:
        """Append one row to memory and file, and tell whoever listens; what is not finite was not measured."""
        row = _finite(row)
        self._folder.append_line(RECORD, row)
        self._rows.append(row)
        self.listeners.tell(row)

    def rows(self, since: int = 0) -> list[dict[str, Any]]:
        """Rows from number ``since`` on; cheap, for drawing what is new."""
        return self._rows[since:]

    def frame(self) -> pd.DataFrame:
        """All rows as a DataFrame, those of every history first; NaN where nothing was measured, events in words."""
        import pandas as pd

        rows = self.rows()
        usual = columns.shown("history")
        extra = dict.fromkeys(key for row in rows for key in row if key not in (*usual, "events"))
        names = [*usual[:-1], *extra, usual[-1]]
        frame = pd.DataFrame(rows, columns=names)
        numbers = [name for name in names if name != "event"]
        frame[numbers] = frame[numbers].astype(float)
        frame["step"] = frame["step"].astype(int)
        frame["event"] = [sentence(row) for row in rows]
        return frame


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """A row without its NaN and infinities, which are no JSON; rows of older runs may have them."""
    return {name: value for name, value in row.items() if not isinstance(value, float) or math.isfinite(value)}


def _readable(folder: RunFolder) -> Iterator[dict[str, Any]]:
    """The rows that are whole, up to the first that is not: a crash may have cut the last one short."""
    if not folder.has(RECORD):
        return
    try:
        for row in folder.lines(RECORD):
            yield _finite(check_row(row, folder.path / RECORD))
    except ValueError:
        return
