"""Figure of columns of the histories of one or several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import of
from .history import MeanCurve, downsample, groups_of, mean_curve, plotted
from .style import cell, cells, colour, line_style, shortened


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
            drawn = downsample(curve.mean)
            # Empty if a run lacks the column.
            if not len(drawn):
                continue
            # A single run has no deviation.
            if len(histories) > 1:
                _add_shade(figure, cell(position), index, curve)
            label = shortened(name, 60)
            figure.add_scatter(
                x=curve.steps[drawn],
                y=curve.mean[drawn],
                name=label,
                mode="lines",
                line=line_style(index),
                hovertemplate=f"step %{{x}}: %{{y:.4g}}<extra>{label}</extra>",
                legendgroup=str(index),
                # The first cell names the line in the legend for all cells.
                showlegend=position == 0,
                **cell(position),
            )
    return figure.update_xaxes(title_text="step", row=cell(len(columns) - 1)["row"])


def _add_shade(
    figure: go.Figure, position: Mapping[str, int], index: int, curve: MeanCurve
) -> None:
    """Draw the shade of a mean, one deviation to each side, in the ``index``-th colour.

    ``position`` is the row and column of the figure's cell.
    """
    low = curve.mean - curve.deviation
    high = curve.mean + curve.deviation
    drawn = downsample(high)
    x = curve.steps[drawn]
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
