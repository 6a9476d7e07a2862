"""The history of a run on disk: ``record.jsonl``, a line of JSON per step."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any

from ..columns import History
from ..events import Event
from .files import HISTORY
from .folder import RunFolder

Row = dict[str, Any]
OnRow = Callable[[Row], object]


class RunHistory(History):
    """A history on disk; the training thread adds rows, and any thread can read them."""

    def __init__(self, folder: RunFolder, upto: int | None = None) -> None:
        """Open the history in ``folder``; drop the steps after ``upto``, which a run repeats."""
        super().__init__()
        self._folder, self.listeners, self.damaged = folder, Listeners(), 0
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
        self.listeners.put(row)

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


class Listeners:
    """Queues that receive each row, and None at the end; a slow listener delays no step."""

    def __init__(self) -> None:
        self._queues: list[SimpleQueue[Row | None]] = []
        self._lock = threading.Lock()
        self._closed = False

    def queue(self) -> SimpleQueue[Row | None]:
        """Return a new queue that receives all later rows."""
        new: SimpleQueue[Row | None] = SimpleQueue()
        with self._lock:
            self._queues.append(new)
            if self._closed:
                new.put(None)
        return new

    def put(self, row: Row | None) -> None:
        """Put a row on every queue; None ends all queues, including those made later."""
        with self._lock:
            self._closed = self._closed or row is None
            for queue in self._queues:
                queue.put(row)


class ListenerThread(threading.Thread):
    """A thread that calls a function with each row, in order."""

    def __init__(self, on_row: OnRow, listeners: Listeners, name: str) -> None:
        super().__init__(name=f"clwork {name} listener", daemon=True)
        self._on_row, self._queue = on_row, listeners.queue()
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            for row in iter(self._queue.get, None):
                self._on_row(row)
        except Exception as error:
            error.add_note("raised by the function given as on_row; the run itself continued")
            self.error = error
            sys.excepthook(type(error), error, error.__traceback__)

    def wait(self, timeout: float | None = None) -> None:
        """Block until the function has received all rows; return at once if it calls this."""
        if self.is_alive() and threading.current_thread() is not self:
            self.join(timeout)
