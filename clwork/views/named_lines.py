"""Figures with a line for each name: curves, spectra, histograms, runs of a setting, vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats
from ..projections import Vectors, checked_unit_rows
from ..wording import plural
from .history import downsample
from .style import FAINT, INK, PALE, Figure, colour, line_style, shortened, styled

WIDTH = 620  # pixels
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
        label = shortened(name)
        figure.add_scatter(
            x=x[indices],
            y=y[indices],
            name=label,
            mode="lines",
            line=line_style(index),
            hovertemplate=f"{label}: %{{y:.4g}} at %{{x:.4g}}<extra></extra>",
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
            annotation_font_size=11,
        )
    styled(figure, width=WIDTH, height=360, title=title, showlegend=len(series) > 1)
    figure.update_xaxes(title_text=x_title)
    figure.update_yaxes(title_text=y_title)
    if "x" in log:
        figure.update_xaxes(type="log", exponentformat="power")
    if "y" in log:
        figure.update_yaxes(type="log", exponentformat="power")
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
    return figure.update_yaxes(dtick=1, tickformat="~g")


def cosine_histogram(
    cosines: Mapping[str, Sequence[float] | Floats], scores: Sequence[float] | Floats
) -> go.Figure:
    """Draw a histogram of cosines for each range of human scores (SimCSE, appendix G).

    Each row of the figure sums to 100 %. A score at a border is in the upper range, and a range
    without a pair has no row.

    Args:
        cosines: the cosines of N pairs of sentences, for each encoder.
        scores: the human scores of these pairs, from 0 to 5.

    Raises:
        ValueError: scores below 0 or above 5.

    >>> figure = cosine_histogram({"mini": [0.1, 0.9]}, scores=[0.5, 4.5])
    >>> [title.text for title in figure.layout.annotations]
    ['gold 4–5<br>(1 pair)', 'gold 0–1<br>(1 pair)']
    """
    gold = np.asarray(scores)
    if gold.min() < 0 or gold.max() > 5:
        raise ValueError(f"scores are from {gold.min()} to {gold.max()}; rescale them to 0 to 5")
    # The lower border of each score's range; 5 is in the range from 4 to 5.
    lower_border = np.minimum(np.floor(gold), 4)
    ranges = [low for low in (4, 3, 2, 1, 0) if (lower_border == low).any()]
    bins = np.linspace(-1, 1, 51)

    figure = Figure().set_subplots(
        rows=len(ranges), cols=1, shared_xaxes=True, vertical_spacing=0.035
    )
    for row, low in enumerate(ranges, start=1):
        is_in_range = lower_border == low
        for index, (name, values) in enumerate(cosines.items()):
            histogram = _histogram(index, name, np.asarray(values)[is_in_range], bins)
            histogram.update(
                legendgroup=str(index),
                # Once in the legend, for all rows.
                showlegend=row == 1,
                line_width=1.5,
                hovertemplate=f"cosine %{{x:.2f}}: %{{y:.1f}} %<extra>{shortened(name)}</extra>",
            )
            figure.add_trace(histogram, row=row, col=1)
        figure.add_annotation(
            text=f"gold {low}–{low + 1}<br>({plural(int(is_in_range.sum()), 'pair')})",
            # On the right of the row, in the middle of its height.
            x=1.01,
            xref="x domain",
            xanchor="left",
            y=0.5,
            yref="y domain",
            align="left",
            showarrow=False,
            font_size=11,
            row=row,
            col=1,
        )

    styled(
        figure, width=WIDTH, height=460, title="cosine by gold score", showlegend=len(cosines) > 1
    )
    figure.update_layout(
        margin={"r": 130},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom"},
    )
    # Negative cosines are rare; without them the positive ones have more room.
    lowest = min(np.min(values) for values in cosines.values())
    figure.update_xaxes(range=[-1 if lowest < -0.2 else -0.2, 1])
    figure.update_xaxes(title_text="cosine", row=len(ranges))
    figure.update_yaxes(rangemode="tozero")
    return figure.update_yaxes(title_text="% of pairs", row=(len(ranges) + 1) // 2)


def distance_histogram(
    distances: Mapping[str, Sequence[float] | Floats], *, title: str = "distance within a class"
) -> go.Figure:
    """Draw a histogram in % of distances of unit vectors for each name, in ten bins from 0 to 2.

    As in Figure 2 of MoCoUTRL.

    >>> distance_histogram({"same topic": [0.1, 1.1, 1.1, 1.1]}).data[0].y
    array([25.,  0.,  0.,  0.,  0., 75.,  0.,  0.,  0.,  0.])
    """
    figure = Figure()
    for index, (name, values) in enumerate(distances.items()):
        figure.add_trace(_histogram(index, name, np.asarray(values), np.linspace(0, 2, 11)))
    styled(figure, width=WIDTH, height=340, title=title, showlegend=len(distances) > 1)
    figure.update_xaxes(title_text="distance", range=[0, 2])
    return figure.update_yaxes(title_text="% of pairs", rangemode="tozero")


def _histogram(index: int, name: str, values: Floats, bins: Floats) -> go.Scatter:
    """Return the histogram of values, in % of them, as a stepped line.

    ``index`` is the number of the line, which selects its colour; ``bins`` are the borders of the
    bins. Values beyond the first or last border are in the first or last bin.
    """
    counts, _ = np.histogram(np.clip(values, bins[0], bins[-1]), bins)
    return go.Scatter(
        x=(bins[:-1] + bins[1:]) / 2,
        y=100 * counts / len(values),
        name=shortened(name),
        mode="lines",
        line={**line_style(index), "shape": "hvh"},
        fill="tozeroy",
        opacity=0.8,
        hovertemplate=f"%{{x:.1f}}: %{{y:.1f}} %<extra>{shortened(name)}</extra>",
    )


def seed_dots(scores: Mapping[str, Sequence[float]], *, title: str, unit: str) -> go.Figure:
    """Draw a row for each setting: its runs as dots, their mean as a tick, and a bar of ± 1 sd.

    Args:
        scores: for each setting the scores of its runs; those that are NaN are left out.
        title: the title of the figure.
        unit: the title of the axis.

    >>> figure = seed_dots({"dropout": [60.1, 61.3]}, title="seeds", unit="Spearman × 100")
    >>> figure.layout.yaxis.ticktext
    ('dropout',)
    """
    figure = Figure()
    labels = [shortened(name, 40) for name in scores]
    for row, (label, runs) in enumerate(zip(labels, scores.values(), strict=True)):
        values = np.array([score for score in runs if np.isfinite(score)])
        # The sample standard deviation, which a single value does not have.
        deviation = values.std(ddof=1) if len(values) > 1 else 0
        # The mean as a vertical tick, with the deviation as a thick error bar.
        figure.add_scatter(
            x=[values.mean()],
            y=[row],
            mode="markers",
            marker_color=INK,
            marker_size=16,
            marker_symbol="line-ns",
            marker_line_color=INK,
            marker_line_width=2,
            error_x_array=[deviation],
            error_x_color=PALE,
            error_x_thickness=9,
            error_x_width=0,
            hoverinfo="skip",
        )
        summary = f"{values.mean():.4g} ± {deviation:.2g}, {plural(len(values), 'seed')}"
        figure.add_scatter(
            x=values,
            y=[row] * len(values),
            name=label,
            mode="markers",
            marker_color=colour(0),
            marker_size=7,
            marker_opacity=0.8,
            hovertemplate=f"{label}: {summary}<extra></extra>",
        )
    rows = len(labels)
    styled(figure, width=WIDTH, height=110 + 30 * rows, title=title, showlegend=False)
    figure.update_yaxes(
        tickvals=list(range(rows)),
        ticktext=labels,
        # The first setting on top.
        range=[rows - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return figure.update_xaxes(title_text=unit)


def augmented_vector(before: Floats, after: Mapping[str, Floats]) -> go.Figure:
    """Draw a vector (D,) and its augmentations by name: values above, sizes of frequencies below.

    Bars show how much each value has changed; frequencies are those of ``np.fft.rfft``, and each
    augmentation has a column.

    Raises:
        ValueError: an augmentation has another shape than the vector.

    >>> import numpy as np
    >>> figure = augmented_vector(np.zeros(4), {"one": np.ones(4)})
    >>> figure.data[2].y
    array([1., 1., 1., 1.])
    """
    figure = Figure().set_subplots(
        rows=2,
        cols=len(after),
        shared_yaxes=True,
        column_titles=[shortened(name, 24) for name in after],
        horizontal_spacing=0.02,
        vertical_spacing=0.14,
    )
    for column, vector in enumerate(after.values(), start=1):
        _add_before_and_after(figure, 1, column, before, vector)
        figure.add_bar(
            y=vector - before,
            name="change",
            marker_color=colour(1),
            showlegend=column == 1,
            row=1,
            col=column,
        )
        sizes_before, sizes_after = np.abs(np.fft.rfft([before, vector]))
        _add_before_and_after(figure, 2, column, sizes_before, sizes_after)
    styled(figure, width=900, height=430, margin={"l": 55, "r": 15, "t": 30, "b": 60})
    figure.update_annotations(font_size=12)
    figure.update_layout(legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.12})
    figure.update_xaxes(title_text="dimension", row=1)
    figure.update_xaxes(title_text="frequency", row=2)
    figure.update_yaxes(title_text="value", row=1, col=1)
    return figure.update_yaxes(title_text="size", row=2, col=1)


def _add_before_and_after(
    figure: go.Figure, row: int, column: int, before: Floats, after: Floats
) -> None:
    """Draw two lines in a cell of the figure; the first cell names them in the legend."""
    for name, values, line in (
        ("before", before, {"color": FAINT, "width": 1}),
        ("after", after, {"color": colour(0), "width": 1.5}),
    ):
        figure.add_scatter(
            y=values,
            name=name,
            mode="lines",
            line=line,
            showlegend=row == column == 1,
            row=row,
            col=column,
        )
