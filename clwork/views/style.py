"""The style of all figures: colours, fonts, labels, cells, and plotly's toolbar."""

from __future__ import annotations

import html
import json
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from .._validation import printable

# Okabe & Ito, "Color Universal Design" (2008), without black and without yellow (#F0E442), which
# is too faint on white; then five more colours, which differ from the others in hue or lightness.
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
# Text and strong lines, secondary lines, grids, events.
INK = "#222222"
FAINT = "#5F6368"
RULE = "#DADCE0"
MARK = "#B03A00"
# The background, a white by which dark notebooks find clwork's figures (js/src/shared/theme.js);
# and the background of labels and legends that may cover lines.
GROUND = "#FFFFFE"
HAZE = "rgba(255,255,255,0.8)"
# Replacements on dark pages, applied by scripts/site/pictures.py and js/src/shared/theme.js.
DARK = json.loads((Path(__file__).parent / "dark.json").read_bytes())
# The most points of a trace: more points slow down the browser.
LIMIT = 500

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
AXIS = {
    "gridcolor": RULE,
    "linecolor": FAINT,
    "zerolinecolor": RULE,
    "ticks": "outside",
    "ticklen": 4,
    "tickcolor": FAINT,
    "automargin": True,
    "hoverformat": ".4~g",
    "minorloglabels": "none",
    "title": {"font": {"size": 12}, "standoff": 6},
}
# The label under the pointer. Its numbers have the axis's format and its minus sign, which a format
# of their own, such as %{y:.2f}, would not have. A trace without any also needs hovertemplate="".
HOVER = {"hovertemplate": "%{fullData.name}: %{y} at %{x}<extra></extra>"}
# JupyterLab always shows the toolbar, which covers titles. One button remains, which saves the
# figure as a picture; a double click undoes a zoom.
REMOVED_BUTTONS = [
    "zoom",
    "pan",
    "select",
    "lasso",
    "zoomIn",
    "zoomOut",
    "autoScale",
    "resetScale",
    "sendChartToCloud",
    "orbitRotation",
    "tableRotation",
    "resetCameraDefault3d",
    "resetCameraLastSave3d",
]
TEXT = {"family": FONT, "size": 12, "color": INK}
LAYOUT = {
    "font": TEXT,
    "title": {"font": {"size": 15, "weight": 600}, "x": 0.01, "xanchor": "left"},
    "paper_bgcolor": GROUND,
    "plot_bgcolor": GROUND,
    "colorway": list(PALETTE),
    "xaxis": AXIS,
    "yaxis": AXIS,
    "hoverlabel": {"align": "left", "bgcolor": GROUND, "font": TEXT},
    "legend": {"font": {"size": 11}, "bgcolor": HAZE},
    "modebar": {"remove": REMOVED_BUTTONS, "bgcolor": "rgba(0,0,0,0)", "color": FAINT},
}
# Without the button "Share chart…", which uploads the figure and the reader's sentences.
TOOLBAR = {
    "showSendToCloud": False,
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg"},
}


class Figure(go.Figure):  # type: ignore[misc]
    """A plotly figure whose toolbar saves it as SVG, without the button that uploads it.

    plotly takes settings of the toolbar only in ``show``, not from a figure's layout.
    """

    def show(self, *args: Any, config: dict[str, Any] | None = None, **kwargs: Any) -> None:
        """Show the figure; ``config`` are further settings of plotly's toolbar."""
        super().show(*args, config=TOOLBAR | (config or {}), **kwargs)

    def _ipython_display_(self) -> None:
        """Show the figure if it is the last value of a notebook's cell."""
        self.show()


def styled(
    figure: go.Figure, *, width: int, height: int, title: str | None = None, **layout: Any
) -> go.Figure:
    """Apply clwork's style and a size to a figure, and return it.

    Args:
        figure: a figure of plotly; it is changed.
        width: the width in pixels.
        height: the height in pixels.
        title: the title above the figure.
        **layout: further arguments of plotly's ``figure.update_layout``.

    >>> import plotly.graph_objects as go
    >>> styled(go.Figure(), width=600, height=300, title="loss").layout.title.text
    'loss'
    """
    figure.update_layout(
        template=go.layout.Template(layout=LAYOUT, data={"scatter": [HOVER], "bar": [HOVER]}),
        # A live figure without a size is first drawn too small.
        autosize=False,
        width=width,
        height=height,
        margin={"l": 55, "r": 15, "t": 40 if title else 25, "b": 45},
    )
    if title:
        figure.update_layout(title_text=title)
    # The titles of subplots are 16 pixels high else, more than the title of the figure.
    return figure.update_annotations(font_size=12).update_layout(**layout)


def cells(titles: Sequence[str], *, legend_rows: int) -> Figure:
    """Return an empty figure with a cell for each title, two in a row.

    The legend below has ``legend_rows`` rows with a name each.
    """
    rows = math.ceil(len(titles) / 2)
    figure = Figure()
    figure.set_subplots(
        rows=rows,
        cols=min(2, len(titles)),
        subplot_titles=[shortened(title, 60) for title in titles],
        horizontal_spacing=0.1,
        vertical_spacing=0.32 / rows,
    )
    # The size in pixels: 215 for a row of cells, 20 for a name.
    cells_height = 215 * rows
    top = 28
    bottom = 55 + 20 * legend_rows
    styled(
        figure,
        width=838,
        height=top + cells_height + bottom,
        margin={"l": 50, "r": 15, "t": top, "b": bottom},
        hovermode="closest",
    )
    figure.update_layout(
        legend={
            "orientation": "h",
            "x": 0,
            # 48 pixels below the cells, in shares of their height.
            "y": -48 / cells_height,
            "yanchor": "top",
            "tracegroupgap": 0,
            # One name in a row.
            "entrywidthmode": "fraction",
            "entrywidth": 1,
        },
    )
    return figure


def cell(index: int) -> dict[str, int]:
    """Return row and column of a cell of :func:`cells`, counted row by row."""
    return {"row": index // 2 + 1, "col": index % 2 + 1}


def colour(index: int) -> str:
    """Return the colour of the ``index``-th line or group; they repeat after the last one."""
    return PALETTE[index % len(PALETTE)]


def symbol(index: int) -> str:
    """Return the marker of the ``index``-th group; they repeat after the last one."""
    return SYMBOLS[index % len(SYMBOLS)]


def line_style(index: int, width: float = 2) -> dict[str, Any]:
    """Return colour, dash and width in pixels of the ``index``-th line."""
    return {"color": colour(index), "dash": DASHES[index % len(DASHES)], "width": width}


def plain(text: str) -> str:
    """Escape what plotly would interpret: tags, ``%{x}`` as a template, ``$x$`` as a formula."""
    return html.escape(printable(text), quote=False).replace("%{", "&#37;{").replace("$", "&#36;")


def wrapped(text: str, width: int = 60) -> str:
    """Break a text into lines of ``width`` characters for a hover label, and escape it.

    A text of more than six lines ends with an ellipsis.
    """
    lines = textwrap.wrap(text, width, max_lines=6, placeholder=" …")
    return "<br>".join(plain(line) for line in lines)


def shortened(text: str, length: int = 32) -> str:
    """Escape a text for a label, cut with an ellipsis beyond ``length`` characters."""
    cut = text if len(text) <= length else text[: length - 1].rstrip() + "…"
    return plain(cut)
