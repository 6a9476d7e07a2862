"""What stands under the buttons while a run goes on: it is of now, whatever pictures cost, and of one run at a time."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import clwork
from clwork import data
from clwork.lab import Panel
from clwork.training.disk.checkpoints import SavedEncoders
from clwork.training.loop.loop import Loop
from clwork.training.loop.probe import Probe
from clwork.training.loop.validation import Validation

from .conftest import SHORT
from .test_panel import PATIENCE, until

Make = Callable[..., Panel]


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets go in the end of whatever waits for it."""
    event = threading.Event()
    yield event
    event.set()


def test_a_picture_that_takes_for_ever_holds_up_neither_bar_nor_sentence(
    make_panel: Make, monkeypatch: pytest.MonkeyPatch, release: threading.Event
) -> None:
    panel = make_panel(steps=5000)
    monkeypatch.setattr(panel.pictures, "draw", lambda run: release.wait(PATIENCE))
    panel.start()
    until(lambda: panel.frame.bar.value >= 2)
    at = panel.frame.bar.value
    until(lambda: panel.frame.bar.value > at and re.search(r"step \d+ of 5000, about .* left", panel.frame.left.value))
    panel.frame.pause.click()
    until(lambda: "is paused" in panel.frame.state.value and panel.frame.left.value.endswith(", paused"))
    panel.frame.stop.click()
    until(lambda: "has ended. Its last picture is being drawn" in panel.frame.state.value)
    assert panel.frame.start.disabled, "the next run would begin beside the last picture of this one"
    release.set()
    panel.wait(PATIENCE)
    assert "was stopped" in panel.frame.state.value and not panel.frame.start.disabled


def test_the_first_loss_and_the_end_wake_the_pictures(make_panel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LONGEST", "PERIOD"):
        monkeypatch.setattr(f"clwork.lab.page.drawing_thread.{name}", 3600.0)  # no picture comes by itself
    panel = make_panel(steps=3)
    panel.start()
    assert panel._reporting is not None
    while panel._reporting.going:  # says four times a second how the run stands, as it always does
        panel._reporting.wake()
        panel._reporting.wait(0.05)
    assert panel.run.status == "finished" and list(panel.figure().data[1].x) == [1, 2, 3]


def test_a_run_says_what_it_does_beside_its_steps(corpus: data.Sentences, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    loops: list[Loop] = []

    def noted(kind: Any, name: str) -> None:
        real = getattr(kind, name)

        def act(*given: Any, **named: Any) -> Any:
            loops[:] = [given[0]] if kind is Loop else loops
            if kind is not Loop:
                seen.append(f"{loops[0].step} {loops[0].busy_with}".strip())
            return real(*given, **named)

        monkeypatch.setattr(kind, name, act)

    noted(Loop, "measure")
    noted(Probe, "measure")
    noted(Validation, "measure")
    noted(SavedEncoders, "save_last")
    run = clwork.train("simcse", sentences=corpus, **{**SHORT, "steps": 2, "probe_every": 1})
    assert seen == ["0 first look", "0 validation", "1", "2 last look", "2 validation", "2 saving"]
    assert run.busy_with == ""


def test_a_corrected_value_takes_its_error_away(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    box = panel.settings.widgets["temperature"].box
    before = box.value
    box.value = "0,1"
    panel.frame.start.click()
    assert "did not start" in panel.frame.state.value
    box.value = before
    assert panel.frame.state.value.count("Ready. Press Start") == 1
    panel.corpus.choice.value = "elsewhere"
    panel.corpus.place.value = "nowhere/to-be-found.txt"
    panel.start()
    panel.wait(PATIENCE)
    assert "did not start" in panel.frame.state.value
    panel.corpus.place.value = "somewhere/else.txt"
    assert "Ready. Press Start" in panel.frame.state.value


def test_no_progress_stands_beside_what_did_not_start(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    panel.start()
    panel.wait(PATIENCE)
    assert (panel.frame.bar.bar_style, panel.frame.left.value) == ("success", "step 2 of 2")
    panel.frame.steps.value = 60
    panel.encoder.choice.value = "elsewhere"
    panel.encoder.place.value = "no/such-encoder"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "failed" and panel.frame.left.value == "step 0 of 60"
    assert (panel.frame.bar.bar_style, panel.frame.bar.value, panel.frame.bar.max) == ("danger", 0, 60)
    panel.encoder.place.value = ""
    panel.start()
    panel.wait(PATIENCE)
    assert "did not start" in panel.frame.state.value
    assert (panel.frame.bar.bar_style, panel.frame.bar.value, panel.frame.left.value) == ("", 0, "")


def test_a_part_of_a_corpus_is_not_called_by_the_name_of_all_of_it(make_panel: Make, corpus: data.Sentences) -> None:
    panel = make_panel(steps=1)
    panel.start()
    panel.wait(PATIENCE)
    assert "64 sentences of wikipedia-mini" in panel.inputs.head.shown.value
    opened: Any = clwork.open_run(panel.run.folder)
    assert opened.recipe.sentences.label == "64 sentences of wikipedia-mini"
    given = clwork.train("simcse", sentences=list(corpus), **{**SHORT, "steps": 1})
    assert given.recipe.sentences.label == "64 examples of its own"


def test_the_page_knows_where_the_run_is_kept(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    panel.start()
    panel.wait(PATIENCE)
    assert panel.heartbeat.box.feed.folder == str(panel.run.folder)
