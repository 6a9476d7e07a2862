"""The queue in the panel's drawer: what is typed, what is refused, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clwork import methods
from clwork.lab import Panel
from clwork.lab.panel.sweep_queue import values_of
from clwork.training import stored_runs

from .test_panel import PATIENCE, until

Make = Callable[..., Panel]
FIELDS = {field.name: field for field in methods.fields(methods.get("simcse").Config)}


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
def test_what_cannot_be_read_is_said(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        values_of(text, FIELDS)


def test_a_queue_trains_with_all_else_as_the_panel_says(make_panel: Make) -> None:
    panel = make_panel(steps=3, dropout_hidden=0.3)
    queue = panel.queue
    queue.values.value, queue.seeds.value = "temperature = 0.1, 0.2", 2
    queue.go.click()
    assert queue.alive
    panel.start()
    assert "A queue of runs is at work" in panel.frame.state.value and panel.run is None
    queue.wait(PATIENCE)
    assert "4 of 4 runs" in queue.outcome.value and "finished" in queue.outcome.value and queue.halt.disabled
    found = stored_runs()[0]
    assert {(run.recipe.config["temperature"], run.recipe.seed) for run in found} == {
        (t, seed) for t in (0.1, 0.2) for seed in (0, 1)
    }
    assert {run.recipe.config["dropout_hidden"] for run in found} == {0.3}
    assert {run.recipe.steps for run in found} == {3}


def test_stop_all_ends_it(make_panel: Make) -> None:
    queue = make_panel(steps=100_000).queue
    queue.values.value = "temperature = 0.1, 0.2"
    queue.go.click()
    until(lambda: queue.sweep is not None and queue.sweep.current is not None and queue.sweep.current.step > 1)
    until(lambda: "left" in queue.outcome.value and not queue.halt.disabled)
    queue.halt.click()
    queue.wait(PATIENCE)
    assert "0 of 6 runs" in queue.outcome.value and "stopped" in queue.outcome.value and not queue.go.disabled


def test_a_wrong_line_or_a_run_at_work_begins_nothing(make_panel: Make) -> None:
    panel = make_panel(steps=100_000)
    queue = panel.queue
    queue.go.click()
    assert "nothing to try yet" in queue.outcome.value and not queue.alive
    panel.start()
    until(lambda: panel.run is not None and panel.run.step > 0)
    queue.values.value = "temperature = 0.1"
    queue.go.click()
    assert "A run goes on" in queue.outcome.value and not queue.alive and queue.sweep is None
    panel.stop()
    panel.wait(PATIENCE)


def test_the_queue_says_what_it_does_from_the_first_moment_to_the_last(make_panel: Make) -> None:
    panel = make_panel(steps=40)
    queue, seen = panel.queue, list[str]()
    queue.outcome.observe(lambda change: seen.append(change["new"]), names="value")
    queue.values.value, queue.seeds.value = "temperature = 0.1, 0.2", 1
    queue.go.click()
    queue.wait(PATIENCE)
    assert "Starting" in seen[0]
    for value in (0.1, 0.2):
        steps = [text for text in seen if f"Now temperature {value}, seed 0: simcse-" in text and "of 40" in text]
        assert len(set(steps)) >= 2, "its steps move"
    assert queue.bar.value == queue.bar.max and "2 of 2 runs are done: the queue is finished" in seen[-1]


def test_the_queue_tells_which_runs_failed_and_why(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    panel.encoder.choice.value = "elsewhere"
    panel.encoder.place.value = "no/such-encoder"
    queue = panel.queue
    queue.values.value, queue.seeds.value = "temperature = 0.1", 2
    queue.go.click()
    queue.wait(PATIENCE)
    assert (
        "2 of 2 runs are done" in queue.outcome.value and "2 failed: temperature 0.1, seed 0: " in queue.outcome.value
    )
    assert "no/such-encoder" in queue.outcome.value and "role='alert'" in queue.outcome.value


def test_a_corrected_line_takes_its_error_away(make_panel: Make) -> None:
    queue = make_panel(steps=2).queue
    queue.values.value = "temprature = 0.1"
    queue.go.click()
    assert "is none of" in queue.outcome.value
    queue.values.value = "temperature = 0.1"
    assert "is none of" not in queue.outcome.value
