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
    """Draw values (S,) by step (S,), thinned to as many points as a browser can draw.

    ``shift`` is added to the steps, except in the text on hovering. ``style`` are further arguments
    of plotly's scatter trace. A curve without steps is not drawn.
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
    """Draw the shade between the curves ``low`` and ``high`` (S,), in the ``index``-th colour.

    ``shift`` is added to the steps.
    """
    drawn = downsample(high)
    x = steps[drawn] + shift
    figure.add_scatter(
        # A closed outline: to the right along the upper curve, and back along the lower one.
        x=np.concatenate([x, x[::-1]]),
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
    """Draw dashed horizontal lines from step 0 to ``last_step``, labelled at the right end.

    ``levels`` are the heights by label, and ``name`` is that of the trace. The lines are a trace
    with gaps (None), not shapes of plotly, so that the axis includes them.
    """
    if not levels:
        return
    x: list[float | None] = []
    y: list[float | None] = []
    text: list[str] = []
    for label, level in levels.items():
        x += [0, last_step, None]
        y += [level, level, None]
        text += ["", label, ""]
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
        # A label may reach beyond the right end of the axis.
        cliponaxis=False,
        hovertemplate=f"step %{{x}}: %{{y:.4g}}<extra>{name}</extra>",
        showlegend=False,
        **position,
    )
