"""Still pictures of plotly figures for light and dark pages.

kaleido draws them in the installed Chrome or Chromium.
"""

from __future__ import annotations

import atexit
import base64
import copy
import functools
import html
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
TAG = re.compile(r"<[^>]*>")
# The width in pixels of a picture for a phone, and the letters of a line of its titles.
NARROW = 390
LETTERS = 42
LINE = 18
ON_PHONES = "(max-width: 599px)"
# Of a trace; they hold no colours.
NUMBERS = ("x", "y", "z", "customdata")


def svg(figure: dict[str, Any]) -> str:
    """Draw plotly's JSON of a figure as SVG; nothing is loaded from a network."""
    return draw(figure, "svg").decode()


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
    shown = {"data": figure.get("data", []), "layout": figure.get("layout", {})}
    drawn: bytes = kaleido.calc_fig_sync(shown, opts={"format": format, "scale": scale})
    return drawn


@functools.cache
def _start() -> None:
    """Start one browser for all pictures."""
    kaleido.start_sync_server(mathjax=False, silence_warnings=True)
    atexit.register(kaleido.stop_sync_server, silence_warnings=True)


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


def narrow(figure: dict[str, Any]) -> dict[str, Any]:
    """Plotly's JSON of a figure as a phone shows it: names below it, titles in several lines.

    >>> narrow({"data": [], "layout": {"title": {"text": "How near?"}}})["layout"]["width"]
    390
    """
    made = copy.deepcopy(figure)
    layout = made["layout"]
    axes = {name: layout[name] for name in layout if re.fullmatch("[xy]axis\\d*", name)}
    columns = len({tuple(axes[name].get("domain", ())) for name in axes if name[0] == "x"}) or 1
    for name, axis in axes.items():
        axis["automargin"] = True
        if name[0] == "x":
            # Names of rows take a third.
            fold(axis.get("title"), LETTERS * 2 // 3 // columns)
    # Titles of subplots.
    above = [part for part in layout.get("annotations", ()) if part.get("yanchor") == "bottom"]
    lines = max((fold(part, LETTERS // columns) for part in above), default=0)
    for part in above:
        part["font"] = part.get("font", {}) | {"size": 12}
    title = layout.get("title")
    heading = fold(title, LETTERS)
    if heading:
        title |= {"x": 0, "xref": "container", "y": 1, "yref": "container", "yanchor": "top"}
        title |= {"pad": {"l": 8, "t": 8 * heading}}
    margin = layout.setdefault("margin", {})
    margin |= {"l": 8, "r": 12, "t": 16 + LINE * (heading + lines)}
    layout["legend"] = {"orientation": "h", "x": 0, "y": 0, "xref": "container"}
    layout["legend"] |= {"yref": "container", "yanchor": "bottom"}
    layout["width"] = NARROW
    layout["height"] = max(layout.get("height", 0), NARROW) + LINE * (heading + lines)
    return made


def fold(title: dict[str, Any] | None, letters: int) -> int:
    """Break a title of plotly into lines of ``letters``; return their number."""
    if not title or not title.get("text"):
        return 0
    lines = [
        part
        for line in str(title["text"]).split("<br>")
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
    switched off, for a prediction, has two more with all lines, which open.
    """
    light = image(figure, description_of(figure), "clwork-light")
    dark = image(in_dark(figure), description_of(figure), "clwork-dark")
    whole = with_all_lines(figure)
    return light + dark + (folded(images(whole)) if whole else "")


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
