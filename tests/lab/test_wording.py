"""What pages say is English: no name of a Python class, and a noun that agrees with its count."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.disk import DiskError
from clwork.events import worded
from clwork.lab.instrument import sentences
from clwork.lab.instrument.measured import measured_on
from clwork.lab.settings.queue import progress_of
from clwork.training.disk.record import Replay
from clwork.training.loop.loop import DivergedError
from clwork.training.loop.probe import Probe
from clwork.training.stored.sweep import Planned
from clwork.views import RunColumns
from clwork.views.lessons.histograms import cosine_histogram
from clwork.wording import explain

from ..training.conftest import tiny as tiny

Tiny = dict[str, Any]
UNFORESEEN = "something went wrong that clwork did not foresee: "


@pytest.mark.parametrize(
    "error",
    [
        ValueError("steps=0 is out of range; give 1 or more"),
        FileNotFoundError("there is no folder x; give another"),
        DiskError("/x cannot be written: its disk is full; choose another place"),
        DivergedError("step 3: loss is not finite. lower learning_rate"),
    ],
)
def test_a_sentence_is_told_as_it_is(error: Exception) -> None:
    assert explain(error) == str(error)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyError("stsb"), "key error, 'stsb'"),
        (AssertionError(), "assertion error"),
        (ValueError(), "value error"),
        (ZeroDivisionError("of my own"), "zero division error, of my own"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (PermissionError(13, "Permission denied", "/runs/a"), "Permission denied, /runs/a"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "unicode decode error, 'utf-8' codec"),
    ],
)
def test_what_is_no_sentence_is_said_to_be_unforeseen(error: Exception, words: str) -> None:
    assert explain(error).startswith(UNFORESEEN + words) and "Error" not in explain(error)


def test_no_widget_names_the_class_of_an_error() -> None:
    named = [path.name for path in Path(lab.__file__).parent.rglob("*.py") if "__name__" in path.read_text("utf-8")]
    assert not named, f"{named}: tell errors by clwork.wording.explain"


def test_a_failed_run_and_a_failed_queue_name_no_class(tiny: Tiny) -> None:
    few = {**tiny, "sentences": ["a b", "c d"], "steps": 2}
    run = clwork.start("simcse", **few)
    with pytest.raises(ValueError, match="2 examples, fewer than one batch of 4"):
        run.wait()
    assert run.error is not None and run.error.startswith("the corpus has 2 examples")
    assert "Error" not in sentences.state(run)
    queue = clwork.sweep("simcse", **few, temperature=[0.05], seeds=1).wait()
    assert queue.failures[0].startswith("the corpus has 2 examples")
    assert progress_of(queue).startswith("1 of 1 run is done: ") and "Error" not in progress_of(queue)
    assert repr(queue).startswith("<Sweep of simcse: finished: 1 of 1 run failed, ")


def test_a_queue_of_several_runs_says_runs() -> None:
    planned = [Planned({"temperature": 0.1}, seed) for seed in (0, 1)]
    sweep: Any = SimpleNamespace(done=2, planned=planned, alive=False, status="finished", failures={})
    assert progress_of(sweep).startswith("2 of 2 runs are done: ")


def test_one_of_a_kind_is_told_in_the_singular() -> None:
    probe = Probe(["a"], None, [("a", "b")], "own", [], [])
    assert probe.about == "alignment of 1 pair (own), uniformity of 1 sentence"
    tracks = RunColumns([{"step": 0, "pairs_all": 1, "sentences_all": 1, "alignment_all": 0.5}])
    assert "On 1 pair and 1 sentence, at the start" in measured_on(probe, tracks)
    assert str(Replay("r", 1, None)).startswith("1 step of r replayed")
    assert "(1 pair)" in str(cosine_histogram({"a": [0.1]}, [2.5]).layout.annotations)


def test_the_names_of_settings_and_signals_are_words() -> None:
    assert worded({"moved": {"learning_rate": [0.1, 0.2]}}) == "learning rate 0.1 → 0.2"
    assert clwork.columns.of("std_sqrt_d").label == "std × √d"
