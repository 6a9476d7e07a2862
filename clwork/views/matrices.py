"""Heat maps: cosines between sentences, and scores by layer and pooling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from .._validation import checked, kind, shown
from ..projections import Vectors, checked_unit_rows
from .style import PALETTE, Figure, shortened, styled, wrapped

COSINES = ((0.0, PALETTE[3]), (0.5, "#FFFFFF"), (1.0, PALETTE[0]))  # vermillion, white, blue
SCORES = "Cividis"  # both are safe for colour-blind readers
NUMBERS_UP_TO = 12
CELLS_UP_TO = 100


@checked()
def similarity_matrix(vectors: Vectors, texts: Sequence[str]) -> go.Figure:
    """Draw the cosines between at most 100 sentence vectors (N, D); ``texts`` has a text for each vector.

    Blue means similar, white unrelated, vermillion opposite.
    """
    points = checked_unit_rows(vectors)
    if len(points) != len(texts):
        raise ValueError(
            f"{len(texts)} texts for {len(points)} vectors; give a text for each vector"
        )
    if len(points) > CELLS_UP_TO:
        raise ValueError(
            f"a matrix of {len(points)} sentences is not readable; give at most {CELLS_UP_TO}"
        )
    cosine = points @ points.T  # (N, N)
    names = [f"{index + 1}. {shortened(text)}" for index, text in enumerate(texts)]
    full = [wrapped(text, 50, 3) for text in texts]
    hover = [[f"{a}<br>and<br>{b}" for b in full] for a in full]
    grid = go.Heatmap(
        z=cosine,
        x=[str(index + 1) for index in range(len(texts))],
        y=names,
        customdata=hover,
        zmin=-1,
        zmax=1,
        colorscale=COSINES,
        colorbar={"title": "cosine", "thickness": 12},
        hovertemplate="%{customdata}<br>cosine %{z:.3f}<extra></extra>",
        texttemplate="%{z:.2f}" if len(texts) <= NUMBERS_UP_TO else None,
        textfont={"size": 10},
    )
    figure = styled(Figure(grid), width=640, height=560, title="cosine similarity")
    figure.update_xaxes(type="category", showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


@checked()
def layer_grid(
    scores: Mapping[tuple[int, str], float], *, title: str = "layer × pooling", height: int = 340
) -> go.Figure:
    """Draw a number for each (layer, pooling); layer 0 is the output of the embeddings. Missing pairs are blank."""
    if not isinstance(scores, Mapping) or not all(
        isinstance(key, tuple) and len(key) == 2 for key in scores
    ):
        raise TypeError(
            f"scores={shown(scores)} is {kind(scores)}; give {{(layer, pooling): number}}"
        )
    if not scores:
        raise ValueError("scores is empty; give {(layer, pooling): number}")
    layers = sorted({layer for layer, _ in scores})
    poolings = list(dict.fromkeys(pooling for _, pooling in scores))
    values = [[scores.get((layer, pooling), np.nan) for layer in layers] for pooling in poolings]
    grid = go.Heatmap(
        z=values,
        x=[f"layer {layer}" if layer else "embeddings" for layer in layers],
        y=[shortened(pooling) for pooling in poolings],
        colorscale=SCORES,
        texttemplate="%{z:.3g}",
        textfont={"size": 12},
        hovertemplate="%{y}, %{x}: %{z:.4g}<extra></extra>",
        colorbar={"thickness": 12},
        xgap=2,
        ygap=2,
        hoverongaps=False,
    )
    figure = styled(Figure(grid), width=560, height=height, title=title)
    figure.update_xaxes(showgrid=False, type="category")
    figure.update_yaxes(showgrid=False, autorange="reversed", type="category")
    return figure
