"""Three threads command a run in any order: its history has no gap, its weights are equal."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import clwork
from clwork import data
from clwork.run_folder.folder import RunFolder
from clwork.training.run import RUNS

from ..encoders.conftest import write_tiny

pytestmark = pytest.mark.nightly
STEPS = 6
SEQUENCES = int(os.environ.get("CLWORK_SEQUENCES", "150"))  # `make torture` sets a larger number
ACTS = tuple("pause resume save stop move wait look step single fork sleep".split())
TEMPERATURES = (0.1, 0.2, 0.4)
_number = itertools.count()


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], dict[str, Any]]:
    """Arguments of a run that takes a fifth of a second."""
    tiny = str(write_tiny(tmp_path_factory.mktemp("tiny")))
    sentences = list(data.sentences("wikipedia-mini")[:32])
    short = {"encoder": tiny, "sentences": sentences, "steps": STEPS, "batch_size": 4}
    short |= {"precision": "float32", "device": "cpu"}
    every = {"probe_every": 50, "eval_every": 50, "checkpoint_every": 2}
    return lambda folder: {**short, **every, "folder": folder}


@pytest.fixture(scope="module")
def expected(
    make: Callable[[Path], dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> list[Any]:
    run = clwork.train("simcse", **make(tmp_path_factory.mktemp("whole") / "run"))
    return [row.get("loss") for row in run.records()]


def act(run: clwork.Run, what: str, copies: list[Path], place: Path) -> None:
    """Carry out one command of one thread."""
    if what == "save":
        copies.append(run.save(place / f"copy-{next(_number)}"))
    elif what == "fork":
        copies.append(run.fork(folder=place / f"fork-{next(_number)}").wait().folder)
    elif what == "move":
        try:
            run.controls.temperature = TEMPERATURES[next(_number) % 3]
        except RuntimeError as error:
            assert not run.alive or "is finished" in str(error) or "is stopped" in str(error)
    elif what == "look":
        assert run.encoder.dim == 16
        assert run.history["step"].is_monotonic_increasing
    elif what == "step":
        at = run.step
        end = time.monotonic() + 0.2
        while run.step == at and run.status == "running" and time.monotonic() < end:
            time.sleep(0.001)  # a loop without a pause would starve the run's thread
    elif what == "single":
        at = run.step
        try:
            run.step_once(wait=False)
        except RuntimeError as error:
            assert "not paused; call" in str(error)
        assert run.step >= at
    elif what == "resume":
        try:
            run.resume()
        except RuntimeError as error:
            assert run.status == "stopped"
            assert "clwork.resume(" in str(error)
    elif what in ("wait", "sleep"):
        run.wait(0.01)
    else:
        getattr(run, what)()


def carry_out(
    run: clwork.Run, commands: list[tuple[int, str]], copies: list[Path], place: Path
) -> list[BaseException]:
    """Run three threads at once; each sends its own commands in order."""
    failures: list[BaseException] = []

    def one(number: int) -> None:
        try:
            for thread, what in commands:
                if thread == number:
                    act(run, what, copies, place)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def check_copy(copy: Path) -> None:
    """Check that a copy, or a fork that has ended, is a complete run without a writer."""
    stored = clwork.open_run(copy)
    assert [row["step"] for row in stored.records()] == list(range(stored.step + 1))
    assert RunFolder(copy).checkpoints.meta().step <= stored.step
    assert stored.status in ("stopped", "finished")


@settings(
    max_examples=SEQUENCES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(commands=st.lists(st.tuples(st.integers(0, 2), st.sampled_from(ACTS)), max_size=9))
def test_any_sequence_of_commands_leaves_a_complete_run(
    commands: list[tuple[int, str]],
    make: Callable[[Path], dict[str, Any]],
    expected: list[Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("commands")
    copies: list[Path] = []
    run = clwork.start("simcse", **make(place / "run"))
    while run.step < 1 and run.alive:
        time.sleep(0.002)
    failures = carry_out(run, commands, copies, place)
    assert not failures, failures
    with contextlib.suppress(RuntimeError):  # it may have been stopped
        run.resume()
    run.wait()
    stop_requested = any(what == "stop" for _, what in commands)
    assert run.status == "finished" or (stop_requested and run.status == "stopped"), run.error
    assert (run.step == STEPS) is (run.status == "finished")
    for copy in copies:
        check_copy(copy)
    RUNS.remove(run)
    whole = clwork.resume(run.folder)
    rows = whole.records()
    assert [row["step"] for row in rows] == list(range(STEPS + 1))
    moves = [event["moved"] for row in rows for event in row.get("events", ()) if "moved" in event]
    if not any(what == "move" for _, what in commands):
        assert [row.get("loss") for row in rows] == expected
        assert not moves
    elif moves:
        assert whole.config.temperature == moves[-1]["temperature"][1]
    shutil.rmtree(place)
