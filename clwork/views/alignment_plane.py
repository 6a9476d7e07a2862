"""The alignment–uniformity plane with the trail a run leaves on it (Gao et al. 2021, SimCSE, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ..edges import checked
from .figure import Figure
from .recorded_columns import Records, as_run_columns, downsample
from .style import FAINT, GHOST, colour, line_look, shortened, styled, symbol

# Range of unit vectors: identical to unrelated pairs, one point to the whole sphere.
UNIFORMITY, ALIGNMENT = (-4.2, 0.25), (-0.4, 2.2)
# All sentences in one point; sentences and pairs at random. Both are known without a run.
COLLAPSED, RANDOM = (0.0, 0.0), (-4.0, 2.0)


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


def landmarks(raw: tuple[float, float] | None = None, recorded: tuple[float, float] | None = None) -> dict[str, Any]:
    """Data of the reference points on fixed axes, each (uniformity, alignment); absent ones are left out."""
    known = [("collapsed", COLLAPSED, "bottom left"), ("random", RANDOM, "middle right")]
    if raw:  # near "collapsed" its label is one line higher
        near = raw[0] > COLLAPSED[0] - 0.8
        known.append(("untrained<br> ", raw, "top left") if near else ("untrained", raw, "bottom center"))
    known += [("recorded run", recorded, "middle left")] if recorded else []
    return {
        "x": [at[0] for _, at, _ in known],
        "y": [at[1] for _, at, _ in known],
        "text": [name for name, _, _ in known],
        "textposition": [side for _, _, side in known],
    }


def fixed_plane(name: str, *, width: int = 300, height: int = 250) -> go.Figure:
    """The plane with fixed axes, so that a small step looks small: landmarks, a grey trail, a run's trail.

    The trails are empty; :func:`landmarks` and :func:`trail` make the data to fill them with.
    """
    figure = Figure()
    hover = "step %{customdata:d}<br>uniformity %{x:.3f}<br>alignment %{y:.3f}<extra>"
    mark = {"symbol": "x-thin", "size": 8, "color": FAINT, "line": {"color": FAINT, "width": 1.5}}
    figure.add_trace(
        go.Scatter(
            name="landmarks",
            mode="markers+text",
            marker=mark,
            hovertemplate="%{text}<extra></extra>",
            textfont={"size": 10, "color": FAINT},
            cliponaxis=False,
            **landmarks(),
        )
    )
    for trail_name, shade, line_width in (("earlier run", GHOST, 1.5), (shortened(name, 40), colour(0), 2)):
        line = {"color": shade, "width": line_width}
        figure.add_trace(
            go.Scatter(
                name=trail_name,
                mode="lines+markers",
                line=line,
                hovertemplate=f"{hover}{trail_name}</extra>",
                **trail([]),
            )
        )
    figure.data[1].marker.color = figure.data[1].marker.line.color = GHOST
    styled(figure, width=width, height=height, margin={"l": 30, "r": 8, "t": 8, "b": 30}, showlegend=False)
    figure.update_layout(font_size=10)
    figure.update_xaxes(title_text="← uniformity", range=UNIFORMITY, title_font_size=10, title_standoff=2, dtick=1)
    figure.update_yaxes(title_text="alignment ↓", range=ALIGNMENT, title_font_size=10, title_standoff=2, dtick=0.5)
    return figure
