"""The queue of runs: what is typed, what is refused, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clwork import data, methods
from clwork.lab.settings.inputs import Inputs
from clwork.lab.settings.queue import SweepQueue, values_of
from clwork.lab.settings.settings import RunSettings
from clwork.training import Sweep, stored_runs, sweep

from ..conftest import SHORT

pytestmark = pytest.mark.nightly

PATIENCE = 60.0


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "timeout"
        time.sleep(0.02)


FIELDS = {field.name: field for field in methods.fields(methods.get("simcse").Config)}
Make = Callable[..., SweepQueue]


@pytest.fixture
def make_queue(corpus: data.Sentences) -> Iterator[Make]:
    """Makes queues over short runs; whatever still trains in the end is stopped."""
    made: list[SweepQueue] = []

    def make(steps: int, busy: bool = False, encoder: str = SHORT["encoder"], **config: Any) -> SweepQueue:
        settings = RunSettings(steps=steps, encoder=encoder, sentences=corpus)
        inputs = Inputs("simcse", settings, {"batch_size": 8, **config})

        def begin(values: dict[str, list[Any]], seeds: int) -> Sweep:
            sources = {"encoder": inputs.encoder.read(), "sentences": inputs.corpus.read()}
            return sweep("simcse", seeds=seeds, steps=inputs.steps.value, **sources, **{**inputs.values(), **values})

        made.append(SweepQueue(inputs.settings.fields, begin, lambda: busy))
        return made[-1]

    yield make
    for queue in made:
        queue.stop()
        queue.wait(60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("temperature = 0.02, 0.05", {"temperature": [0.02, 0.05]}),
        ("temperature=.1;fixed_mask = yes, no", {"temperature": [0.1], "fixed_mask": [True, False]}),
        (" batch_size = 8,16 ; head = none, both;", {"batch_size": [8, 16], "head": ["none", "both"]}),
    ],
)
def test_a_line_is_read(text: str, expected: dict[str, list[Any]]) -> None:
    assert values_of(text, FIELDS) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing to try yet"),
        ("temperature", "names no values"),
        ("temperature = ", "names no values"),
        ("temprature = 1", "is none of"),
        ("temperature = 1; temperature = 2", "stands twice"),
        ("temperature = hot", "hot"),
        ("temperature = -1", "-1"),
        ("head = maybe", "maybe"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, message: str, make_queue: Make) -> None:
    with pytest.raises(ValueError, match=message):
        values_of(text, FIELDS)
    queue = make_queue(3)
    queue.start(text)
    state = queue.state()
    assert message in state["sentence"] and state["trouble"] and not state["alive"] and state["of"] == 0


def test_a_queue_trains_with_all_else_as_the_settings_say(make_queue: Make) -> None:
    queue = make_queue(3, dropout_hidden=0.3)
    queue.start("temperature = 0.1, 0.2", "2")
    assert queue.alive
    queue.wait(PATIENCE)
    state = queue.state()
    assert "4 of 4 runs" in state["sentence"] and "finished" in state["sentence"] and not state["alive"]
    assert (state["done"], state["of"], state["trouble"]) == (4, 4, False)
    found = stored_runs()[0]
    assert {(run.recipe.config["temperature"], run.recipe.seed) for run in found} == {
        (t, seed) for t in (0.1, 0.2) for seed in (0, 1)
    }
    assert {run.recipe.config["dropout_hidden"] for run in found} == {0.3}
    assert {run.recipe.steps for run in found} == {3}


def test_stop_ends_it(make_queue: Make) -> None:
    queue = make_queue(100_000)
    queue.start("temperature = 0.1, 0.2")
    until(lambda: queue.sweep is not None and queue.sweep.current is not None and queue.sweep.current.step > 1)
    until(lambda: "left" in queue.state()["sentence"])
    assert 0 < queue.state()["done"] < 1
    queue.start("temperature = 0.3")
    assert queue.text == "temperature = 0.1, 0.2", "one at a time"
    queue.stop()
    queue.wait(PATIENCE)
    state = queue.state()
    assert "0 of 6 runs" in state["sentence"] and "stopped" in state["sentence"] and not state["alive"]


def test_stop_before_the_first_run_begins_none(make_queue: Make) -> None:
    queue = make_queue(100_000)
    queue.start("temperature = 0.1, 0.2")
    queue.stop()
    queue.wait(PATIENCE)
    assert not queue.alive and queue.sweep is not None and queue.sweep.status == "stopped"


def test_a_run_at_work_lets_none_begin(make_queue: Make) -> None:
    queue = make_queue(3, busy=True)
    queue.start("temperature = 0.1")
    assert "A run goes on" in queue.state()["sentence"] and not queue.alive and queue.sweep is None


def test_a_wrong_number_of_seeds_begins_nothing(make_queue: Make) -> None:
    queue = make_queue(3)
    queue.start("temperature = 0.1", "many")
    state = queue.state()
    assert "'many' is no number" in state["sentence"] == state["seeds"]["wrong"] and state["trouble"]
    assert queue.sweep is None and not queue.alive


def test_the_queue_says_what_it_does_from_the_first_moment_to_the_last(make_queue: Make) -> None:
    queue, seen = make_queue(200), list[str]()
    queue.start("temperature = 0.1, 0.2", 1)
    seen.append(queue.state()["sentence"])
    end = time.monotonic() + PATIENCE
    while queue.alive:
        assert time.monotonic() < end
        seen.append(queue.state()["sentence"])
        time.sleep(0.005)
    assert "Starting" in seen[0]
    for value in (0.1, 0.2):
        steps = [text for text in seen if f"Now temperature {value}, seed 0: simcse-" in text and "of 200" in text]
        assert len(set(steps)) >= 2, "its steps move"
    assert "2 of 2 runs are done: the queue is finished" in queue.state()["sentence"]


def test_the_queue_tells_which_runs_failed_and_why(make_queue: Make) -> None:
    queue = make_queue(2, encoder="no/such-encoder")
    queue.start("temperature = 0.1", 2)
    queue.wait(PATIENCE)
    state = queue.state()
    assert "2 of 2 runs are done" in state["sentence"] and "2 failed: temperature 0.1, seed 0: " in state["sentence"]
    assert "no/such-encoder" in state["sentence"] and state["trouble"]


def test_what_keeps_a_queue_from_beginning_is_said(make_queue: Make) -> None:
    queue = make_queue(2, encoder=" ")
    queue.start("temperature = 0.1", 2)
    queue.wait(PATIENCE)
    assert "no encoder is named" in queue.state()["sentence"] and queue.state()["trouble"] and not queue.alive


def test_a_corrected_line_takes_its_error_away(make_queue: Make) -> None:
    queue = make_queue(2)
    queue.start("temprature = 0.1")
    assert "is none of" in queue.state()["sentence"]
    queue.write("temperature = 0.1")
    assert queue.state()["sentence"] == "" and queue.state()["text"] == "temperature = 0.1"
