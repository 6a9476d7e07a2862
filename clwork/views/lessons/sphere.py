"""The circle and the sphere, for looking at alignment and uniformity by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ...edges import at_least, checked, each
from ...projections import Vectors, checked_unit_rows
from ...wording import plural
from ..figure import Figure
from ..style import FAINT, LIMIT, RULE, colour, styled, wrapped

Pairs = Iterable[tuple[int, int]]


def _points(points: Vectors, width: int, names: Sequence[str] | None) -> tuple[Any, list[str]]:
    matrix = points
    if matrix.ndim != 2 or matrix.shape[1] != width:
        raise ValueError(f"points must have shape (N, {width}), got {matrix.shape}")
    if len(matrix) > LIMIT:
        raise ValueError(f"{len(matrix)} points: take at most {LIMIT}, more only slow the browser down")
    if names is not None and len(names) != len(matrix):
        raise ValueError(
            f"{plural(len(names), 'name')} for {plural(len(matrix), 'point')}: give one per point, or none"
        )
    return checked_unit_rows(matrix, "points"), [wrapped(name) for name in names] if names is not None else [
        str(i) for i in range(len(matrix))
    ]


def _strokes(points: Any, pairs: Pairs) -> list[list[float | None]]:
    """One polyline per coordinate, broken between pairs."""
    columns: list[list[float | None]] = [[] for _ in range(points.shape[1])]
    for pair in pairs:
        if len(pair) != 2 or max(pair) >= len(points):
            raise ValueError(f"pairs hold {tuple(pair)} for {len(points)} points: give two rows of them for each")
        a, b = pair
        for axis, column in enumerate(columns):
            column += [float(points[a, axis]), float(points[b, axis]), None]
    return columns


@checked(pairs=each(each(at_least(0))))
def circle(
    points: Vectors,
    names: Sequence[str] | None = None,
    pairs: Pairs = (),
    *,
    title: str = "the unit circle",
    size: int = 400,
) -> go.Figure:
    """Draw points (N, 2), put on the unit circle, and a line between the two of each pair (positives).

    Raises:
        ValueError: another shape, more than 500 points, or names that do not fit.
    """
    unit_points, texts = _points(points, 2, names)
    turn = np.linspace(0, 2 * np.pi, 181)
    x, y = _strokes(unit_points, pairs)
    figure = Figure()
    figure.add_trace(
        go.Scatter(x=np.cos(turn), y=np.sin(turn), mode="lines", line={"color": FAINT, "width": 1}, hoverinfo="skip")
    )
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line={"color": colour(3), "width": 2}, hoverinfo="skip"))
    marker = {"size": 9, "color": colour(0), "opacity": 0.8, "line": {"color": "white", "width": 1}}
    few = names is not None and len(texts) <= 12
    figure.add_trace(
        go.Scatter(
            x=unit_points[:, 0],
            y=unit_points[:, 1],
            mode="markers+text" if few else "markers",
            marker=marker,
            text=texts,
            textposition="top center",
            hovertemplate="%{text}<br>(%{x:.2f}, %{y:.2f})<extra></extra>",
        )
    )
    styled(figure, width=size, height=size, title=title, showlegend=False, margin={"l": 20, "r": 20, "b": 20})
    figure.update_xaxes(range=[-1.25, 1.25], tickvals=[-1, 0, 1])
    figure.update_yaxes(range=[-1.25, 1.25], tickvals=[-1, 0, 1], scaleanchor="x")
    return figure


def _wires() -> list[list[float | None]]:
    """Meridians and parallels of the unit sphere, every 30 degrees, as one broken line."""
    turn = np.linspace(0, 2 * np.pi, 49)
    rings = [
        np.stack([np.cos(a) * np.sin(turn), np.sin(a) * np.sin(turn), np.cos(turn)]) for a in np.pi * np.arange(6) / 6
    ]
    for height in np.sin(np.pi * np.arange(-2, 3) / 6):
        radius = np.sqrt(1 - height**2)
        rings.append(np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, height)]))
    return [[value for ring in rings for value in [*ring[axis].tolist(), None]] for axis in range(3)]


@checked(pairs=each(each(at_least(0))))
def sphere(
    points: Vectors,
    names: Sequence[str] | None = None,
    pairs: Pairs = (),
    *,
    title: str = "the unit sphere",
    size: int = 460,
) -> go.Figure:
    """Draw points (N, 3), put on the unit sphere, and a chord between the two of each pair (positives).

    Raises:
        ValueError: another shape, more than 500 points, or names that do not fit.
    """
    unit_points, texts = _points(points, 3, names)
    wires, chords = _wires(), _strokes(unit_points, pairs)
    figure = Figure()
    for (x, y, z), line in ((wires, {"color": RULE, "width": 2}), (chords, {"color": colour(3), "width": 5})):
        figure.add_trace(go.Scatter3d(x=x, y=y, z=z, mode="lines", line=line, hoverinfo="skip"))
    figure.add_trace(
        go.Scatter3d(
            x=unit_points[:, 0],
            y=unit_points[:, 1],
            z=unit_points[:, 2],
            mode="markers",
            text=texts,
            marker={"size": 4, "color": colour(0)},
            hovertemplate="%{text}<extra></extra>",
        )
    )
    styled(figure, width=size, height=size, title=title, showlegend=False, margin={"l": 10, "r": 10, "b": 0})
    bare = {"visible": False, "range": [-1.1, 1.1]}
    near = {"eye": {"x": 0.95, "y": 0.95, "z": 0.75}}  # from plotly's default distance the sphere fills half the frame
    figure.update_scenes(xaxis=bare, yaxis=bare, zaxis=bare, aspectmode="cube", camera=near)
    return figure
