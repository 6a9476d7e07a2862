"""Still pictures of plotly figures for light and dark pages.

kaleido draws them in the installed Chrome or Chromium.
"""

from __future__ import annotations

import atexit
import base64
import copy
import functools
import html
import json
import re
import textwrap
from typing import Any

import kaleido

from clwork.views.style import DARK

STYLE = 'style="max-width:100%"'
# Characters of a kept figure's pictures; a notebook has at most 300 kB.
LARGEST = 80_000
# Between a figure with lines that are switched off and the whole one.
WHOLE = "<details><summary>All lines of the figure</summary>"
# Before a figure with its slider in another place.
PLACE = "<details class='clwork-place'><summary>"
TAG = re.compile(r"<[^>]*>")
# The width in pixels of a picture for a phone, and the letters of a line of its titles.
NARROW = 390
LETTERS = 42
LINE = 18
# The letters of a line of a row's name, and of a point's label.
ROW = 20
LABEL = 10
# A space at which no line ends.
WITH_NUMBER = re.compile(r" (?=[→%\d.])|(?<=→) ")
# The least height of a figure on a slide, in widths, and the width of one with names of rows.
SLIDE = 0.46
ROWS = 620
# Those below and right of a figure without its slider.
BOTTOM = 45
# The pixels of a panel, those below the rows, and the share of a panel between two.
PANEL = 260
BELOW = 130
GAP = 0.5
ON_PHONES = "(max-width: 599px)"
# Of a trace; they hold no colours.
NUMBERS = ("x", "y", "z", "customdata")


def svg(figure: dict[str, Any]) -> str:
    """Draw plotly's JSON of a figure as SVG; nothing is loaded from a network."""
    return _svg(json.dumps(figure))


@functools.cache
def _svg(figure: str) -> str:
    """A figure is drawn once for its page and its slide."""
    return draw(json.loads(figure), "svg").decode()


def png(figure: dict[str, Any], most: int = LARGEST) -> str:
    """Draw plotly's JSON of a figure as PNG, in the base64 of a notebook's output.

    It has two dots for each pixel of the figure, so that it is sharp on screens that have them, or
    fewer if it would be larger than ``most`` characters.
    """
    for scale in (2, 1.5, 1):
        picture = base64.b64encode(draw(figure, "png", scale)).decode("ascii")
        if len(picture) <= most:
            break
    return picture


def draw(figure: dict[str, Any], format: str, scale: float = 1) -> bytes:
    """Draw plotly's JSON of a figure in one of kaleido's formats."""
    _start()
    traces = legend_as_drawn(figure.get("data", []))
    shown = {"data": traces, "layout": figure.get("layout", {})}
    drawn: bytes = kaleido.calc_fig_sync(shown, opts={"format": format, "scale": scale})
    return drawn


@functools.cache
def _start() -> None:
    """Start one browser for all pictures."""
    kaleido.start_sync_server(mathjax=False, silence_warnings=True)
    atexit.register(kaleido.stop_sync_server, silence_warnings=True)


