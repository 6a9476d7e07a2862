"""A figure as SVG, for pages without widgets and scripts: GitHub, nbconvert, a saved notebook."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterator, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.basedatatypes import BaseTraceType as Trace

from ... import _validation
from ..._validation import checked, each, listed, of_kind, shown
from ..style import INK, LIMIT
from .axes import LETTER, Scale, Sheet, columns, words
from .traces import DRAWN, ink_of

LOOK = 'style="max-width:100%"'  # attributes of the <img>
ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def _entries(figure: go.Figure) -> list[Trace]:
    """Traces that plotly's legend shows."""
    named = [trace for trace in figure.data if trace.showlegend is not False and trace.name and trace.type in DRAWN]
    filled = [trace for trace in named if trace.type == "scatter3d" or len(columns(trace)[0])]
    several = len(figure.data) > 1 or any(trace.showlegend for trace in filled)
    return filled if several and figure.layout.showlegend is not False else []


def _legend(sheet: Sheet, entries: list[Trace]) -> Iterator[str]:
    """SVG of the legend: at the side, or in rows above or below, as the layout has it."""
    layout = sheet.layout
    if layout.legend.orientation != "h":
        for down, trace in enumerate(entries):
            yield from words(sheet.right + 12, sheet.top + 10 + 17 * down, f"● {trace.name}", colour=ink_of(trace))
        return
    empty: tuple[float, list[tuple[float, Trace]]] = (0.0, [])
    rows: list[tuple[float, list[tuple[float, Trace]]]] = []  # width of a row, and the start of each name
    for trace in entries:
        x, row = rows.pop() if rows else empty
        wide = 20 + 6.2 * len(trace.name)
        if row and sheet.left + x + wide > layout.width:
            rows.append((x, row))
            x, row = empty
        rows.append((x + wide, [*row, (x, trace)]))
    above = (layout.legend.y or 0) >= (0.5 if layout.legend.yref == "container" else 1)
    for up, (length, line) in enumerate(reversed(rows)):
        level = sheet.top - 22 - 17 * up if above else layout.height - 8 - 17 * up
        left = max(sheet.left, sheet.right - length) if above and layout.legend.xanchor == "right" else sheet.left
        for x, trace in line:
            yield from words(left + x, level, f"● {trace.name}", colour=ink_of(trace))


def _at(sheet: Sheet, letter: str, reference: str | None, value: Any, placed: bool) -> float:
    """Pixel of a coordinate of a shape or (``placed``) an annotation; NaN if its axis is not drawn."""
    name, _, whole = (reference or "paper").partition(" ")
    if name == "paper":
        start, end = sheet.span(letter, None)
        return start + float(value) * (end - start)
    scale: Scale | None = sheet.scales.get(name)
    if scale is None:
        return math.nan
    if whole == "domain":
        return scale.start + float(value) * (scale.end - scale.start)
    return scale.at(float(value)) if placed and not scale.names else scale.pixel(value)  # log axes differ in the two


def _shapes(sheet: Sheet) -> Iterator[str]:
    for shape in sheet.layout.shapes:
        corners = (("x", "x0"), ("x", "x1"), ("y", "y0"), ("y", "y1"))
        ends = [_at(sheet, letter, shape[f"{letter}ref"] or letter, shape[key], False) for letter, key in corners]
        if all(map(math.isfinite, ends)):
            line = " ".join(f'{key}="{end:.1f}"' for key, end in zip(("x1", "x2", "y1", "y2"), ends, strict=True))
            broken = f' stroke-dasharray="{"2 4" if shape.line.dash == "dot" else "5 4"}"' if shape.line.dash else ""
            yield f'<line {line} stroke="{shape.line.color or INK}"{broken}/>'


def _notes(sheet: Sheet) -> Iterator[str]:
    for note in sheet.layout.annotations:
        x = _at(sheet, "x", note.xref or "x", note.x, True) + (note.xshift or 0)
        y = _at(sheet, "y", note.yref or "y", note.y, True)
        if not math.isfinite(x + y):
            continue
        third = min(2, int(3 * note.x)) if note.xref == "paper" else 1
        anchor = ANCHORS.get(note.xanchor, ("start", "middle", "end")[third])
        size = int(note.font.size or 12)
        usual = -4 if note.yref == "paper" else size / 3
        down = {"top": size, "middle": size / 3, "bottom": -4}.get(note.yanchor, usual)
        ground = ' stroke="white" stroke-width="4" paint-order="stroke"' if note.bgcolor else ""
        yield f"<g{ground}>"
        yield from words(x, y + down, note.text or "", anchor, note.font.color or INK, size)
        yield "</g>"


