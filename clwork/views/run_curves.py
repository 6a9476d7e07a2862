"""Figure of columns of the histories of one or several runs, and the curves that it draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats, of
from .history import downsample, groups_of, mean_curve, plotted
from .style import cell, cells, colour, line_style, shortened

# Row and column of a cell of a figure.
Position = Mapping[str, int]


def overlay(runs: Any, columns: Sequence[str] = ("loss", "alignment", "uniformity")) -> go.Figure:
    """Draw columns of the histories of one or several runs, a cell of the figure for each column.

    A line is the mean over seeds, and its shade is one sample standard deviation to each side.

    Args:
        runs: a run, a list of runs, or a dict from a name to a run or to the runs of several
            seeds. A run can also be given as its folder, its recording, ``run.history`` or
            ``run.records()``.
        columns: names of columns of ``run.history``.

    >>> import clwork
    >>> figure = overlay([clwork.recording("simcse"), clwork.recording("dclr")], ["loss"])
    >>> [line.name for line in figure.data]
    ['simcse-recorded', 'dclr-recorded']
    """
    groups = groups_of(runs)
    figure = cells([of(column).heading for column in columns], legend_rows=len(groups))
    for position, column in enumerate(columns):
        for index, (name, histories) in enumerate(groups.items()):
            curve = mean_curve([plotted(history, column) for history in histories])
            # A single run has no deviation.
            if len(histories) > 1:
                low = curve.mean - curve.deviation
                high = curve.mean + curve.deviation
                add_shade(figure, cell(position), index, curve.steps, low, high)
            add_curve(
                figure,
                cell(position),
                shortened(name, 60),
                curve.steps,
                curve.mean,
                line=line_style(index),
                legendgroup=str(index),
                # The first cell names the line in the legend for all cells.
                showlegend=position == 0,
            )
    return figure.update_xaxes(title_text="step", row=cell(len(columns) - 1)["row"])


def add_curve(
    figure: go.Figure,
    position: Position,
    name: str,
    steps: Floats,
    values: Floats,
    **style: Any,
) -> None:
    """Draw values (S,) by step (S,), thinned to as many points as a browser can draw.

    ``style`` are further arguments of plotly's scatter trace. A curve without steps is not drawn.
    """
    drawn = downsample(values)
    if len(drawn):
        trace = go.Scatter(
            x=steps[drawn],
            y=values[drawn],
            name=name,
            mode="lines",
            hovertemplate=f"step %{{x}}: %{{y:.4g}}<extra>{name}</extra>",
            showlegend=False,
        )
        figure.add_trace(trace.update(style), **position)


def add_shade(
    figure: go.Figure, position: Position, index: int, steps: Floats, low: Floats, high: Floats
) -> None:
    """Draw the shade between the curves ``low`` and ``high`` (S,), in the ``index``-th colour."""
    drawn = downsample(high)
    x = steps[drawn]
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
