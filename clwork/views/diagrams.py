"""Diagrams of the papers' methods and of the terms of SG-BERT's losses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from .._validation import choice
from .style import FAINT, INK, PALETTE, RULE, Figure, styled

# Column and row: parts of a diagram lie at x = 0, 1, … and y = 0, 1, …, the first row on top.
Point = tuple[float, float]
Style = dict[str, Any]

# The size of a column and of a row in pixels, and half the size of a box as a share of them.
COLUMN = 168
ROW = 62
HALF_WIDTH = 0.43
HALF_HEIGHT = 0.33
# The room on the right of the last column for the lines of pushes, as a share of a column.
PUSH_ROOM = 0.2
# The pixels between rows and caption.
CAPTION = 40
# Frames of boxes.
TEXT: Style = {"width": 0}
TRAINED: Style = {"color": INK, "width": 1.5}
FROZEN: Style = {"color": FAINT, "width": 1.5, "dash": "dot"}
VECTOR: Style = {"color": RULE, "width": 1.5}
# Forces between vectors.
PULL: Style = {"color": PALETTE[0], "width": 3}
PUSH: Style = {"color": PALETTE[3], "width": 2.5, "dash": "dash"}


def method_diagram(method: str) -> go.Figure:
    """Draw the parts of a method: ``"simcse"``, ``"dclr"``, ``"self_guided"``, and so on.

    Blue lines pull, dashed vermillion lines push. Black frames are trained, dotted ones frozen.

    Raises:
        ValueError: the method has no diagram.

    >>> method_diagram("simcse").layout.annotations[-1].text
    'One encoder and one head; only the dropout masks differ.'
    """
    draw, columns, rows = DIAGRAMS[choice("method", method, list(DIAGRAMS))]
    figure = Figure()
    # Each function of DIAGRAMS draws the boxes and lines, and returns the caption.
    caption = draw(figure)
    figure.add_annotation(
        text=caption,
        x=0,
        y=0,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="top",
        showarrow=False,
    )
    styled(
        figure,
        width=int(COLUMN * (columns + PUSH_ROOM)),
        height=ROW * rows + CAPTION,
        margin={"l": 4, "r": 4, "t": 8, "b": 28},
        showlegend=False,
    )
    # Half a column or row around the centres of the boxes; row 0 is on top.
    figure.update_xaxes(visible=False, range=[-0.5, columns - 0.5 + PUSH_ROOM])
    return figure.update_yaxes(visible=False, range=[rows - 0.5, -0.5])


def _simcse(figure: go.Figure) -> str:
    """Draw SimCSE, a row of boxes for each sentence; return the caption."""
    sentences = ("sentence i", "sentence i, again", "sentence j, again")
    vectors = ("zᵢ", "z′ᵢ", "z′ⱼ")
    for row in range(3):
        encoder = f"encoder, mask {row + 1}"
        chain(
            figure,
            row,
            [(sentences[row], TEXT), (encoder, TRAINED), ("head", TRAINED), (vectors[row], VECTOR)],
        )
    pull(figure, (3, 0), (3, 1))
    push(figure, (3, 0), (3, 2))
    return "One encoder and one head; only the dropout masks differ."


def _dclr(figure: go.Figure) -> str:
    """Draw DCLR, with a row for the noise; return the caption."""
    encoder = ("encoder and head", TRAINED)
    chain(figure, 0, [("sentence i", TEXT), encoder, None, ("hᵢ", VECTOR)])
    chain(figure, 1, [("sentence i, again", TEXT), encoder, None, ("hᵢ⁺", VECTOR)])
    chain(figure, 2, [("sentence j, again", TEXT), encoder, None, ("hⱼ⁺", VECTOR)])
    climbing = ("steps up its loss", VECTOR)
    chain(figure, 3, [("Gaussian noise", TEXT), climbing, None, ("ĥₖ", VECTOR)])
    box(figure, (2, 1.5), "frozen SimCSE: αᵢⱼ", FROZEN)
    arrow(figure, (2, 1.5), (3, 2), dash="dot")
    pull(figure, (3, 0), (3, 1))
    push(figure, (3, 0), (3, 2))
    push(figure, (3, 0), (3, 3), lane=1)
    return "The frozen encoder sets α to 0 where i and j are too alike: then j does not push."


def _self_guided(figure: go.Figure) -> str:
    """Draw SG-BERT with the loss SG-OPT; return the caption."""
    trained = ("trained BERT: [CLS]", TRAINED)
    frozen = ("frozen BERT: layers", FROZEN)
    head = ("head f", TRAINED)
    chain(figure, 0, [("sentence i", TEXT), trained, head, ("cᵢ", VECTOR)])
    chain(figure, 1, [("sentence i", TEXT), frozen, head, ("hᵢ of every layer", VECTOR)])
    chain(figure, 2, [("sentence j", TEXT), frozen, head, ("hⱼ of every layer", VECTOR)])
    arrow(figure, (1, 0), (1, 1), dash="dot")
    pull(figure, (3, 0), (3, 1))
    push(figure, (3, 0), (3, 2))
    return (
        "SG-OPT. The dotted arrow is the regulariser, "
        "λ times the squared distance of the two copies' weights."
    )


def _gclsr(figure: go.Figure) -> str:
    """Draw GCLSR, a row for each of the two views; return the caption."""
    words = ("word vectors", TEXT)
    network = ("TextCNN, projector", TRAINED)
    predictor = ("predictor", TRAINED)
    result = ("p¹, in groups", VECTOR)
    chain(figure, 0, [words, ("PWVA 1, attention", VECTOR), network, predictor, result])
    chain(figure, 1, [words, ("PWVA 2, attention", VECTOR), network])
    box(figure, (3, 1), "stop-gradient", FROZEN)
    box(figure, (4, 1), "z², in groups", VECTOR)
    arrow(figure, (2, 1), (3, 1), dash="dot")
    arrow(figure, (3, 1), (4, 1), dash="dot")
    pull(figure, (4, 0), (4, 1))
    return "No negatives. The same once more with the two views exchanged."


def _mocoutrl(figure: go.Figure) -> str:
    """Draw MoCoUTRL, with the terms for sentences and words; return the caption."""
    encoder = ("encoder", TRAINED)
    synonym = ("with a synonym", TEXT)
    antonym = ("with an antonym", TEXT)
    chain(figure, 0, [("sentence", TEXT), encoder, ("z (mean, head)", VECTOR)])
    chain(figure, 1, [synonym, encoder, ("z⁺", VECTOR), ("w⁺ (that word)", VECTOR)])
    chain(figure, 2, [antonym, encoder, ("z⁻", VECTOR), ("w⁻", VECTOR)])
    box(figure, (4, 1.5), "dictionary ξ: e", FROZEN)
    pull(figure, (2, 0), (2, 1))
    push(figure, (2, 0), (2, 2))
    pull(figure, (4, 1.5), (3, 1))
    push(figure, (4, 1.5), (3, 2))
    return (
        "λ weighs sentences (left) against words (right). "
        "ξ follows the word vectors slowly and is not trained."
    )


# For each method the function that draws it, and the numbers of columns and rows.
DIAGRAMS = {
    "simcse": (_simcse, 4, 3),
    "dclr": (_dclr, 4, 4),
    "self_guided": (_self_guided, 4, 3),
    "gclsr": (_gclsr, 5, 2),
    "mocoutrl": (_mocoutrl, 5, 3),
}


def chain(figure: go.Figure, row: int, boxes: Sequence[tuple[str, Style] | None]) -> None:
    """Draw a row of boxes and arrows from each to the next.

    ``boxes`` has the text and the frame of the box in column 0, 1, …, or None for no box.
    """
    columns = []
    for column, text_and_frame in enumerate(boxes):
        if text_and_frame:
            box(figure, (column, row), *text_and_frame)
            columns.append(column)
    for start, end in pairwise(columns):
        arrow(figure, (start, row), (end, row))


def box(figure: go.Figure, centre: Point, text: str, frame: Style) -> None:
    """Draw a box with its text."""
    x, y = centre
    figure.add_shape(
        type="rect",
        x0=x - HALF_WIDTH,
        x1=x + HALF_WIDTH,
        y0=y - HALF_HEIGHT,
        y1=y + HALF_HEIGHT,
        line=frame,
    )
    label(figure, centre, text)


def label(figure: go.Figure, centre: Point, text: str, colour: str = INK, **style: Any) -> None:
    """Write a text; ``style`` are further arguments of plotly's annotation."""
    x, y = centre
    figure.add_annotation(
        x=x, y=y, text=text, showarrow=False, font_size=13, font_color=colour, **style
    )


