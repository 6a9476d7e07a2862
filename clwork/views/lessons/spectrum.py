"""The singular values of an embedding matrix: a flat spectrum uses the space, a steep one lies along few directions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from ...edges import checked
from ...projections import Vectors, checked_unit_rows
from ..figure import Figure
from ..recorded_columns import Floats, downsample
from ..style import colour, dash, shortened, styled


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
        values: Floats = np.asarray(strengths / max(float(strengths[0]), 1e-12), dtype=np.float64)
        kept = downsample(values)
        rank = np.arange(1, len(values) + 1)[kept]
        shown = np.where(values[kept] > 1e-8, values[kept], np.nan)  # zeros have no place on a log axis
        line = {"color": colour(index), "dash": dash(index), "width": 2}
        label = shortened(name)
        hover = "value %{x}: %{y:.4f} of the largest<extra>" + label + "</extra>"
        figure.add_trace(go.Scatter(x=rank, y=shown, name=label, mode="lines", line=line, hovertemplate=hover))
    styled(figure, width=width, height=height, title="singular values of the unit vectors")
    figure.update_xaxes(title_text="rank of the value")
    figure.update_yaxes(title_text="share of the largest", type="log")
    return figure
