"""The alignment–uniformity plane with the trail a run leaves on it (Gao et al. 2021, SimCSE, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from .figure import Figure
from .recorded_columns import thin, tracks_of
from .style import FAINT, colour, dash, styled, symbol


def trail(records: Any, index: int = 0) -> dict[str, Any]:
    """Data of one run's trace: uniformity and alignment over time; the start is hollow, the latest point large."""
    steps, uniform, align = tracks_of(records).joint("uniformity", "alignment")
    kept = thin(align)
    count = len(kept)
    shape = symbol(index)
    return {
        "x": uniform[kept],
        "y": align[kept],
        "customdata": steps[kept],
        "marker": {
            "size": [9 if i == 0 else 12 if i == count - 1 else 4 for i in range(count)],
            "symbol": [f"{shape}-open" if i == 0 < count - 1 else shape for i in range(count)],
            "color": colour(index),
            "line": {"color": colour(index), "width": 1.5},
        },
    }


def plane(histories: Mapping[str, Any], *, width: int = 440, height: int = 380) -> go.Figure:
    """Draw each run's path through the plane; ``histories`` maps a run's name to its history, records or tracks.

    Towards the lower left is better: positives lie close together (alignment) and the sentences fill the sphere
    (uniformity). Both are measured on the unit sphere, on the run's probe sentences.
    """
    figure = Figure()
    for index, (name, records) in enumerate(histories.items()):
        hover = "step %{customdata:d}<br>uniformity %{x:.3f}<br>alignment %{y:.3f}<extra>" + name + "</extra>"
        line = {"color": colour(index), "width": 1.5, "dash": dash(index)}
        figure.add_trace(
            go.Scatter(name=name, mode="lines+markers", line=line, hovertemplate=hover, **trail(records, index))
        )
    styled(figure, width=width, height=height, title="alignment–uniformity plane")
    figure.update_layout(showlegend=len(histories) > 1, legend={"orientation": "h", "y": -0.2})
    figure.update_xaxes(title_text="uniformity  (← more uniform)")
    figure.update_yaxes(title_text="alignment  (↓ closer positives)")
    figure.add_annotation(
        text="better ↙", x=0.02, y=0.02, xref="paper", yref="paper", showarrow=False, font={"color": FAINT, "size": 12}
    )
    return figure