def arrow(figure: go.Figure, start: Point, end: Point, dash: str = "solid") -> None:
    """Draw an arrow from the box with the centre ``start`` to the box with the centre ``end``."""
    x, y = between_boxes(start, end)
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines+markers",
        line_color=FAINT,
        line_width=1.5,
        line_dash=dash,
        # A head at the end alone, turned in the direction of the line.
        marker_symbol="arrow",
        marker_size=[0, 13],
        marker_angleref="previous",
        marker_color=FAINT,
        marker_opacity=1,
        hoverinfo="skip",
    )


def pull(figure: go.Figure, start: Point, end: Point) -> None:
    """Draw the attraction of two vectors as a line between their boxes."""
    x, y = between_boxes(start, end)
    figure.add_scatter(x=x, y=y, mode="lines", line=PULL, hoverinfo="skip")


def push(figure: go.Figure, start: Point, end: Point, lane: int = 0) -> None:
    """Draw the repulsion of two vectors as a dashed line between their boxes.

    Within a column it runs around the right side of the boxes between them::

        [ zᵢ  ]─┐
        [ z′ᵢ ] │
        [ z′ⱼ ]─┘

    Lines that overlap need different lanes 0, 1, …, each further to the right.
    """
    x, y = between_boxes(start, end)
    if start[0] == end[0]:
        side = start[0] + HALF_WIDTH
        right = side + 0.08 + 0.06 * lane
        top = start[1] - 0.06 * lane
        x = [side, right, right, side]
        y = [top, top, end[1], end[1]]
    figure.add_scatter(x=x, y=y, mode="lines", line=PUSH, hoverinfo="skip")


