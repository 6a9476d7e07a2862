"""A heat map: scores by layer and pooling."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from .style import Figure, shortened, styled


def layer_grid(scores: Mapping[tuple[int, str], float], *, title: str) -> go.Figure:
    """Draw a score for each layer and pooling; layer 0 is the output of the embeddings.

    ``scores`` maps pairs (layer, pooling) to numbers; a pair that is missing is blank.

    >>> grid = layer_grid({(0, "mean"): 40.0, (1, "mean"): 50.0}, title="STS")
    >>> grid.data[0].x
    ('embeddings', 'layer 1')
    """
    layers = sorted({layer for layer, _ in scores})
    # The keys of a dict are all different poolings, in the order of ``scores``.
    poolings = list(dict.fromkeys(pooling for _, pooling in scores))
    rows = []
    for pooling in poolings:
        rows.append([scores.get((layer, pooling)) for layer in layers])
    figure = Figure()
    figure.add_heatmap(
        z=rows,
        x=[f"layer {layer}" if layer else "embeddings" for layer in layers],
        y=[shortened(pooling) for pooling in poolings],
        # Light, so that the numbers can be read on all cells.
        colorscale=["#EEF3F7", "#5FA8DC"],
        showscale=False,
        hovertemplate="%{y}, %{x}: %{z:.1f}<extra></extra>",
        texttemplate="%{z:.3g}",
        textfont_color="#000000",
        xgap=2,
        ygap=2,
        hoverongaps=False,
    )
    styled(figure, width=560, height=280, title=title)
    figure.update_xaxes(type="category", showgrid=False)
    return figure.update_yaxes(type="category", showgrid=False, autorange="reversed")
