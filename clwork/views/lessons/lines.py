"""Figures with one line for each name (curves, spectra, histograms) or one dot for each seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked, numbers
from ...projections import Vectors, checked_unit_rows
from ...wording import plural
from ..history import downsample
from ..style import FAINT, INK, Figure, colour, line_style, shortened, styled, subplots

LEAST = 1e-8  # smaller values are not drawn on the log axis
BINS = 50
WIDTH = 620  # pixels

Floats = npt.NDArray[np.float64]


@checked()
def lines(
    series: Mapping[str, tuple[Any, Any]],
    *,
    title: str,
    x_title: str = "",
    y_title: str = "",
    levels: Mapping[str, float] | None = None,
    log: Sequence[str] = (),
) -> go.Figure:
    """Draw each named pair of x and y values as a line, and horizontal ``levels``; ``log`` names logarithmic axes."""
    if not series:
        raise ValueError("series is empty; give at least one line as {'name': (x, y)}")
    if not set(log) <= {"x", "y"}:
        raise ValueError(f"log={list(log)!r}; give the names of axes, 'x' and 'y'")
    figure = Figure()
    for index, (name, pair) in enumerate(series.items()):
        x, y = map(np.asarray, pair)
        if x.shape != y.shape or x.ndim != 1:
            raise ValueError(
                f"{name!r} has x of shape {x.shape}, y of shape {y.shape}; give two lists of equal length"
            )
        shown = downsample(y)
        label = shortened(name)
        style = {
            "line": line_style(index),
            "hovertemplate": label + ": %{y:.4g} at %{x:.4g}<extra></extra>",
        }
        figure.add_scatter(x=x[shown], y=y[shown], name=label, mode="lines", **style)
    for name, level in (levels or {}).items():
        line = {"color": FAINT, "dash": "dash", "width": 1}
        note = {"annotation_position": "top left", "annotation_font": {"color": FAINT, "size": 11}}
        figure.add_hline(y=level, line=line, annotation_text=shortened(name), **note)
    styled(figure, width=WIDTH, height=360, title=title, showlegend=len(series) > 1)
    scales = {
        axis: {"type": "log", "exponentformat": "power"} if axis in log else {"type": "linear"}
        for axis in "xy"
    }
    figure.update_xaxes(title_text=x_title, **scales["x"])
    figure.update_yaxes(title_text=y_title, **scales["y"])
    return figure


@checked()
def spectrum(embeddings: Mapping[str, Vectors]) -> go.Figure:
    """Draw the singular values of unit vectors (N, D), divided by the largest value, on a log axis (SimCSE §5).

    The matrix is not centred, so a cone has a large first singular value.
    """
    figure = Figure()
    for index, (name, vectors) in enumerate(embeddings.items()):
        points = checked_unit_rows(vectors)
        if not len(points):
            raise ValueError(f"{name!r} is empty; give at least one vector")
        strengths = np.linalg.svd(points, compute_uv=False)
        values = np.asarray(strengths / max(float(strengths[0]), 1e-12), dtype=np.float64)
        shown = downsample(values)
        rank, height_of = np.arange(1, len(values) + 1)[shown], values[shown]
        share = np.where(height_of > LEAST, height_of, np.nan)
        label = shortened(name)
        hover = f"value %{{x}}: %{{y:.4f}} of the largest<extra>{label}</extra>"
        figure.add_scatter(
            x=rank, y=share, name=label, mode="lines", line=line_style(index), hovertemplate=hover
        )
    styled(figure, width=WIDTH, height=380, title="singular values of the unit vectors")
    figure.update_xaxes(title_text="rank of the value")
    figure.update_yaxes(title_text="share of the largest", type="log", dtick=1, tickformat="~g")
    return figure


def _named_vectors(name: str, value: Any) -> dict[str, Floats]:
    named = value if isinstance(value, Mapping) else {"cosine": value}
    return {key: numbers(key, cosines, dims=1) for key, cosines in named.items()}


@checked(cosines=_named_vectors)
def cosine_histogram(
    cosines: Mapping[str, Any] | Sequence[float] | npt.NDArray[Any], scores: Sequence[float]
) -> go.Figure:
    """Draw a histogram of cosines (N) for each bucket of gold scores (N, 0 to 5), as in appendix G of SimCSE.

    Give a dict of cosines to compare encoders. Each row sums to 100 %; a score on a border is in the upper bucket, and
    a bucket without a pair has no row.
    """
    sets = dict(cast("Mapping[str, Floats]", cosines))  # converted by _named_vectors
    gold = np.asarray(scores)
    if len(gold) and (not np.isfinite(gold).all() or gold.min() < 0 or gold.max() > 5):
        raise ValueError(
            f"gold scores are from {gold.min()} to {gold.max()}; rescale them to 0 to 5"
        )
    bucket = np.clip(np.floor(gold).astype(int), 0, 4)
    edges = np.linspace(-1, 1, BINS + 1)
    filled = [
        k for k in range(4, -1, -1) if (bucket == k).any() or not len(gold)
    ]  # the highest scores at the top
    figure = subplots(rows=len(filled), cols=1, shared_xaxes=True, vertical_spacing=0.035)
    for index, (name, values) in enumerate(sets.items()):
        if len(values) != len(gold):
            raise ValueError(
                f"{name!r} has {len(values)} cosines for {len(gold)} gold scores; give one for each pair"
            )
        for row, k in enumerate(filled, 1):
            step = _steps(
                index,
                name,
                np.clip(values[bucket == k], -1, 1),
                edges,
                "cosine %{x:.2f}: %{y:.1f} %",
            )
            step.update(legendgroup=str(index), showlegend=row == 1, line_width=1.5)
            figure.add_trace(step, row=row, col=1)
    styled(figure, width=WIDTH, height=460, title="cosine by gold score", showlegend=len(sets) > 1)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 1, "xanchor": "right"}
    figure.update_layout(margin={"r": 130}, legend=legend)
    for row, low in enumerate(filled):
        title = f"gold {low}–{low + 1}<br>({plural(int((bucket == low).sum()), 'pair')})"
        where = {
            "xref": "paper",
            "x": 1.01,
            "yref": f"y{row + 1 if row else ''} domain",
            "y": 0.5,
            "xanchor": "left",
        }
        figure.add_annotation(text=title, showarrow=False, align="left", font={"size": 11}, **where)
    figure.update_xaxes(
        range=[
            -1 if min((np.min(v, initial=0) for v in sets.values()), default=0) < -0.2 else -0.2,
            1,
        ]
    )
    figure.update_xaxes(title_text="cosine", row=len(filled))
    figure.update_yaxes(rangemode="tozero")
    figure.update_yaxes(title_text="% of pairs", row=(len(filled) + 1) // 2)
    return figure


@checked()
def distance_histogram(
    distances: Mapping[str, Sequence[float] | npt.NDArray[Any]],
    *,
    title: str = "distance within a class",
) -> go.Figure:
    """Draw a histogram in % for each name: distances of unit vectors, ten bins on [0, 2] (MoCoUTRL, Figure 2)."""
    if not distances or any(np.size(values) == 0 for values in distances.values()):
        raise ValueError("there are no distances to draw; give lists that are not empty")
    edges = np.linspace(0, 2, 11)
    figure = Figure()
    for index, (name, values) in enumerate(distances.items()):
        if not (np.isfinite(values).all() and np.min(values) >= 0 and np.max(values) <= 2 + 1e-6):
            raise ValueError(
                f"{name!r} has distances outside [0, 2]; scale the vectors to length 1 first"
            )
        figure.add_trace(_steps(index, name, np.clip(values, 0, 2), edges, "%{x:.1f}: %{y:.1f} %"))
    styled(figure, width=WIDTH, height=340, title=title, showlegend=len(distances) > 1)
    figure.update_xaxes(title_text="distance", range=[0, 2])
    figure.update_yaxes(title_text="% of pairs", rangemode="tozero")
    return figure


def _steps(index: int, name: str, values: Floats, edges: Floats, hover: str) -> go.Scatter:
    counts = np.histogram(values, bins=edges)[0]
    label = shortened(name)
    points = {"x": (edges[:-1] + edges[1:]) / 2, "y": 100 * counts / max(counts.sum(), 1)}
    style = {
        "mode": "lines",
        "line": {**line_style(index), "shape": "hvh"},
        "fill": "tozeroy",
        "opacity": 0.8,
    }
    return go.Scatter(name=label, hovertemplate=f"{hover}<extra>{label}</extra>", **points, **style)


@checked()
def seed_dots(
    scores: Mapping[str, Sequence[float]], *, title: str = "every run a dot", unit: str = "score"
) -> go.Figure:
    """Draw a row for each setting: its runs as dots, their mean as a tick, and one standard deviation as a bar."""
    measured = {
        name: [float(value) for value in values if np.isfinite(value)]
        for name, values in scores.items()
    }
    empty = [name for name, values in measured.items() if not values]
    if not measured or empty:
        raise ValueError(
            f"there are no scores{f' of {empty[0]!r}' if empty else ''}; give scores for each setting"
        )
    figure = Figure()
    for row, (name, values) in enumerate(measured.items()):
        mean, spread = (
            float(np.mean(values)),
            float(np.std(values, ddof=1)) if len(values) > 1 else 0.0,
        )
        label, ends = shortened(name, 40), [mean - spread, mean + spread]
        hover = f"{label}: {mean:.4g}" + (
            f" ± {spread:.2g}, {len(values)} seeds" if len(values) > 1 else ", one seed"
        )
        bar = {"color": colour(0), "width": 9}
        dots = {"color": colour(0), "size": 7, "opacity": 0.8}
        tick = {"color": INK, "size": 16, "symbol": "line-ns", "line": {"color": INK, "width": 2}}
        figure.add_scatter(
            x=ends, y=[row, row], mode="lines", line=bar, opacity=0.25, hoverinfo="skip"
        )
        points = {"x": values, "y": [row] * len(values), "hovertemplate": hover + "<extra></extra>"}
        figure.add_scatter(mode="markers", name=label, marker=dots, **points)
        figure.add_scatter(x=[mean], y=[row], mode="markers", marker=tick, hoverinfo="skip")
    styled(figure, width=WIDTH, height=110 + 30 * len(measured), title=title, showlegend=False)
    ticks = {
        "tickvals": list(range(len(measured))),
        "ticktext": [shortened(name, 40) for name in measured],
    }
    figure.update_yaxes(**ticks, showgrid=False, range=[len(measured) - 0.5, -0.5], zeroline=False)
    return figure.update_xaxes(title_text=unit)
