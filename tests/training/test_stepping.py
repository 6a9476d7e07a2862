"""A paused run does exactly the requested single steps, equal to those of an uninterrupted run."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import clwork

from ..runs import stop_at
from .test_run import until


def paused(tiny: dict[str, Any], **values: Any) -> clwork.Run:
    run = clwork.start("simcse", **(tiny | values))
    run.pause()
    return run


def test_single_steps_equal_those_of_an_uninterrupted_run(
    trained: clwork.Run, tiny: dict[str, Any]
) -> None:
    run = paused(tiny)
    until(lambda: run.status == "paused")
    at = run.step
    for number in range(at + 1, at + 4):
        assert run.step_once() is run
        assert (run.step, run.status, run.records()[-1]["step"]) == (number, "paused", number)
    run.controls.temperature = 0.2
    run.step_once()
    assert "temperature 0.05 → 0.2" in run.history["event"].iloc[-1]
    run.controls.temperature = 0.05
    run.resume()
    run.wait()
    ours, theirs = run.history["loss"].tolist(), trained.history["loss"].tolist()
    assert ours[1 : at + 4] == theirs[1 : at + 4]
    assert run.status == "finished"


def test_a_run_that_is_not_paused_cannot_be_stepped(tiny: dict[str, Any]) -> None:
    run = clwork.start("simcse", **(tiny | {"steps": 100_000}))
    with pytest.raises(RuntimeError, match=r"not paused; call run.pause\(\) first"):
        run.step_once()
    stop_at(run, 1)
    ended = r"is stopped, not paused; call clwork.resume\("
    with pytest.raises(RuntimeError, match=ended):
        run.step_once()


def test_stop_releases_threads_that_wait_for_a_step(tiny: dict[str, Any]) -> None:
    run = paused(tiny, steps=100_000)
    threads = [threading.Thread(target=run.step_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    run.stop()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert run.wait().status == "stopped"
    assert run.step <= 5
