"""Heat maps: cosines between sentences, and scores by layer and pooling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ..projections import Vectors, checked_unit_rows
from .style import PALETTE, Figure, shortened, styled, wrapped

# Vermillion, white and blue. Readers with colour blindness can distinguish these colours, and those
# of plotly's scale "Cividis".
OPPOSITE_TO_SIMILAR = ((0, PALETTE[3]), (0.5, "#FFFFFF"), (1, PALETTE[0]))
# With more sentences there is no room for numbers in the cells.
MOST_NUMBERS = 12


def similarity_matrix(vectors: Vectors, texts: Sequence[str]) -> go.Figure:
    """Draw the cosines between sentence vectors (N, D) as a matrix.

    Blue means similar, white unrelated, vermillion opposite; ``texts`` has a text for each vector.

    Raises:
        ValueError: another number of texts, or numbers that are not finite.

    >>> import numpy as np
    >>> similarity_matrix(np.eye(2), ["one", "two"]).data[0].z
    array([[1., 0.],
           [0., 1.]])
    """
    points = checked_unit_rows(vectors)
    if len(points) != len(texts):
        raise ValueError(
            f"{len(texts)} texts for {len(points)} vectors; give a text for each vector"
        )
    full_texts = [wrapped(text, 50, 3) for text in texts]
    pairs_of_texts = []
    for first in full_texts:
        pairs_of_texts.append([f"{first}<br>and<br>{second}" for second in full_texts])
    figure = Figure()
    figure.add_heatmap(
        z=points @ points.T,  # (N, N)
        x=[str(number) for number in range(1, len(texts) + 1)],
        y=[f"{number}. {shortened(text)}" for number, text in enumerate(texts, start=1)],
        customdata=pairs_of_texts,
        zmin=-1,
        zmax=1,
        colorscale=OPPOSITE_TO_SIMILAR,
        colorbar_title="cosine",
        colorbar_thickness=12,
        hovertemplate="%{customdata}<br>cosine %{z:.3f}<extra></extra>",
        # Writes the cosine into each cell.
        texttemplate="%{z:.2f}" if len(texts) <= MOST_NUMBERS else None,
        textfont_size=10,
    )
    styled(figure, width=640, height=560, title="cosine similarity")
    figure.update_xaxes(type="category", showgrid=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False)


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
        colorscale="Cividis",
        colorbar_thickness=12,
        hovertemplate="%{y}, %{x}: %{z:.4g}<extra></extra>",
        texttemplate="%{z:.3g}",
        textfont_size=12,
        xgap=2,
        ygap=2,
        hoverongaps=False,
    )
    styled(figure, width=560, height=280, title=title)
    figure.update_xaxes(type="category", showgrid=False)
    return figure.update_yaxes(type="category", showgrid=False, autorange="reversed")
