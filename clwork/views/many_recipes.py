"""One column of many recipes, each in a small picture of its own, all on the same axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from ..columns import of
from ..edges import checked
from .figure import subplots
from .overlaid_runs import traces
from .style import shortened, styled

ACROSS, MOST = 4, 24
HIGH = 120  # of one picture


@checked()
def small_multiples(
    groups: Mapping[str, Sequence[Any]], column: str, *, band: bool = True, width: int = 838
) -> go.Figure:
    """Draw one column of up to 24 recipes' histories side by side, where lines over each other could not be told apart.

    ``groups`` and ``band`` as for :func:`.overlay`. All pictures have the same axes, so that heights can be compared.

    Raises:
        ValueError: there are no groups, or more than 24.
    """
    if not 1 <= len(groups) <= MOST:
        raise ValueError(f"{len(groups)} groups of runs cannot be drawn; give 1 to {MOST}")
    rows, across = -(-len(groups) // ACROSS), min(ACROSS, len(groups))
    high = 70 + (HIGH + 34) * rows
    figure = subplots(
        rows=rows, cols=across, subplot_titles=[shortened(name, 32) for name in groups], shared_xaxes="all",
        shared_yaxes="all", horizontal_spacing=0.02, vertical_spacing=min(0.12, 0.9 / rows) if rows > 1 else 0.0,
    )  # fmt: skip
    for place, (name, runs) in enumerate(groups.items()):
        for trace in traces(0, name, runs, column, band):
            trace.pop("named", None)
            figure.add_trace(go.Scatter(trace), row=place // ACROSS + 1, col=place % ACROSS + 1)
    styled(figure, width=width, height=high, margin={"l": 50, "r": 15, "t": 50, "b": 40}, showlegend=False)
    figure.update_annotations(font_size=10)
    figure.update_layout(title={"text": shortened(of(column).heading, 90), "font": {"size": 13}, "y": 1 - 14 / high})
    figure.update_xaxes(title_text="step", row=rows)
    return figure
