"""Figures that compare methods: their vectors on common axes, and score differences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ..columns import Floats
from ..projections import Vectors, checked_unit_rows
from .style import (
    FAINT,
    INK,
    MARK,
    PALETTE,
    Figure,
    colour,
    plain,
    shortened,
    styled,
    symbol,
    wrapped,
)

# The size of a plot of vectors in pixels, with its title above.
SIZE = 270
TITLE = 30
LEGEND_NAMES_IN_A_ROW = 5
# A mean with the ends of its interval.
Interval = tuple[float, float, float]
# The colours of what an interval says.
WORDS = {
    "matters": MARK,
    "not 0": MARK,
    "too small to matter": PALETTE[0],
    "open": FAINT,
    "undecided": FAINT,
}


@dataclass(frozen=True)
class CommonAxes:
    """The clouds of :func:`common_axes`, by name."""

    # The coordinates (N, 2) of each cloud on the two common axes.
    coordinates: dict[str, Floats]
    # The share of each cloud's variance that its coordinates have, from 0 to 1.
    share: dict[str, float]


def common_axes(clouds: Mapping[str, Vectors]) -> CommonAxes:
    """Rotate clouds (N, D) of the same sentences so that their coordinates can be compared.

    D may differ between clouds. The axes are the two directions of largest variance of all clouds
    together, each scaled to the same total variance (multiple factor analysis, Escofier & Pagès
    1994). Each cloud is then rotated onto them without scaling.

    Raises:
        ValueError: clouds of different N, fewer than 3 sentences or 2 dimensions, numbers that are
            not finite, or a cloud whose vectors are all equal.

    >>> import numpy as np
    >>> axes = common_axes({"raw": np.eye(4), "trained": np.eye(4)[:, ::-1]})
    >>> axes.coordinates["raw"].shape
    (4, 2)
    """
    centred = _centred(clouds)
    target = _main_plane(list(centred.values()))
    coordinates = {}
    share = {}
    for name, points in centred.items():
        # The rotation that brings the cloud closest to the target (orthogonal Procrustes).
        left, _, right = np.linalg.svd(points.T @ target, full_matrices=False)
        coordinates[name] = points @ (left @ right)  # (N, D) @ (D, 2) -> (N, 2)
        share[name] = float((coordinates[name] ** 2).sum() / (points**2).sum())
    return CommonAxes(coordinates, share)


def _centred(clouds: Mapping[str, Vectors]) -> dict[str, Floats]:
    """Check the clouds of :func:`common_axes`; return their unit vectors minus their means."""
    centred = {}
    for name, vectors in clouds.items():
        points = checked_unit_rows(vectors)
        centred[name] = points - points.mean(axis=0)
    shapes = {name: points.shape for name, points in centred.items()}
    if len({count for count, _ in shapes.values()}) != 1:
        raise ValueError(f"clouds have the shapes {shapes}; give vectors of the same sentences")
    if any(count < 3 or width < 2 for count, width in shapes.values()):
        raise ValueError(f"clouds have the shapes {shapes}; give at least 3 vectors of 2 numbers")
    for name, points in centred.items():
        if np.linalg.norm(points) < 1e-9:
            raise ValueError(f"all vectors of {name!r} are equal; leave this encoder out")
    return centred


def _main_plane(clouds: Sequence[Floats]) -> Floats:
    """Return the coordinates (N, 2) on the two main directions of all clouds (N, D) together.

    Row i of each cloud is sentence i, and the mean of each cloud is 0. So the clouds, next to each
    other, are one cloud of N points with more dimensions, whose principal components are computed.
    """
    # The same total variance for each cloud, so that none counts more than another.
    scaled = [points / np.linalg.norm(points) for points in clouds]
    together = np.concatenate(scaled, axis=1)  # (N, sum of all D)
    left, strengths, _ = np.linalg.svd(together, full_matrices=False)
    plane: Floats = left[:, :2] * strengths[:2]
    # An axis may point either way: let its coordinate of largest magnitude be positive.
    extreme_rows = np.abs(plane).argmax(axis=0)
    return plane * np.sign(plane[extreme_rows, [0, 1]])


def side_by_side(axes: CommonAxes, labels: Sequence[str], texts: Sequence[str]) -> go.Figure:
    """Draw a scatter plot for each cloud of :func:`common_axes`, all to the same scale.

    Args:
        axes: the coordinates of the clouds.
        labels: the topic of each sentence, which selects colour and symbol.
        texts: the sentences, shown on hovering.

    Raises:
        ValueError: not as many labels or texts as points.

    >>> import numpy as np
    >>> axes = common_axes({"raw": np.eye(3)})
    >>> side_by_side(axes, ["law", "sea", "sea"], ["one", "two", "three"]).layout.width
    300
    """
    clouds = list(axes.coordinates.values())
    if not len(labels) == len(texts) == len(clouds[0]):
        raise ValueError(
            f"{len(labels)} labels and {len(texts)} texts for {len(clouds[0])} points; "
            "give one for each point"
        )
    topics = sorted(set(labels))
    topic_of_point = [topics.index(label) for label in labels]
    columns = min(3, len(clouds))
    rows = math.ceil(len(clouds) / columns)
    figure = Figure().set_subplots(
        rows=rows,
        cols=columns,
        subplot_titles=[
            f"{shortened(name)} ({100 * share:.0f} % of variance)"
            for name, share in axes.share.items()
        ],
        horizontal_spacing=0.02,
        vertical_spacing=0.09,
    )
    for index, (name, points) in enumerate(axes.coordinates.items()):
        figure.add_scatter(
            x=points[:, 0],
            y=points[:, 1],
            text=[wrapped(text) for text in texts],
            customdata=[plain(label) for label in labels],
            name=shortened(name),
            mode="markers",
            marker_color=[colour(topic) for topic in topic_of_point],
            marker_symbol=[symbol(topic) for topic in topic_of_point],
            marker_size=6,
            marker_opacity=0.8,
            hovertemplate="%{text}<br><i>%{customdata}</i><extra></extra>",
            showlegend=False,
            row=index // columns + 1,
            col=index % columns + 1,
        )
    # A trace of a plot has points of all topics, so the legend needs a trace for each topic.
    for index, topic in enumerate(topics):
        figure.add_scatter(
            x=[None],
            y=[None],
            name=wrapped(topic, 30),
            mode="markers",
            marker_color=colour(index),
            marker_symbol=symbol(index),
            marker_size=7,
        )

    plots_height = rows * (SIZE + TITLE)
    legend_height = 30 + 22 * math.ceil(len(topics) / LEGEND_NAMES_IN_A_ROW)
    styled(
        figure,
        width=columns * SIZE + 30,
        height=plots_height + TITLE + legend_height,
        hovermode="closest",
        dragmode="select",
        margin={"l": 10, "r": 10, "t": TITLE, "b": legend_height},
        legend={"orientation": "h", "y": -0.04, "yanchor": "top", "itemsizing": "constant"},
    )
    # The same range for all plots, so that they have one scale.
    reach = 1.1 * max(np.abs(cloud).max() for cloud in clouds)
    figure.update_xaxes(range=[-reach, reach], showticklabels=False, ticks="")
    return figure.update_yaxes(range=[-reach, reach], showticklabels=False, ticks="")


def intervals(
    rows: Mapping[str, Interval | Mapping[str, Interval]],
    *,
    margin: float = 0.5,
    title: str = "",
    covers: str = "",
) -> go.Figure:
    """Draw differences with their intervals, coloured by what they say.

    A difference *matters* if its whole interval is beyond the margin, is *too small to matter* if
    it is within, and else *open*. With a margin of 0 it is *not 0*, or *undecided* if its interval
    contains 0.

    Args:
        rows: ``(mean, low, high)`` by the name of the row, or for several sets of test pairs a
            mapping ``{set: (mean, low, high)}``; a row without any is a heading.
        margin: the smallest difference that matters; 0 if there is none.
        title: the title of the figure.
        covers: the title of the axis: the unit, and what the intervals cover.

    >>> figure = intervals({"a − b": (9.0, 8.7, 9.3), "b − c": (0.0, -0.7, 0.7)})
    >>> [trace.name for trace in figure.data if trace.mode == "lines"]
    ['matters', 'open']
    """
    figure = Figure()
    by_set = {name: row if isinstance(row, Mapping) else {"": row} for name, row in rows.items()}
    sets = list(dict.fromkeys(name for row in by_set.values() for name in row))
    words = set()
    labels = []
    for place, (row_name, row) in enumerate(by_set.items()):
        label = shortened(row_name, 48)
        labels.append(label if row else f"<b>{label}</b>")
        for name, (mean, low, high) in row.items():
            word = _word(low, high, margin)
            words.add(word)
            number = sets.index(name)
            numbers = f"{mean:+.2f} ({low:+.2f} to {high:+.2f})".replace("-", "−")
            figure.add_scatter(
                x=[mean],
                # The sets of a row stand below each other.
                y=[place + 0.36 * (number - (len(sets) - 1) / 2)],
                error_x={"array": [high - mean], "arrayminus": [mean - low]},
                mode="markers",
                marker_symbol=symbol(number),
                marker_size=10,
                marker_color=WORDS[word],
                hovertemplate=f"{label}<br>{plain(name)} {numbers}: {word}<extra></extra>",
                showlegend=False,
            )
    # Only what is drawn has a name.
    for word in WORDS:
        if word in words:
            figure.add_scatter(
                x=[None], y=[None], name=word, mode="lines", line_color=WORDS[word], line_width=4
            )
    if len(sets) > 1:
        for number, name in enumerate(sets):
            figure.add_scatter(
                x=[None],
                y=[None],
                name=plain(name),
                mode="markers",
                marker_symbol=symbol(number),
                marker_size=10,
                marker_color=INK,
            )

    height = 38 * len(rows)
    styled(
        figure,
        width=720,
        height=height + 123,
        title=title,
        margin={"t": 40, "b": 83},
        # Below the title of the axis.
        legend={"orientation": "h", "y": -48 / height, "yanchor": "top"},
        xaxis_title=covers,
        xaxis_rangemode="tozero",
    )
    figure.update_yaxes(
        tickvals=[*range(len(rows))], ticktext=labels, range=[len(rows) - 0.5, -0.5]
    )
    figure.add_vrect(-margin, margin, fillcolor=FAINT, opacity=0.15, line_width=0)
    return figure.add_vline(0, line_color=INK, line_width=1)


def _word(low: float, high: float, margin: float) -> str:
    """Return the word of an interval by a margin."""
    if low > margin or high < -margin:
        return "matters" if margin else "not 0"
    if not margin:
        return "undecided"
    return "too small to matter" if -margin < low and high < margin else "open"
