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


def test_a_heatmap_has_its_cells_numbers_and_names() -> None:
    root = ElementTree.fromstring(views.still(views.similarity_pair(np.eye(3), -np.eye(3), ["one", "two", "three"])))
    cells = [rect.attrib["fill"] for rect in root.iter(f"{SVG}rect")][1:]  # the first is the ground
    assert len(cells) == 2 * 9 and cells[0] == cells[9] == "rgb(0, 114, 178)", "-I has the same cosines as I"
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert words.count("1. one") == 1 and words.count("1.00") == 6 and {"before", "after"} <= set(words)
    ElementTree.fromstring(views.still(views.layer_grid({(1, "mean"): 1.0, (2, "max"): 2.0})))


def test_bands_and_long_legends_have_their_place(records: list[dict[str, Any]]) -> None:
    figure = views.overlay({"a recipe": [records, records], "another recipe " * 8: [records]})
    root = ElementTree.fromstring(views.still(figure))
    assert len(list(root.iter(f"{SVG}polygon"))) == 3
    heights = {text.attrib["y"] for text in root.iter(f"{SVG}text") if (text.text or "").startswith("●")}
    assert len(heights) == 2, "two names that do not fit side by side stand one below the other"


def test_what_it_cannot_draw_it_refuses() -> None:
    with pytest.raises(ValueError, match="scatter3d"):
        views.still(go.Figure(go.Scatter3d(x=[0], y=[0], z=[0]), {"width": 100, "height": 100}))
    with pytest.raises(ValueError, match="width"):
        views.still(go.Figure())
