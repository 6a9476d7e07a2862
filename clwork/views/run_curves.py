"""Figure of one run: its loss, alignment, uniformity and validation scores at each step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import CELLS, UPPER, Column, History, by_column, in_cell, of
from .history import as_history, smooth
from .style import (
    HAZE,
    LIMIT,
    MARK,
    PALE,
    Figure,
    cell,
    colour,
    line_style,
    shortened,
    styled,
    wrapped,
)
from .traces import add_curve, add_levels

TITLES = {
    "loss": "loss",
    "alignment": "alignment (lower is better)",
    "uniformity": "uniformity (lower is better)",
    "validation": "validation × 100 (higher is better)",
}
# Row and column of each cell of the figure.
CELL = {name: cell(index) for index, name in enumerate(CELLS)}
MARKERS = ("circle", "square", "star", "diamond", "x")
# Only the latest events have a label; older ones have a line and a text on hovering.
LABELS_SHOWN = 8
# A line of an event is drawn in each of the four cells.
LINES_SHOWN = LIMIT // 4
# The width of a letter of a label as a share of the width of a cell.
LETTER_WIDTH = 0.029


def curves(
    records: Any, references: Mapping[str, float] | None = None, *, total_steps: int | None = None
) -> go.Figure:
    """Draw the course of a run: loss, alignment, uniformity and validation scores by step.

    Args:
        records: a run, its folder, its recording, ``run.history`` or ``run.records()``.
        references: levels to compare with, such as ``run.references``: of the loss by name, and
            the scores of the untrained encoder.
        total_steps: the right end of the step axes; default: the last step of the run.

    >>> import clwork
    >>> curves(clwork.recording("simcse")).layout.xaxis.range
    (0, 80)
    """
    history = as_history(records)
    last_step = total_steps or max(history.last_step, 1)
    loss_levels, untrained_scores = _reference_levels(references or {})

    figure = Figure().set_subplots(
        rows=2,
        cols=2,
        subplot_titles=[TITLES[name] for name in CELLS],
        horizontal_spacing=0.1,
        vertical_spacing=0.16,
    )
    # Levels before curves, which then lie on top.
    add_levels(figure, CELL["loss"], "reference", loss_levels, last_step)
    _add_loss(figure, history)
    for name in CELLS[1:]:
        for index, column in enumerate(in_cell(name)):
            _add_column(figure, history, column, index)
    add_levels(figure, CELL["validation"], "untrained", untrained_scores, last_step)
    _add_upper_line(figure, history, last_step)
    _add_event_marks(figure, history)

    styled(figure, width=600, height=430, margin={"l": 45, "r": 15, "t": 28, "b": 62})
    figure.update_annotations(font_size=12)
    figure.update_layout(
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": -0.13, "yanchor": "top"},
        shapes=_event_lines(history),
        annotations=[*figure.layout.annotations, *_event_labels(history, last_step)],
    )
    figure.update_xaxes(range=[0, last_step])
    figure.update_xaxes(title_text="step", row=2)
    if _is_wide([*history.xy("loss")[1], *loss_levels.values()]):
        figure.update_yaxes(type="log", dtick=1, **CELL["loss"])
    return figure


def _reference_levels(
    references: Mapping[str, float],
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the levels of the loss, and those of the validation scores, by their labels.

    ``references`` are levels by name, as in :func:`curves`. Labels are, for example,
    ``log N = 4.16`` and ``STS-B, untrained: 58.9``.
    """
    # For each column its levels by name.
    levels_of = by_column(references)
    loss_levels = {}
    for name, level in levels_of.pop("loss", {}).items():
        loss_levels[f"{shortened(name)} = {level:.2f}"] = level
    # All other columns are validation scores.
    score_levels = {}
    for column, levels in levels_of.items():
        title = of(column).title or column
        for name, level in levels.items():
            score_levels[f"{title}, {name}: {level:.1f}"] = level
    return loss_levels, score_levels


