"""Figures of histories: the four cells of a run, recipes with bands over seeds, and paths in the alignment plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from .._validation import Natural, checked
from ..columns import CELLS, UPPER, Floats, History, by_column, in_cell, of
from .history import Records, are_several, as_history, downsample, groups_of, smooth
from .style import (
    FAINT,
    HAZE,
    LIMIT,
    MARK,
    PALE,
    Figure,
    colour,
    line_style,
    shortened,
    styled,
    subplots,
    symbol,
    wrapped,
)

PLACES = ((1, 1), (1, 2), (2, 1), (2, 2))  # row and column of each of CELLS
UPPER_LINE, UNTRAINED = "upper line", "untrained"
MARKERS = ("circle", "square", "star", "diamond", "x")
LETTER = 0.029  # width of a character of 11 px as a share of a cell of 210 px
LONGEST_LABEL = 100  # characters
LABELS_SHOWN = 8  # events with a text label; older events have a line and a hover label only


class Line(NamedTuple):
    """A line of the figure: cell (0 to 3), name, data, style, and labels of its points (hover or text)."""

    cell: int
    name: str
    x: Floats
    y: Floats
    style: dict[str, Any]
    text: list[str] | None = None


def lines(
    records: Records, references: Mapping[str, float] | None = None, total_steps: int | None = None
) -> list[Line]:
    """Return the lines of :func:`curves`; the number and order of lines never change."""
    history = as_history(records)
    steps, loss = history.xy("loss")
    mean, end = smooth(loss), total_steps or max(history.last_step, 1)
    raw, calm = downsample(loss), downsample(mean)
    levels, untrained = _reference_levels(references)
    drawn = [
        _levels(0, "reference", levels, end),
        Line(0, "loss", steps[raw], loss[raw], {"line": {"color": PALE, "width": 1}}),
        Line(
            0, "running mean", steps[calm], mean[calm], {"line": {"color": colour(0), "width": 2}}
        ),
    ]
    for cell, name in enumerate(CELLS[1:], start=1):
        for index, column in enumerate(in_cell(name)):
            at, values = history.xy(column.name)
            shown = downsample(values)
            marker = {"size": 5, "color": colour(index), "symbol": MARKERS[index % len(MARKERS)]}
            style = {"line": line_style(index), "marker": marker, "mode": "lines+markers"}
            drawn.append(
                Line(
                    cell,
                    column.title or column.label,
                    at[shown],
                    column.scale * values[shown],
                    style,
                )
            )
    start = _levels(CELLS.index("validation"), UNTRAINED, untrained, end)
    return [*drawn, start, _upper_line(history, end), _event_marks(history)]


def _reference_levels(
    references: Mapping[str, float] | None,
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the levels of the loss, and the scores of the untrained encoder, by their labels."""
    grouped = by_column(references or {})
    loss = {
        f"{shortened(name)} = {value:.2f}": value for name, value in grouped.pop("loss", {}).items()
    }
    scores = {
        (column, name): value
        for column, levels in grouped.items()
        for name, value in levels.items()
    }
    return loss, {
        f"{of(column).title or column}, {name}: {value:.1f}": value
        for (column, name), value in scores.items()
    }


def titles() -> list[str]:
    """Return the title of each cell: its name, and the unit and direction of improvement that all columns share."""
    headings = []
    for name in CELLS:
        columns = in_cell(name)
        units, directions = (
            {column.unit for column in columns},
            {column.better for column in columns},
        )
        common = replace(columns[0], title=name, smoothed=False)
        common = common if len(units) == 1 else replace(common, unit="")
        headings.append((common if len(directions) == 1 else replace(common, better="")).heading)
    return headings


def _upper_line(history: History, end: int) -> Line:
    first = next(
        (column for column in in_cell("validation") if history.last(column.name) is not None), None
    )
    level = (
        {}
        if first is None or first.upper is None
        else {f"{UPPER}, {first.title}: {first.upper:.1f}": first.upper}
    )
    line = _levels(CELLS.index("validation"), UPPER_LINE, level, end)
    return line._replace(style=line.style | {"textposition": "bottom left"})