def legend_as_drawn(traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Traces of which a name is not faint in the legend while a line of that name is drawn.

    >>> a = {"name": "a", "visible": "legendonly"}
    >>> legend_as_drawn([a, {"name": "a", "showlegend": False}])[1]["showlegend"]
    True
    """
    hidden = [trace for trace in traces if trace.get("visible") == "legendonly"]
    names = {trace["name"] for trace in hidden if "name" in trace}
    drawn = [trace for trace in traces if trace not in hidden and trace.get("name") in names]
    both = {trace["name"] for trace in drawn}
    return [
        trace | {"showlegend": trace in drawn} if trace.get("name") in both else trace
        for trace in traces
    ]


def in_dark(value: Any) -> Any:
    """Plotly's JSON with the colours of a dark page.

    >>> in_dark({"paper_bgcolor": "#FFFFFE", "font": {"color": "#222222"}})
    {'paper_bgcolor': '#111111', 'font': {'color': '#E8EAED'}}
    """
    if isinstance(value, dict):
        return {name: part if name in NUMBERS else in_dark(part) for name, part in value.items()}
    if isinstance(value, list):
        return [in_dark(part) for part in value]
    if isinstance(value, str):
        return DARK.get(value, value)
    return value


def tall(figure: dict[str, Any]) -> dict[str, Any]:
    """Plotly's JSON of a figure as a slide shows it: a flat one is higher, with larger letters.

    >>> tall({"data": [], "layout": {"width": 720, "height": 200}})["layout"]["height"]
    331
    """
    made = copy.deepcopy(figure)
    layout = made["layout"]
    width, height = layout.get("width", 0), layout.get("height", 0)
    if height >= SLIDE * width:
        return made
    margin = layout.setdefault("margin", {})
    before = height - margin.get("t", 0) - margin.get("b", 0)
    below = 0
    if "ticktext" in layout.get("yaxis", {}):
        width = min(width, ROWS)
        lines = fold(layout["xaxis"].get("title"), LETTERS)
        below = LINE * max(0, lines - 1)
        margin["b"] = margin.get("b", 0) + below
    layout |= {"width": width, "height": max(height, round(SLIDE * width) + below)}
    after = layout["height"] - margin.get("t", 0) - margin.get("b", 0)
    legend = layout.get("legend", {})
    if legend.get("y", 0) < 0:
        # In shares of what is between the margins.
        legend["y"] = (legend["y"] * before - below) / after
    return made


def narrow(figure: dict[str, Any]) -> dict[str, Any]:
    """Plotly's JSON of a figure as a phone shows it: names below it, titles in several lines.

    Panels stand below each other, names of rows have several lines.

    >>> narrow({"data": [], "layout": {"title": {"text": "How near?"}}})["layout"]["width"]
    390
    """
    made = copy.deepcopy(figure)
    layout = made["layout"]
    axes = {name: layout[name] for name in layout if re.fullmatch("[xy]axis\\d*", name)}
    # Titles of subplots and of lines.
    above = [part for part in layout.get("annotations", ()) if part.get("yanchor") == "bottom"]
    panels = stack(axes, above)
    columns = len({tuple(axes[name].get("domain", ())) for name in axes if name[0] == "x"}) or 1
    row_lines = 0
    for name, axis in axes.items():
        axis["automargin"] = True
        if name[0] == "x":
            # Names of rows take a third.
            fold(axis.get("title"), LETTERS * 2 // 3 // columns, again=True)
        else:
            row_lines += fold_rows(axis, made["data"])
    lines = 0
    for part in above:
        part["font"] = part.get("font", {}) | {"size": 12}
        lines = max(lines, fold(part, LETTERS // columns if "xanchor" in part else LABEL))
        keep_inside(part, axes.get(part.get("xref", "x").replace("x", "xaxis"), {}))
    title = layout.get("title")
    # Its letters are bold.
    heading = fold(title, LETTERS - 2)
    if heading:
        title |= {"x": 0, "xref": "container", "y": 1, "yref": "container", "yanchor": "top"}
        title |= {"pad": {"l": 8, "t": 8 * heading}}
        # Its letters are smaller.
        heading += fold(title.get("subtitle"), LETTERS * 4 // 3)
    margin = layout.setdefault("margin", {})
    margin |= {"l": 8, "r": 12 + fold_labels(made["data"]), "t": 16 + LINE * (heading + lines)}
    layout["legend"] = {"orientation": "h", "x": 0, "y": 0, "xref": "container"}
    layout["legend"] |= {"yref": "container", "yanchor": "bottom"}
    layout["width"] = NARROW
    height = max(layout.get("height", 0), NARROW, PANEL * panels, LINE * row_lines + BELOW)
    layout["height"] = height + LINE * (heading + lines)
    return made


def stack(axes: dict[str, Any], titles: list[dict[str, Any]]) -> int:
    """Put panels that stand side by side below each other; return their number, 0 if none moved.

    Panels that share an axis, or stand in more than one row, stay where they are.
    """
    across = sorted((name for name in axes if name[0] == "x"), key=lambda name: name[5:])
    down = [axes.get(f"y{name[1:]}", {}) for name in across]
    count = len(across)
    if count < 2 or any("matches" in axis or axis.get("domain") != [0, 1] for axis in down):
        return 0
    places = [part["x"] if part["xref"] == "paper" else -1 for part in titles]
    for k, name in enumerate(across):
        left, right = axes[name]["domain"]
        # Between panels are an axis and a title.
        top = 1 - k * (1 + GAP) / (count + GAP * (count - 1))
        axes[name]["domain"] = [0, 1]
        down[k]["domain"] = [top - 1 / (count + GAP * (count - 1)), top]
        for part, place in zip(titles, places, strict=True):
            if left < place < right:
                part |= {"x": 0.5, "y": top}
    return count


def keep_inside(part: dict[str, Any], axis: dict[str, Any]) -> None:
    """Turn the label of a line near the end of its axis inwards."""
    if "xanchor" in part or "range" not in axis:
        return
    first, last = axis["range"]
    share = (part["x"] - first) / (last - first)
    part["xanchor"] = "left" if share < 0.25 else "right" if share > 0.75 else "center"


def fold_rows(axis: dict[str, Any], traces: list[dict[str, Any]]) -> int:
    """Break the names of an axis's rows into lines; return how many lines the rows need."""
    if axis.get("type") == "category":
        axis["tickvals"] = list(dict.fromkeys(name for trace in traces for name in trace["y"]))
        axis["ticktext"] = axis["tickvals"]
        axis |= {"autorange": False, "range": [len(axis["tickvals"]) - 0.5, -0.5]}
    names = [{"text": name} for name in axis.get("ticktext", ())]
    most = max((fold(name, ROW) for name in names), default=0)
    if names:
        axis["ticktext"] = [name["text"] for name in names]
    return most * len(names)


def fold_labels(traces: list[dict[str, Any]]) -> int:
    """Break the labels of points into lines; return the pixels of those right of their points."""
    room = 0
    for trace in traces:
        if trace.get("type") == "scatter" and isinstance(trace.get("text"), list):
            labels = [{"text": text} for text in trace["text"]]
            for label in labels:
                fold(label, LABEL)
            trace["text"] = [label["text"] for label in labels]
            if str(trace.get("textposition")).endswith("right"):
                trace["cliponaxis"] = False
                room = max(room, *(7 * len(text) for text in trace["text"]))
    return room


def fold(title: dict[str, Any] | None, letters: int, *, again: bool = False) -> int:
    """Break a title of plotly into lines of ``letters``; return their number.

    Without ``again`` it keeps the lines that it has.
    """
    if not title or not title.get("text"):
        return 0
    text = WITH_NUMBER.sub("\u00a0", str(title["text"]))
    if again:
        text = text.replace("<br>", " ")
    lines = [
        part
        for line in text.split("<br>")
        for part in textwrap.wrap(line, letters, break_long_words=False)
    ]
    title["text"] = "<br>".join(lines)
    return len(lines)


def description_of(figure: dict[str, Any]) -> str:
    """The title in plotly's JSON of a figure as text, or "figure"."""
    title = figure.get("layout", {}).get("title") or ""
    text = title.get("text") if isinstance(title, dict) else title
    return TAG.sub(" ", str(text or "")) or "figure"


def image(figure: dict[str, Any], description: str, name: str) -> str:
    """A figure as an HTML ``<img>`` of the class ``name``, which has another picture on a phone."""
    alt = html.escape(description)
    phone = f'<source media="{ON_PHONES}" srcset="{address(svg(narrow(figure)))}"/>'
    wide = f'<img alt="{alt}" src="{address(svg(figure))}" class="{name}" {STYLE}/>'
    return f"<picture>{phone}{wide}</picture>"


def address(picture: str) -> str:
    """An SVG as an address that holds its data."""
    data = base64.b64encode(picture.encode("utf-8")).decode("ascii")
    return f"data:image/svg+xml;base64,{data}"


def images(figure: dict[str, Any]) -> str:
    """A figure as two ``<img>``, of which the page's style shows one; its title describes them.

    Their classes are ``clwork-light`` and ``clwork-dark``. A figure whose legend has lines that are
    switched off, for a prediction, has two more with all lines, which open. So has one with a
    slider for each place of it after the first.
    """
    first, *others = states(figure)
    if others:
        opened = (f"{PLACE}{description_of(part)}</summary>{images(part)}" for part in others)
        return images(first) + "".join(f"{part}</details>" for part in opened)
    light = image(figure, description_of(figure), "clwork-light")
    dark = image(in_dark(figure), description_of(figure), "clwork-dark")
    whole = with_all_lines(figure)
    return light + dark + (folded(images(whole)) if whole else "")


def states(figure: dict[str, Any]) -> list[dict[str, Any]]:
    """A figure without its slider for each place of it, which the title names; else the figure.

    The slider shows and hides lines.
    """
    layout = figure["layout"]
    if not layout.get("sliders"):
        return [figure]
    (slider,) = layout["sliders"]
    margin = layout["margin"]
    plain = {name: layout[name] for name in layout if name != "sliders"}
    # On the right there is room for the label of the last place.
    plain["margin"] = margin | {"b": BOTTOM, "r": BOTTOM}
    plain["height"] = layout["height"] - margin["b"] + BOTTOM
    made = []
    for step in slider["steps"]:
        (shown,) = step["args"][1:]
        place = f"{layout['title']['text']} ({slider['currentvalue']['prefix']}{step['label']})"
        data = [
            trace | {"visible": visible, "cliponaxis": False}
            if trace["type"] == "scatter"
            else trace | {"visible": visible}
            for trace, visible in zip(figure["data"], shown, strict=True)
        ]
        made.append({"data": data, "layout": plain | {"title": {"text": place}}})
    return made


def with_all_lines(figure: dict[str, Any]) -> dict[str, Any] | None:
    """A figure with the lines that are switched off in its legend; None if all lines are drawn."""
    traces = figure["data"]
    if all(trace.get("visible") != "legendonly" for trace in traces):
        return None
    return figure | {"data": [trace | {"visible": True} for trace in traces]}


def folded(body: str) -> str:
    """The picture with all lines, which opens."""
    return f"{WHOLE}{body}</details>"


def folded_still(figure: dict[str, Any]) -> str:
    """A figure as a small picture that opens, for a notebook's file."""
    data = base64.b64encode(draw(figure, "webp")).decode("ascii")
    alt = html.escape(description_of(figure))
    return folded(f'<img alt="{alt}" src="data:image/webp;base64,{data}" {STYLE}/>')
