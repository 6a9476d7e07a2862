"""The alignment–uniformity plane with the trail a run leaves on it (Gao et al. 2021, SimCSE, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from .._validation import checked
from .figure import Figure
from .recorded_columns import Records, as_run_columns, downsample
from .style import FAINT, colour, line_look, shortened, styled, symbol


def trail(records: Records, index: int = 0) -> dict[str, Any]:
    """Data of one run's trace: uniformity and alignment over time, the start hollow, the latest point large."""
    steps, uniform, align = as_run_columns(records).joint("uniformity", "alignment")
    shown = downsample(align)
    count = len(shown)
    shape = symbol(index)
    return {
        "x": uniform[shown],
        "y": align[shown],
        "customdata": steps[shown],
        "marker": {
            "size": [9 if i == 0 else 12 if i == count - 1 else 4 for i in range(count)],
            "symbol": [f"{shape}-open" if i == 0 < count - 1 else shape for i in range(count)],
            "color": colour(index),
            "line": {"color": colour(index), "width": 1.5},
        },
    }


@checked()
def plane(histories: Mapping[str, Any], *, width: int = 440, height: int = 380) -> go.Figure:
    """Draw each run's path through the plane; ``histories`` maps a name to a history, records or columns.

    Towards the lower left is better: positives lie close together (alignment) and the sentences fill the sphere
    (uniformity). Both are measured on the unit sphere, on the run's probe sentences.
    """
    figure = Figure()
    for index, (full_name, records) in enumerate(histories.items()):
        name = shortened(full_name, 40)
        hover = "step %{customdata:d}<br>uniformity %{x:.3f}<br>alignment %{y:.3f}<extra>" + name + "</extra>"
        line = line_look(index, 1.5)
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
