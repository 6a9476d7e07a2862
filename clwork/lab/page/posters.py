"""Posters: one still picture (SVG) of what a widget shows, for pages that run neither widgets nor scripts."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from ...projections import Vectors
from ...views import circle, mosaic, sphere
from ...views.style import colour, shortened

HIGH = 590  # of a poster, which is as wide as a cell
MOST = 300  # points of a cloud: its poster stays below 40 kB


def of_points(points: Vectors, meanings: Sequence[int], title: str) -> str:
    """Points (N, 2) on a circle or (N, 3) on a sphere, coloured by meaning."""
    figure = (circle if points.shape[1] == 2 else sphere)(points, title=shortened(title, 90), size=HIGH)
    figure.data[2].marker.size = 9
    figure.data[2].marker.color = [colour(meaning) for meaning in meanings]
    return mosaic([(figure, 0, 0)])


def downsample(cloud: go.Figure, most: int) -> go.Figure:
    """Keep every n-th sentence of each topic, so that at most about ``most`` are drawn; changes ``cloud``."""
    every = -(-sum(len(trace.x) for trace in cloud.data) // most)
    for trace in cloud.data if every > 1 else ():
        trace.x, trace.y = trace.x[::every], trace.y[::every]
    return cloud
