"""Figures that compare methods: sentence vectors on common axes, and score differences with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from .._validation import checked
from ..metrics.seeds import Difference
from ..projections import Vectors, checked_unit_rows
from .style import (
    FAINT,
    INK,
    LIMIT,
    MARK,
    Figure,
    colour,
    shortened,
    styled,
    subplots,
    symbol,
    wrapped,
)

Floats = npt.NDArray[np.float64]
SIZE = 270  # pixels of a plot


@dataclass(frozen=True)
class CommonAxes:
    """Coordinates ``(N, 2)`` of each cloud on common axes, and the share of the cloud's variance on these axes."""

    coordinates: dict[str, Floats]
    share: dict[str, float]


@checked()
def common_axes(clouds: Mapping[str, Vectors]) -> CommonAxes:
    """Rotate clouds ``(N, D)`` of the same sentences so that each sentence has similar coordinates in all clouds.

    D may differ between clouds. The axes are the two directions of largest variance of all clouds together, each scaled
    to the same total variance (multiple factor analysis, Escofier & Pagès 1994). ValueError: no cloud, different N,
    fewer than 3 sentences or 2 dimensions, values that are not finite, or equal vectors for all sentences.
    """
    points = {name: checked_unit_rows(vectors) for name, vectors in clouds.items()}
    shapes = {name: matrix.shape for name, matrix in points.items()}
    if not points or len({shape[0] for shape in shapes.values()}) != 1:
        raise ValueError(
            f"clouds have the shapes {shapes}; give vectors of the same sentences for each encoder"
        )
    if min(min(shape[0] - 1, shape[1]) for shape in shapes.values()) < 2:
        raise ValueError(f"clouds have the shapes {shapes}; give at least 3 vectors of 2 numbers")
    centred = {name: matrix - matrix.mean(axis=0) for name, matrix in points.items()}
    for name, matrix in centred.items():
        if not np.linalg.norm(matrix) > 1e-9:
            raise ValueError(
                f"all vectors of {name!r} are equal, so there are no axes; leave this encoder out"
            )
    joined = np.concatenate(
        [matrix / np.linalg.norm(matrix) for matrix in centred.values()], axis=1
    )
    left, strengths, _ = np.linalg.svd(joined, full_matrices=False)
    contrasts = left[:, :2] * strengths[:2]  # (N, 2)
    heavy = contrasts[np.abs(contrasts).argmax(axis=0), [0, 1]]
    contrasts = contrasts * np.where(heavy < 0, -1.0, 1.0)
    coordinates = {}
    for name, matrix in centred.items():
        a, _, b = np.linalg.svd(
            matrix.T @ contrasts, full_matrices=False
        )  # a @ b rotates without scaling
        coordinates[name] = matrix @ (a @ b)  # (N, D) @ (D, 2)
    share = {
        name: float((points**2).sum() / (centred[name] ** 2).sum())
        for name, points in coordinates.items()
    }
    return CommonAxes(coordinates, share)


@checked()
def side_by_side(
    axes: CommonAxes, labels: Sequence[str] | None = None, texts: Sequence[str] | None = None
) -> go.Figure:
    """Draw a scatter plot for each cloud, all with the same scale; point k is the same sentence in each plot."""
    names = list(axes.coordinates)
    count = len(axes.coordinates[names[0]])
    for what, column in (("labels", labels), ("texts", texts)):
        if column is not None and len(column) != count:
            raise ValueError(
                f"{len(column)} {what} for {count} points; give one for each point, or None"
            )
    across = min(3, len(names))
    down = -(-len(names) // across)
    titles = [f"{shortened(name)} ({100 * axes.share[name]:.0f} % of variance)" for name in names]
    figure = subplots(
        rows=down,
        cols=across,
        subplot_titles=titles,
        horizontal_spacing=0.02,
        vertical_spacing=0.09,
    )
    kinds = sorted(set(map(str, labels))) if labels is not None else ["sentences"]
    of = [kinds.index(str(label)) for label in labels] if labels is not None else [0] * count
    marker = {
        "color": [colour(k) for k in of],
        "symbol": [symbol(k) for k in of],
        "size": 6,
        "opacity": 0.8,
    }
    hover = (
        {"text": [wrapped(text) for text in texts], "hovertemplate": "%{text}<extra></extra>"}
        if texts
        else {}
    )
    for place, name in enumerate(names):
        x, y = axes.coordinates[name][:LIMIT].T.tolist()
        trace = go.Scatter(
            x=x, y=y, mode="markers", marker=marker, name=shortened(name), showlegend=False, **hover
        )
        figure.add_trace(trace, row=place // across + 1, col=place % across + 1)
    for index, kind in enumerate(kinds if labels is not None else ()):
        key = {"color": colour(index), "symbol": symbol(index), "size": 7}
        figure.add_trace(
            go.Scatter(x=[None], y=[None], mode="markers", marker=key, name=wrapped(kind, 30))
        )
    span = max(0.1, *(1.1 * float(np.abs(points).max()) for points in axes.coordinates.values()))
    height = down * (SIZE + 30) + 60 + 22 * -(-len(kinds) // 5)
    styled(figure, width=across * SIZE + 30, height=height, hovermode="closest", dragmode="select")
    figure.update_annotations(font_size=12)
    figure.update_layout(margin={"l": 10, "r": 10, "t": 30, "b": height - 30 - down * (SIZE + 30)})
    figure.update_layout(
        legend={"orientation": "h", "y": -0.04, "yanchor": "top", "itemsizing": "constant"}
    )
    bounds = {"range": [-span, span], "showticklabels": False, "ticks": "", "title": None}
    return figure.update_xaxes(**bounds).update_yaxes(**bounds)


@checked()
def intervals(differences: Sequence[Difference], *, title: str = "") -> go.Figure:
    """Draw the difference of each pair of methods with its interval; the mark is filled if the interval excludes 0."""
    if not differences:
        raise ValueError("differences is empty; compare at least two methods")
    figure = Figure()
    for apart, name, mark in (
        (True, "significant", "circle"),
        (False, "not significant", "circle-open"),
    ):
        chosen = [pair for pair in differences if (pair.low > 0 or pair.high < 0) == apart]
        ink = MARK if apart else FAINT
        errors = [pair.high - pair.mean for pair in chosen]
        error = {"type": "data", "array": errors, "color": ink, "thickness": 2.5 if apart else 1.2}
        points = {
            "x": [pair.mean for pair in chosen],
            "y": [_label(pair) for pair in chosen],
            "error_x": error,
        }
        style = {
            "marker": {"symbol": mark, "size": 9, "color": ink},
            "hovertemplate": "%{y}: %{x:+.2f}<extra></extra>",
        }
        figure.add_trace(go.Scatter(mode="markers", name=name, **points, **style))
    high = 26 * len(differences)
    styled(figure, width=680, height=high + 110, title=title)
    legend = {"orientation": "h", "y": -35 / high, "yanchor": "top"}
    figure.update_layout(margin={"l": 190, "t": 40, "b": 70}, legend=legend)
    order = [_label(pair) for pair in reversed(differences)]
    figure.update_yaxes(
        type="category", categoryorder="array", categoryarray=order, range=[-0.6, len(order) - 0.4]
    )
    return figure.update_xaxes(zeroline=True, zerolinecolor=INK, zerolinewidth=1.5)


def _label(pair: Difference) -> str:
    return f"{shortened(pair.first)} − {shortened(pair.second)}"
