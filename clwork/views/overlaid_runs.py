"""Several runs in one figure: a line for each recipe, and a band over its seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .._validation import checked
from ..columns import UPPER, of
from .figure import subplots
from .recorded_columns import Floats, Records, RunColumns, as_run_columns, downsample, smooth
from .style import FAINT, colour, line_look, shortened, styled


def values_of(columns: RunColumns, column: str) -> tuple[Floats, Floats]:
    """Steps and values of a column as drawn: smoothed and scaled as :mod:`clwork.columns` has it."""
    steps, values = columns.xy(column)
    about = of(column)
    return steps, about.scale * (smooth(values) if about.smoothed else values)


def seed_band(runs: Sequence[Records], column: str) -> tuple[Floats, Floats, Floats]:
    """Steps, mean of a column over runs, and its sample standard deviation (0 for one run).

    Runs may have been measured at different steps, since looks follow the clock. Each is interpolated linearly at the
    steps of all, within the range that all of them cover.

    >>> one, other = [{"step": 1, "loss": 1.0}], [{"step": 1, "loss": 3.0}, {"step": 2, "loss": 5.0}]
    >>> [part.tolist() for part in seed_band([one, other], "loss")]
    [[1.0], [2.0], [1.4142135623730951]]
    """
    curves = [values_of(as_run_columns(run), column) for run in runs]
    if not curves or any(len(steps) == 0 for steps, _ in curves):
        return np.array([]), np.array([]), np.array([])
    first, last = max(steps[0] for steps, _ in curves), min(steps[-1] for steps, _ in curves)
    union = np.unique(np.concatenate([steps for steps, _ in curves]))
    common = union[(union >= first) & (union <= last)]
    matrix = np.array([np.interp(common, *values) for values in curves])  # (runs, steps)
    spread = matrix.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(len(common))
    return common, matrix.mean(axis=0), spread


@checked()
def overlay(
    groups: Mapping[str, Sequence[Any]],
    columns: Sequence[str] = ("loss", "alignment", "uniformity"),
    *,
    band: bool = True,
    width: int = 838,
    height: int | None = None,
) -> go.Figure:
    """Draw columns of several recipes' histories over each other.

    ``groups`` maps a recipe's name to the histories, records or columns of its runs, one per seed. With ``band`` a line
    is their mean, and the shade around it one sample standard deviation to either side; without it each run has its own
    line, in its recipe's look. A dash is the second cue beside each colour.

    Raises:
        ValueError: there is no column to draw.
    """
    if not columns:
        raise ValueError("there is no column to draw: name some of the history, such as 'loss'")
    rows = (len(columns) + 1) // 2
    titles = [shortened(of(column).heading, 60) for column in columns]
    across = min(2, len(columns))
    figure = subplots(
        rows=rows, cols=across, subplot_titles=titles, horizontal_spacing=0.08, vertical_spacing=0.3 / rows
    )
    for place, column in enumerate(columns):
        for index, (name, runs) in enumerate(groups.items()):
            for trace in traces(index, name, runs, column, band):
                trace["showlegend"] = trace.pop("named", False) and place == 0
                figure.add_trace(go.Scatter(trace), row=place // 2 + 1, col=place % 2 + 1)
        _add_upper_line(figure, column, place // 2 + 1, place % 2 + 1)
    high = height or 60 + 215 * rows + 20 * len(groups)
    margin = {"l": 50, "r": 15, "t": 28, "b": 50 + 20 * len(groups)}
    styled(figure, width=width, height=high, margin=margin, hovermode="closest")
    figure.update_annotations(font_size=12)
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": -45 / (high - margin["b"] - 28), "yanchor": "top"})
    figure.update_layout(
        legend={"entrywidthmode": "fraction", "entrywidth": 1, "tracegroupgap": 0}
    )  # one name a line: names are long
    figure.update_xaxes(title_text="step", row=rows)
    return figure


def _add_upper_line(figure: go.Figure, column: str, row: int, col: int) -> None:
    """Draw and name what a strong encoder has by this column, where it is known and curves are there."""
    level = of(column).upper
    ends = [max(trace.x) for trace in figure.select_traces(row=row, col=col) if len(trace.x)]
    if level is None or not ends:
        return
    figure.add_trace(
        go.Scatter(
            x=[0.0, float(max(ends))],
            y=[level, level],
            mode="lines+text",
            text=["", f"{UPPER}: {level:.1f}"],
            textposition="bottom left",
            textfont={"size": 11, "color": FAINT},
            line={"color": FAINT, "width": 1.5, "dash": "dash"},
            name=f"{UPPER}, a strong encoder",
            showlegend=False,
        ),
        row=row,
        col=col,
    )


def traces(index: int, name: str, runs: Sequence[Records], column: str, band: bool) -> list[dict[str, Any]]:
    """A column of a recipe's runs as lines, or as their mean with a band; ``named`` marks the one for the legend."""
    line = line_look(index)
    hover = "step %{x}: %{y:.4g}<extra>" + shortened(name, 40) + "</extra>"
    look = {
        "mode": "lines",
        "name": shortened(name, 120),
        "legendgroup": str(index),
        "line": line,
        "hovertemplate": hover,
    }
    if not band:
        drawn = []
        for number, run in enumerate(runs):
            steps, values = values_of(as_run_columns(run), column)
            points = downsample(values)
            drawn.append({**look, "x": steps[points], "y": values[points], "named": number == 0})
        return drawn
    steps, mean, spread = seed_band(runs, column)
    points = downsample(mean)
    steps, mean, spread = steps[points], mean[points], spread[points]
    drawn = [{**look, "x": steps, "y": mean, "named": True}]
    if len(runs) > 1 and len(steps) > 1:
        around = {
            "x": np.concatenate([steps, steps[::-1]]),
            "y": np.concatenate([mean + spread, (mean - spread)[::-1]]),
        }
        shade = {"fill": "toself", "fillcolor": colour(index), "opacity": 0.18, "hoverinfo": "skip"}
        edge = {
            "mode": "lines",
            "line": {"width": 0, "color": colour(index)},
            "legendgroup": str(index),
            "name": "± sd",
        }
        drawn.insert(0, around | shade | edge)
    return drawn


