"""Figures of points on the circle and the sphere, and of densities over the angle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked
from ...projections import Vectors, checked_unit_rows, principal_axes
from ..style import FAINT, LIMIT, RULE, Figure, colour, shortened, styled, subplots

Floats = npt.NDArray[np.float64]
KAPPA, BANDWIDTH, GRID = 25.0, 0.15, 41


@checked()
def sphere(points: Vectors) -> go.Figure:
    """Draw at most 500 points (N, 3), scaled to length 1, on the unit sphere."""
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"points have shape {points.shape}; give (N, 3)")
    if len(points) > LIMIT:
        raise ValueError(f"{len(points)} points would slow down the browser; give at most {LIMIT}")
    unit_points = checked_unit_rows(points, "points")
    figure = Figure()
    wires, places = (dict(zip("xyz", axes, strict=True)) for axes in (_wires(), unit_points.T))
    grid = {"mode": "lines", "line": {"color": RULE, "width": 2}, "hoverinfo": "skip"}
    figure.add_trace(go.Scatter3d(**grid, **wires))
    dots = {
        "mode": "markers",
        "marker": {"size": 4, "color": colour(0)},
        "hovertemplate": "%{text}<extra></extra>",
    }
    figure.add_trace(go.Scatter3d(text=list(map(str, range(len(points)))), **dots, **places))
    styled(
        figure,
        width=460,
        height=460,
        title="the unit sphere",
        showlegend=False,
        margin={"l": 10, "r": 10, "b": 0},
    )
    bare = {"visible": False, "range": [-1.1, 1.1]}
    near = {
        "eye": {"x": 0.95, "y": 0.95, "z": 0.75}
    }  # nearer than the default, so that the sphere fills the frame
    figure.update_scenes(xaxis=bare, yaxis=bare, zaxis=bare, aspectmode="cube", camera=near)
    return figure


def _wires() -> list[list[float | None]]:
    """Return meridians and parallels of the unit sphere, every 30 degrees, as one polyline with gaps."""
    turn = np.linspace(0, 2 * np.pi, 49)
    meridians = np.pi * np.arange(6) / 6
    rings = [
        np.stack([np.cos(a) * np.sin(turn), np.sin(a) * np.sin(turn), np.cos(turn)])
        for a in meridians
    ]
    for height in np.sin(np.pi * np.arange(-2, 3) / 6):
        radius = np.sqrt(1 - height**2)
        rings.append(
            np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, height)])
        )
    return [
        [value for ring in rings for value in [*ring[axis].tolist(), None]] for axis in range(3)
    ]


@checked()
def on_circle(vectors: Vectors, *, centre: bool) -> Floats:
    """Project unit vectors ``(N, D)`` onto their two main directions and scale to the unit circle ``(N, 2)``.

    ``centre`` subtracts the mean first, which removes a cone; if False, the first direction is that of the cone (M15).
    """
    if vectors.ndim != 2 or len(vectors) < 3:
        raise ValueError(
            f"vectors have shape {vectors.shape}; give a matrix with at least three rows"
        )
    rows = checked_unit_rows(vectors)
    if centre:
        rows = rows - rows.mean(axis=0)
    axes, _ = principal_axes(rows, 2)
    return checked_unit_rows(rows @ axes.T)


def angle_density(points: Vectors, angles: Floats, kappa: float = KAPPA) -> Floats:
    """``p(θ) = mean_i e^{κ cos(θ - θ_i)} / (2π I₀(κ))``, ``θ_i = atan2(y, x)``: ``(N, 2)`` and ``(A,)`` to ``(A,)``."""
    own = np.arctan2(points[:, 1], points[:, 0])
    scale = 2 * np.pi * np.i0(kappa) * np.exp(-kappa)
    bumps: Floats = np.exp(kappa * (np.cos(angles[:, None] - own) - 1)) / scale  # (A, N)
    density: Floats = bumps.mean(axis=1)
    return density


@checked()
def angles(clouds: Mapping[str, Vectors], *, width: int = 780) -> go.Figure:
    """Draw a column for each cloud ``(N, 2)``: at the top a Gaussian density, below it the density over the angle."""
    shapes = {name: cloud.shape for name, cloud in clouds.items()}
    if not clouds or any(len(shape) != 2 or shape[1] != 2 for shape in shapes.values()):
        raise ValueError(
            f"clouds have the shapes {shapes}; give at least one cloud (N, 2), projected onto the circle"
        )
    gaps = {"row_heights": [0.62, 0.38], "vertical_spacing": 0.16, "horizontal_spacing": 0.04}
    titles = [shortened(name) for name in clouds]
    figure = subplots(rows=2, cols=len(clouds), subplot_titles=titles, shared_yaxes=True, **gaps)
    turn, axis = np.linspace(-np.pi, np.pi, 181), np.linspace(-1.4, 1.4, GRID)
    heights = [_heights(np.asarray(cloud, dtype=float), axis) for cloud in clouds.values()]
    top = max(float(z.max()) for z in heights)
    for column, (cloud, z) in enumerate(zip(clouds.values(), heights, strict=True), start=1):
        shades = {
            "zmin": 0,
            "zmax": top,
            "colorscale": "Blues",
            "showscale": False,
            "ncontours": 12,
        }
        contour = go.Contour(x=axis, y=axis, z=z, hoverinfo="skip", line={"width": 0}, **shades)
        figure.add_trace(contour, row=1, col=column)
        ring = {"x": np.cos(turn), "y": np.sin(turn), "mode": "lines", "hoverinfo": "skip"}
        figure.add_trace(go.Scatter(line={"color": FAINT, "width": 1}, **ring), row=1, col=column)
        line, hover = {"color": colour(0), "width": 2}, "%{x:.0f}°: %{y:.2f}<extra></extra>"
        curve = {
            "x": np.degrees(turn),
            "y": angle_density(cloud, turn),
            "mode": "lines",
            "fill": "tozeroy",
        }
        figure.add_trace(go.Scatter(line=line, hovertemplate=hover, **curve), row=2, col=column)
    styled(figure, width=width, height=440, showlegend=False, margin={"t": 45})
    figure.update_xaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_yaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_xaxes(
        range=[-180, 180], tickvals=[-180, -90, 0, 90, 180], title_text="angle, degrees", row=2
    )
    figure.update_yaxes(title_text="density", row=2, col=1, rangemode="tozero")
    return figure


def _heights(points: Floats, axis: Floats) -> Floats:
    """Return the mean of Gaussians at the points on the grid ``(GRID, GRID)``; the first axis is y."""
    columns = np.exp(-((axis[:, None] - points[:, 0]) ** 2) / 2 / BANDWIDTH**2)  # (GRID, N)
    rows = np.exp(-((axis[:, None] - points[:, 1]) ** 2) / 2 / BANDWIDTH**2)
    heights: Floats = rows @ columns.T / len(points) / (2 * np.pi * BANDWIDTH**2)
    return heights
