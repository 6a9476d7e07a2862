"""Sentences as points: principal components on a basis that stays put, and the scatter that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..arithmetic import unit_rows
from ..edges import checked, finite_numbers, numbers
from ..wording import plural
from .figure import Figure
from .style import LIMIT, colour, styled, symbol, wrapped

Vectors = npt.NDArray[np.floating[Any]]


def unit(vectors: Vectors, name: str = "vectors") -> npt.NDArray[np.float64]:
    """Validate a matrix of numbers and return its :func:`.unit_rows`.

    Raises:
        TypeError: no numbers.
        ValueError: not a matrix of finite numbers.
    """
    matrix = numbers(name, vectors)
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be a matrix (sentences, width), got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} hold NaN or infinity: the run that made them has diverged; look at its loss")
    return unit_rows(matrix)


@dataclass(frozen=True)
class PcaBasis:
    """Two principal axes, found once and then kept: a point moves on the screen because its sentence moved.

    Vectors are put on the unit sphere first, so the view shows directions, which is all that cosine sees.
    ``centre`` is (D,), ``axes`` is (2, D), ``share`` the part of the variance each axis held when the basis was made.

    >>> basis = PcaBasis.fit(np.eye(4)); basis.transform(np.eye(4)).shape
    (4, 2)
    """

    centre: npt.NDArray[np.float64]
    axes: npt.NDArray[np.float64]
    share: tuple[float, float]

    @classmethod
    def fit(cls, vectors: Vectors) -> PcaBasis:
        """Find the basis; the sign of an axis, which PCA leaves open, makes its largest weight positive.

        Raises:
            ValueError: fewer than 3 vectors, fewer than 2 dimensions, or not finite.
        """
        points = unit(vectors)
        if points.shape[0] < 3 or points.shape[1] < 2:
            raise ValueError(f"two axes need at least 3 vectors of 2 numbers, got shape {points.shape}")
        centre = points.mean(axis=0)
        _, strengths, rows = np.linalg.svd(points - centre, full_matrices=False)
        axes = rows[:2]
        heavy = axes[np.arange(2), np.abs(axes).argmax(axis=1)]
        axes = axes * np.where(heavy < 0, -1.0, 1.0)[:, None]
        power = strengths**2 / max(float((strengths**2).sum()), 1e-12)
        return cls(centre, axes, (float(power[0]), float(power[1])))

    def transform(self, vectors: Vectors) -> npt.NDArray[np.float64]:
        """Coordinates (N, 2) of unit vectors on the kept axes, relative to the kept centre.

        Raises:
            ValueError: the width differs from that of the basis.
        """
        points = unit(vectors)
        if points.shape[1] != len(self.centre):
            raise ValueError(f"the basis has width {len(self.centre)}, these vectors have {points.shape[1]}")
        coordinates: npt.NDArray[np.float64] = (points - self.centre) @ self.axes.T
        return coordinates


def groups(labels: Sequence[str | None] | None, count: int) -> list[tuple[str, npt.NDArray[np.intp]]]:
    """Rows of each label, labels in alphabetical order (so a topic keeps its colour); at most 500 rows each."""
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
    """Scatter of sentences (N, 2), coloured and shaped by label, their text on hover; ``span`` fixes a square view."""
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


def reach(coordinates: Vectors, least: float = 0.1) -> float:
    """Half the side of a square view that holds all points, at least ``least``."""
    largest = float(np.abs(coordinates).max()) if len(coordinates) else 0.0
    return max(least, 1.1 * largest)
