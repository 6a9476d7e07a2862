"""Shares: of in-batch pairs that lie above a threshold, and of a softmax among its groups (DCLR)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ... import checks
from ...edges import by_name, checked, each, numbers
from ...wording import plural
from ..figure import Figure
from ..style import FAINT, colour, dash, shortened, styled, symbol

LEAST = 1e-8  # smaller shares have no place on the log axis


@checked(cosines=by_name(numbers), marks=each(checks.finite))
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
        line = {"color": colour(index), "dash": dash(index), "width": 2}
        label = shortened(name)
        hover = "φ = %{x:.2f}: %{y:.2f} % of pairs<extra>" + label + "</extra>"
        figure.add_trace(go.Scatter(x=grid, y=share, name=label, mode="lines", line=line, hovertemplate=hover))
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
        line = {"color": colour(index), "dash": dash(index), "width": 2}
        look = {"line": line, "marker": {"symbol": symbol(index), "size": 6}, "mode": "lines+markers"}
        label = shortened(name)
        hover = "%{x:.2g}: %{y:.3g}<extra>" + label + "</extra>"
        shown = np.where(column >= LEAST, column, np.nan)
        figure.add_trace(go.Scatter(x=places, y=shown, name=label, hovertemplate=hover, **look))
    for label, at in (marks or {}).items():
        figure.add_vline(x=at, line={"color": FAINT, "width": 1, "dash": "dot"})
        place = {"x": math.log10(at), "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom"}
        figure.add_annotation(text=label, showarrow=False, **place)  # on a log axis a line wants x, its label log x
    styled(figure, width=width, height=height, title="share of the softmax")
    decades = {"type": "log", "dtick": 1, "exponentformat": "power"}
    figure.update_xaxes(title_text=x_title, **decades)
    figure.update_yaxes(title_text="share", **decades)
    return figure
