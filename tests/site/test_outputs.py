"""Conversion of outputs for a page and for code hosts."""

from __future__ import annotations

import base64
import copy
import re
import struct
from pathlib import Path
from typing import Any

from clwork import lab
from scripts.site import outputs
from scripts.site.pictures import narrow, tall


def notebook(*found: dict[str, Any], source: str = "x") -> outputs.Notebook:
    kind = {"output_type": "display_data", "metadata": {}}
    made = [kind | {"data": data} for data in found]
    return {"cells": [{"cell_type": "code", "source": source, "metadata": {}, "outputs": made}]}


def shown(book: outputs.Notebook) -> list[dict[str, Any]]:
    return [output["data"] for output in book["cells"][0]["outputs"]]


def dial() -> str:
    return lab.dial("x", [1.0, 2.0], lambda x: {"double": 2 * x}, start=1.0)._repr_html_()


PROGRESS = {outputs.WIDGET: {"model_id": "1"}, "text/plain": "0 %"}
INK: dict[str, Any] = {
    "data": [{"type": "scatter", "x": [1, 2], "y": [3, 4], "line": {"color": "#222222"}}]
}
FIGURE: dict[str, Any] = {
    outputs.PLOTLY: INK | {"layout": {"width": 200, "height": 150}},
    "text/plain": "Figure",
}
ADDRESS = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')


def test_on_a_page_figures_are_images_and_outputs_that_need_a_kernel_are_removed(
    tmp_path: Path,
) -> None:
    before = notebook(PROGRESS, FIGURE, {"text/plain": "3"})
    copied = copy.deepcopy(before)
    figure, number = shown(outputs.for_page(before, tmp_path, "../frames"))
    assert before == copied, "the notebook that was given is unchanged"
    light, dark = (base64.b64decode(data).decode() for data in ADDRESS.findall(figure["text/html"]))
    assert "stroke: rgb(34, 34, 34)" in light
    assert "stroke: rgb(232, 234, 237)" in dark
    assert light.startswith("<svg")
    assert 'width="200"' in light
    assert outputs.PLOTLY not in figure
    assert number == {"text/plain": "3"}


def test_an_interactive_part_is_a_lazily_loaded_file(tmp_path: Path) -> None:
    book = notebook({"text/html": dial()}, {"text/html": dial()})
    first, again = shown(outputs.for_page(book, tmp_path, "../frames"))
    (frame,) = tmp_path.iterdir()
    assert first == again
    assert f'loading="lazy" src="../frames/{frame.name}"' in first["text/html"]
    assert "srcdoc" not in first["text/html"]
    assert "<script" not in first["text/html"]
    assert frame.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_formula_in_an_output_is_mathml(tmp_path: Path) -> None:
    book = notebook({"text/html": "<p>$$a &lt; b$$ costs 3 $</p>"})
    (output,) = shown(outputs.for_page(book, tmp_path, ""))
    assert "<math" in output["text/html"]
    assert "<mo>&lt;</mo>" in output["text/html"]
    assert "$$" not in output["text/html"]
    assert "costs 3 $" in output["text/html"]


def test_code_hosts_get_figures_as_images_and_no_interactive_part() -> None:
    dial_output = {"text/html": dial(), "text/plain": "Dial"}
    figure, live = shown(outputs.for_hosts(notebook(PROGRESS, FIGURE, dial_output)))
    assert figure["image/svg+xml"].startswith("<svg")
    assert outputs.PLOTLY not in figure
    assert live == {"text/plain": "Dial"}


def test_a_panel_of_a_recorded_method_becomes_its_player(tmp_path: Path) -> None:
    still = '<p>a live panel</p><div data-clwork-recording="{}"><p>SimCSE</p></div>'
    panels = [{"text/html": still.format(name)} for name in ("simcse", "a_method_of_ones_own")]
    known, unknown = shown(outputs.for_page(notebook(*panels), tmp_path, "../frames"))
    assert "<iframe" in known["text/html"]
    assert "a live panel" in known["text/html"]
    assert "<iframe" not in unknown["text/html"]
    assert "<p>SimCSE</p>" in unknown["text/html"]
    (frame,) = tmp_path.iterdir()
    assert "default-src 'none'" in frame.read_text(encoding="utf-8")


def test_of_a_lesson_only_the_tagged_figure_and_table_are_kept() -> None:
    table = {"text/html": "<table><tr><td>67.2</td></tr></table>", "text/plain": "67.2"}
    executed = notebook(PROGRESS, FIGURE, table, {"text/html": dial()}, {"text/plain": "3"})
    tracked = notebook()
    assert shown(outputs.with_kept_outputs(tracked, executed)) == []
    tracked["cells"][0]["metadata"]["tags"] = [outputs.KEPT]
    figure, kept = shown(outputs.with_kept_outputs(tracked, executed))
    picture = base64.b64decode(figure["image/png"])
    assert picture.startswith(b"\x89PNG")
    # two dots for each pixel, shown in the size of the figure
    assert struct.unpack(">II", picture[16:24]) == (400, 300)
    kept_cell = outputs.with_kept_outputs(tracked, executed)["cells"][0]
    assert kept_cell["outputs"][0]["metadata"] == {"image/png": {"width": 200}}
    assert kept == table
    assert tracked["cells"][0]["outputs"] == [], "the notebook that was given is unchanged"


