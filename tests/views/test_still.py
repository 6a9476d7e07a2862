from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from clwork import views

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_well_formed_and_shows_curves_labels_and_events(records: list[dict[str, Any]]) -> None:
    root = ElementTree.fromstring(views.still(views.curves(records, {"log N": 4.16})))
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    for expected in ("loss", "log N = 4.16", "temperature 0.05 → 0.1", "● topic k-NN accuracy (proxy)"):
        assert expected in words
    assert len(list(root.iter(f"{SVG}line"))) == 8, "two events through four cells"
    assert len(list(root.iter(f"{SVG}path"))) >= 4 + 5


def test_points_land_where_the_axes_say() -> None:
    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 10], mode="markers", marker={"size": 4}))
    figure.update_layout(width=300, height=200, margin={"l": 50, "r": 50, "t": 50, "b": 50})
    figure.update_xaxes(range=[0, 2])
    figure.update_yaxes(range=[0, 10])
    circles = list(ElementTree.fromstring(views.still(figure)).iter(f"{SVG}circle"))
    assert [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in circles] == [(50.0, 150.0), (150.0, 50.0)]


def test_empty_and_scatter_figures_have_pictures() -> None:
    for figure in (views.curves([]), views.plane({"a": []}), views.projection(np.eye(2), ["a", "b"])):
        ElementTree.fromstring(views.still(figure))


def test_what_it_cannot_draw_it_refuses() -> None:
    with pytest.raises(ValueError, match="heatmap"):
        views.still(views.layer_grid({(1, "mean"): 1.0}))
    with pytest.raises(ValueError, match="width"):
        views.still(go.Figure())
