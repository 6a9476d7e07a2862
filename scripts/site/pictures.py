"""Still pictures of plotly figures for light and dark pages.

kaleido draws them in the installed Chrome or Chromium.
"""

from __future__ import annotations

import atexit
import base64
import functools
import html
import re
from typing import Any

import kaleido

from clwork.views.style import DARK

STYLE = 'style="max-width:100%"'
# Characters of a kept picture; a notebook has at most 300 kB.
LARGEST = 100_000
TAG = re.compile(r"<[^>]*>")
# Of a trace; they hold no colours.
NUMBERS = ("x", "y", "z", "customdata")


def svg(figure: dict[str, Any]) -> str:
    """Draw plotly's JSON of a figure as SVG; nothing is loaded from a network."""
    return draw(figure, "svg").decode()


def png(figure: dict[str, Any]) -> str:
    """Draw plotly's JSON of a figure as PNG, in the base64 of a notebook's output.

    It has two dots for each pixel of the figure, so that it is sharp on screens that have them, or
    one if it would be larger than ``LARGEST``.
    """
    sharp = base64.b64encode(draw(figure, "png", scale=2)).decode("ascii")
    if len(sharp) <= LARGEST:
        return sharp
    return base64.b64encode(draw(figure, "png")).decode("ascii")


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


def title_of(figure: dict[str, Any]) -> str:
    """The title in plotly's JSON of a figure, or an empty text."""
    title = figure.get("layout", {}).get("title") or ""
    return str(title.get("text") or "") if isinstance(title, dict) else str(title)


def image(picture: str, description: str, attributes: str = STYLE) -> str:
    """An SVG as an HTML ``<img>`` that holds its data."""
    data = base64.b64encode(picture.encode("utf-8")).decode("ascii")
    alt = html.escape(description)
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}" {attributes}/>'


def images(figure: dict[str, Any]) -> str:
    """A figure as two ``<img>``, of which the page's style shows one; its title describes them.

    Their classes are ``clwork-light`` and ``clwork-dark``. A figure whose legend has lines that are
    switched off, for a prediction, has two more with all lines, which open.
    """
    description = TAG.sub(" ", title_of(figure)) or "figure"
    light = image(svg(figure), description, f'class="clwork-light" {STYLE}')
    both = light + image(svg(in_dark(figure)), description, f'class="clwork-dark" {STYLE}')
    traces = figure["data"]
    if all(trace.get("visible") != "legendonly" for trace in traces):
        return both
    whole = figure | {"data": [trace | {"visible": True} for trace in traces]}
    return f"{both}<details><summary>All lines of the figure</summary>{images(whole)}</details>"
