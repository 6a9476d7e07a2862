"""Pairs of sentences on the plane, before and after training: do the two of a pair lie together?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from ... import checks
from ...edges import by_name, checked, each, numbers, two
from ...projections import PcaBasis, Vectors
from ..figure import subplots
from ..style import colour, dash, shortened, styled, wrapped

PAIRS_UP_TO = 60


@checked(panels=by_name(two(numbers)), texts=each(two(checks.text)))
def pair_map(
    panels: Mapping[str, tuple[Vectors, Vectors]],
    kinds: Sequence[str] | None = None,
    texts: Sequence[tuple[str, str]] | None = None,
    *,
    width: int = 840,
    height: int = 420,
) -> go.Figure:
    """Draw, for each encoder, both sentences of every pair as the pair's number, and a line between the two.

    ``panels`` names encoders and gives each the vectors (N, D) of first and second sentences; ``kinds`` says of each
    pair what it is (alike, unrelated); ``texts`` is shown on hover. Each panel has principal axes of its own: compare
    the lines with the spread of their own panel, not lengths across panels.

    Raises:
        ValueError: nothing to draw, numbers of pairs that differ, or more than 60 of them.
    """
    counts = {len(column) for both in panels.values() for column in both}
    counts |= {len(given) for given in (kinds, texts) if given is not None}
    if len(counts) != 1 or not 2 <= max(counts) <= PAIRS_UP_TO:
        raise ValueError(f"numbers of pairs: {sorted(counts)}; all columns need the same number, 2 to {PAIRS_UP_TO}")
    figure = subplots(1, len(panels), subplot_titles=[shortened(name, 60) for name in panels], horizontal_spacing=0.03)
    for column, (first, second) in enumerate(panels.values(), start=1):
        both = np.concatenate([first, second])
        points = PcaBasis.fit(both).transform(both)
        points /= np.abs(points).max() or 1.0  # each panel fills its square
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
    """``points`` is (2, N, 2): first and second sentences of the N pairs."""
    labels = list(kinds) if kinds is not None else ["pairs"] * points.shape[1]
    for index, kind in enumerate(dict.fromkeys(labels)):
        rows = [row for row, label in enumerate(labels) if label == kind]
        lines = [(*points[:, row, axis].tolist(), None) for axis in range(2) for row in rows]
        x, y = ([v for line in part for v in line] for part in (lines[: len(rows)], lines[len(rows) :]))
        line = {"color": colour(index), "width": 1, "dash": dash(index)}
        shared = {"name": wrapped(kind, 40), "legendgroup": wrapped(kind, 40)}
        figure.add_trace(
            go.Scatter(x=x, y=y, mode="lines", line=line, showlegend=column == 1, hoverinfo="skip", **shared),
            row=1,
            col=column,
        )
        for side in range(2):
            hover = [wrapped(texts[row][side]) if texts is not None else f"pair {row + 1}" for row in rows]
            figure.add_trace(
                go.Scatter(
                    x=points[side, rows, 0],
                    y=points[side, rows, 1],
                    mode="text",
                    text=[str(row + 1) for row in rows],
                    textfont={"color": colour(index), "size": 12},
                    customdata=hover,
                    showlegend=False,
                    hovertemplate="%{customdata}<extra></extra>",
                    **shared,
                ),
                row=1,
                col=column,
            )
