from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from clwork import views
from clwork.lab.page.live_figure import LiveFigure, packed, unpacked
from clwork.views.alignment_plane import fixed_plane
from clwork.views.run_curves import stacked


def empty() -> go.Figure:
    return views.plane({"run": []}, width=300, height=200)


def test_a_drawing_reaches_the_page_whole_and_only_when_something_changed() -> None:
    canvas = LiveFigure(empty(), "a plane")
    sent: list[Any] = []
    canvas.widget.feed.observe(lambda change: sent.append(change["new"]), names="data")
    traces = [{"x": np.array([1.0, 2.0]), "y": np.array([3.0, 4.0]), "marker": {"size": [5, 6]}}]
    assert canvas.redraw(traces) is True and len(sent) == 1
    assert canvas.redraw([dict(traces[0])]) is False and len(sent) == 1, "the same picture again is not sent"
    shown = canvas.figure().data[0]
    assert shown.x.tolist() == [1.0, 2.0] and shown.marker.size == (5, 6)
    assert shown.marker.color, "what the drawing left out stays as it was"
    assert (canvas.widget.axes["width"], canvas.widget.axes["height"]) == (300, 200)


def test_zoom_is_kept_across_drawings() -> None:
    canvas = LiveFigure(empty(), "a plane")
    before = canvas.widget.axes["uirevision"]
    canvas.redraw([{"x": np.ones(1)}], {"xaxis": {"range": [0, 5]}})
    assert canvas.widget.axes["uirevision"] == before
    assert canvas.widget.axes["xaxis"]["range"] == [0, 5] and canvas.widget.axes["xaxis"]["title"]["text"]


def test_missing_numbers_survive_packing() -> None:
    there_and_back = unpacked({"x": packed(np.array([1.5, np.nan]))})["x"]
    assert there_and_back[0] == 1.5 and np.isnan(there_and_back[1])


def test_the_wrong_number_of_traces_is_an_error() -> None:
    with pytest.raises(ValueError):
        LiveFigure(empty(), "a plane").redraw([{}, {}])


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_a_still_picture_takes_its_place() -> None:
    canvas = LiveFigure(empty(), "a plane")
    assert canvas.live is False and canvas.widget.value.startswith("<svg")
    before = canvas.widget.value
    canvas.redraw([{"x": np.array([1.0, 2.0]), "y": np.array([3.0, 4.0])}])
    assert canvas.widget.value != before


def test_where_anywidget_cannot_be_imported_the_lab_works_without() -> None:
    program = """
import sys
sys.modules["anywidget"] = None
from clwork import lab, views
from clwork.lab.page.live_figure import LiveFigure
from clwork.lab.page.sentence_cloud import SentenceCloud
print(LiveFigure(views.plane({"run": []}), "a plane").live, SentenceCloud((400, 300)).widget.value[:4])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "False <svg\n", done.stderr


def test_all_figures_share_one_copy_of_plotly_js() -> None:
    one, other = LiveFigure(empty(), "a"), LiveFigure(empty(), "b")
    assert one.widget.library is other.widget.library
    assert len(one.widget.library.source) > 1_000_000


def test_a_figure_that_fills_has_no_size_of_its_own_on_the_page() -> None:
    fixed, filling = LiveFigure(empty(), "a plane"), LiveFigure(empty(), "a plane", fills=True)
    assert (fixed.box.layout.width, fixed.box.layout.height, fixed.widget.fills) == ("300px", "200px", False)
    assert filling.box.layout.width is None and filling.box.layout.height is None and filling.widget.fills
    assert "clwork-fills" in filling.box._dom_classes and filling.figure().layout.width == 300, "its still picture's"


def test_every_colour_of_the_panels_figures_has_a_twin_for_dark_pages() -> None:
    rows = [{"step": step, "loss": 1.0, "events": [{"paused": 1.0}]} for step in range(3)]
    for figure in (stacked(rows), fixed_plane("run")):
        drawn = LiveFigure(figure, "").widget
        used = set(
            re.findall(r"#[0-9A-Fa-f]{6}\b", json.dumps([drawn.data, drawn.axes.get("annotations", [])], default=str))
        )
        assert len(used) > 2 and used <= set(drawn.twins), used - set(drawn.twins)