ACROSS, MOST = 4, 24
HIGH = 120  # pixels of one picture


@checked()
def small_multiples(
    groups: Mapping[str, Sequence[Any]], column: str, *, band: bool = True, width: int = 838
) -> go.Figure:
    """Draw one column of up to 24 recipes' histories side by side, where overlaid lines would be indistinguishable.

    ``groups`` and ``band`` as for :func:`.overlay`. All pictures share their axes.

    Raises:
        ValueError: there are no groups, or more than 24.
    """
    if not 1 <= len(groups) <= MOST:
        raise ValueError(f"{len(groups)} groups of runs cannot be drawn; give 1 to {MOST}")
    rows, across = -(-len(groups) // ACROSS), min(ACROSS, len(groups))
    high = 70 + (HIGH + 34) * rows
    figure = subplots(
        rows=rows,
        cols=across,
        subplot_titles=[shortened(name, 32) for name in groups],
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.02,
        vertical_spacing=min(0.12, 0.9 / rows) if rows > 1 else 0.0,
    )
    for place, (name, runs) in enumerate(groups.items()):
        for trace in traces(0, name, runs, column, band):
            trace.pop("named", None)
            figure.add_trace(go.Scatter(trace), row=place // ACROSS + 1, col=place % ACROSS + 1)
        _add_upper_line(figure, column, place // ACROSS + 1, place % ACROSS + 1)
    styled(figure, width=width, height=high, margin={"l": 50, "r": 15, "t": 50, "b": 40}, showlegend=False)
    figure.update_annotations(font_size=10)
    figure.update_layout(title={"text": shortened(of(column).heading, 90), "font": {"size": 13}, "y": 1 - 14 / high})
    figure.update_xaxes(title_text="step", row=rows)
    return figure
