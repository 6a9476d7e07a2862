"""Diagrams of the papers' methods and of the terms of SG-BERT's losses; figure of GCLSR's augmented word vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ... import _validation
from ..._validation import checked
from ..style import FAINT, INK, PALETTE, RULE, Figure, colour, shortened, styled, subplots

Numbers = npt.NDArray[Any]

PULL, PUSH = PALETTE[0], PALETTE[3]
HALF = (0.43, 0.33)  # half the width of a box in columns, half its height in rows
COLUMN, ROW = 168, 62  # pixels
LINES: dict[str, dict[str, Any]] = {
    "flow": {"color": FAINT, "width": 1.5},
    "frozen": {"color": FAINT, "width": 1.5, "dash": "dot"},
    "pull": {"color": PULL, "width": 3},
    "push": {"color": PUSH, "width": 2.5, "dash": "dash"},
}
FRAMES = {
    "text": None,
    "trained": INK,
    "frozen": FAINT,
    "vector": RULE,
}  # colour of a box's frame by its kind


class Box(NamedTuple):
    """A part of a method: column, row, label, and kind (text, trained, frozen or vector)."""

    x: float
    y: float
    words: str
    kind: str


class Diagram(NamedTuple):
    """Boxes by name, lines ``"from to, from to"`` by style, and the caption below."""

    boxes: dict[str, Box]
    lines: dict[str, str]
    caption: str


def _boxes(*columns: str) -> dict[str, Box]:
    """Parse boxes from one text for each column, with ``name row kind words`` for each box."""
    found = {}
    for x, column in enumerate(columns):
        for name, y, kind, words in (box.split(" ", 3) for box in column.split("; ")):
            found[name] = Box(x, float(y), words, kind)
    return found


DIAGRAMS = {
    "simcse": Diagram(
        _boxes(
            "x 0 text sentence i; again 1 text sentence i, again; other 2 text sentence j, again",
            "one 0 trained encoder, mask 1; two 1 trained encoder, mask 2; three 2 trained encoder, mask 3",
            "h 0 trained head; h2 1 trained head; h3 2 trained head",
            "z 0 vector zᵢ; z2 1 vector z′ᵢ; zj 2 vector z′ⱼ",
        ),
        {
            "flow": "x one, again two, other three, one h, two h2, three h3, h z, h2 z2, h3 zj",
            "pull": "z z2",
            "push": "z zj",
        },
        "One encoder and one head; only the dropout masks differ.",
    ),
    "dclr": Diagram(
        _boxes(
            "x 0 text sentence i; again 1 text sentence i, again; other 2 text sentence j, again; "
            "noise 3 text Gaussian noise",
            "one 0 trained encoder and head; two 1 trained encoder and head; three 2 trained encoder and head; "
            "climb 3 vector steps up its loss",
            "frozen 1.5 frozen frozen SimCSE: αᵢⱼ",
            "z 0 vector hᵢ; z2 1 vector hᵢ⁺; zj 2 vector hⱼ⁺; zk 3 vector ĥₖ",
        ),
        {
            "flow": "x one, again two, other three, one z, two z2, three zj, noise climb, climb zk",
            "frozen": "frozen zj",
            "pull": "z z2",
            "push": "z zj, z zk",
        },
        "The frozen encoder sets α to 0 where i and j are too alike: then j does not push.",
    ),
    "self_guided": Diagram(
        _boxes(
            "x 0 text sentence i; xi 1 text sentence i; xj 2 text sentence j",
            "t 0 trained trained BERT: [CLS]; f 1 frozen frozen BERT: layers; g 2 frozen frozen BERT: layers",
            "h 0 trained head f; h2 1 trained head f; h3 2 trained head f",
            "c 0 vector cᵢ; hi 1 vector hᵢ of every layer; hj 2 vector hⱼ of every layer",
        ),
        {
            "flow": "x t, xi f, xj g, t h, f h2, g h3, h c, h2 hi, h3 hj",
            "frozen": "t f",
            "pull": "c hi",
            "push": "c hj",
        },
        "SG-OPT. The dotted arrow is the regulariser, λ times the squared distance of the two copies' weights.",
    ),
    "gclsr": Diagram(
        _boxes(
            "x 0 text word vectors; again 1 text word vectors",
            "a 0 vector PWVA 1, attention; b 1 vector PWVA 2, attention",
            "n 0 trained TextCNN, projector; m 1 trained TextCNN, projector",
            "p 0 trained predictor; sg 1 frozen stop-gradient",
            "p1 0 vector p¹, in groups; z2 1 vector z², in groups",
        ),
        {"flow": "x a, again b, a n, b m, n p, p p1", "frozen": "m sg, sg z2", "pull": "p1 z2"},
        "No negatives. The same once more with the two views exchanged.",
    ),
    "mocoutrl": Diagram(
        _boxes(
            "x 0 text sentence; s 1 text with a synonym; n 2 text with an antonym",
            "e 0 trained encoder; es 1 trained encoder; en 2 trained encoder",
            "z 0 vector z (mean, head); zs 1 vector z⁺; zn 2 vector z⁻",
            "ws 1 vector w⁺ (that word); wn 2 vector w⁻",
            "d 1.5 frozen dictionary ξ: e",
        ),
        {
            "flow": "x e, s es, n en, e z, es zs, en zn, zs ws, zn wn",
            "pull": "z zs, d ws",
            "push": "z zn, d wn",
        },
        "λ weighs sentences (left) against words (right). ξ follows the word vectors slowly and is not trained.",
    ),
}


@checked()
def method_diagram(method: str) -> go.Figure:
    """Draw the method simcse, dclr, self_guided, gclsr or mocoutrl; blue lines pull, dashed vermillion lines push."""
    boxes, lines, caption = DIAGRAMS[_validation.choice("method", method, list(DIAGRAMS))]
    figure = Figure()
    aside = 0
    for style, pairs in lines.items():
        for pair in pairs.split(", "):
            start, end = (boxes[name] for name in pair.split())
            bypasses = style == "push" and start.x == end.x
            aside += bypasses
            _line(figure, style, _around(start, end, aside) if bypasses else _ends(start, end))
    for box in boxes.values():
        if (ink := FRAMES[box.kind]) is not None:
            x = [box.x + side * HALF[0] for side in (-1, 1, 1, -1, -1)]
            y = [box.y + side * HALF[1] for side in (-1, -1, 1, 1, -1)]
            frame = {"color": ink, "width": 1.5} | ({"dash": "dot"} if box.kind == "frozen" else {})
            figure.add_scatter(x=x, y=y, mode="lines", line=frame, hoverinfo="skip", name=box.kind)
        figure.add_annotation(
            x=box.x, y=box.y, text=box.words, showarrow=False, font={"size": 13, "color": INK}
        )
    columns, rows = (
        math.ceil(max(getattr(box, axis) for box in boxes.values())) + 1 for axis in "xy"
    )
    corner = {"x": 0, "y": 0, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
    figure.add_annotation(text=caption, showarrow=False, **corner)
    styled(
        figure, width=int(COLUMN * (columns + 0.2)), height=int(ROW * rows + 40), showlegend=False
    )
    figure.update_layout(margin={"l": 4, "r": 4, "t": 8, "b": 28})
    figure.update_xaxes(visible=False, range=[-0.5, columns - 0.3])
    return figure.update_yaxes(visible=False, range=[rows - 0.5, -0.5])


def _ends(start: Box, end: Box) -> list[tuple[float, float]]:
    across, down = end.x - start.x, end.y - start.y
    cut = min(half / abs(part) for half, part in zip(HALF, (across, down), strict=True) if part)
    return [
        (start.x + cut * across, start.y + cut * down),
        (end.x - cut * across, end.y - cut * down),
    ]


def _around(start: Box, end: Box, lane: int) -> list[tuple[float, float]]:
    side, shift = start.x + HALF[0], 0.06 * (lane - 1)
    turn = side + 0.08 + shift
    return [(side, start.y - shift), (turn, start.y - shift), (turn, end.y), (side, end.y)]


def _line(figure: go.Figure, style: str, way: list[tuple[float, float]]) -> None:
    start, end = way[0], way[-1]
    if style in ("flow", "frozen"):
        tip = math.atan2((end[1] - start[1]) * ROW, (end[0] - start[0]) * COLUMN)
        wings = [
            (8 * math.cos(tip + turn) / COLUMN, 8 * math.sin(tip + turn) / ROW)
            for turn in (-0.5, 0.5)
        ]
        one, other = ((end[0] - x, end[1] - y) for x, y in wings)
        way = [start, end, one, end, other]
    x, y = zip(*way, strict=True)
    figure.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line=LINES[style], hoverinfo="skip", name=style)
    )


TERMS = {"base": (1, 2, 3, 4), "opt1": (1, 2, 3), "opt2": (1, 3), "opt3": (1, 3)}
C = ((0.0, 1.0), (1.0, 1.0))  # c_i, c_j
H = ((0.0, 0.0), (1.0, 0.0))  # h_i, h_j
NAMES = {
    1: "1: c and h of one sentence attract",
    2: "2: c and c of two sentences repel",
    3: "3: c and h of two sentences repel",
    4: "4: h and h of two sentences repel",
}
PLACES = {
    1: (0.0, 0.5),
    2: (0.5, 1.0),
    3: (0.36, 0.64),
    4: (0.5, 0.0),
}  # coordinates of a factor's number


@checked()
def four_factors() -> go.Figure:
    """Draw trained (c) and frozen (h) vectors of two sentences, and the forces of the forms base, opt1, opt2, opt3."""
    figure = subplots(
        1, len(TERMS), subplot_titles=[f"<b>{form}</b>" for form in TERMS], horizontal_spacing=0.03
    )
    for column, form in enumerate(TERMS, start=1):
        for factor, words in NAMES.items():
            _force(figure, column, form, factor, words)
        _points(figure, column, form)
    styled(
        figure, width=840, height=300, showlegend=False, margin={"l": 10, "r": 10, "t": 40, "b": 10}
    )
    figure.update_xaxes(visible=False, range=[-0.35, 1.35]).update_yaxes(
        visible=False, range=[-0.3, 1.3]
    )
    return figure


def _force(figure: go.Figure, column: int, form: str, factor: int, words: str) -> None:
    lit = factor in TERMS[form]
    ours, theirs = _frozen_places(form)
    lines = {
        1: [(C[0], h) for h in ours] + [(C[1], h) for h in theirs],
        2: [(C[0], C[1])],
        3: [(C[0], h) for h in theirs] + [(C[1], h) for h in ours],
        4: [(ours[-1], theirs[0])],
    }[factor]
    ink = (PULL if factor == 1 else PUSH) if lit else RULE
    style = {
        "color": ink,
        "width": 3 if lit else 1.5,
        "dash": ("solid" if factor == 1 else "dash") if lit else "dot",
    }
    x = [value for (a, _), (b, _) in lines for value in (a, b, None)]
    y = [value for (_, a), (_, b) in lines for value in (a, b, None)]
    hover = f"{words}<br>{'in' if lit else 'not in'} {form}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line=style, name=words, hovertemplate=hover),
        row=1,
        col=column,
    )
    number = dict(zip("xy", PLACES[factor], strict=True)) | {
        "text": str(factor),
        "showarrow": False,
    }
    font = {"color": ink if lit else FAINT, "size": 12}
    figure.add_annotation(**number, font=font, bgcolor="white", borderpad=1, row=1, col=column)


def _points(figure: go.Figure, column: int, form: str) -> None:
    names = {("c<sub>i</sub>", C[0]): "top center", ("c<sub>j</sub>", C[1]): "top center"}
    for letter, places in zip("ij", _frozen_places(form), strict=True):
        middle = places[len(places) // 2]
        every = ",k" if len(places) > 1 else ""
        names |= {("", place): "bottom center" for place in places if place != middle}
        names[f"h<sub>{letter}{every}</sub>", middle] = "bottom center"
    trained = [place[1] == 1.0 for _, place in names]
    marker = {
        "size": 11,
        "color": [INK if t else "white" for t in trained],
        "line": {"color": INK, "width": 2},
        "symbol": ["circle" if t else "square" for t in trained],
    }
    points = {
        "x": [x for _, (x, _) in names],
        "y": [y for _, (_, y) in names],
        "marker": marker,
        "hoverinfo": "skip",
    }
    label = {"text": [text for text, _ in names], "textposition": list(names.values())}
    font = {"size": 13, "color": INK}
    figure.add_trace(
        go.Scatter(mode="markers+text", textfont=font, **points, **label), row=1, col=column
    )


def _frozen_places(form: str) -> list[list[tuple[float, float]]]:
    """Return for sentences i and j the coordinates of the frozen vectors: one, or in opt3 one for each layer."""
    shifts = (-0.14, 0.0, 0.14) if form == "opt3" else (0.0,)
    return [[(x + shift, y) for shift in shifts] for x, y in H]


@checked()
def augmented_vector(
    before: Numbers, after: Mapping[str, Numbers], *, width: int = 838
) -> go.Figure:
    """Draw a vector (d,) and its augmentations: values and changes at the top, sizes of frequencies below."""
    shapes = {name: vector.shape for name, vector in after.items()}
    if before.ndim != 1 or set(shapes.values()) != {before.shape}:
        raise ValueError(
            f"before has shape {before.shape}, after {shapes}; give vectors of the same shape (d,)"
        )
    gaps = {"horizontal_spacing": 0.02, "vertical_spacing": 0.14}
    titles = [shortened(name, 24) for name in after]
    figure = subplots(rows=2, cols=len(after), shared_yaxes=True, column_titles=titles, **gaps)
    for column, end in enumerate(after.values(), 1):
        rows = ((before, end), (np.abs(np.fft.rfft(before)), np.abs(np.fft.rfft(end))))
        for row, (old, new) in enumerate(rows, 1):
            first = row == column == 1
            faint = {"color": FAINT, "width": 1}
            strong = {"color": colour(0), "width": 1.5}
            figure.add_trace(
                go.Scatter(y=old, line=faint, name="before", showlegend=first), row=row, col=column
            )
            figure.add_trace(
                go.Scatter(y=new, line=strong, name="after", showlegend=first), row=row, col=column
            )
        change = go.Bar(
            y=end - before, marker_color=colour(1), name="change", showlegend=column == 1
        )
        figure.add_trace(change, row=1, col=column)
    figure.update_traces(mode="lines", selector={"type": "scatter"})
    styled(figure, width=width, height=430, margin={"l": 55, "r": 15, "t": 30, "b": 60})
    figure.update_annotations(font_size=12)
    figure.update_layout(legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.12})
    figure.update_xaxes(title_text="dimension", row=1).update_xaxes(title_text="frequency", row=2)
    figure.update_yaxes(title_text="value", row=1, col=1).update_yaxes(
        title_text="size", row=2, col=1
    )
    return figure
