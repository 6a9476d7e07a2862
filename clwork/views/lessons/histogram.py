"""Cosines of sentence pairs, one row per bucket of gold scores: what people call alike should lie to the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...edges import by_name, checked, numbers
from ...wording import plural
from ..figure import subplots
from ..style import colour, dash, shortened, styled

BUCKETS = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))
BINS = 50


def _flat(name: str, value: Any) -> npt.NDArray[np.float64]:
    return numbers(name, value, dims=1)


def _sets(name: str, value: Any) -> dict[str, Any]:
    found: dict[str, Any] = by_name(_flat)(name, value if isinstance(value, Mapping) else {"cosine": value})
    return found


@checked(cosines=_sets, scores=_flat)
def cosine_histogram(
    cosines: Mapping[str, Any] | Sequence[float] | npt.NDArray[Any],
    scores: Sequence[float] | npt.NDArray[Any],
    *,
    width: int = 620,
    height: int = 460,
) -> go.Figure:
    """Draw how cosines (N) spread within each bucket of gold scores (N, 0 to 5), as SimCSE's appendix G does.

    Give a dict of cosines to lay encoders over one another. All pairs are counted; each row sums to 100 %. A score on a
    border belongs to the upper bucket, 5 to the last.

    Raises:
        ValueError: lengths differ, or a score lies outside 0 to 5.
    """
    assert isinstance(cosines, Mapping)  # its edge has made it one
    sets = dict(cosines)
    gold = np.asarray(scores)
    if len(gold) and (not np.isfinite(gold).all() or gold.min() < 0 or gold.max() > 5):
        raise ValueError(f"gold scores go from 0 to 5, these from {gold.min()} to {gold.max()}: rescale them first")
    bucket = np.clip(np.floor(gold).astype(int), 0, 4)
    edges = np.linspace(-1, 1, BINS + 1)
    # best-rated pairs on top, as one reads
    titles = [f"gold {low}–{high} ({plural(int((bucket == low).sum()), 'pair')})" for low, high in reversed(BUCKETS)]
    figure = subplots(rows=5, cols=1, shared_xaxes=True, vertical_spacing=0.035)
    for index, (name, values) in enumerate(sets.items()):
        if len(values) != len(gold):
            raise ValueError(f"{name!r} has {len(values)} cosines for {len(gold)} gold scores: one per pair is needed")
        for row in range(5):
            counts = np.histogram(np.clip(values[bucket == 4 - row], -1, 1), bins=edges)[0]
            _add(figure, row + 1, index, name, edges, 100 * counts / max(counts.sum(), 1))
    styled(figure, width=width, height=height, title="cosine by gold score", showlegend=len(sets) > 1)
    figure.update_layout(
        margin={"r": 130}, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 1, "xanchor": "right"}
    )
    for row, title in enumerate(titles):
        where = {"xref": "paper", "x": 1.01, "yref": f"y{row + 1 if row else ''} domain", "y": 0.5, "xanchor": "left"}
        figure.add_annotation(
            text=title.replace(" (", "<br>("), showarrow=False, align="left", font={"size": 11}, **where
        )
    figure.update_xaxes(range=[-1 if min((np.min(v, initial=0) for v in sets.values()), default=0) < -0.2 else -0.2, 1])
    figure.update_xaxes(title_text="cosine", row=5)
    figure.update_yaxes(rangemode="tozero")
    figure.update_yaxes(title_text="% of pairs", row=3)
    return figure


def _add(figure: go.Figure, row: int, index: int, name: str, edges: Any, share: Any) -> None:
    line = {"color": colour(index), "width": 1.5, "dash": dash(index), "shape": "hvh"}
    label = shortened(name)
    hover = "cosine %{x:.2f}: %{y:.1f} %<extra>" + label + "</extra>"
    trace = go.Scatter(
        x=(edges[:-1] + edges[1:]) / 2,
        y=share,
        name=label,
        legendgroup=str(index),
        showlegend=row == 1,
        mode="lines",
        line=line,
        fill="tozeroy",
        opacity=0.8,
        hovertemplate=hover,
    )
    figure.add_trace(trace, row=row, col=1)