def _without_webgl(figure: go.Figure) -> go.Figure:
    """Replace dots that only a graphics card draws in numbers by some of them, at equal distances in their list."""
    if not any(trace.type == "scattergl" for trace in figure.data):
        return figure
    still = go.Figure(layout=figure.layout)
    for trace in figure.data:
        if trace.type != "scattergl":
            still.add_trace(trace)
            continue
        x, y = columns(trace)
        some = slice(None, None, -(-len(x) // LIMIT) or 1)
        still.add_trace(
            go.Scatter(x=x[some], y=y[some], name=trace.name, mode=trace.mode, marker=trace.marker.to_plotly_json())
        )
    return still


FIGURE = of_kind(go.Figure, "a figure, as the functions of clwork.views return it")


@checked(figure=FIGURE)
def to_svg(figure: go.Figure) -> str:
    """Draw a figure as SVG: axes, traces, annotations and legend, without hover.

    Raises:
        ValueError: the figure has no size, or holds traces other than scatter, bars, heatmaps, contours and points in
            space.
    """
    if not figure.layout.width or not figure.layout.height:
        raise ValueError("the figure has no width and height; make it with one of clwork.views' functions")
    figure = _without_webgl(figure)
    others = [trace.type for trace in figure.data if trace.type not in DRAWN]
    if others:
        raise ValueError(f"a still picture shows {', '.join(DRAWN)} traces, this figure holds {others[0]!r}")
    entries = _entries(figure)
    beside = entries if figure.layout.legend.orientation != "h" else []
    sheet = Sheet(figure, max((24 + LETTER * len(trace.name) for trace in beside), default=0.0))
    parts = [*sheet.frames()]
    for trace in figure.data:
        parts += DRAWN[trace.type](sheet, trace)
    parts += [*_shapes(sheet), *_notes(sheet), *_legend(sheet, entries)]
    if figure.layout.title.text:
        title = figure.layout.title
        left = sheet.left if title.xref != "container" else float(title.pad.l or 0)
        parts += words(left, 20, title.text, colour=INK, size=int(title.font.size or 14))
    size = f'width="{figure.layout.width}" height="{figure.layout.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {figure.layout.width} {figure.layout.height}" '
        f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>'
    )


def _part(name: str, value: Any) -> tuple[go.Figure, float, float]:
    part = listed(name, value)
    if len(part) != 3:
        raise ValueError(f"{name}={shown(value)} has {len(part)} parts; give a figure, and its left and upper edge")
    return FIGURE(name, part[0]), _validation.finite(name, part[1]), _validation.finite(name, part[2])


@checked(parts=each(_part))
def mosaic(parts: Sequence[tuple[go.Figure, int, int]]) -> str:
    """Draw several figures as one SVG, each at the pixels of its left and upper edge.

    Raises:
        ValueError: as for :func:`to_svg`.
    """
    wide = max(x + figure.layout.width for figure, x, _ in parts)
    high = max(y + figure.layout.height for figure, _, y in parts)
    drawn = "".join(to_svg(figure).replace("<svg ", f'<svg x="{x}" y="{y}" ', 1) for figure, x, y in parts)
    size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>'


@checked()
def svg_image(picture: str, description: str, look: str = "") -> str:
    """Wrap an SVG in an HTML ``<img>`` with its data: sanitised pages keep that and drop ``<svg>``."""
    data = base64.b64encode(picture.encode("utf-8")).decode("ascii")
    return f'<img alt="{html.escape(description)}" src="data:image/svg+xml;base64,{data}" {look or LOOK}/>'


@checked(figure=FIGURE)
def to_svg_image(figure: go.Figure, description: str) -> str:
    """Draw a figure as SVG inside an HTML ``<img>``."""
    return svg_image(to_svg(figure), description)
