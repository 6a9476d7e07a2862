"""Distances within classes: how far apart a model puts things that people call alike (MoCoUTRL's Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ...edges import at_least, by_name, checked, numbers
from ..figure import Figure
from ..style import colour, dash, shortened, styled


@checked(distances=by_name(numbers), bins=at_least(1))
def distance_histogram(
    distances: Mapping[str, Any],
    *,
    title: str = "distance within a class",
    bins: int = 10,
    width: int = 620,
    height: int = 340,
) -> go.Figure:
    """Draw shares of distances between unit vectors, in equal bins on [0, 2]; each name sums to 100 %.

    Raises:
        ValueError: nothing to draw, or a distance outside [0, 2]: those vectors were not of length 1.
    """
    if not distances or any(np.size(found) == 0 for found in distances.values()):
        raise ValueError("no distances to draw: give at least one list that is not empty")
    edges = np.linspace(0, 2, bins + 1)
    figure = Figure()
    for index, (name, values) in enumerate(distances.items()):
        column = values
        if not (np.isfinite(column).all() and column.min() >= 0 and column.max() <= 2 + 1e-6):
            raise ValueError(f"{name!r} has distances outside [0, 2]; scale the vectors to length 1 first")
        counts = np.histogram(np.clip(column, 0, 2), bins=edges)[0]
        figure.add_trace(
            go.Scatter(
                x=(edges[:-1] + edges[1:]) / 2,
                y=100 * counts / counts.sum(),
                name=shortened(name),
                mode="lines",
                line={"color": colour(index), "dash": dash(index), "shape": "hvh", "width": 2},
                fill="tozeroy",
                hovertemplate="%{x:.1f}: %{y:.1f} %<extra>" + shortened(name) + "</extra>",
                opacity=0.8,
            )
        )
    styled(figure, width=width, height=height, title=title, showlegend=len(distances) > 1)
    figure.update_xaxes(title_text="distance", range=[0, 2])
    figure.update_yaxes(title_text="% of pairs", rangemode="tozero")
    return figure
