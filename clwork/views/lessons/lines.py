"""One curve for each name: values over a common axis, and spectra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked
from ...projections import Vectors, checked_unit_rows
from ..history import downsample
from ..style import FAINT, Figure, line_style, shortened, styled

LEAST = 1e-8  # smaller values have no place on a log axis

Numbers = npt.NDArray[Any]


def named_line(index: int, name: str, x: Numbers, y: Numbers, hover: str) -> go.Scatter:
    """Trace of the ``index``-th line; ``hover`` is its hover template, to which the name is added."""
    label = shortened(name)
    hover = f"{hover}<extra>{label}</extra>"
    return go.Scatter(x=x, y=y, name=label, mode="lines", line=line_style(index), hovertemplate=hover)


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
    """Draw each named pair of x and y values as a line, and horizontal ``levels``; ``log`` names logarithmic axes."""
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
    """Draw the singular values of each set of unit vectors (N, D), over the largest, on a log axis (SimCSE §5).

    The matrix is not centred: a cone shows as one large first value.
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
