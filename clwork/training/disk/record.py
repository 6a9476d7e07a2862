"""A run's record: one dict per step, kept in memory and appended to ``record.jsonl``; and two records compared."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterable
from itertools import count
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import columns
from ...events import Event, sentence
from .folder import RunFolder
from .locked_folder import CutShortError
from .run_files import RECORD
from .schema import MOST_NAMES, check_row

if TYPE_CHECKING:
    import pandas as pd


LARGEST, MOST_LINES = 1 << 29, 2_000_000  # bytes and lines of a record; 200,000 steps take about 120 MB
LOOKED_AT = 1 << 25  # bytes of a long record that are parsed where a sample is enough

Row = dict[str, Any]
OnRow = Callable[[Row], object]


class Record:
    """Rows are added by the training thread and read by any other; a row is never changed once added.

    Attributes:
        damaged: how many lines of the file could not be read; the rows before and behind them are kept.
        listeners: the queues that receive each row.
    """

    def __init__(self, folder: RunFolder, upto: int | None = None, most: int | None = None) -> None:
        """Open the record of ``folder``; with ``upto``, rows of later steps are dropped, a resumed run redoes them.

        With ``most``, of a longer record about as many rows are read, evenly spread, and all rows with events.
        """
        self._folder, self.listeners = folder, Rows()
        rows, self.damaged = _read(folder, most)
        self._rows = [row for row in rows if upto is None or row["step"] <= upto]
        if upto is not None:
            folder.write_lines(RECORD, self._rows)

    def add(self, row: Row) -> None:
        """Append one row to memory and file and notify the listeners; values that are not finite are left out."""
        row = _finite(row)
        self._folder.append_line(RECORD, row)
        self._rows.append(row)
        self.listeners.put(row)

    def rows(self, since: int = 0) -> list[Row]:
        """Rows from number ``since`` on; cheap, for drawing what is new."""
        return self._rows[since:]

    def faults(self, step: int) -> list[Event]:
        """Return events for what the record of a run at ``step`` lacks: missing steps and damaged lines."""
        lost = missing((row["step"] for row in self._rows), 0, step)
        return ([{"lost": list(lost)}] if lost else []) + ([{"damaged": self.damaged}] if self.damaged else [])

    def frame(self) -> pd.DataFrame:
        """All rows as a DataFrame, columns of every history first; NaN where nothing was measured, events in words."""
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


def _finite(row: Row) -> Row:
    """A row without its NaN and infinities, which are no JSON; rows of older runs may have them."""
    return {name: value for name, value in row.items() if not isinstance(value, float) or math.isfinite(value)}


def _read(folder: RunFolder, most: int | None) -> tuple[list[Row], int]:
    """Read the rows, and count the lines that cannot be read; a last line that a crash cut short is no row yet."""
    if not folder.has(RECORD):
        return [], 0
    path, lines = folder.plain(RECORD, LARGEST), folder.count_lines(RECORD)
    if lines > MOST_LINES:
        raise ValueError(f"{path} has {lines:,} lines; a {RECORD} of clwork has at most {MOST_LINES:,}")
    rows: list[Row] = []
    names: set[str] = set()
    damaged = 0
    for line in folder.lines_or_errors(RECORD, wanted=None if most is None else _spread(lines, most)):
        try:
            if isinstance(line, ValueError):
                raise line
            row = _finite(check_row(line, path))
            if len(names | row.keys()) > MOST_NAMES:
                raise ValueError(f"{path} is damaged: it has more than {MOST_NAMES} columns")
            names.update(row)
            rows.append(row)
        except ValueError as error:
            damaged += not isinstance(error, CutShortError)
    return rows, damaged


def _spread(lines: int, most: int) -> Callable[[int, bytes], bool]:
    """Predicate that selects about ``most`` of ``lines``, and as many with events, of LOOKED_AT bytes in all.

    The last two lines are always among them: of these the later one may be cut short.
    """
    every, left, events = -(-lines // most), LOOKED_AT, most

    def wanted(number: int, line: bytes) -> bool:
        nonlocal left, events
        has_event = b'"event' in line and events > 0
        chosen = (number - 1) % every == 0 or has_event or number >= lines - 1
        events -= has_event
        left -= len(line) if chosen else 0
        return chosen and left > 0

    return wanted


# Listeners receive rows through a queue, so that a slow listener never delays a step.


class Rows:
    """Broadcasts rows to queues, and None at the end."""

    def __init__(self) -> None:
        self._queues: list[SimpleQueue[Row | None]] = []
        self._lock = threading.Lock()
        self._over = False

    def queue(self) -> SimpleQueue[Row | None]:
        """Make a queue that receives the rows from now on."""
        fresh: SimpleQueue[Row | None] = SimpleQueue()
        with self._lock:
            self._queues.append(fresh)
            if self._over:
                fresh.put(None)
        return fresh

    def put(self, row: Row) -> None:
        """Put a row on every queue."""
        with self._lock:
            for queue in self._queues:
                queue.put(row)

    def close(self) -> None:
        """End every queue, now and later."""
        with self._lock:
            self._over = True
            for queue in self._queues:
                queue.put(None)


class Listener(threading.Thread):
    """Calls a function with each row, in this thread, one after another and in order.

    When the function raises, the traceback is printed and it is not called again; the run goes on.
    """

    def __init__(self, on_row: OnRow, rows: Rows, name: str) -> None:
        super().__init__(name=f"clwork {name} listens", daemon=True)
        self._on_row, self._queue = on_row, rows.queue()
        self._through = threading.Event()
        self.error: Exception | None = None

    def run(self) -> None:
        """Listen until the run ends."""
        try:
            for row in iter(self._queue.get, None):
                self._on_row(row)
        except Exception as error:
            error.add_note("raised by the function given as on_row; the run itself went on")
            self.error = error
            sys.excepthook(type(error), error, error.__traceback__)
        finally:
            self._through.set()

    def wait(self, timeout: float | None = None) -> None:
        """Block until the function has been called with all rows; returns at once when that function asks."""
        if threading.current_thread() is not self:
            self._through.wait(timeout)


# Missing steps of a record.


class Missing(NamedTuple):
    """Steps missing from a record: their count, the first and the last."""

    number: int
    first: int
    last: int


def missing(steps: Iterable[int], first: int, last: int) -> Missing | None:
    """Find the steps from ``first`` to ``last`` that are not among ``steps``; None where all are.

    >>> missing([0, 1, 5, 6], 0, 6), missing([0, 1], 0, 1)
    (Missing(number=3, first=2, last=4), None)
    """
    known = {step for step in steps if first <= step <= last}
    lacking = last - first + 1 - len(known)
    if lacking <= 0:
        return None
    lowest = next(step for step in count(first) if step not in known)
    return Missing(lacking, lowest, next(step for step in count(last, -1) if step not in known))
