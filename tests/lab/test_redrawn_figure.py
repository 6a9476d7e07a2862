from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import plotly.graph_objects as go

from clwork import views
from clwork.lab.page.live_figure import LiveFigure


def empty() -> go.Figure:
    return views.plane({"run": []}, width=300, height=200)


def test_another_figure_reaches_the_page_whole_in_one_message() -> None:
    canvas = LiveFigure(empty(), "a plane")
    sent: list[Any] = []
    canvas.widget.feed.observe(lambda change: sent.append(change["new"]), names="data")
    x, y = np.array([1.5, np.nan]), np.array([3.0, 4.0])
    canvas.replace(empty().add_scatter(x=x, y=y, marker={"size": [5, 6]}))
    assert len(sent) == 1
    shown = canvas.widget.data[-1]
    x = np.frombuffer(shown["x"]["bdata"], shown["x"]["dtype"])
    assert x[0] == 1.5 and np.isnan(x[1]) and shown["marker"]["size"] == [5, 6]
    assert (canvas.widget.axes["width"], canvas.widget.axes["height"]) == (300, 200)
    before = canvas.widget.axes["uirevision"]
    canvas.replace(empty().update_xaxes(range=[0, 5]))
    assert canvas.widget.axes["uirevision"] == before, "zoom is kept across drawings"
    assert canvas.widget.axes["xaxis"]["range"] == [0, 5]
    other = LiveFigure(empty(), "b")
    assert canvas.widget.library is other.widget.library, "one copy of Plotly for all figures"
    assert len(canvas.widget.library.source) > 1_000_000


def test_where_anywidget_cannot_be_imported_the_lab_works_without() -> None:
    program = """
import sys
sys.modules["anywidget"] = None
from clwork import lab, views
from clwork.lab.page.live_figure import LiveFigure
figure = LiveFigure(views.plane({"run": []}), "a plane")
print(figure.live, figure.widget.value[:4], lab.panel("simcse")._repr_mimebundle_()[0].keys())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "False Inst dict_keys(['text/plain', 'text/html'])\n", done.stderr
