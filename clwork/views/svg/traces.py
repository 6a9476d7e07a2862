"""The traces of a still picture: lines, points, shades, bars, and points in space."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..style import INK, colour
from .axes import Sheet, columns, number, words
from .grids import contour, heatmap

DASH = {"dash": "8 5", "dot": "2 4", "dashdot": "8 4 2 4", "longdash": "14 6"}
# marks of radius 1 around 0, for whatever is no circle
MARKS = {
    "square": "M-.9-.9H.9V.9H-.9Z",
    "diamond": "M0-1.2L1.2 0 0 1.2-1.2 0Z",
    "cross": "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
    "triangle-up": "M0-1.1L1.1.8H-1.1Z",
    "x": "M-1-.5L-.5-1 0-.5 .5-1 1-.5 .5 0 1 .5 .5 1 0 .5-.5 1-1 .5-.5 0Z",
    "x-thin": "M-1-1L1 1M1-1L-1 1",
    "line-ns": "M-.12-1H.12V1H-.12Z",
    "star": "M0-1.2L.3-.4 1.1-.4 .5.15 .7 1 0 .5-.7 1-.5.15-1.1-.4-.3-.4Z",
}
MARK_AWAY = 8  # pixels between a mark's middle and its words
Point = tuple[float, float]


def ink_of(trace: Any) -> str:
    """The colour by which a trace is known: its line's, its first mark's, or the one that plotly would give it."""
    if trace.type == "heatmap" or trace.type == "contour":
        return INK
    line = trace.line.color if trace.type in ("scatter", "scatter3d") else None
    mark = trace.marker.color
    first = mark if isinstance(mark, str) or mark is None else (mark[0] if len(mark) else None)
    usual = next((colour(place) for place, t in enumerate(trace.parent.data) if t is trace), INK)
    return line or (first if isinstance(first, str) else None) or usual


def _each(value: Any, count: int, usual: Any) -> list[Any]:
    """A setting of marks for each of them."""
    if value is None or isinstance(value, str | int | float):
        return [usual if value is None else value] * count
    return [*value, *([usual] * (count - len(value)))][:count]


def _line(points: list[Point | None], trace: Any) -> Iterator[str]:
    path, pen, last = "", "M", None
    for point in points:
        if point and last and trace.type == "scatter" and trace.line.shape == "hvh":
            path += f"H{(last[0] + point[0]) / 2:.1f}V{point[1]:.1f}H{point[0]:.1f}"
        else:
            path, pen = (f"{path}{pen}{point[0]:.1f} {point[1]:.1f}", "L") if point else (path, "M")
        last = point
    width = 2 if trace.line.width is None else trace.line.width
    if path and width:
        broken = f' stroke-dasharray="{DASH[trace.line.dash]}"' if trace.line.dash in DASH else ""
        faint = f' opacity="{trace.opacity}"' if trace.opacity is not None else ""
        yield f'<path d="{path}" fill="none" stroke="{ink_of(trace)}" stroke-width="{width}"{broken}{faint}/>'


def _marks(points: list[Point | None], trace: Any) -> Iterator[str]:
    marker = trace.marker
    sizes, inks, signs = (
        _each(value, len(points), usual)
        for value, usual in ((marker.size, 6), (marker.color, ink_of(trace)), (marker.symbol, "circle"))
    )
    drawn: dict[str, list[str]] = {}
    shapes: dict[str, str] = {}  # a shape is drawn once and then used: a cloud has hundreds
    for point, size, ink, sign in zip(points, sizes, inks, signs, strict=True):
        if point is None:
            continue
        fill = "none" if "-open" in str(sign) else ink if isinstance(ink, str) else INK
        edge = ink if fill == "none" else (marker.line.color or "none")
        name = str(sign).removesuffix("-open")
        at, look = f"{point[0]:.1f}", f'fill="{fill}" stroke="{edge if isinstance(edge, str) else "none"}"'
        if name in MARKS:
            known = f"{name}-{float(size) / 2:.3g}".replace(".", "_")  # the same in each picture of a page
            shape = f'<path id="{known}" d="{MARKS[name]}" transform="scale({float(size) / 2:.3g})"'
            shapes[known] = f'{shape} vector-effect="non-scaling-stroke"/>'
            mark = f'<use href="#{known}" x="{at}" y="{point[1]:.1f}"/>'
        else:
            mark = f'<circle cx="{at}" cy="{point[1]:.1f}" r="{float(size) / 2:.1f}"/>'
        drawn.setdefault(look, []).append(mark)
    opacity = marker.opacity if isinstance(marker.opacity, int | float) else trace.opacity
    faint = f' opacity="{opacity}"' if opacity is not None else ""
    if shapes:
        yield f"<defs>{''.join(shapes.values())}</defs>"
    yield from (f"<g {look}{faint}>{''.join(marks)}</g>" for look, marks in drawn.items())


def _labels(points: list[Point | None], trace: Any) -> Iterator[str]:
    ink, size = trace.textfont.color or INK, int(trace.textfont.size or 11)
    places = _each(trace.textposition, len(points), "middle center")
    for point, text, place in zip(points, trace.text, places, strict=False):
        if point and text:
            up = -8 if "top" in place else size + 8 if "bottom" in place else size / 3
            anchor = "end" if "left" in place else "start" if "right" in place else "middle"
            beside = {"end": -MARK_AWAY, "start": MARK_AWAY}.get(anchor, 0) if "markers" in trace.mode else 0
            yield from words(point[0] + beside, point[1] + up, text, anchor, ink if isinstance(ink, str) else INK, size)


def _flat(points: list[Point | None], trace: Any) -> Iterator[str]:
    """What a trace shows at pixels that are known: its line, its marks, its words."""
    mode = trace.mode or "lines"
    if "lines" in mode and (trace.type != "scatter" or trace.fill != "toself"):
        yield from _line(points, trace)
    if "markers" in mode:
        yield from _marks(points, trace)
    if "text" in mode and trace.text is not None:
        yield from _labels(points, trace)


def _scatter(sheet: Sheet, trace: Any) -> Iterator[str]:
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    pixels = [(x.pixel(a), y.pixel(b)) for a, b in zip(*columns(trace), strict=False)]
    points: list[Point | None] = [p if all(map(math.isfinite, p)) else None for p in pixels]
    seen = [p for p in points if p]
    if trace.fill == "toself" and seen:
        corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in seen)
        yield f'<polygon points="{corners}" fill="{trace.fillcolor or ink_of(trace)}" opacity="{trace.opacity or 1}"/>'
    if trace.fill == "tozeroy" and seen:
        ground = y.pixel(0)
        edge = seen
        if trace.line.shape == "hvh":
            half = (seen[1][0] - seen[0][0]) / 2 if len(seen) > 1 else 0.0
            edge = [(a + side, b) for a, b in seen for side in (-half, half)]
        corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in [(edge[0][0], ground), *edge, (edge[-1][0], ground)])
        yield f'<polygon points="{corners}" fill="{trace.fillcolor or ink_of(trace)}" opacity="0.3"/>'
    if trace.error_x.array is not None:
        for point, value, reach in zip(points, columns(trace)[0], trace.error_x.array, strict=True):
            if point:
                bar = f"M{x.pixel(value - reach):.1f} {point[1]:.1f}H{x.pixel(value + reach):.1f}"
                thick = trace.error_x.thickness or 2
                yield f'<path d="{bar}" stroke="{trace.error_x.color or INK}" stroke-width="{thick}"/>'
    yield from _flat(points, trace)


def _bars(sheet: Sheet, trace: Any) -> Iterator[str]:
    """Bars from 0, side by side where several traces share the axes."""
    axes = (trace.xaxis, trace.yaxis)
    beside = [t for t in sheet.figure.data if t.type == "bar" and (t.xaxis, t.yaxis) == axes]
    sideways = trace.orientation == "h"
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    along, across = (y, x) if sideways else (x, y)
    grouped = len(beside) > 1 and sheet.layout.barmode == "group"
    places = sorted({along.place(value) for value in columns(trace)[1 if sideways else 0]})
    gap = min((b - a for a, b in itertools.pairwise(places)), default=1.0)
    wide = 0.8 * gap / (len(beside) if grouped else 1)
    first = -0.4 * gap + wide * ([t is trace for t in beside].index(True) if grouped else 0)
    yield f'<g fill="{ink_of(trace)}" opacity="{trace.opacity or 1}">'
    for a, b in zip(*columns(trace), strict=True):
        place, value = (along.place(b), a) if sideways else (along.place(a), b)
        one, other = sorted((along.at(place + first), along.at(place + first + wide)))
        low, high = sorted((across.pixel(0), across.pixel(value)))
        if math.isfinite(high - low) and math.isfinite(other - one):
            left, top, w, h = (low, one, high - low, other - one) if sideways else (one, low, other - one, high - low)
            yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{w:.1f}" height="{h:.1f}"/>'
    yield "</g>"


def _around(sheet: Sheet, trace: Any) -> Iterator[str]:
    """Points in space, seen from where the scene's camera stands, without perspective."""
    scene = sheet.layout[trace.scene or "scene"]
    given = [scene.camera.eye[axis] for axis in "xyz"]
    eye = np.array([1.25 if value is None else value for value in given], dtype=float)  # 1.25 is plotly's
    eye /= np.linalg.norm(eye)
    right = np.cross([0.0, 0.0, 1.0], eye)
    right /= np.linalg.norm(right) or 1.0
    (x0, x1), (y0, y1) = (sheet.span(letter, scene.domain[letter]) for letter in "xy")
    half = min(x1 - x0, y0 - y1) / 2 / 1.1
    points: list[Point | None] = []
    for triple in zip(trace.x, trace.y, trace.z, strict=True):
        at = np.array([number(value) for value in triple])
        across, up = float(at @ right), float(at @ np.cross(eye, right))
        seen = math.isfinite(across + up)
        points.append(((x0 + x1) / 2 + half * across, (y0 + y1) / 2 - half * up) if seen else None)
    yield from _flat(points, trace)


DRAWN = {"scatter": _scatter, "bar": _bars, "heatmap": heatmap, "contour": contour, "scatter3d": _around}
