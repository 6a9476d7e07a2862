"""The thread that repeats a function: it ends, rations what is costly, and gives up after some failures in a row."""

from __future__ import annotations

import itertools
import time

from clwork.lab.page import drawing_thread
from clwork.lab.page.drawing_thread import TRIES, DrawingThread


def test_it_repeats_until_there_is_no_more_and_reports_failures() -> None:
    calls: list[float] = []
    errors: list[Exception] = []

    def draw() -> bool:
        calls.append(time.monotonic())
        if len(calls) == 2:
            raise ValueError("once")
        return len(calls) < 4

    thread = DrawingThread(draw, errors.append)
    assert not thread.going
    thread.start()
    thread.join(30)
    assert not thread.going and len(calls) == 4 and [str(error) for error in errors] == ["once"]
    assert all(later - former >= drawing_thread.PERIOD for former, later in itertools.pairwise(calls))


def test_it_ends_after_failures_in_a_row_when_told_or_when_nothing_begins(monkeypatch: object) -> None:
    errors: list[Exception] = []

    def fail() -> bool:
        raise ValueError("again")

    failing = DrawingThread(fail, errors.append)
    failing.start()
    failing.join(30)
    assert len(errors) == TRIES
    endless = DrawingThread(lambda: True, errors.append)
    endless.start()
    endless.end()
    endless.join(30)
    idle = DrawingThread(fail, errors.append, begin=lambda: False)
    idle.start()
    idle.join(30)
    assert not endless.going and not idle.going and len(errors) == TRIES
