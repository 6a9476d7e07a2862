"""Plain lines over a common axis: how one number depends on another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ...edges import by_name, checked, numbers, two
from ..figure import Figure
from ..recorded_columns import downsample
from ..style import FAINT, colour, dash, shortened, styled


@checked(series=by_name(two(numbers)))
def lines(
    series: Mapping[str, tuple[Any, Any]],
    *,
    title: str,
    x_title: str = "",
    y_title: str = "",
    levels: Mapping[str, float] | None = None,
    log: Sequence[str] = (),
    width: int = 620,
    height: int = 360,
) -> go.Figure:
    """Draw each named pair of x and y values as a line; ``levels`` are named horizontal ones to hold them against.

    ``log`` names the axes, of ``"x"`` and ``"y"``, that are logarithmic.

    Raises:
        ValueError: no series, lengths that differ, or an axis of another name.
    """
    if not series:
        raise ValueError("no lines to draw: give at least one as {'name': (x, y)}")
    if not set(log) <= {"x", "y"}:
        raise ValueError(f"log={list(log)!r}; axes are called 'x' and 'y'")
    figure = Figure()
    for index, (name, (x, y)) in enumerate(series.items()):
        across, up = np.asarray(x), np.asarray(y)
        if across.shape != up.shape or across.ndim != 1:
            raise ValueError(
                f"{name!r} has x of shape {across.shape} and y of {up.shape}; give two lists of one length"
            )
        kept = downsample(up)
        look = {"color": colour(index), "dash": dash(index), "width": 2}
        hover = shortened(name) + ": %{y:.4g} at %{x:.4g}<extra></extra>"
        figure.add_trace(
            go.Scatter(x=across[kept], y=up[kept], name=shortened(name), mode="lines", line=look, hovertemplate=hover)
        )
    for name, level in (levels or {}).items():
        figure.add_hline(
            y=level,
            line={"color": FAINT, "dash": "dash", "width": 1},
            annotation_text=shortened(name),
            annotation_position="top left",
            annotation_font={"color": FAINT, "size": 11},
        )
    styled(figure, width=width, height=height, title=title, showlegend=len(series) > 1)
    figure.update_xaxes(title_text=x_title, type="log" if "x" in log else "linear")
    figure.update_yaxes(title_text=y_title, type="log" if "y" in log else "linear")
    return figure
