"""Figures of points on the circle and the sphere, and of their density over the angle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats
from ..projections import Vectors, checked_unit_rows, principal_axes
from .style import FAINT, RULE, Figure, colour, shortened, styled

# The width of a point's density: its concentration over the angle (larger is narrower), and its
# standard deviation on the plane.
KAPPA = 25.0
BANDWIDTH = 0.15


def sphere(points: Vectors) -> go.Figure:
    """Draw points (N, 3), scaled to length 1, on the unit sphere.

    More than 500 points slow down the browser.

    Raises:
        ValueError: another width than 3, or numbers that are not finite.

    >>> import numpy as np
    >>> len(sphere(np.eye(3)).data[1].x)
    3
    """
    unit_points = checked_unit_rows(points, "points")
    count, width = unit_points.shape
    if width != 3:
        raise ValueError(f"points have shape {unit_points.shape}; give (N, 3)")
    grid_x, grid_y, grid_z = _grid_of_sphere()
    x, y, z = unit_points.T

    figure = Figure()
    figure.add_scatter3d(
        x=grid_x,
        y=grid_y,
        z=grid_z,
        mode="lines",
        line_color=RULE,
        line_width=2,
        hoverinfo="skip",
    )
    figure.add_scatter3d(
        x=x,
        y=y,
        z=z,
        text=[str(index) for index in range(count)],
        mode="markers",
        marker_size=4,
        marker_color=colour(0),
        hovertemplate="%{text}<extra></extra>",
    )

    styled(
        figure,
        width=460,
        height=460,
        title="the unit sphere",
        showlegend=False,
        margin={"l": 10, "r": 10, "b": 0},
    )
    axis = {"visible": False, "range": [-1.1, 1.1]}
    # Nearer than plotly's default, so that the sphere fills the frame.
    camera = {"eye": {"x": 0.95, "y": 0.95, "z": 0.75}}
    return figure.update_scenes(
        xaxis=axis, yaxis=axis, zaxis=axis, aspectmode="cube", camera=camera
    )


def _grid_of_sphere() -> Floats:
    """Return x, y and z of meridians and parallels every 30 degrees, (3, N).

    All rings are one line, in which NaN separates them.
    """
    full_turn = np.linspace(0, 2 * np.pi, 49)
    gap = np.full((3, 1), np.nan)
    rings = []
    # Each ring of meridians passes both poles, so longitudes from 0 to 180 are enough.
    for longitude in np.radians(np.arange(0, 180, 30)):
        across = np.sin(full_turn)
        meridian = [np.cos(longitude) * across, np.sin(longitude) * across, np.cos(full_turn)]
        rings += [np.stack(meridian), gap]
    for latitude in np.radians(np.arange(-60, 90, 30)):
        radius = np.cos(latitude)
        height = np.full_like(full_turn, np.sin(latitude))
        parallel = [radius * np.cos(full_turn), radius * np.sin(full_turn), height]
        rings += [np.stack(parallel), gap]
    return np.concatenate(rings, axis=1)


def on_circle(vectors: Vectors, *, centre: bool) -> Floats:
    """Project unit vectors (N, D) onto their two main directions and scale to the circle (N, 2).

    With ``centre``, the mean is subtracted first, which removes a cone; without, the first
    direction is that of the cone (discrepancy M15).

    Raises:
        ValueError: numbers that are not finite.

    >>> import numpy as np
    >>> on_circle(np.eye(4), centre=True).shape
    (4, 2)
    """
    rows = checked_unit_rows(vectors)
    if centre:
        rows = rows - rows.mean(axis=0)
    axes, _ = principal_axes(rows, 2)
    return checked_unit_rows(rows @ axes.T)


def angles(clouds: Mapping[str, Vectors]) -> go.Figure:
    """Draw for each cloud (N, 2) its density on the plane, and below it the density by angle.

    Both are means of a bump at each point: ``exp(-|x - xᵢ|² / 2h²) / 2πh²`` with h = 0.15, and
    ``exp(κ cos(θ - θᵢ)) / 2π I₀(κ)`` with κ = 25 (after Figure 3 of Wang & Isola,
    https://arxiv.org/abs/2005.10242).

    ``clouds`` are results of :func:`on_circle` by name.

    >>> import numpy as np
    >>> figure = angles({"raw": np.eye(2)})
    >>> figure.layout.yaxis2.title.text
    'density'
    """
    all_angles = np.linspace(-np.pi, np.pi, 181)
    axis = np.linspace(-1.4, 1.4, 41)
    densities = [plane_density(points, axis) for points in clouds.values()]
    highest = max(density.max() for density in densities)

    figure = Figure().set_subplots(
        rows=2,
        cols=len(clouds),
        subplot_titles=[shortened(name) for name in clouds],
        shared_yaxes=True,
        row_heights=[0.62, 0.38],
        vertical_spacing=0.16,
        horizontal_spacing=0.04,
    )
    for column, points in enumerate(clouds.values(), start=1):
        figure.add_contour(
            x=axis,
            y=axis,
            z=densities[column - 1],
            zmin=0,
            zmax=highest,
            ncontours=12,
            colorscale="Blues",
            showscale=False,
            line_width=0,
            hoverinfo="skip",
            row=1,
            col=column,
        )
        figure.add_scatter(
            x=np.cos(all_angles),
            y=np.sin(all_angles),
            mode="lines",
            line_color=FAINT,
            line_width=1,
            hoverinfo="skip",
            row=1,
            col=column,
        )
        figure.add_scatter(
            x=np.degrees(all_angles),
            y=angle_density(points, all_angles),
            mode="lines",
            line_color=colour(0),
            line_width=2,
            fill="tozeroy",
            hovertemplate="%{x:.0f}°: %{y:.2f}<extra></extra>",
            row=2,
            col=column,
        )

    styled(figure, width=900, height=440, showlegend=False, margin={"t": 45})
    figure.update_xaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_yaxes(range=[-1.4, 1.4], tickvals=[-1, 0, 1], row=1)
    figure.update_xaxes(
        range=[-180, 180], tickvals=[-180, -90, 0, 90, 180], title_text="angle, degrees", row=2
    )
    return figure.update_yaxes(title_text="density", rangemode="tozero", row=2, col=1)


def angle_density(points: Vectors, angles: Floats) -> Floats:
    """Return the density (A,) of points (N, 2) at A angles in radians.

    It is the mean of a von Mises density at each point's angle.
    """
    centres = np.arctan2(points[:, 1], points[:, 0])
    # Numerator and denominator are divided by e^κ, so that no power overflows.
    bumps = np.exp(KAPPA * (np.cos(angles[:, None] - centres) - 1))  # (A, N)
    density: Floats = bumps.mean(axis=1) / (2 * np.pi * np.i0(KAPPA) * np.exp(-KAPPA))
    return density


def plane_density(points: Vectors, axis: Floats) -> Floats:
    """Return the density of points (N, 2) on a grid, (A, A): the mean of a Gaussian at each point.

    ``axis`` (A,) has the coordinates of the grid in both directions; row i of the result is at
    height ``axis[i]``.
    """
    distances = axis[:, None, None] - points  # (A, N, 2)
    bumps = np.exp(-(distances**2) / 2 / BANDWIDTH**2)
    total = bumps[:, :, 1] @ bumps[:, :, 0].T  # (A, N) @ (N, A)
    density: Floats = total / len(points) / (2 * np.pi * BANDWIDTH**2)
    return density
