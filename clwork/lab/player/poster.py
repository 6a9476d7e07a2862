"""A still picture (SVG) of one run or two, for pages that run neither widgets nor scripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...views import mosaic, overlay, plane, projection
from ...views.sentence_scatter import view_extent
from ...views.style import shortened
from ..page.posters import HIGH, MOST, thin
from ..page.widgets import WIDE
from .player_data import DRAWN, Film, coordinates


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


def _cloud(one: Film, letter: str, width: int, height: int, most: int) -> go.Figure:
    points = coordinates(one)[-1][:, :2]
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))  # a film may have one axis
    title = f"{letter} {shortened(one['differs'], 30)}: step {one['looks'][-1]['step']} of {one['total_steps']}".strip()
    labels = one["own"] or one["labels"]
    figure = projection(points, labels, title=title, span=view_extent(points), width=width, height=height)
    return thin(figure, most).update_layout(showlegend=labels is not None and width == WIDE)