def _levels(cell: int, name: str, levels: Mapping[str, float], end: float) -> Line:
    """Make horizontal lines with text above the right end, as one trace with gaps, so that the axis includes them."""
    x = [0.0, float(end), np.nan] * len(levels)
    y = [part for value in levels.values() for part in (value, value, np.nan)]
    text = [part for label in levels for part in ("", label, "")]
    style = {
        "mode": "lines+text",
        "textposition": "top left",
        "cliponaxis": False,
        "textfont": {"size": 11, "color": FAINT},
        "line": {"color": FAINT, "width": 1.5, "dash": "dash"},
    }
    return Line(cell, name, np.array(x), np.array(y), style, text)


def _event_marks(history: History) -> Line:
    steps, loss = history.xy("loss")
    events = history.events[-LIMIT:]
    at = np.array([float(step) for step, _ in events])
    height = np.interp(at, steps, loss) if len(steps) and len(at) else np.zeros(len(at))
    style = {"mode": "markers", "marker": {"symbol": "triangle-down", "size": 9, "color": MARK}}
    return Line(
        0, "event", at, height, style, [f"step {step}: {wrapped(text)}" for step, text in events]
    )


def _event_shapes(
    history: History, total: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Make dashed vertical lines through all cells, and labels of the latest events in the loss cell."""
    shapes, labels = [], []
    for step in sorted({step for step, _ in history.events})[-LIMIT // 4 :]:
        for index in range(4):
            axis = "" if index == 0 else str(index + 1)
            line = {"color": MARK, "width": 1, "dash": "dash"}
            where = {
                "x0": step,
                "x1": step,
                "y0": 0,
                "y1": 1,
                "xref": f"x{axis}",
                "yref": f"y{axis} domain",
            }
            shapes.append({"type": "line", "line": line, "opacity": 0.7, "layer": "below", **where})
    for index, (step, text) in enumerate(history.events[-LABELS_SHOWN:]):
        start = max(
            0.0, min(step / total, 1 - LETTER * len(text))
        )  # moved left to stay inside the cell
        place = {
            "x": start * float(total),
            "y": 0.8 - 0.15 * (index % 3),
            "xref": "x",
            "yref": "y domain",
        }
        style = {
            "showarrow": False,
            "xanchor": "left",
            "yanchor": "top",
            "xshift": 3,
            "borderpad": 1,
            "bgcolor": HAZE,
        }
        label = {"text": shortened(text, LONGEST_LABEL), "font": {"size": 11, "color": MARK}}
        labels.append(place | style | label)
    return shapes, labels


def loss_axis(records: Records, references: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Return the settings of the loss axis: logarithmic if all losses are positive and span a factor above 30."""
    _, loss = as_history(records).xy("loss")
    values = np.concatenate(
        [loss, np.array(list(_reference_levels(references)[0].values()), dtype=float)]
    )
    wide = len(loss) > 0 and values.min() > 0 and values.max() > 30 * values.min()
    return {"type": "log", "dtick": 1} if wide else {"type": "linear", "dtick": None}


@checked()
def curves(
    records: Records,
    references: Mapping[str, float] | None = None,
    *,
    total_steps: Natural | None = None,
) -> go.Figure:
    """Draw the history or records of a run: loss with reference lines, alignment, uniformity and validation scores."""
    history = as_history(records)
    end = total_steps or max(history.last_step, 1)
    figure = subplots(
        rows=2, cols=2, subplot_titles=titles(), horizontal_spacing=0.1, vertical_spacing=0.16
    )
    for line in lines(history, references, total_steps):
        row, column = PLACES[line.cell]
        hover = "%{text}" if line.name == "event" else "step %{x}: %{y:.4g}"
        hover += "<extra></extra>" if line.name == "event" else f"<extra>{line.name}</extra>"
        named = (
            line.cell == CELLS.index("validation")
            and line.name not in (UPPER_LINE, UNTRAINED)
            and len(line.x) > 0
        )
        style = {
            "mode": "lines",
            "hovertemplate": hover,
            **line.style,
            "name": line.name,
            "showlegend": named,
        }
        figure.add_trace(
            go.Scatter(style | {"x": line.x, "y": line.y, "text": line.text}), row=row, col=column
        )
    styled(figure, width=600, height=430, margin={"l": 45, "r": 15, "t": 28, "b": 62})
    figure.update_annotations(font_size=12)
    shapes, labels = _event_shapes(history, end)
    figure.update_layout(shapes=shapes, annotations=[*figure.layout.annotations, *labels])
    figure.update_layout(
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": -0.13, "yanchor": "top"}
    )
    figure.update_xaxes(range=[0, end])
    figure.update_xaxes(title_text="step", row=2)
    figure.update_yaxes(**loss_axis(history, references), row=1, col=1)
    return figure


def values_of(columns: History, column: str) -> tuple[Floats, Floats]:
    """Return steps and values of a column, smoothed and scaled as :mod:`clwork.columns` specifies."""
    steps, values = columns.xy(column)
    about = of(column)
    return steps, about.scale * (smooth(values) if about.smoothed else values)


def seed_band(runs: Sequence[Records], column: str) -> tuple[Floats, Floats, Floats]:
    """Return steps at which all runs have values, mean of the interpolated runs, and sample sd (0 for one run)."""
    curves = [values_of(as_history(run), column) for run in runs]
    if not curves or any(len(steps) == 0 for steps, _ in curves):
        return np.array([]), np.array([]), np.array([])
    first, last = max(steps[0] for steps, _ in curves), min(steps[-1] for steps, _ in curves)
    union = np.unique(np.concatenate([steps for steps, _ in curves]))
    common = union[(union >= first) & (union <= last)]
    matrix = np.array([np.interp(common, *values) for values in curves])  # (runs, steps)
    spread = matrix.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(len(common))
    return common, matrix.mean(axis=0), spread


@checked()
def overlay(runs: Any, columns: Sequence[str] = ("loss", "alignment", "uniformity")) -> go.Figure:
    """Draw columns of the histories of several runs in the same axes.

    ``runs`` is a run, a list of runs, or a dict that maps a name to a run or to the runs of several seeds. A line
    is the mean over seeds, and its shade is one sample standard deviation to each side. For a run you can also give
    its folder, its recording, ``run.history`` or ``run.records()``.

    >>> import clwork
    >>> [line.name for line in overlay([clwork.recording("simcse"), clwork.recording("dclr")], ["loss"]).data]
    ['simcse-recorded', 'dclr-recorded']
    """
    groups = groups_of(runs)
    if not columns:
        raise ValueError("columns is empty; give names of columns of the history, such as 'loss'")
    rows = (len(columns) + 1) // 2
    titles = [shortened(of(column).heading, 60) for column in columns]
    across = min(2, len(columns))
    spacing = {"horizontal_spacing": 0.08, "vertical_spacing": 0.3 / rows}
    figure = subplots(rows=rows, cols=across, subplot_titles=titles, **spacing)
    for place, column in enumerate(columns):
        for index, (name, seeds) in enumerate(groups.items()):
            for trace in traces(index, name, seeds, column):
                trace["showlegend"] = trace.pop("named", False) and place == 0
                figure.add_trace(go.Scatter(trace), row=place // 2 + 1, col=place % 2 + 1)
        _add_upper_line(figure, column, place // 2 + 1, place % 2 + 1)
    high = 60 + 215 * rows + 20 * len(groups)
    margin = {"l": 50, "r": 15, "t": 28, "b": 50 + 20 * len(groups)}
    styled(figure, width=838, height=high, margin=margin, hovermode="closest")
    figure.update_annotations(font_size=12)
    legend = {
        "orientation": "h",
        "x": 0,
        "y": -45 / (high - margin["b"] - 28),
        "yanchor": "top",
        "tracegroupgap": 0,
    }
    figure.update_layout(
        legend=legend | {"entrywidthmode": "fraction", "entrywidth": 1}
    )  # one name on each line
    figure.update_xaxes(title_text="step", row=rows)
    return figure


def _add_upper_line(figure: go.Figure, column: str, row: int, col: int) -> None:
    level = of(column).upper
    ends = [max(trace.x) for trace in figure.select_traces(row=row, col=col) if len(trace.x)]
    if level is None or not ends:
        return
    line = _levels(0, f"{UPPER}, a strong encoder", {f"{UPPER}: {level:.1f}": level}, max(ends))
    style = line.style | {"textposition": "bottom left", "name": line.name, "showlegend": False}
    figure.add_trace(
        go.Scatter(style | {"x": line.x, "y": line.y, "text": line.text}), row=row, col=col
    )


def traces(index: int, name: str, runs: Sequence[Records], column: str) -> list[dict[str, Any]]:
    """Return the mean and band of a column over a recipe's runs; key "named": shown in the legend."""
    line = line_style(index)
    hover = "step %{x}: %{y:.4g}<extra>" + shortened(name, 40) + "</extra>"
    shared = {"mode": "lines", "name": shortened(name, 120), "legendgroup": str(index)}
    style = {**shared, "line": line, "hovertemplate": hover}
    steps, mean, spread = seed_band(runs, column)
    points = downsample(mean)
    steps, mean, spread = steps[points], mean[points], spread[points]
    drawn = [{**style, "x": steps, "y": mean, "named": True}]
    if len(runs) > 1 and len(steps) > 1:
        x, y = (
            np.concatenate([steps, steps[::-1]]),
            np.concatenate([mean + spread, (mean - spread)[::-1]]),
        )
        shade = {"fill": "toself", "fillcolor": colour(index), "opacity": 0.18, "hoverinfo": "skip"}
        drawn.insert(
            0,
            shared
            | shade
            | {"x": x, "y": y, "name": "± sd", "line": {"width": 0, "color": colour(index)}},
        )
    return drawn


@checked()
def plane(histories: Mapping[str, Any], *, width: int = 440, height: int = 380) -> go.Figure:
    """Draw the path of each run in the plane of uniformity and alignment (SimCSE, Figure 2); lower left is better.

    ``histories`` maps a name to the history of a run, or to a list with the history of each seed. A list is drawn as
    faint lines and their mean.
    """
    paths, seeds = dict[str, Any](), dict[str, list[Any]]()
    for name, given in histories.items():
        seeds[name] = list(given) if are_several(given) else []
        paths[name] = _mean_path(name, seeds[name]) if are_several(given) else given
    figure = Figure()
    for index, (full_name, records) in enumerate(paths.items()):
        name, shape, ink = shortened(full_name, 40), symbol(index), colour(index)
        steps, uniform, align = as_history(records).joint("uniformity", "alignment")
        shown = downsample(align)
        last = len(shown) - 1
        marker = {  # the start is hollow, the latest point large
            "size": [9 if i == 0 else 12 if i == last else 4 for i in range(last + 1)],
            "symbol": [f"{shape}-open" if i == 0 < last else shape for i in range(last + 1)],
            "color": ink,
            "line": {"color": ink, "width": 1.5},
        }
        points = {
            "x": uniform[shown],
            "y": align[shown],
            "customdata": steps[shown],
            "marker": marker,
        }
        hover = (
            "step %{customdata:d}<br>uniformity %{x:.3f}<br>alignment %{y:.3f}<extra>"
            + name
            + "</extra>"
        )
        line = line_style(index, 1.5)
        figure.add_scatter(
            name=name, mode="lines+markers", line=line, hovertemplate=hover, **points
        )
    for index, runs in enumerate(seeds.values()):
        for run in runs:
            _, uniform, align = as_history(run).joint("uniformity", "alignment")
            faint = {
                "mode": "lines",
                "line": line_style(index, 1),
                "opacity": 0.35,
                "hoverinfo": "skip",
            }
            figure.add_trace(go.Scatter(x=uniform, y=align, showlegend=False, **faint))
    styled(figure, width=width, height=height, title="alignment–uniformity plane")
    figure.update_layout(showlegend=len(histories) > 1, legend={"orientation": "h", "y": -0.2})
    figure.update_xaxes(title_text="uniformity  (← more uniform)")
    figure.update_yaxes(title_text="alignment  (↓ closer positives)")
    corner = {"x": 0.02, "y": 0.02, "xref": "paper", "yref": "paper"}
    figure.add_annotation(
        text="better ↙", showarrow=False, font={"color": FAINT, "size": 12}, **corner
    )
    return figure


def _mean_path(name: str, runs: list[Any]) -> list[dict[str, float]]:
    steps, align, _ = seed_band(runs, "alignment")
    other_steps, uniform, _ = seed_band(runs, "uniformity")
    if not len(steps) or len(steps) != len(other_steps):
        raise ValueError(
            f"no step has measurements of all runs of {name!r}; give runs of one recipe"
        )
    rows = zip(steps, align, uniform, strict=True)
    return [
        dict(zip(("step", "alignment", "uniformity"), map(float, row), strict=True)) for row in rows
    ]
