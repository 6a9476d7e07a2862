from __future__ import annotations

import base64
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from clwork import views

pytestmark = pytest.mark.nightly

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_well_formed_and_shows_curves_labels_and_events(records: list[dict[str, Any]]) -> None:
    root = ElementTree.fromstring(views.to_svg(views.curves(records, {"log N": 4.16})))
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
    circles = list(ElementTree.fromstring(views.to_svg(figure)).iter(f"{SVG}circle"))
    assert [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in circles] == [(50.0, 150.0), (150.0, 50.0)]


def test_empty_and_scatter_figures_have_pictures() -> None:
    for figure in (views.curves([]), views.plane({"a": []}), views.projection(np.eye(2), ["a", "b"])):
        ElementTree.fromstring(views.to_svg(figure))


def test_a_heatmap_has_its_cells_numbers_and_names() -> None:
    root = ElementTree.fromstring(views.to_svg(views.similarity_pair(np.eye(3), -np.eye(3), ["one", "two", "three"])))
    cells = [rect.attrib["fill"] for rect in root.iter(f"{SVG}rect")][1:]  # the first is the ground
    assert len(cells) == 2 * 9 and cells[0] == cells[9] == "rgb(0, 114, 178)", "-I has the same cosines as I"
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert words.count("1. one") == 1 and words.count("1.00") == 6 and {"before", "after"} <= set(words)
    ElementTree.fromstring(views.to_svg(views.layer_grid({(1, "mean"): 1.0, (2, "max"): 2.0})))


def test_bands_and_long_legends_have_their_place(records: list[dict[str, Any]]) -> None:
    figure = views.overlay({"a recipe": [records, records], "another recipe " * 8: [records]})
    root = ElementTree.fromstring(views.to_svg(figure))
    assert len(list(root.iter(f"{SVG}polygon"))) == 3
    heights = {text.attrib["y"] for text in root.iter(f"{SVG}text") if (text.text or "").startswith("●")}
    assert len(heights) == 2, "two names that do not fit side by side stand one below the other"


def test_what_it_cannot_draw_it_refuses() -> None:
    with pytest.raises(ValueError, match="pie"):
        views.to_svg(go.Figure(go.Pie(values=[1]), {"width": 100, "height": 100}))
    with pytest.raises(ValueError, match="width"):
        views.to_svg(go.Figure())


def drawn(figure: go.Figure) -> ElementTree.Element:
    figure.update_layout(width=300, height=200, margin={"l": 50, "r": 50, "t": 50, "b": 50}, showlegend=False)
    return ElementTree.fromstring(views.to_svg(figure))


def numbers(element: ElementTree.Element, *names: str) -> list[float]:
    return [float(element.attrib[name]) for name in names]


def test_bars_stand_on_zero_and_share_a_place() -> None:
    figure = go.Figure([go.Bar(y=[2, -2]), go.Bar(y=[1, 1])], {"barmode": "group"}).update_yaxes(range=[-2, 2])
    bars = list(drawn(figure.update_xaxes(range=[-0.5, 1.5])).iter(f"{SVG}rect"))[1:]
    assert [numbers(bar, "y", "height") for bar in bars] == [[50, 50], [100, 50], [75, 25], [75, 25]]
    assert [numbers(bar, "x", "width") for bar in bars] == [[60, 40], [160, 40], [100, 40], [200, 40]]
    (flat,) = list(drawn(go.Figure(go.Bar(x=[1], y=["a"], orientation="h"))).iter(f"{SVG}rect"))[1:]
    assert numbers(flat, "height") == [80] and numbers(flat, "width")[0] > 180


