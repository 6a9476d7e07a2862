"""Vectors pressed onto a circle: where they crowd, and what the pressing itself decides (MoCoUTRL's Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...edges import checked, finite_numbers
from ...projections import Vectors, checked_unit_rows, principal_axes
from ..figure import subplots
from ..style import FAINT, colour, shortened, styled

Floats = npt.NDArray[np.float64]
KAPPA, BANDWIDTH, GRID = 25.0, 0.15, 41


@checked()
def on_circle(vectors: Vectors, *, centre: bool) -> Floats:
    """Unit vectors, projected onto their two main directions and put on the unit circle, ``(N, D)`` to ``(N, 2)``.

    With ``centre`` their mean is taken away first, as principal components do; a cone, in which all vectors share a
    direction, is then gone before anything is drawn. Without, the first direction is the cone's (M15).

    Raises:
        ValueError: fewer than three vectors, or no matrix.
    """
    rows = vectors
    if rows.ndim != 2 or len(rows) < 3:
        raise ValueError(f"on_circle takes at least three vectors, one a row; got shape {rows.shape}")
    rows = checked_unit_rows(rows)
    if centre:
        rows = rows - rows.mean(axis=0)
    axes, _ = principal_axes(rows, 2)
    return checked_unit_rows(rows @ axes.T)


@checked(points=finite_numbers, angles=finite_numbers)
def angle_density(points: Any, angles: Any, kappa: float = KAPPA) -> Floats:
    """Density over the angle: a von Mises bump of concentration κ at each point's angle, averaged.

    ``p(θ) = mean_i e^{κ cos(θ - θ_i)} / (2π I₀(κ))`` with ``θ_i = atan2(y, x)``, which tells opposite points apart as
    the paper's ``arctan(y / x)`` does not. Integrates to 1.

    Shapes: points ``(N, 2)``, angles ``(A,)`` to ``(A,)``.

    >>> turn = np.linspace(-np.pi, np.pi, 721)[:-1]
    >>> round(float(angle_density([[1.0, 0.0], [0.0, -2.0]], turn).mean() * 2 * np.pi), 6)
    1.0
    """
    if points.ndim != 2 or points.shape[1] != 2 or angles.ndim != 1:
        raise ValueError(f"points have shape {points.shape}, angles {angles.shape}; give points (N, 2) and angles (A,)")
    own = np.arctan2(points[:, 1], points[:, 0])
    scale = 2 * np.pi * np.i0(kappa) * np.exp(-kappa)
    bumps: Floats = np.exp(kappa * (np.cos(angles[:, None] - own) - 1)) / scale  # (A, N)
    density: Floats = bumps.mean(axis=1)
    return density


@checked()
def angles(clouds: Mapping[str, Vectors], *, width: int = 780, height: int = 440) -> go.Figure:
    """Draw a column for each cloud of points ``(N, 2)``: above, a Gaussian density; below, the density over the angle.

    All columns share their scales. A flat line below means that no direction is preferred.

    Raises:
        ValueError: no cloud, or one that is not ``(N, 2)``.
    """
    if not clouds:
        raise ValueError("no clouds to draw: give at least one as {'name': points}")
    for name, cloud in clouds.items():
        if cloud.ndim != 2 or cloud.shape[1] != 2:
            raise ValueError(f"{name!r} has shape {cloud.shape}; put it on the circle first: (N, 2)")
    names = [shortened(name) for name in clouds]
    figure = subplots(
        rows=2,
        cols=len(clouds),
        subplot_titles=names,
        row_heights=[0.62, 0.38],
        shared_yaxes=True,
        vertical_spacing=0.16,
        horizontal_spacing=0.04,
    )
    turn, axis = np.linspace(-np.pi, np.pi, 181), np.linspace(-1.4, 1.4, GRID)
    heights = [_heights(np.asarray(cloud, dtype=float), axis) for cloud in clouds.values()]
    top = max(float(z.max()) for z in heights)
    for column, (cloud, z) in enumerate(zip(clouds.values(), heights, strict=True), start=1):
        shades = {"zmin": 0, "zmax": top, "colorscale": "Blues", "showscale": False, "ncontours": 12}
        contour = go.Contour(x=axis, y=axis, z=z, hoverinfo="skip", line={"width": 0}, **shades)
        figure.add_trace(contour, row=1, col=column)
        ring = {"x": np.cos(turn), "y": np.sin(turn), "mode": "lines", "hoverinfo": "skip"}
        figure.add_trace(go.Scatter(line={"color": FAINT, "width": 1}, **ring), row=1, col=column)
        line, hover = {"color": colour(0), "width": 2}, "%{x:.0f}°: %{y:.2f}<extra></extra>"
        curve = {"x": np.degrees(turn), "y": angle_density(cloud, turn), "mode": "lines", "fill": "tozeroy"}
        figure.add_trace(go.Scatter(line=line, hovertemplate=hover, **curve), row=2, col=column)
    styled(figure, width=width, height=height, showlegend=False, margin={"t": 45})
    figure.update_xaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_yaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_xaxes(range=[-180, 180], tickvals=[-180, -90, 0, 90, 180], title_text="angle, degrees", row=2)
    figure.update_yaxes(title_text="density", row=2, col=1, rangemode="tozero")
    return figure


def _heights(points: Floats, axis: Floats) -> Floats:
    """A Gaussian bump at each point, averaged, over the grid, ``(GRID, GRID)`` with y downwards."""
    columns = np.exp(-((axis[:, None] - points[:, 0]) ** 2) / 2 / BANDWIDTH**2)  # (GRID, N)
    rows = np.exp(-((axis[:, None] - points[:, 1]) ** 2) / 2 / BANDWIDTH**2)
    found: Floats = rows @ columns.T / len(points) / (2 * np.pi * BANDWIDTH**2)
    return found
