"""The terms of SG-BERT's losses, and GCLSR's augmented word vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ..._validation import checked
from ..style import FAINT, INK, PALETTE, RULE, colour, shortened, styled, subplots

Numbers = npt.NDArray[Any]

TERMS = {"base": (1, 2, 3, 4), "opt1": (1, 2, 3), "opt2": (1, 3), "opt3": (1, 3)}
PULL, PUSH = PALETTE[0], PALETTE[3]
C = ((0.0, 1.0), (1.0, 1.0))  # c_i, c_j
H = ((0.0, 0.0), (1.0, 0.0))  # h_i, h_j
NAMES = {
    1: "1: c and h of one sentence attract",
    2: "2: c and c of two sentences repel",
    3: "3: c and h of two sentences repel",
    4: "4: h and h of two sentences repel",
}
PLACES = {1: (0.0, 0.5), 2: (0.5, 1.0), 3: (0.36, 0.64), 4: (0.5, 0.0)}  # of a factor's number


@checked()
def four_factors(forms: Sequence[str] = tuple(TERMS), *, width: int = 840, height: int = 300) -> go.Figure:
    """Draw two sentences, trained vectors c, frozen ones h, and the forces of the forms base, opt1, opt2, opt3."""
    for form in forms:
        if form not in TERMS:
            raise ValueError(f"form {form!r} is not known; give some of {', '.join(TERMS)}")
    figure = subplots(1, len(forms), subplot_titles=[f"<b>{form}</b>" for form in forms], horizontal_spacing=0.03)
    for column, form in enumerate(forms, start=1):
        for factor, words in NAMES.items():
            _force(figure, column, form, factor, words)
        _points(figure, column, form)
    styled(figure, width=width, height=height, showlegend=False, margin={"l": 10, "r": 10, "t": 40, "b": 10})
    figure.update_xaxes(visible=False, range=[-0.35, 1.35]).update_yaxes(visible=False, range=[-0.3, 1.3])
    return figure


def _force(figure: go.Figure, column: int, form: str, factor: int, words: str) -> None:
    lit = factor in TERMS[form]
    lines = strokes(factor, form)
    ink = (PULL if factor == 1 else PUSH) if lit else RULE
    style = {"color": ink, "width": 3 if lit else 1.5, "dash": ("solid" if factor == 1 else "dash") if lit else "dot"}
    x = [value for (a, _), (b, _) in lines for value in (a, b, None)]
    y = [value for (_, a), (_, b) in lines for value in (a, b, None)]
    hover = f"{words}<br>{'in' if lit else 'not in'} {form}<extra></extra>"
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=style, name=words, hovertemplate=hover), row=1, col=column)
    at = PLACES[factor]
    figure.add_annotation(
        x=at[0],
        y=at[1],
        text=str(factor),
        showarrow=False,
        bgcolor="white",
        borderpad=1,
        row=1,
        col=column,
        font={"color": ink if lit else FAINT, "size": 12},
    )


def _points(figure: go.Figure, column: int, form: str) -> None:
    names = {("c<sub>i</sub>", C[0]): "top center", ("c<sub>j</sub>", C[1]): "top center"}
    for letter, places in zip("ij", guides(form), strict=True):
        middle = places[len(places) // 2]
        every = ",k" if len(places) > 1 else ""
        names |= {("", place): "bottom center" for place in places if place != middle}
        names[f"h<sub>{letter}{every}</sub>", middle] = "bottom center"
    trained = [place[1] == 1.0 for _, place in names]
    figure.add_trace(
        go.Scatter(
            x=[place[0] for _, place in names],
            y=[place[1] for _, place in names],
            text=[text for text, _ in names],
            mode="markers+text",
            textposition=list(names.values()),
            textfont={"size": 13, "color": INK},
            marker={
                "size": 11,
                "color": [INK if t else "white" for t in trained],
                "line": {"color": INK, "width": 2},
                "symbol": ["circle" if t else "square" for t in trained],
            },
            hoverinfo="skip",
        ),
        row=1,
        col=column,
    )


def guides(form: str) -> list[list[tuple[float, float]]]:
    """Places of the frozen vectors of sentences i and j: one each, in opt3 one for each layer."""
    shifts = (-0.14, 0.0, 0.14) if form == "opt3" else (0.0,)
    return [[(x + shift, y) for shift in shifts] for x, y in H]


def strokes(factor: int, form: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Lines that show one factor of a form."""
    ours, theirs = guides(form)
    if factor == 1:
        return [(C[0], h) for h in ours] + [(C[1], h) for h in theirs]
    if factor == 2:
        return [(C[0], C[1])]
    if factor == 3:
        return [(C[0], h) for h in theirs] + [(C[1], h) for h in ours]
    return [(ours[-1], theirs[0])]


@checked()
def augmented_vector(
    before: Numbers, after: Mapping[str, Numbers], *, width: int = 838, height: int = 430
) -> go.Figure:
    """Draw a vector (d) and its augmentations: above the numbers and changes, below the size of each frequency."""
    shapes = {name: vector.shape for name, vector in after.items()}
    if before.ndim != 1 or set(shapes.values()) != {before.shape}:
        raise ValueError(f"before has shape {before.shape}, after {shapes}; give one vector, and augmented ones (d,)")
    figure = subplots(
        rows=2,
        cols=len(after),
        shared_yaxes=True,
        column_titles=[shortened(name, 24) for name in after],
        horizontal_spacing=0.02,
        vertical_spacing=0.14,
    )
    for column, end in enumerate(after.values(), 1):
        rows = ((before, end), (np.abs(np.fft.rfft(before)), np.abs(np.fft.rfft(end))))
        for row, (old, new) in enumerate(rows, 1):
            first = row == column == 1
            faint = {"color": FAINT, "width": 1}
            strong = {"color": colour(0), "width": 1.5}
            figure.add_trace(go.Scatter(y=old, line=faint, name="before", showlegend=first), row=row, col=column)
            figure.add_trace(go.Scatter(y=new, line=strong, name="after", showlegend=first), row=row, col=column)
        change = go.Bar(y=end - before, marker_color=colour(1), name="change", showlegend=column == 1)
        figure.add_trace(change, row=1, col=column)
    figure.update_traces(mode="lines", selector={"type": "scatter"})
    styled(figure, width=width, height=height, margin={"l": 55, "r": 15, "t": 30, "b": 60})
    figure.update_annotations(font_size=12)
    figure.update_layout(legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.12})
    figure.update_xaxes(title_text="dimension", row=1).update_xaxes(title_text="frequency", row=2)
    figure.update_yaxes(title_text="value", row=1, col=1).update_yaxes(title_text="size", row=2, col=1)
    return figure
