"""Listeners receive rows as they are written; no listener delays a step."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import clwork

from .conftest import SHORT, WIDTH


def test_a_listener_gets_every_row_in_order_in_one_other_thread(corpus: Any) -> None:
    rows: list[dict[str, Any]] = []
    threads = set()

    def hear(row: dict[str, Any]) -> None:
        rows.append(row)
        threads.add(threading.current_thread())

    run = clwork.train("simcse", sentences=corpus, steps=3, on_row=hear, **SHORT)
    assert rows == run.records() and [row["step"] for row in rows] == [0, 1, 2, 3], (
        "wait() waits for the last of them"
    )
    assert len(threads) == 1 and not threads & {threading.current_thread(), run.training.thread}


def test_a_failing_listener_is_reported_and_the_run_continues(
    corpus: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = []

    def stumble(row: dict[str, Any]) -> None:
        heard.append(row["step"])
        raise ZeroDivisionError("of my own")

    run = clwork.start("simcse", sentences=corpus, steps=2, on_row=stumble, **SHORT)
    with pytest.raises(ZeroDivisionError, match="of my own") as raised:
        run.wait()
    assert "given as on_row" in raised.value.__notes__[0]
    assert (
        heard == [0] and run.status == "finished" and run.error is None and run.encoder.dim == WIDTH
    )
    assert "ZeroDivisionError: of my own" in capsys.readouterr().err
