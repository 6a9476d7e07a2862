"""A word vector as a signal before and after an augmentation, and the weights of a sentence's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...edges import by_name, checked, numbers
from ..figure import Figure, subplots
from ..style import FAINT, colour, shortened, styled

Numbers = npt.NDArray[Any]


@checked(after=by_name(numbers))
def augmented_vector(
    before: Numbers, after: Mapping[str, Numbers], *, width: int = 838, height: int = 430
) -> go.Figure:
    """Draw a vector (d) and what each augmentation makes of it: above the numbers, below the size of each frequency.

    The upper row shows the change as thin bars at the bottom; in the lower row, frequency 0 is d times the mean.

    Raises:
        ValueError: nothing to draw, no vector, or vectors of different widths.
    """
    start = before
    if not after or start.ndim != 1:
        raise ValueError(
            f"before has shape {start.shape}, after {len(after)} of them; give one vector and at least one augmentation"
        )
    figure = subplots(
        rows=2,
        cols=len(after),
        shared_yaxes=True,
        column_titles=[shortened(name, 24) for name in after],
        horizontal_spacing=0.02,
        vertical_spacing=0.14,
    )
    for column, values in enumerate(after.values(), 1):
        end = values
        if end.shape != start.shape:
            raise ValueError(f"vectors of shape {start.shape} and {end.shape}: an augmentation keeps the width")
        rows = ((start, end), (np.abs(np.fft.rfft(start)), np.abs(np.fft.rfft(end))))
        for row, (old, new) in enumerate(rows, 1):
            first = row == column == 1
            faint = {"color": FAINT, "width": 1}
            strong = {"color": colour(0), "width": 1.5}
            figure.add_trace(go.Scatter(y=old, line=faint, name="before", showlegend=first), row=row, col=column)
            figure.add_trace(go.Scatter(y=new, line=strong, name="after", showlegend=first), row=row, col=column)
        change = go.Bar(y=end - start, marker_color=colour(1), name="change", showlegend=column == 1)
        figure.add_trace(change, row=1, col=column)
    figure.update_traces(mode="lines", selector={"type": "scatter"})
    styled(figure, width=width, height=height, margin={"l": 55, "r": 15, "t": 30, "b": 60})
    figure.update_annotations(font_size=12)
    figure.update_layout(legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.12})
    figure.update_xaxes(title_text="dimension", row=1).update_xaxes(title_text="frequency", row=2)
    figure.update_yaxes(title_text="value", row=1, col=1).update_yaxes(title_text="size", row=2, col=1)
    return figure


@checked(weights=by_name(numbers))
def word_weights(
    words: Sequence[str],
    weights: Mapping[str, Sequence[float] | Numbers],
    *,
    title: str = "weights of the words",
    width: int = 620,
    height: int = 360,
) -> go.Figure:
    """Draw one or more weightings of a sentence's words (T), each divided by its largest size, in the words' order.

    Raises:
        ValueError: no weighting, or one that has not a weight for each word.
    """
    if not weights:
        raise ValueError("there are no weights to draw: give a dict name -> one number for each word")
    figure = Figure()
    places = [f"{index + 1}. {shortened(word, 24)}" for index, word in enumerate(words)]  # a word may come twice
    for index, (name, values) in enumerate(weights.items()):
        own = np.asarray(values)
        if own.shape != (len(words),):
            raise ValueError(f"{name!r} has shape {own.shape} for {len(words)} words: one weight per word is needed")
        share = own / max(float(np.abs(own).max()), 1e-12)
        label = shortened(name)
        hover = "%{y}: %{x:.3f}<extra>" + label + "</extra>"
        pattern = {"shape": ("", "/", ".", "x")[index % 4], "fillmode": "overlay", "fgcolor": "white"}  # else no ground
        marker = {"color": colour(index), "pattern": pattern}
        figure.add_trace(go.Bar(x=share, y=places, orientation="h", name=label, marker=marker, hovertemplate=hover))
    styled(figure, width=width, height=height, title=title, showlegend=len(weights) > 1, barmode="group")
    figure.update_yaxes(autorange="reversed", type="category")
    return figure.update_xaxes(title_text="share of the largest")