def between_boxes(start: Point, end: Point) -> tuple[list[float], list[float]]:
    """Return x and y of the line from the border of one box to the border of another."""
    across = end[0] - start[0]
    down = end[1] - start[1]
    # The share of the way from centre to centre that lies inside a box.
    inside = min(
        HALF_WIDTH / abs(across) if across else 1,
        HALF_HEIGHT / abs(down) if down else 1,
    )
    x = [start[0] + inside * across, end[0] - inside * across]
    y = [start[1] + inside * down, end[1] - inside * down]
    return x, y


# The numbers of the factors (below) that each form of SG-BERT's loss has.
FORMS = {"base": (1, 2, 3, 4), "opt1": (1, 2, 3), "opt2": (1, 3), "opt3": (1, 3)}
FACTORS = {
    1: "1: c and h of one sentence attract",
    2: "2: c and c of two sentences repel",
    3: "3: c and h of two sentences repel",
    4: "4: h and h of two sentences repel",
}
ABSENT: Style = {"color": RULE, "width": 1.5, "dash": "dot"}


def four_factors() -> go.Figure:
    """Draw the forces of SG-BERT's forms base, opt1, opt2 and opt3 between two sentences.

    Circles are the trained vectors c, squares the frozen vectors h; opt3 has one h for each layer.

    >>> four_factors().data[0].name
    '1: c and h of one sentence attract'
    """
    figure = Figure()
    for index, form in enumerate(FORMS):
        _add_form(figure, form, 1.9 * index)
    styled(
        figure,
        width=840,
        height=300,
        showlegend=False,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
    )
    # Four forms of width 1 at x = 0, 1.9, …; vectors at y = 0 and 1, the form's name at 1.4.
    figure.update_xaxes(visible=False, range=[-0.35, 7.05])
    return figure.update_yaxes(visible=False, range=[-0.3, 1.5])


def _add_form(figure: go.Figure, form: str, left: float) -> None:
    """Draw the factors of a form between the vectors of sentences i (left) and j (right).

    c is above (y = 1) and h below (y = 0)::

        cᵢ ── cⱼ
        │  ╲╱  │
        │  ╱╲  │
        hᵢ ── hⱼ
    """
    right = left + 1
    c_i = (left, 1)
    c_j = (right, 1)
    # opt3 has an h for each layer; three stand for all of them.
    shifts = (-0.14, 0, 0.14) if form == "opt3" else (0,)
    h_i = [(left + shift, 0) for shift in shifts]
    h_j = [(right + shift, 0) for shift in shifts]

    # The lines of each factor, with its number on one of them.
    same_sentence = [(c_i, h) for h in h_i] + [(c_j, h) for h in h_j]
    two_sentences = [(c_i, h) for h in h_j] + [(c_j, h) for h in h_i]
    _add_factor(figure, form, 1, same_sentence, (left, 0.5))
    _add_factor(figure, form, 2, [(c_i, c_j)], (left + 0.5, 1))
    _add_factor(figure, form, 3, two_sentences, (left + 0.36, 0.64))
    _add_factor(figure, form, 4, [(h_i[-1], h_j[0])], (left + 0.5, 0))

    # Circles and squares after the lines, so that they lie on top.
    for points, symbol, colour in (([c_i, c_j], "circle", INK), (h_i + h_j, "square", "white")):
        x, y = zip(*points, strict=True)
        figure.add_scatter(
            x=x,
            y=y,
            mode="markers",
            marker_symbol=symbol,
            marker_size=11,
            marker_color=colour,
            marker_line_color=INK,
            marker_line_width=2,
            hoverinfo="skip",
        )

    # Texts above and below the vectors; k is the number of a layer.
    of_layer = ",k" if form == "opt3" else ""
    label(figure, (left + 0.5, 1.4), f"<b>{form}</b>")
    label(figure, (left, 1.13), "c<sub>i</sub>")
    label(figure, (right, 1.13), "c<sub>j</sub>")
    label(figure, (left, -0.13), f"h<sub>i{of_layer}</sub>")
    label(figure, (right, -0.13), f"h<sub>j{of_layer}</sub>")


def _add_factor(
    figure: go.Figure,
    form: str,
    factor: int,
    pairs: Sequence[tuple[Point, Point]],
    number_at: Point,
) -> None:
    """Draw a factor's lines between pairs of vectors; dotted and grey if the form lacks it.

    ``factor`` is its number in :data:`FACTORS`, which is written at ``number_at``.
    """
    line = PULL if factor == 1 else PUSH
    number_colour = line["color"]
    status = "in"
    if factor not in FORMS[form]:
        line = ABSENT
        number_colour = FAINT
        status = "not in"
    for start, end in pairs:
        figure.add_scatter(
            x=[start[0], end[0]],
            y=[start[1], end[1]],
            name=FACTORS[factor],
            mode="lines",
            line=line,
            hovertemplate=f"{FACTORS[factor]}<br>{status} {form}<extra></extra>",
        )
    label(figure, number_at, str(factor), number_colour, bgcolor="white", borderpad=1)