def _add_loss(figure: go.Figure, history: History) -> None:
    """Draw the loss and its running mean."""
    steps, losses = history.xy("loss")
    add_curve(figure, CELL["loss"], "loss", steps, losses, line_color=PALE, line_width=1)
    means = smooth(losses)
    add_curve(figure, CELL["loss"], "running mean", steps, means, line=line_style(0))


def _add_column(figure: go.Figure, history: History, column: Column, index: int) -> None:
    """Draw the values of the ``index``-th column of a cell."""
    steps, values = history.xy(column.name)
    add_curve(
        figure,
        CELL[column.cell],
        column.title or column.label,
        steps,
        column.scale * values,
        mode="lines+markers",
        line=line_style(index),
        marker_size=5,
        marker_color=colour(index),
        marker_symbol=MARKERS[index % len(MARKERS)],
        showlegend=column.cell == "validation",
    )


def _add_upper_line(figure: go.Figure, history: History, last_step: int) -> None:
    """Draw the score of a strong encoder next to the first validation score of the run."""
    measured = [column for column in in_cell("validation") if history.last(column.name) is not None]
    if not measured:
        return
    strong_score = measured[0].upper
    if strong_score is None:
        return
    label = f"{UPPER}, {measured[0].title}: {strong_score:.1f}"
    add_levels(
        figure,
        CELL["validation"],
        "upper line",
        {label: strong_score},
        last_step,
        text_position="bottom left",
    )


def _add_event_marks(figure: go.Figure, history: History) -> None:
    """Mark events on the curve of the loss; hovering shows their text."""
    events = history.events[-LIMIT:]
    steps, losses = history.xy("loss")
    if not events or not len(steps):
        return
    event_steps = [step for step, _ in events]
    figure.add_scatter(
        x=event_steps,
        # The loss at the step of the event, or between the nearest steps that have one.
        y=np.interp(event_steps, steps, losses),
        text=[f"step {step}: {wrapped(text)}" for step, text in events],
        name="event",
        mode="markers",
        marker_symbol="triangle-down",
        marker_size=9,
        marker_color=MARK,
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
        **CELL["loss"],
    )


def _event_lines(history: History) -> list[dict[str, Any]]:
    """Return a dashed vertical line through each cell at the step of each event."""
    steps = sorted({step for step, _ in history.events})[-LINES_SHOWN:]
    # Plotly's axes are called x, x2, x3, x4.
    return [
        {
            "type": "line",
            "x0": step,
            "x1": step,
            "xref": f"x{axis}",
            "y0": 0,
            "y1": 1,
            "yref": f"y{axis} domain",
            "line": {"color": MARK, "width": 1, "dash": "dash"},
            "opacity": 0.7,
            "layer": "below",
        }
        for step in steps
        for axis in ("", "2", "3", "4")
    ]


def _event_labels(history: History, last_step: int) -> list[dict[str, Any]]:
    """Return the labels of the latest events, in the cell of the loss at three heights in turn."""
    labels = []
    for index, (step, text) in enumerate(history.events[-LABELS_SHOWN:]):
        # The place of the first letter as a share of the axis. A label that starts far to the right
        # is moved to the left, to stay inside the cell.
        start = max(0, min(step / last_step, 1 - LETTER_WIDTH * len(text)))
        labels.append(
            {
                "text": shortened(text, 100),
                "x": start * last_step,
                "xref": "x",
                "xanchor": "left",
                "xshift": 3,
                "y": 0.8 - 0.15 * (index % 3),
                "yref": "y domain",
                "yanchor": "top",
                "showarrow": False,
                "font": {"size": 11, "color": MARK},
                "bgcolor": HAZE,
                "borderpad": 1,
            }
        )
    return labels


def _is_wide(values: list[float]) -> bool:
    """Whether values are positive and span a factor above 30, so that a log axis shows more."""
    return bool(values) and min(values) > 0 and max(values) > 30 * min(values)
