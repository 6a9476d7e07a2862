"""Traces that several figures of runs share; a position is the row and column of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats
from .history import downsample
from .style import FAINT, colour

Position = Mapping[str, int]


def add_curve(
    figure: go.Figure,
    position: Position,
    name: str,
    steps: Floats,
    values: Floats,
    *,
    shift: int = 0,
    **style: Any,
) -> None:
    """Draw values by step, ``shift`` to the right, thinned to as many points as a browser can draw.

    A column that was not measured is not drawn.
    """
    drawn = downsample(values)
    if len(drawn):
        trace = go.Scatter(
            x=steps[drawn] + shift,
            y=values[drawn],
            customdata=steps[drawn],
            name=name,
            mode="lines",
            hovertemplate=f"step %{{customdata}}: %{{y:.4g}}<extra>{name}</extra>",
            showlegend=False,
        )
        figure.add_trace(trace.update(style), **position)


def add_shade(
    figure: go.Figure,
    position: Position,
    index: int,
    steps: Floats,
    low: Floats,
    high: Floats,
    *,
    shift: int = 0,
) -> None:
    """Draw the shade between two curves in the colour of the ``index``-th line."""
    drawn = downsample(high)
    there = steps[drawn] + shift
    figure.add_scatter(
        x=np.concatenate([there, there[::-1]]),
        y=np.concatenate([high[drawn], low[drawn][::-1]]),
        mode="lines",
        line_width=0,
        line_color=colour(index),
        fill="toself",
        fillcolor=colour(index),
        opacity=0.16,
        hoverinfo="skip",
        legendgroup=str(index),
        showlegend=False,
        **position,
    )


def add_levels(
    figure: go.Figure,
    position: Position,
    name: str,
    levels: Mapping[str, float],
    last_step: float,
    *,
    text_position: str = "top left",
) -> None:
    """Draw dashed horizontal lines with their labels at the right end.

    The lines are a trace with gaps, not shapes, so that the axis includes them.
    """
    x: list[float | None] = []
    y: list[float | None] = []
    text: list[str] = []
    for label, level in levels.items():
        x += [0, last_step, None]
        y += [level, level, None]
        text += ["", label, ""]
    if levels:
        figure.add_scatter(
            x=x,
            y=y,
            text=text,
            name=name,
            mode="lines+text",
            line_color=FAINT,
            line_width=1.5,
            line_dash="dash",
            textposition=text_position,
            textfont_size=11,
            textfont_color=FAINT,
            cliponaxis=False,
            hovertemplate=f"step %{{x}}: %{{y:.4g}}<extra>{name}</extra>",
            showlegend=False,
            **position,
        )
