"""Posters: one still picture (SVG) of what a widget shows, for pages that run neither widgets nor scripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ..views import circle, mosaic, overlay, plane, projection, sphere
from ..views.sentence_scatter import Vectors, reach
from ..views.style import colour, shortened
from .player_film import DRAWN, Film, coordinates

WIDE, HIGH = 838, 590  # of a poster
SIDE, CURVES = 300, 350  # width of what stands beside the cloud, height of the curves there
MOST = 300  # points of a cloud: its poster stays below 40 kB


def of_run(cloud: go.Figure, curves: go.Figure, way: go.Figure) -> str:
    """A run's cloud of sentences, and beside it its curves and its way through the alignment-uniformity plane."""
    _thin(cloud, MOST).update_layout(width=WIDE - SIDE, height=HIGH)
    curves.update_layout(width=SIDE, height=CURVES)
    way.update_layout(width=SIDE, height=HIGH - CURVES)
    return mosaic([(cloud, 0, 0), (curves, WIDE - SIDE, 0), (way, WIDE - SIDE, CURVES)])


def of_films(films: Sequence[Film]) -> str:
    """The clouds of one film or two at their last look, and below them curves and plane; see :func:`.film`."""
    wide, low, narrow = WIDE // len(films), 380, WIDE // 4
    letters = "AB"[: len(films)] if len(films) > 1 else [""]
    parts = []
    for place, (letter, one) in enumerate(zip(letters, films, strict=True)):
        parts.append((_cloud(one, letter, wide, low, MOST // len(films)), place * wide, 0))
    rows = {letter: one["rows"] for letter, one in zip(letters, films, strict=True)}
    for place, column in enumerate(DRAWN):
        curve = overlay({name: [own] for name, own in rows.items()}, (column,), width=narrow, height=HIGH - low)
        parts.append((curve, place * narrow, low))
    way = plane(rows, width=narrow, height=HIGH - low).update_layout(title=None)
    parts.append((way.update_xaxes(title_text="uniformity").update_yaxes(title_text="alignment"), 3 * narrow, low))
    for figure, _, _ in parts[len(films) :]:
        figure.update_layout(showlegend=len(films) > 1, margin={"l": 40, "t": 28, "b": 65})
    return mosaic(parts)


def of_points(points: Vectors, meanings: Sequence[int], title: str) -> str:
    """Points (N, 2) on a circle or (N, 3) on a sphere, coloured by meaning."""
    figure = (circle if points.shape[1] == 2 else sphere)(points, title=shortened(title, 90), size=HIGH)
    figure.data[2].marker.size = 9
    figure.data[2].marker.color = [colour(meaning) for meaning in meanings]
    return mosaic([(figure, 0, 0)])


def _cloud(one: Film, letter: str, width: int, height: int, most: int) -> go.Figure:
    points = coordinates(one)[-1][:, :2]
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))  # a film may have one axis
    title = f"{letter} {shortened(one['differs'], 30)}: step {one['looks'][-1]['step']} of {one['total_steps']}".strip()
    labels = one["own"] or one["labels"]
    figure = projection(points, labels, title=title, span=reach(points), width=width, height=height)
    return _thin(figure, most).update_layout(showlegend=labels is not None and width == WIDE)


def _thin(cloud: go.Figure, most: int) -> go.Figure:
    """Keep of each topic every so many sentences."""
    every = -(-sum(len(trace.x) for trace in cloud.data) // most)
    for trace in cloud.data if every > 1 else ():
        trace.x, trace.y = trace.x[::every], trace.y[::every]
    return cloud
