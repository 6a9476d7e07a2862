"""A still picture (SVG) of one run or two, for pages that run neither widgets nor scripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...views import mosaic, overlay, plane, projection
from ...views.sentence_scatter import view_extent
from ...views.style import shortened
from ..page.posters import HIGH, MOST, downsample
from ..page.widgets import WIDE
from .player_data import DRAWN, PlayerData, coordinates


def poster_of(runs: Sequence[PlayerData]) -> str:
    """The clouds of one run or two at their last look, and below them curves and plane."""
    wide, low, narrow = WIDE // len(runs), 380, WIDE // 4
    letters = "AB"[: len(runs)] if len(runs) > 1 else [""]
    parts = []
    for place, (letter, data) in enumerate(zip(letters, runs, strict=True)):
        parts.append((_cloud(data, letter, wide, low, MOST // len(runs)), place * wide, 0))
    rows = {letter: data["rows"] for letter, data in zip(letters, runs, strict=True)}
    for place, column in enumerate(DRAWN):
        curve = overlay({name: [history] for name, history in rows.items()}, (column,), width=narrow, height=HIGH - low)
        parts.append((curve, place * narrow, low))
    trail = plane(rows, width=narrow, height=HIGH - low).update_layout(title=None)
    parts.append((trail.update_xaxes(title_text="uniformity").update_yaxes(title_text="alignment"), 3 * narrow, low))
    for figure, _, _ in parts[len(runs) :]:
        figure.update_layout(showlegend=len(runs) > 1, margin={"l": 40, "t": 28, "b": 65})
    return mosaic(parts)


def stills_of(data: PlayerData) -> str:
    """The cloud of a run at its first look, in the middle and at the last, side by side on the same axes."""
    last = len(data["looks"]) - 1
    span = max(view_extent(points[:, :2]) for points in coordinates(data))
    clouds = [_cloud(data, "", WIDE // 3, 300, MOST // 2, look) for look in sorted({0, last // 2, last})]
    for figure in clouds:
        figure.update_xaxes(range=[-span, span]).update_yaxes(range=[-span, span])
    return mosaic([(figure, place * (WIDE // 3), 0) for place, figure in enumerate(clouds)])


def _cloud(data: PlayerData, letter: str, width: int, height: int, most: int, look: int = -1) -> go.Figure:
    points = coordinates(data)[look][:, :2]
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))  # there may be one axis
    when = f"step {data['looks'][look]['step']} of {data['total_steps']}"
    title = f"{letter} {shortened(data['differs'], 30)}: {when}".strip()
    labels = data["own"] or data["labels"]
    figure = projection(points, labels, title=title, span=view_extent(points), width=width, height=height)
    return downsample(figure, most).update_layout(showlegend=labels is not None and width == WIDE)