def test_log_axes_and_names_have_their_ticks() -> None:
    figure = go.Figure(go.Scatter(x=[1, 100], y=["low", "high"], mode="markers", marker={"size": 4}))
    root = drawn(figure.update_xaxes(type="log", range=[0, 2]))
    words = {text.text: numbers(text, "x", "y") for text in root.iter(f"{SVG}text")}
    assert [words[name][0] for name in ("1", "10", "100")] == [50, 150, 250]
    circles = [numbers(circle, "cx", "cy") for circle in root.iter(f"{SVG}circle")]
    assert circles == [[50, words["low"][1] - 4], [250, words["high"][1] - 4]]


def test_heights_over_a_plane_are_a_small_image() -> None:
    figure = go.Figure(go.Contour(z=[[0, 1], [2, 3]], x=[0, 1], y=[0, 1], colorscale="Blues"))
    (image,) = drawn(figure.update_xaxes(range=[-0.5, 1.5]).update_yaxes(range=[-0.5, 1.5])).iter(f"{SVG}image")
    assert numbers(image, "x", "y", "width", "height") == [50, 50, 200, 100]
    data = base64.b64decode(image.attrib["href"].split(",")[1])
    assert data.startswith(b"\x89PNG") and struct.unpack(">II", data[16:24]) == (2, 2)


def test_a_point_in_space_that_the_camera_looks_at_lies_in_the_middle() -> None:
    figure = go.Figure(go.Scatter3d(x=[1, 0], y=[1, 0], z=[0, 1], mode="markers"))
    figure.update_layout(scene_camera={"eye": {"x": 1, "y": 1, "z": 0}})
    at = [numbers(circle, "cx", "cy") for circle in drawn(figure).iter(f"{SVG}circle")]
    assert at[0] == [150, 100] and at[1][0] == 150 and at[1][1] < 60


def test_every_view_takes_its_picture_along_and_offers_no_upload() -> None:
    for figure in (views.circle(np.eye(2)), views.sphere(np.eye(3)), views.word_weights(["a"], {"w": [1.0]})):
        renderer, pio.renderers.default = pio.renderers.default, "plotly_mimetype"
        bundle = figure._repr_mimebundle_()
        pio.renderers.default = renderer
        ElementTree.fromstring(bundle["image/svg+xml"])
        assert bundle["application/vnd.plotly.v1+json"]["config"]["showSendToCloud"] is False
    figure.add_trace(go.Pie(values=[1]))
    assert "image/svg+xml" not in figure._repr_mimebundle_(), "a reader's own trace must not hinder the figure"


def test_a_large_heatmap_is_one_image_with_its_rows_where_the_axis_puts_them() -> None:
    values = np.arange(900.0).reshape(30, 30)
    figure = go.Figure(go.Heatmap(z=values, zmin=0, zmax=900, colorscale="Greys"))
    (image,) = drawn(figure.update_yaxes(autorange="reversed")).iter(f"{SVG}image")
    assert image.attrib["style"] == "image-rendering:pixelated"
    data = base64.b64decode(image.attrib["href"].split(",")[1])
    assert struct.unpack(">II", data[16:24]) == (30, 30)
    pixels = zlib.decompress(data[data.index(b"IDAT") + 4 : -16])  # a row is a filter's number and 30 times three bytes
    corners = [pixels[row * 91 + 1 + 3 * column] for row, column in ((0, 0), (0, 29), (29, 0), (29, 29))]
    assert len(set(corners)) == 4 and sorted(corners) in (corners, corners[::-1]), "0 is at the upper left"
    figure.update_yaxes(autorange=True)
    (other,) = drawn(figure).iter(f"{SVG}image")
    assert other.attrib["href"] != image.attrib["href"], "upside down"


def test_figures_stand_beside_each_other_in_a_mosaic() -> None:
    left, right = views.curves([]), views.plane({"a": []})
    root = ElementTree.fromstring(views.mosaic([(left, 0, 0), (right, 600, 50)]))
    assert numbers(root, "width", "height") == [1040, 430]
    assert [numbers(part, "x", "y") for part in root.findall(f"{SVG}svg")] == [[0, 0], [600, 50]]
