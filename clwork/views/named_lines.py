"""Figures with a line for each name: curves and spectra."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..projections import Vectors, checked_unit_rows
from .history import downsample
from .style import FAINT, Figure, line_style, shortened, styled

# Singular values below this share of the largest are rounding errors.
SMALLEST_SHARE = 1e-8


def lines(
    series: Mapping[str, tuple[Any, Any]],
    *,
    title: str,
    x_title: str = "",
    y_title: str = "",
    levels: Mapping[str, float] | None = None,
    log: Collection[str] = (),
) -> go.Figure:
    """Draw lines and horizontal levels by name.

    Args:
        series: for each name the x values and the y values of a line.
        title: the title of the figure.
        x_title: the title of the x axis.
        y_title: the title of the y axis.
        levels: for each name the height of a dashed line.
        log: the axes that are logarithmic: ``"x"``, ``"y"`` or both.

    Raises:
        ValueError: a line has not as many x values as y values.

    >>> figure = lines({"squares": ([1, 2, 3], [1, 4, 9])}, title="powers", log=["y"])
    >>> figure.layout.yaxis.type
    'log'
    """
    figure = Figure()
    for index, (name, points) in enumerate(series.items()):
        x, y = map(np.asarray, points)
        if x.shape != y.shape:
            raise ValueError(
                f"{name!r} has x of shape {x.shape}, y of shape {y.shape}; "
                "give two lists of equal length"
            )
        indices = downsample(y)
        figure.add_scatter(
            x=x[indices],
            y=y[indices],
            name=shortened(name),
            mode="lines",
            line=line_style(index),
        )
    for name, height in (levels or {}).items():
        figure.add_hline(
            y=height,
            line_color=FAINT,
            line_dash="dash",
            line_width=1,
            annotation_text=shortened(name),
            annotation_position="top left",
            annotation_font_color=FAINT,
        )
    styled(
        figure,
        width=620,
        height=360,
        title=title,
        showlegend=len(series) > 1,
        xaxis_title=x_title,
        yaxis_title=y_title,
    )
    for axis in ("x", "y"):
        if axis in log:
            figure.layout[f"{axis}axis"].update(type="log", exponentformat="power")
    return figure


def spectrum(embeddings: Mapping[str, Vectors]) -> go.Figure:
    """Draw the singular values of unit vectors (N, D) by name, divided by the largest.

    The matrix is not centred, so a cone has a large first singular value
    (SimCSE, section 5, https://arxiv.org/abs/2104.08821).

    Raises:
        ValueError: vectors that are no matrix, or numbers that are not finite.

    >>> import numpy as np
    >>> spectrum({"all directions": np.eye(3)}).data[0].y
    array([1., 1., 1.])
    """
    shares = {}
    for name, vectors in embeddings.items():
        values = np.linalg.svd(checked_unit_rows(vectors), compute_uv=False)
        # A log axis leaves NaN out.
        values[values < SMALLEST_SHARE * values[0]] = np.nan
        shares[name] = (np.arange(1, len(values) + 1), values / values[0])
    figure = lines(
        shares,
        title="singular values of the unit vectors",
        x_title="rank of the value",
        y_title="share of the largest",
        log=["y"],
    )
    # Plotly draws powers of ten a quarter larger.
    return figure.update_yaxes(dtick=1, tickfont_size=10)
