"""The run before is drawn in grey, and what changed is told in words."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from clwork.lab import Panel
from clwork.lab.panel.pictures.picture import changes
from clwork.lab.panel.pictures.pictures import Pictures
from clwork.views.run_curves import EARLIER

from .test_panel import PATIENCE


def grey(panel: Panel) -> list[float]:
    """The loss of the run behind."""
    curve = shadow(panel.pictures)
    return [] if curve.x is None else list(curve.x)


def shadow(pictures: Pictures) -> Any:
    """The first of the grey curves: the loss."""
    return next(trace for trace in pictures.curves.drawn.figure().data if trace.name == EARLIER)


def test_each_run_becomes_the_shadow_of_the_next(make_panel: Callable[..., Panel]) -> None:
    panel = make_panel(steps=4, temperature=0.05)
    panel.start()
    panel.wait(PATIENCE)
    first = panel.run
    panel.settings.widgets["temperature"].value = 0.1
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished" and panel.run is not first
    assert grey(panel) == [1, 2, 3, 4]
    told = panel.pictures.changes.box.value
    assert first.name in told and "temperature 0.05 → 0.1" in told
    plane = panel.pictures.plane.drawn.figure()
    assert len(plane.data[1].x) >= 2 and plane.data[1].name == "earlier run"


def test_settings_that_differ_are_told_and_no_others() -> None:
    old: dict[str, Any] = {"steps": 3, "temperature": 0.05, "pooling": "cls", "gone": 1}
    new = {"steps": 3, "temperature": 0.1 + 0.2, "pooling": "mean", "new": 1}
    assert changes(old, new) == ["temperature 0.05 → 0.3", "pooling cls → mean"]
    assert changes(old, dict(old)) == []


@pytest.fixture
def recording() -> dict[str, Any]:
    """What ``clwork.recording`` gives, small."""
    axes, texts = 3, ["a", "b", "c"]
    numbers = np.arange(len(texts) * axes, dtype="<i2") * 1000
    look = {"at": base64.b64encode(numbers.tobytes()).decode(), "near": "", "kept": 0.5}
    rows = [{"step": step, "loss": 2.0 - step, "alignment": 0.3, "uniformity": -1.0 - step} for step in range(3)]
    return {
        "name": "recorded",
        "method": "simcse",
        "title": "SimCSE",
        "total_steps": 2,
        "status": "finished",
        "texts": texts,
        "labels": ["x", "y", "x"],
        "axes": axes,
        "span": 2.0,
        "share": [0.3, 0.2, 0.1],
        "looks": [look | {"step": 0}, look | {"step": 2}],
        "rows": rows,
        "columns": {},
        "seed": 0,
        "settings": {"temperature": 0.05},
    }


def test_before_the_first_run_the_recorded_one_is_shown_in_grey(recording: dict[str, Any]) -> None:
    pictures = Pictures(recording)
    cloud = pictures.sentences.drawn
    assert cloud.texts == ["a", "b", "c"] and "Recorded run, step 2 of 2" in cloud.caption
    assert cloud.points[1].tolist() == pytest.approx([3000 * 2 / 32767, 4000 * 2 / 32767])
    assert cloud.widget.feed.now["faded"] is True
    assert list(shadow(pictures).x) == [0, 1, 2]
    assert "recorded run" in pictures.changes.box.value
    landmarks = pictures.plane.drawn.figure().data[0]
    assert "recorded run" in landmarks.text and landmarks.x[landmarks.text.index("recorded run")] == -3.0


def test_without_a_recorded_run_nothing_is_claimed() -> None:
    pictures = Pictures()
    assert pictures.changes.box.value == "" and len(pictures.sentences.drawn.points) == 0
