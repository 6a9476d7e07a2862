"""Sentences as points of a scatter, coloured by label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from .._validation import checked, finite_numbers
from ..projections import Vectors
from ..wording import plural
from .style import LIMIT, Figure, colour, styled, symbol, wrapped


def groups(labels: Sequence[str | None] | None, count: int) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Rows of each label, at most 500 each; labels in alphabetical order, so that a topic keeps its colour."""
    if labels is None:
        return [("sentences", np.arange(count)[:LIMIT])]
    if len(labels) != count:
        raise ValueError(
            f"{plural(len(labels), 'label')} for {plural(count, 'point')}: give one label per point, or none"
        )
    column = np.array([str(label) for label in labels])
    return [(name, np.flatnonzero(column == name)[:LIMIT]) for name in sorted(set(column.tolist()))]


@checked()
def projection(
    coordinates: Vectors,
    labels: Sequence[str | None] | None = None,
    texts: Sequence[str] | None = None,
    *,
    title: str = "sentences",
    span: float | None = None,
    width: int = 560,
    height: int = 380,
) -> go.Figure:
    """Draw sentences (N, 2), coloured and shaped by label, with their text on hover; ``span`` fixes a square view.

    At most 500 sentences of each label are drawn.
    """
    points = finite_numbers("coordinates", coordinates)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"coordinates have the shape {points.shape}; give two of each sentence, (N, 2)")
    figure = Figure()
    for index, (name, rows) in enumerate(groups(labels, len(points))):
        marker = {"color": colour(index), "symbol": symbol(index), "size": 6, "opacity": 0.8}
        hover = [wrapped(texts[row]) for row in rows] if texts is not None else [str(row) for row in rows]
        extra = "%{text}<extra>" + wrapped(name, 30) + "</extra>"
        x, y = points[rows, 0], points[rows, 1]
        figure.add_trace(
            go.Scatter(x=x, y=y, text=hover, name=wrapped(name, 30), mode="markers", marker=marker, hovertemplate=extra)
        )
    styled(figure, width=width, height=height, title=title, hovermode="closest", showlegend=labels is not None)
    figure.update_layout(margin={"l": 35, "r": 10, "b": 30}, legend={"itemsizing": "constant", "tracegroupgap": 0})
    bounds = [-span, span] if span else None
    figure.update_xaxes(showticklabels=False, ticks="", range=bounds)
    figure.update_yaxes(showticklabels=False, ticks="", range=bounds, scaleanchor="x" if span else None)
    return figure


def view_extent(coordinates: Vectors, least: float = 0.1) -> float:
    """Half the side of a square view that contains all points, at least ``least``."""
    largest = float(np.abs(coordinates).max()) if len(coordinates) else 0.0
    return max(least, 1.1 * largest)
