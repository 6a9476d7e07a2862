"""What pages say is English: no name of a Python class, and a noun that agrees with its count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.disk import DiskError
from clwork.lab.panel import status
from clwork.lab.panel.status import measured_on
from clwork.training.loop import DivergedError
from clwork.training.probe import Probe
from clwork.views.history import RunColumns
from clwork.views.lessons.histograms import cosine_histogram
from clwork.wording import explain

from ..training.conftest import tiny as tiny

Tiny = dict[str, Any]
UNFORESEEN = "something went wrong that clwork did not foresee: "


def test_an_error_is_a_sentence_or_said_to_be_unforeseen() -> None:
    plain: list[Exception] = [
        ValueError("steps=0 is out of range; give 1 or more"),
        FileNotFoundError("there is no folder x; give another"),
        DiskError("/x cannot be written: its disk is full; choose another place"),
        DivergedError("step 3: loss is not finite. lower learning_rate"),
    ]
    for error in plain:
        assert explain(error) == str(error)
    unforeseen: dict[str, Exception] = {
        "key error, 'stsb'": KeyError("stsb"),
        "assertion error": AssertionError(),
        "value error": ValueError(),
        "zero division error, of my own": ZeroDivisionError("of my own"),
        "No space left on device": OSError(28, "No space left on device"),
        "Permission denied, /runs/a": PermissionError(13, "Permission denied", "/runs/a"),
        "unicode decode error, 'utf-8' codec": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    }
    for words, error in unforeseen.items():
        assert explain(error).startswith(UNFORESEEN + words) and "Error" not in explain(error), words


def test_no_widget_names_the_class_of_an_error() -> None:
    named = [path.name for path in Path(lab.__file__).parent.rglob("*.py") if "__name__" in path.read_text("utf-8")]
    assert not named, f"{named}: tell errors by clwork.wording.explain"


def test_a_failed_run_names_no_class(tiny: Tiny) -> None:
    few = {**tiny, "sentences": ["a b", "c d"], "steps": 2}
    run = clwork.start("simcse", **few)
    with pytest.raises(ValueError, match="2 examples, fewer than one batch of 4"):
        run.wait()
    assert run.error is not None and run.error.startswith("the corpus has 2 examples")
    assert "Error" not in status.state(run)


def test_one_of_a_kind_is_told_in_the_singular() -> None:
    probe = Probe(["a"], None, [("a", "b")], "own", [], [])
    assert probe.about == "alignment of 1 pair (own), uniformity of 1 sentence"
    tracks = RunColumns([{"step": 0, "pairs_all": 1, "sentences_all": 1, "alignment_all": 0.5}])
    assert "On 1 pair and 1 sentence, at the start" in measured_on(probe, tracks)
    assert "(1 pair)" in str(cosine_histogram({"a": [0.1]}, [2.5]).layout.annotations)
