"""Hearing of a run's rows as they are written: through a queue, so that nobody who listens holds up a step."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Row = dict[str, Any]
OnRow = Callable[[Row], object]


class Rows:
    """Hands each row to every queue that was asked for, and None once there will be no more."""

    def __init__(self) -> None:
        self._queues: list[SimpleQueue[Row | None]] = []
        self._lock = threading.Lock()
        self._over = False

    def queue(self) -> SimpleQueue[Row | None]:
        """The rows from now on."""
        asked: SimpleQueue[Row | None] = SimpleQueue()
        with self._lock:
            self._queues.append(asked)
            if self._over:
                asked.put(None)
        return asked

    def tell(self, row: Row) -> None:
        """Put a row on every queue."""
        with self._lock:
            for queue in self._queues:
                queue.put(row)

    def close(self) -> None:
        """There will be no more."""
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
