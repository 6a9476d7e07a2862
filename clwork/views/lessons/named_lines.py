"""One curve for each name: values over a common axis, spectra, and shares."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked
from ...projections import Vectors, checked_unit_rows
from ...wording import plural
from ..figure import Figure
from ..recorded_columns import downsample
from ..style import FAINT, line_look, shortened, styled, symbol

LEAST = 1e-8  # smaller values have no place on a log axis

Numbers = npt.NDArray[Any]


def named_line(index: int, name: str, x: Numbers, y: Numbers, hover: str, **look: Any) -> go.Scatter:
    """Trace of the ``index``-th line; ``hover`` is its hover template, to which the name is added."""
    label = shortened(name)
    hover = f"{hover}<extra>{label}</extra>"
    return go.Scatter({"mode": "lines", "line": line_look(index), **look}, x=x, y=y, name=label, hovertemplate=hover)


@checked()
def lines(
    series: Mapping[str, tuple[Any, Any]],
    *,
    title: str,
    x_title: str = "",
    y_title: str = "",
    levels: Mapping[str, float] | None = None,
    log: Sequence[str] = (),
    width: int = 620,
    height: int = 360,
) -> go.Figure:
    """Draw each named pair of x and y values as a line; ``levels`` are named horizontal ones to compare them with.

    ``log`` names the axes, of ``"x"`` and ``"y"``, that are logarithmic.

    Raises:
        ValueError: no series, lengths that differ, or an axis of another name.
    """
    if not series:
        raise ValueError("no lines to draw: give at least one as {'name': (x, y)}")
    if not set(log) <= {"x", "y"}:
        raise ValueError(f"log={list(log)!r}; axes are called 'x' and 'y'")
    figure = Figure()
    for index, (name, pair) in enumerate(series.items()):
        x, y = map(np.asarray, pair)
        if x.shape != y.shape or x.ndim != 1:
            raise ValueError(f"{name!r} has x of shape {x.shape} and y of {y.shape}; give two lists of one length")
        shown = downsample(y)
        trace = named_line(index, name, x[shown], y[shown], "")
        trace.hovertemplate = shortened(name) + ": %{y:.4g} at %{x:.4g}<extra></extra>"
        figure.add_trace(trace)
    for name, level in (levels or {}).items():
        figure.add_hline(
            y=level,
            line={"color": FAINT, "dash": "dash", "width": 1},
            annotation_text=shortened(name),
            annotation_position="top left",
            annotation_font={"color": FAINT, "size": 11},
        )
    styled(figure, width=width, height=height, title=title, showlegend=len(series) > 1)
    figure.update_xaxes(title_text=x_title, type="log" if "x" in log else "linear")
    figure.update_yaxes(title_text=y_title, type="log" if "y" in log else "linear")
    return figure


@checked()
def spectrum(embeddings: Mapping[str, Vectors], *, width: int = 620, height: int = 380) -> go.Figure:
    """Draw the singular values of each set of unit vectors (N, D), divided by the largest, on a log axis.

    SimCSE §5 and appendix F: uniformity pushes the largest singular values down, so the curve flattens. The matrix is
    not centred: a cone shows as one large first value.

    Raises:
        ValueError: a set is empty or holds NaN.
    """
    figure = Figure()
    for index, (name, vectors) in enumerate(embeddings.items()):
        points = checked_unit_rows(vectors)
        if not len(points):
            raise ValueError(f"{name!r} holds no vectors: a spectrum needs at least one")
        strengths = np.linalg.svd(points, compute_uv=False)
        values = np.asarray(strengths / max(float(strengths[0]), 1e-12), dtype=np.float64)
        shown = downsample(values)
        rank, height_of = np.arange(1, len(values) + 1)[shown], values[shown]
        share = np.where(height_of > LEAST, height_of, np.nan)
        figure.add_trace(named_line(index, name, rank, share, "value %{x}: %{y:.4f} of the largest"))
    styled(figure, width=width, height=height, title="singular values of the unit vectors")
    figure.update_xaxes(title_text="rank of the value")
    figure.update_yaxes(title_text="share of the largest", type="log")
    return figure


@checked()
def share_above(
    cosines: Mapping[str, Any], *, marks: Sequence[float] = (0.7, 0.9), width: int = 620, height: int = 360
) -> go.Figure:
    """Draw, for each set of cosines (any shape), which share of them is at or above a threshold φ.

    DCLR masks what lies above φ: where the curve of its complementary model crosses φ, the height is the share of
    negatives that are gone. ``marks`` are thresholds to point out.

    Raises:
        ValueError: a set is empty or holds NaN.
    """
    figure = Figure()
    grid = np.linspace(-0.2, 1.0, 121).round(2)
    for index, (name, values) in enumerate(cosines.items()):
        flat = np.sort(values.ravel())
        if not len(flat) or not np.isfinite(flat).all():
            raise ValueError(f"{name!r} must hold at least one cosine, and no NaN")
        share = 100 * (1 - np.searchsorted(flat, grid, side="left") / len(flat))
        figure.add_trace(named_line(index, name, grid, share, "φ = %{x:.2f}: %{y:.2f} % of pairs"))
    for mark in marks:
        figure.add_vline(x=mark, line={"color": FAINT, "width": 1, "dash": "dot"}, annotation_text=f"{mark:g}")
    styled(figure, width=width, height=height, title="pairs of different sentences at or above a cosine")
    figure.update_xaxes(title_text="φ, threshold of the cosine")
    figure.update_yaxes(title_text="% of pairs")
    return figure


@checked()
def softmax_shares(
    x: Sequence[float],
    shares: Mapping[str, Sequence[float]],
    *,
    x_title: str = "β·t/(σ√d), how far noise is moved (radians)",
    marks: Mapping[str, float] | None = None,
    width: int = 660,
    height: int = 380,
) -> go.Figure:
    """Draw the share of a softmax that each group gets, on two log axes, over what is varied.

    ``shares`` maps a group (positive, in-batch, noise) to its share at each ``x``; ``marks`` names values of x.

    Raises:
        ValueError: a group has not one share for each x, or an x is not above 0.
    """
    places = np.asarray(x)
    if not len(places) or not (places > 0).all():
        raise ValueError("x must be above 0 everywhere, and not empty: the axis is logarithmic")
    figure = Figure()
    for index, (name, values) in enumerate(shares.items()):
        column = np.asarray(values)
        if column.shape != places.shape:
            raise ValueError(f"{name!r} has {plural(column.size, 'share')} for {plural(len(places), 'value')} of x")
        look = {"marker": {"symbol": symbol(index), "size": 6}, "mode": "lines+markers"}
        share = np.where(column >= LEAST, column, np.nan)
        figure.add_trace(named_line(index, name, places, share, "%{x:.2g}: %{y:.3g}", **look))
    for label, at in (marks or {}).items():
        figure.add_vline(x=at, line={"color": FAINT, "width": 1, "dash": "dot"})
        place = {"x": math.log10(at), "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom"}
        figure.add_annotation(text=label, showarrow=False, **place)  # on a log axis a line wants x, its label log x
    styled(figure, width=width, height=height, title="share of the softmax")
    decades = {"type": "log", "dtick": 1, "exponentformat": "power"}
    figure.update_xaxes(title_text=x_title, **decades)
    figure.update_yaxes(title_text="share", **decades)
    return figure