def test_on_a_phone_a_figure_has_a_narrow_picture(tmp_path: Path) -> None:
    long = "points of the score of all seeds and pairs, with their intervals"
    axes = {"xaxis": {"title": {"text": long}}, "title": {"text": long}}
    figure = {outputs.PLOTLY: INK | {"layout": {"width": 800, "height": 150} | axes}}
    (shown_figure,) = shown(outputs.for_page(notebook(figure), tmp_path, ""))
    sources = re.findall(r'<source media="[^"]+" srcset="[^,]+,([^"]+)"', shown_figure["text/html"])
    light, dark = (base64.b64decode(data).decode() for data in sources)
    assert 'width="390"' in light
    assert light.count("<tspan") >= 4, "both titles have two lines"
    assert "stroke: rgb(232, 234, 237)" in dark
    assert figure[outputs.PLOTLY]["layout"]["title"] == {"text": long}, "unchanged"


def test_a_kept_figure_with_lines_switched_off_has_a_second_picture_with_all_lines() -> None:
    off = INK["data"][0] | {"visible": "legendonly"}
    figure = {outputs.PLOTLY: FIGURE[outputs.PLOTLY] | {"data": [*INK["data"], off]}}
    tracked = notebook()
    tracked["cells"][0]["metadata"]["tags"] = [outputs.KEPT]
    still, whole = shown(outputs.with_kept_outputs(tracked, notebook(figure)))
    assert "image/png" in still
    (html,) = whole["text/html"]
    assert html.startswith("<details><summary>All lines of the figure</summary><img ")
    data = re.findall(r'src="data:image/webp;base64,([^"]+)"', html)
    assert [base64.b64decode(picture)[8:12] for picture in data] == [b"WEBP"]


def test_a_figure_with_a_slider_has_a_picture_of_each_place(tmp_path: Path) -> None:
    steps = [
        {"label": "64", "args": ["visible", [True]]},
        {"label": "128", "args": ["visible", [False]]},
    ]
    layout = FIGURE[outputs.PLOTLY]["layout"] | {"margin": {"b": 90}, "title": {"text": "Error"}}
    layout["sliders"] = [{"steps": steps, "currentvalue": {"prefix": "size: "}}]
    figure = {outputs.PLOTLY: INK | {"layout": layout}}
    (shown_figure,) = shown(outputs.for_page(notebook(figure), tmp_path, ""))
    html = shown_figure["text/html"]
    assert html.count('<img alt="Error (size: 64)"') == 2
    assert html.count('<img alt="Error (size: 128)"') == 2
    assert "<summary>Error (size: 128)</summary>" in html
    assert html.count("<details") == 1


def test_on_a_phone_panels_are_below_each_other_and_names_of_rows_in_lines() -> None:
    title = {"yanchor": "bottom", "xref": "paper", "xanchor": "center", "y": 1}
    layout = {
        "annotations": [title | {"text": "A", "x": 0.2}, title | {"text": "B", "x": 0.8}],
        "xaxis": {"domain": [0, 0.4]},
        "xaxis2": {"domain": [0.6, 1]},
        "yaxis": {"domain": [0, 1], "tickvals": [1], "ticktext": ["an average of all words: 0.5"]},
        "yaxis2": {"domain": [0, 1]},
    }
    made = narrow(INK | {"layout": layout})["layout"]
    assert made["xaxis"]["domain"] == made["xaxis2"]["domain"] == [0, 1]
    assert made["yaxis2"]["domain"][1] < made["yaxis"]["domain"][0]
    tops = [part["y"] for part in made["annotations"]]
    assert tops == [made["yaxis"]["domain"][1], made["yaxis2"]["domain"][1]]
    assert made["yaxis"]["ticktext"] == ["an average of all<br>words:\u00a00.5"]


def test_on_slides_a_flat_figure_is_higher_and_its_legend_stays_below_its_axis() -> None:
    rows = {"tickvals": [1], "ticktext": ["a row"]}
    title = {"text": "points (bars: 96.5 %, for seeds and pairs; band: half a point)"}
    layout = {"width": 720, "height": 237, "margin": {"t": 40, "b": 83}, "yaxis": rows}
    layout |= {"xaxis": {"title": title}, "legend": {"y": -0.42}}
    made = tall(INK | {"layout": layout})["layout"]
    assert made["height"] > 0.45 * made["width"]
    between = made["height"] - made["margin"]["t"] - made["margin"]["b"]
    gap = 0.42 * (237 - 40 - 83)
    assert gap < -made["legend"]["y"] * between < made["margin"]["b"]
    assert layout["height"] == 237, "unchanged"
