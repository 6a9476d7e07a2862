"""The alignment–uniformity plane with the path of each run (Gao et al. 2021, SimCSE, Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from .._validation import checked
from ._curves import seed_band
from .history import Records, as_history, downsample
from .style import FAINT, Figure, colour, line_style, shortened, styled, symbol


def trail(records: Records, index: int = 0) -> dict[str, Any]:
    """Data of one run's trace: uniformity and alignment over time, the start hollow, the latest point large."""
    steps, uniform, align = as_history(records).joint("uniformity", "alignment")
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
    """Draw each run's path through the plane of uniformity and alignment; towards the lower left is better.

    ``histories`` maps a name to a run's history, or to a list of histories, one per seed: faint lines under their mean.
    """
    paths, seeds = dict[str, Any](), dict[str, list[Any]]()
    for name, given in histories.items():
        several = isinstance(given, list | tuple) and len(given) > 0 and not isinstance(given[0], Mapping)
        seeds[name] = list(given) if several else []
        paths[name] = _mean_path(name, seeds[name]) if several else given
    figure = Figure()
    for index, (full_name, records) in enumerate(paths.items()):
        name = shortened(full_name, 40)
        hover = "step %{customdata:d}<br>uniformity %{x:.3f}<br>alignment %{y:.3f}<extra>" + name + "</extra>"
        line = line_style(index, 1.5)
        figure.add_trace(
            go.Scatter(name=name, mode="lines+markers", line=line, hovertemplate=hover, **trail(records, index))
        )
    for index, runs in enumerate(seeds.values()):
        for run in runs:
            _, uniform, align = as_history(run).joint("uniformity", "alignment")
            faint = {"mode": "lines", "line": line_style(index, 1), "opacity": 0.35, "hoverinfo": "skip"}
            figure.add_trace(go.Scatter(x=uniform, y=align, showlegend=False, **faint))
    styled(figure, width=width, height=height, title="alignment–uniformity plane")
    figure.update_layout(showlegend=len(histories) > 1, legend={"orientation": "h", "y": -0.2})
    figure.update_xaxes(title_text="uniformity  (← more uniform)")
    figure.update_yaxes(title_text="alignment  (↓ closer positives)")
    figure.add_annotation(
        text="better ↙", x=0.02, y=0.02, xref="paper", yref="paper", showarrow=False, font={"color": FAINT, "size": 12}
    )
    return figure


def _mean_path(name: str, runs: list[Any]) -> list[dict[str, float]]:
    steps, align, _ = seed_band(runs, "alignment")
    other_steps, uniform, _ = seed_band(runs, "uniformity")
    if not len(steps) or len(steps) != len(other_steps):
        raise ValueError(f"the runs of {name!r} were never measured at the same step; give runs of one recipe")
    rows = zip(steps, align, uniform, strict=True)
    return [dict(zip(("step", "alignment", "uniformity"), map(float, row), strict=True)) for row in rows]
