"""Scores of several seeds: every run a dot, so that a difference can be held against the spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from ... import checks
from ...edges import checked, two
from ..figure import Figure
from ..style import FAINT, INK, colour, shortened, styled


@checked(reference=two(checks.text, checks.finite))
def seed_dots(
    scores: Mapping[str, Sequence[float]],
    *,
    reference: tuple[str, float] | None = None,
    title: str = "every run a dot",
    unit: str = "score",
    width: int = 620,
    height: int | None = None,
) -> go.Figure:
    """Draw a row for each setting: its runs as dots, their mean as a tick, and a bar of one sample deviation each way.

    ``reference`` names a level to hold all against, such as an untrained encoder's. Missing scores (NaN) are left out.

    Raises:
        ValueError: no settings, or one without a score.
    """
    kept = {name: [float(value) for value in values if np.isfinite(value)] for name, values in scores.items()}
    empty = [name for name, values in kept.items() if not values]
    if not kept or empty:
        raise ValueError(f"no scores to draw{f' for {empty[0]!r}' if empty else ''}: give at least one per setting")
    figure = Figure()
    for row, (name, values) in enumerate(kept.items()):
        figure.add_traces(_row(row, name, values))
    if reference is not None:
        name, level = reference
        figure.add_vline(x=level, line={"color": FAINT, "dash": "dash", "width": 1})
        figure.add_annotation(
            x=level, y=1, yref="paper", yanchor="bottom", text=shortened(name), showarrow=False, font={"color": FAINT}
        )
    styled(figure, width=width, height=height or 110 + 30 * len(kept), title=title, showlegend=False)
    figure.update_layout(margin={"t": 58})
    figure.update_yaxes(
        tickvals=list(range(len(kept))),
        ticktext=[shortened(name, 40) for name in kept],
        showgrid=False,
        range=[len(kept) - 0.5, -0.5],
        zeroline=False,
    )
    return figure.update_xaxes(title_text=unit)


def _row(row: int, name: str, values: Sequence[float]) -> list[go.Scatter]:
    """Bar, dots and tick of one setting."""
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    label = shortened(name, 40)
    said = f"{label}: {mean:.4g}" + (f" ± {spread:.2g}, {len(values)} seeds" if len(values) > 1 else ", one seed")
    wide = {"color": colour(0), "width": 9}
    mark = {"color": INK, "size": 16, "symbol": "line-ns", "line": {"color": INK, "width": 2}}
    dots = {"color": colour(0), "size": 7, "opacity": 0.8}
    ends, hover = [mean - spread, mean + spread], said + "<extra></extra>"
    return [
        go.Scatter(x=ends, y=[row, row], mode="lines", line=wide, opacity=0.25, hoverinfo="skip"),
        go.Scatter(x=values, y=[row] * len(values), mode="markers", name=label, marker=dots, hovertemplate=hover),
        go.Scatter(x=[mean], y=[row], mode="markers", marker=mark, hoverinfo="skip"),
    ]
