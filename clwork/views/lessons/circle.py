"""Figures of points on the circle and the sphere, of densities over the angle, and of sentence pairs in the plane."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked
from ...projections import PcaBasis, Vectors, checked_unit_rows, principal_axes
from ..style import FAINT, LIMIT, RULE, Figure, colour, line_style, shortened, styled, subplots, wrapped

Floats = npt.NDArray[np.float64]
Pairs = Iterable[tuple[int, int]]
KAPPA, BANDWIDTH, GRID = 25.0, 0.15, 41
PAIRS_UP_TO = 60


@checked()
def sphere(
    points: Vectors,
    names: Sequence[str] | None = None,
    pairs: Pairs = (),
    *,
    title: str = "the unit sphere",
    size: int = 460,
) -> go.Figure:
    """Draw at most 500 points (N, 3), scaled to length 1, and a chord between the points of each positive pair."""
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"points have shape {points.shape}; give (N, 3)")
    if len(points) > LIMIT:
        raise ValueError(f"{len(points)} points would slow down the browser; give at most {LIMIT}")
    if names is not None and len(names) != len(points):
        raise ValueError(f"{len(names)} names for {len(points)} points; give a name for each point, or None")
    unit_points = checked_unit_rows(points, "points")
    texts = [str(row) for row in range(len(points))] if names is None else [wrapped(name) for name in names]
    wires, chords = _wires(), _strokes(unit_points, pairs)
    figure = Figure()
    for (x, y, z), line in ((wires, {"color": RULE, "width": 2}), (chords, {"color": colour(3), "width": 5})):
        figure.add_trace(go.Scatter3d(x=x, y=y, z=z, mode="lines", line=line, hoverinfo="skip"))
    places = dict(zip("xyz", unit_points.T, strict=True))
    dots = {"mode": "markers", "marker": {"size": 4, "color": colour(0)}, "hovertemplate": "%{text}<extra></extra>"}
    figure.add_trace(go.Scatter3d(text=texts, **dots, **places))
    styled(figure, width=size, height=size, title=title, showlegend=False, margin={"l": 10, "r": 10, "b": 0})
    bare = {"visible": False, "range": [-1.1, 1.1]}
    near = {"eye": {"x": 0.95, "y": 0.95, "z": 0.75}}  # nearer than the default, so that the sphere fills the frame
    figure.update_scenes(xaxis=bare, yaxis=bare, zaxis=bare, aspectmode="cube", camera=near)
    return figure


def _strokes(points: Floats, pairs: Pairs) -> list[list[float | None]]:
    """Return the coordinates of lines between the points of each pair, as one polyline with gaps."""
    columns: list[list[float | None]] = [[] for _ in range(points.shape[1])]
    for pair in pairs:
        if len(pair) != 2 or max(pair) >= len(points):
            raise ValueError(f"pairs contain {tuple(pair)} for {len(points)} points; give two rows of points a pair")
        a, b = pair
        for axis, column in enumerate(columns):
            column += [float(points[a, axis]), float(points[b, axis]), None]
    return columns


def _wires() -> list[list[float | None]]:
    """Return meridians and parallels of the unit sphere, every 30 degrees, as one polyline with gaps."""
    turn = np.linspace(0, 2 * np.pi, 49)
    meridians = np.pi * np.arange(6) / 6
    rings = [np.stack([np.cos(a) * np.sin(turn), np.sin(a) * np.sin(turn), np.cos(turn)]) for a in meridians]
    for height in np.sin(np.pi * np.arange(-2, 3) / 6):
        radius = np.sqrt(1 - height**2)
        rings.append(np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, height)]))
    return [[value for ring in rings for value in [*ring[axis].tolist(), None]] for axis in range(3)]


@checked()
def on_circle(vectors: Vectors, *, centre: bool) -> Floats:
    """Project unit vectors ``(N, D)`` onto their two main directions and scale to the unit circle ``(N, 2)``.

    ``centre`` subtracts the mean first, which removes a cone; if False, the first direction is that of the cone (M15).
    """
    if vectors.ndim != 2 or len(vectors) < 3:
        raise ValueError(f"vectors have shape {vectors.shape}; give a matrix with at least three rows")
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
def angles(clouds: Mapping[str, Vectors], *, width: int = 780, height: int = 440) -> go.Figure:
    """Draw a column for each cloud ``(N, 2)``: at the top a Gaussian density, below it the density over the angle."""
    shapes = {name: cloud.shape for name, cloud in clouds.items()}
    if not clouds or any(len(shape) != 2 or shape[1] != 2 for shape in shapes.values()):
        raise ValueError(f"clouds have the shapes {shapes}; give at least one cloud (N, 2), projected onto the circle")
    gaps = {"row_heights": [0.62, 0.38], "vertical_spacing": 0.16, "horizontal_spacing": 0.04}
    titles = [shortened(name) for name in clouds]
    figure = subplots(rows=2, cols=len(clouds), subplot_titles=titles, shared_yaxes=True, **gaps)
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
    """Return the mean of Gaussians at the points on the grid ``(GRID, GRID)``; the first axis is y."""
    columns = np.exp(-((axis[:, None] - points[:, 0]) ** 2) / 2 / BANDWIDTH**2)  # (GRID, N)
    rows = np.exp(-((axis[:, None] - points[:, 1]) ** 2) / 2 / BANDWIDTH**2)
    heights: Floats = rows @ columns.T / len(points) / (2 * np.pi * BANDWIDTH**2)
    return heights


@checked()
def pair_map(
    panels: Mapping[str, tuple[Vectors, Vectors]],
    kinds: Sequence[str] | None = None,
    texts: Sequence[tuple[str, str]] | None = None,
    *,
    width: int = 840,
    height: int = 420,
) -> go.Figure:
    """Draw the sentences of 2 to 60 pairs for each encoder: both drawn as the pair's number, with a line between them.

    ``panels`` maps an encoder's name to the vectors (N, D) of first and second sentences; ``kinds`` names the kind of
    each pair; ``texts`` are shown on hover. Do not compare lengths across panels: each has its own principal axes.
    """
    counts = {len(column) for both in panels.values() for column in both}
    counts |= {len(column) for column in (kinds, texts) if column is not None}
    if len(counts) != 1 or not 2 <= max(counts) <= PAIRS_UP_TO:
        raise ValueError(f"numbers of pairs: {sorted(counts)}; give the same number for all, 2 to {PAIRS_UP_TO}")
    figure = subplots(1, len(panels), subplot_titles=[shortened(name, 60) for name in panels], horizontal_spacing=0.03)
    for column, (first, second) in enumerate(panels.values(), start=1):
        both = np.concatenate([first, second])
        points = PcaBasis.fit(both).transform(both)
        points /= np.abs(points).max() or 1.0  # fills the square of the panel
        _panel(figure, column, points.reshape(2, -1, 2), kinds, texts)
    styled(figure, width=width, height=height, hovermode="closest", margin={"l": 10, "r": 10, "t": 60, "b": 10})
    figure.update_layout(legend={"orientation": "h", "y": 1.1, "yanchor": "bottom", "x": 0})
    figure.update_xaxes(visible=False, range=[-1.1, 1.1]).update_yaxes(visible=False, range=[-1.1, 1.1])
    return figure


def _panel(
    figure: go.Figure,
    column: int,
    points: Vectors,
    kinds: Sequence[str] | None,
    texts: Sequence[tuple[str, str]] | None,
) -> None:
    """Draw one encoder's pairs; ``points`` (2, N, 2) are the coordinates of first and second sentences."""
    labels = list(kinds) if kinds is not None else ["pairs"] * points.shape[1]
    for index, kind in enumerate(dict.fromkeys(labels)):
        rows = [row for row, label in enumerate(labels) if label == kind]
        lines = [(*points[:, row, axis].tolist(), None) for axis in range(2) for row in rows]
        x, y = ([v for line in part for v in line] for part in (lines[: len(rows)], lines[len(rows) :]))
        line = line_style(index, 1)
        shared = {"name": wrapped(kind, 40), "legendgroup": wrapped(kind, 40)}
        stroke = go.Scatter(x=x, y=y, mode="lines", line=line, showlegend=column == 1, hoverinfo="skip", **shared)
        figure.add_trace(stroke, row=1, col=column)
        for side in range(2):
            hover = [wrapped(texts[row][side]) if texts is not None else f"pair {row + 1}" for row in rows]
            place = {"x": points[side, rows, 0], "y": points[side, rows, 1], "customdata": hover}
            number = {"text": [str(row + 1) for row in rows], "textfont": {"color": colour(index), "size": 12}}
            style = {"mode": "text", "showlegend": False, "hovertemplate": "%{customdata}<extra></extra>"}
            figure.add_trace(go.Scatter(**place, **number, **style, **shared), row=1, col=column)
