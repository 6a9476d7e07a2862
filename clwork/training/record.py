"""A run's record: one dict per step, kept in memory and appended to ``record.jsonl``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .. import columns
from ..events import Event, sentence
from .comparing import missing
from .folder import RECORD, RunFolder
from .listening import Rows
from .plain_files import CutShortError
from .schema import check_row

if TYPE_CHECKING:
    import pandas as pd


class Record:
    """Rows are added by the training thread and read by any other; a row is never changed once added.

    Attributes:
        damaged: how many lines of the file could not be read; the rows before and behind them are kept.
    """

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Open the record of ``folder``; with ``upto``, rows of later steps are dropped, a resumed run redoes them."""
        self._folder, self.listeners = folder, Rows()
        rows, self.damaged = _read(folder)
        self._rows = [row for row in rows if upto is None or row["step"] <= upto]
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

    def faults(self, step: int) -> list[Event]:
        """What the record of a run at ``step`` lacks, as events: steps that no row tells of, and damaged lines."""
        lost = missing((row["step"] for row in self._rows), 0, step)
        return ([{"lost": list(lost)}] if lost else []) + ([{"damaged": self.damaged}] if self.damaged else [])

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


def _read(folder: RunFolder) -> tuple[list[dict[str, Any]], int]:
    """The rows that can be read, and how many lines cannot; a last line that a crash cut short is no row yet."""
    rows: list[dict[str, Any]] = []
    damaged = 0
    for found in folder.lines_or_errors(RECORD) if folder.has(RECORD) else ():
        try:
            if isinstance(found, ValueError):
                raise found
            rows.append(_finite(check_row(found, folder.path / RECORD)))
        except ValueError as error:
            damaged += not isinstance(error, CutShortError)
    return rows, damaged
