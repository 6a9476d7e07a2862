"""Figures of runs: columns of their histories, and their paths by alignment and uniformity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats, of
from .history import MeanCurve, downsample, groups_of, mean_curve, plotted
from .style import FAINT, Figure, cell, cells, colour, line_style, shortened, styled, symbol


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
                hovertemplate=f"{label}: %{{y}} at step %{{x}}<extra></extra>",
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


def plane(runs: Any) -> go.Figure:
    """Draw the path of each run in the plane of uniformity and alignment; lower left is better.

    Several seeds are drawn as faint lines and their mean; the mean's start is hollow, its end
    large (Figure 2 of SimCSE, https://arxiv.org/abs/2104.08821).

    Args:
        runs: a run, a list of runs, or a dict from a name to a run or to the runs of several
            seeds, as for :func:`overlay`.

    Raises:
        ValueError: a run has no step at which alignment and uniformity were measured.

    >>> import clwork
    >>> plane(clwork.recording("simcse")).layout.yaxis.title.text
    'alignment  (↓ closer positives)'
    """
    groups = groups_of(runs)
    figure = Figure()
    for index, (name, histories) in enumerate(groups.items()):
        # Steps, uniformity and alignment of each seed, at the steps that have both.
        paths = [history.xy("uniformity", "alignment") for history in histories]
        if len(paths) > 1:
            for _, uniformity, alignment in paths:
                figure.add_scatter(
                    x=uniformity,
                    y=alignment,
                    mode="lines",
                    line=line_style(index, 1),
                    opacity=0.35,
                    hoverinfo="skip",
                    hovertemplate="",
                    showlegend=False,
                )
        steps, mean_uniformity, _ = mean_curve([(steps, values) for steps, values, _ in paths])
        _, mean_alignment, _ = mean_curve([(steps, values) for steps, _, values in paths])
        if not len(steps):
            raise ValueError(
                f"the runs of {name!r} have no step with alignment and uniformity in common; "
                "give the histories of finished runs of one setting"
            )
        _add_path(figure, index, shortened(name, 40), (steps, mean_uniformity, mean_alignment))

    styled(
        figure,
        width=680,
        height=480,
        title="alignment–uniformity plane",
        showlegend=len(groups) > 1,
        legend={"orientation": "h", "y": -0.2},
        xaxis_title="uniformity  (← more uniform)",
        yaxis_title="alignment  (↓ closer positives)",
    )
    return figure.add_annotation(
        text="better ↙",
        x=0.02,
        y=0.02,
        xref="paper",
        yref="paper",
        showarrow=False,
        font_color=FAINT,
        font_size=12,
    )


def _add_path(
    figure: go.Figure, index: int, name: str, path: tuple[Floats, Floats, Floats]
) -> None:
    """Draw a path (steps, uniformity, alignment) with a hollow start and a large end.

    ``index`` is the number of the path, which selects colour, dash and symbol.
    """
    steps, uniformity, alignment = path
    drawn = downsample(alignment)
    sizes = [4] * len(drawn)
    symbols = [symbol(index)] * len(drawn)
    sizes[0] = 9
    symbols[0] = f"{symbol(index)}-open"
    # Last, because a path of one point is its end, not its start.
    sizes[-1] = 12
    symbols[-1] = symbol(index)
    figure.add_scatter(
        x=uniformity[drawn],
        y=alignment[drawn],
        customdata=steps[drawn],
        name=name,
        mode="lines+markers",
        line=line_style(index, 1.5),
        marker_size=sizes,
        marker_symbol=symbols,
        marker_color=colour(index),
        marker_line_color=colour(index),
        marker_line_width=1.5,
        hovertemplate=f"{name}, step %{{customdata:d}}<br>uniformity %{{x}}<br>alignment %{{y}}"
        "<extra></extra>",
    )
