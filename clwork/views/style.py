"""The class and the style of all figures; colour-blind readers can distinguish the colours."""

from __future__ import annotations

import html
import textwrap
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .._validation import printable

# Okabe & Ito, "Color Universal Design" (2008), without black and without yellow (#F0E442), which is too faint on white;
# then five more colours for topics, which differ from the others in hue or lightness.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#6F4AB8",
    "#7D5A2B",
    "#3D4650",
    "#8AA000",
    "#B5123F",
)
# Dashes and markers distinguish lines and groups in addition to colours.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star")
INK, FAINT, RULE, MARK, GHOST = "#222222", "#5F6368", "#DADCE0", "#B03A00", "#A9AEB5"
PALE = "#9CC7E3"  # a curve behind its running mean
GROUND, HAZE = "white", "rgba(255,255,255,0.8)"
# Replacements on dark pages, applied by scripts/site/pictures.py.
DARK = {
    "#0072B2": "#4DA3FF",
    "#E69F00": "#FFB52E",
    "#009E73": "#2BD4A0",
    "#D55E00": "#FF7A33",
    "#CC79A7": "#F29AC8",
    "#56B4E9": "#96D8FF",
    "#6F4AB8": "#AB8DF0",
    "#7D5A2B": "#C79C6A",
    "#3D4650": "#DFE4EA",
    "#8AA000": "#CFDC4D",
    "#B5123F": "#FF6B88",
    INK: "#E8EAED",
    FAINT: "#A6ABB3",
    RULE: "#3A3F47",
    MARK: "#FF8A5C",
    GHOST: "#6B7078",
    PALE: "#2F5F80",
    GROUND: "#111111",
    HAZE: "rgba(17,17,17,0.8)",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
LIMIT = 500  # points of a trace; more points slow down the browser


def colour(index: int) -> str:
    return PALETTE[index % len(PALETTE)]


def line_style(index: int, width: float = 2) -> dict[str, Any]:
    """Return colour, dash and width in pixels of the ``index``-th line."""
    return {"color": colour(index), "dash": DASHES[index % len(DASHES)], "width": width}


def symbol(index: int) -> str:
    return SYMBOLS[index % len(SYMBOLS)]


AXIS = {
    "gridcolor": RULE,
    "linecolor": FAINT,
    "zerolinecolor": RULE,
    "ticks": "outside",
    "ticklen": 4,
    "tickcolor": FAINT,
    "automargin": True,
    "title": {"font": {"size": 12}, "standoff": 6},
}
# Buttons removed from the mode bar.
REMOVED = "zoom pan select lasso zoomIn zoomOut autoScale resetScale sendChartToCloud orbitRotation"
REMOVED += " tableRotation resetCameraDefault3d resetCameraLastSave3d"
LAYOUT = {
    "font": {"family": FONT, "size": 12, "color": INK},
    "title": {"font": {"size": 14}, "x": 0, "xref": "paper", "xanchor": "left"},
    "paper_bgcolor": GROUND,
    "plot_bgcolor": GROUND,
    "colorway": list(PALETTE),
    "xaxis": AXIS,
    "yaxis": AXIS,
    "hoverlabel": {"align": "left", "font": {"family": FONT, "size": 12}},
    "legend": {"font": {"size": 11}, "bgcolor": HAZE},
    # JupyterLab always shows the mode bar, which covers titles: it keeps one button, and a double click undoes a zoom
    "modebar": {"remove": REMOVED.split()},
}


def styled(
    figure: go.Figure, *, width: int, height: int, title: str | None = None, **layout: Any
) -> go.Figure:
    """Apply clwork's template and a size in pixels; a live figure without a size is first drawn too small."""
    margin = {"l": 55, "r": 15, "t": 40 if title else 25, "b": 45}
    template = go.layout.Template(layout=LAYOUT)
    figure.update_layout(
        template=template, width=width, height=height, margin=margin, autosize=False
    )
    if title:
        figure.update_layout(title_text=title)
    return figure.update_layout(**layout)


def plain(text: str) -> str:
    """Escape tags, templates such as ``%{x}`` and formulas such as ``$x$``, which plotly would interpret."""
    return html.escape(printable(text), quote=False).replace("%{", "&#37;{").replace("$", "&#36;")


def wrapped(text: str, width: int = 60, lines: int = 6) -> str:
    """Break a text into lines for a hover label and escape it."""
    wrapped_lines = textwrap.wrap(text, width)
    if len(wrapped_lines) > lines:
        wrapped_lines = [*wrapped_lines[: lines - 1], wrapped_lines[lines - 1] + " …"]
    return "<br>".join(map(plain, wrapped_lines))


def shortened(text: str, length: int = 32) -> str:
    """Escape a text for a label, cut with an ellipsis beyond ``length`` characters."""
    cut = text if len(text) <= length else text[: length - 1].rstrip() + "…"
    return plain(cut)


# Without the button "Share chart…", which uploads the figure and the reader's sentences to a server.
CONFIG = {"showSendToCloud": False, "displaylogo": False, "toImageButtonOptions": {"format": "svg"}}


class Figure(go.Figure):  # type: ignore[misc]
    """A plotly figure whose toolbar saves it as SVG, without the button that uploads it."""

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(
            include, exclude, config=CONFIG, **kwargs
        )
        return bundle

    def _ipython_display_(self) -> None:
        self.show()

    def show(self, *args: Any, config: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().show(*args, config=CONFIG | (config or {}), **kwargs)


def subplots(*args: Any, **kwargs: Any) -> Figure:
    """Return a figure with several cells; arguments as for plotly's ``make_subplots``."""
    figure = Figure()
    make_subplots(*args, figure=figure, **kwargs)
    return figure
