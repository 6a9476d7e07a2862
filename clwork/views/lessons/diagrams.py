"""A diagram of each paper's method: its parts, what attracts, what repels, what is frozen."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ... import _validation
from ..._validation import checked
from ..style import FAINT, INK, RULE, Figure, styled
from .mechanisms import PULL, PUSH

HALF = (0.43, 0.33)  # of a box: its width and its height, in columns and rows
COLUMN, ROW = 168, 62  # pixels
LINES: dict[str, dict[str, Any]] = {
    "flow": {"color": FAINT, "width": 1.5},
    "frozen": {"color": FAINT, "width": 1.5, "dash": "dot"},
    "pull": {"color": PULL, "width": 3},
    "push": {"color": PUSH, "width": 2.5, "dash": "dash"},
}
FRAMES = {"text": None, "trained": INK, "frozen": FAINT, "vector": RULE}  # ink of a box's frame by its kind


class Box(NamedTuple):
    """A part of a method: its column and row, its words, and text, trained, frozen or vector."""

    x: float
    y: float
    words: str
    kind: str = "vector"


class Diagram(NamedTuple):
    """Boxes by name, lines ``"from to"`` by their look, and the sentence below."""

    boxes: dict[str, Box]
    lines: dict[str, str]
    caption: str


DIAGRAMS = {
    "simcse": Diagram(
        {
            "x": Box(0, 0, "sentence i", "text"),
            "again": Box(0, 1, "sentence i, again", "text"),
            "other": Box(0, 2, "sentence j, again", "text"),
            "one": Box(1, 0, "encoder, mask 1", "trained"),
            "two": Box(1, 1, "encoder, mask 2", "trained"),
            "three": Box(1, 2, "encoder, mask 3", "trained"),
            "z": Box(3, 0, "zᵢ"),
            "z2": Box(3, 1, "z′ᵢ"),
            "zj": Box(3, 2, "z′ⱼ"),
            "h": Box(2, 0, "head", "trained"),
            "h2": Box(2, 1, "head", "trained"),
            "h3": Box(2, 2, "head", "trained"),
        },
        {
            "flow": "x one, again two, other three, one h, two h2, three h3, h z, h2 z2, h3 zj",
            "pull": "z z2",
            "push": "z zj",
        },
        "One encoder and one head; only the dropout masks differ.",
    ),
    "dclr": Diagram(
        {
            "x": Box(0, 0, "sentence i", "text"),
            "again": Box(0, 1, "sentence i, again", "text"),
            "other": Box(0, 2, "sentence j, again", "text"),
            "noise": Box(0, 3, "Gaussian noise", "text"),
            "one": Box(1, 0, "encoder and head", "trained"),
            "two": Box(1, 1, "encoder and head", "trained"),
            "three": Box(1, 2, "encoder and head", "trained"),
            "judge": Box(2, 1.5, "frozen SimCSE: αᵢⱼ", "frozen"),
            "climb": Box(1, 3, "steps up its loss"),
            "z": Box(3, 0, "hᵢ"),
            "z2": Box(3, 1, "hᵢ⁺"),
            "zj": Box(3, 2, "hⱼ⁺"),
            "zk": Box(3, 3, "ĥₖ"),
        },
        {
            "flow": "x one, again two, other three, one z, two z2, three zj, noise climb, climb zk",
            "frozen": "judge zj",
            "pull": "z z2",
            "push": "z zj, z zk",
        },
        "The frozen encoder sets α to 0 where i and j are too alike: then j does not push.",
    ),
    "self_guided": Diagram(
        {
            "x": Box(0, 0, "sentence i", "text"),
            "xi": Box(0, 1, "sentence i", "text"),
            "xj": Box(0, 2, "sentence j", "text"),
            "t": Box(1, 0, "trained BERT: [CLS]", "trained"),
            "f": Box(1, 1, "frozen BERT: layers", "frozen"),
            "g": Box(1, 2, "frozen BERT: layers", "frozen"),
            "h": Box(2, 0, "head f", "trained"),
            "h2": Box(2, 1, "head f", "trained"),
            "h3": Box(2, 2, "head f", "trained"),
            "c": Box(3, 0, "cᵢ"),
            "hi": Box(3, 1, "hᵢ of every layer"),
            "hj": Box(3, 2, "hⱼ of every layer"),
        },
        {
            "flow": "x t, xi f, xj g, t h, f h2, g h3, h c, h2 hi, h3 hj",
            "frozen": "t f",
            "pull": "c hi",
            "push": "c hj",
        },
        "SG-OPT. Dotted: the leash, λ times the squared distance of the two copies' weights.",
    ),
    "gclsr": Diagram(
        {
            "x": Box(0, 0, "word vectors", "text"),
            "again": Box(0, 1, "word vectors", "text"),
            "a": Box(1, 0, "PWVA 1, attention"),
            "b": Box(1, 1, "PWVA 2, attention"),
            "n": Box(2, 0, "TextCNN, projector", "trained"),
            "m": Box(2, 1, "TextCNN, projector", "trained"),
            "p": Box(3, 0, "predictor", "trained"),
            "p1": Box(4, 0, "p¹, in groups"),
            "z2": Box(4, 1, "z², in groups"),
            "sg": Box(3, 1, "stop-gradient", "frozen"),
        },
        {"flow": "x a, again b, a n, b m, n p, p p1", "frozen": "m sg, sg z2", "pull": "p1 z2"},
        "No negatives. The same once more with the two views exchanged.",
    ),
    "mocoutrl": Diagram(
        {
            "x": Box(0, 0, "sentence", "text"),
            "s": Box(0, 1, "with a synonym", "text"),
            "n": Box(0, 2, "with an antonym", "text"),
            "e": Box(1, 0, "encoder", "trained"),
            "es": Box(1, 1, "encoder", "trained"),
            "en": Box(1, 2, "encoder", "trained"),
            "z": Box(2, 0, "z (mean, head)"),
            "zs": Box(2, 1, "z⁺"),
            "zn": Box(2, 2, "z⁻"),
            "d": Box(4, 1.5, "dictionary ξ: e", "frozen"),
            "ws": Box(3, 1, "w⁺ (that word)"),
            "wn": Box(3, 2, "w⁻"),
        },
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
    """Draw a paper's method. Blue pulls, vermillion and dashed pushes; a dotted frame or line is frozen.

    Args:
        method: simcse, dclr, self_guided, gclsr or mocoutrl.

    Raises:
        ValueError: no such diagram.
    """
    boxes, lines, caption = DIAGRAMS[_validation.choice("method", method, list(DIAGRAMS))]
    figure = Figure()
    aside = 0
    for look, pairs in lines.items():
        for pair in pairs.split(", "):
            start, end = (boxes[name] for name in pair.split())
            bypasses = look == "push" and start.x == end.x
            aside += bypasses
            _line(figure, look, _around(start, end, aside) if bypasses else _ends(start, end))
    for box in boxes.values():
        _box(figure, box)
    columns, rows = (math.ceil(max(getattr(box, axis) for box in boxes.values())) + 1 for axis in "xy")
    figure.add_annotation(
        text=caption, x=0, y=0, xref="paper", yref="paper", showarrow=False, xanchor="left", yanchor="top"
    )
    styled(figure, width=int(COLUMN * (columns + 0.2)), height=int(ROW * rows + 40), showlegend=False)
    figure.update_layout(margin={"l": 4, "r": 4, "t": 8, "b": 28})
    figure.update_xaxes(visible=False, range=[-0.5, columns - 0.3]).update_yaxes(
        visible=False, range=[rows - 0.5, -0.5]
    )
    return figure


def _ends(start: Box, end: Box) -> list[tuple[float, float]]:
    """Where the line between two boxes leaves their frames."""
    across, down = end.x - start.x, end.y - start.y
    cut = min(half / abs(part) for half, part in zip(HALF, (across, down), strict=True) if part)
    return [(start.x + cut * across, start.y + cut * down), (end.x - cut * across, end.y - cut * down)]


def _around(start: Box, end: Box, lane: int) -> list[tuple[float, float]]:
    """A way on the right of the boxes between two of one column."""
    edge, shift = start.x + HALF[0], 0.06 * (lane - 1)
    turn = edge + 0.08 + shift
    return [(edge, start.y - shift), (turn, start.y - shift), (turn, end.y), (edge, end.y)]


def _line(figure: go.Figure, look: str, way: list[tuple[float, float]]) -> None:
    start, end = way[0], way[-1]
    if look in ("flow", "frozen"):
        tip = math.atan2((end[1] - start[1]) * ROW, (end[0] - start[0]) * COLUMN)
        wings = [(8 * math.cos(tip + turn) / COLUMN, 8 * math.sin(tip + turn) / ROW) for turn in (-0.5, 0.5)]
        one, other = ((end[0] - x, end[1] - y) for x, y in wings)
        way = [start, end, one, end, other]
    x, y = zip(*way, strict=True)
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=LINES[look], hoverinfo="skip", name=look))


def _box(figure: go.Figure, box: Box) -> None:
    ink = FRAMES[box.kind]
    if ink is not None:
        x = [box.x + side * HALF[0] for side in (-1, 1, 1, -1, -1)]
        y = [box.y + side * HALF[1] for side in (-1, -1, 1, 1, -1)]
        look = {"color": ink, "width": 1.5} | ({"dash": "dot"} if box.kind == "frozen" else {})
        figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=look, hoverinfo="skip", name=box.kind))
    figure.add_annotation(x=box.x, y=box.y, text=box.words, showarrow=False, font={"size": 13, "color": INK})
