"""The traces of an SVG picture: lines, points, bars, heatmaps, contours, and points in space."""

from __future__ import annotations

import base64
import itertools
import math
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from plotly.basedatatypes import BaseTraceType as Trace

from ..style import INK, colour
from .axes import Sheet, columns, number, words

DASH = {"dash": "8 5", "dot": "2 4", "dashdot": "8 4 2 4", "longdash": "14 6"}
# paths of markers other than circles, radius 1 around 0
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
MANY_CELLS = 400  # of a heatmap; each on its own would take 80 bytes
MARK_AWAY = 8  # pixels between a mark's middle and its words
Point = tuple[float, float]
Pixels = npt.NDArray[np.uint8]  # (rows, columns, 3), red, green and blue


def ink_of(trace: Trace) -> str:
    """Colour of a trace in the legend: its line's, its first marker's, or plotly's default."""
    if trace.type == "heatmap" or trace.type == "contour":
        return INK
    line = trace.line.color if trace.type in ("scatter", "scatter3d") else None
    mark = trace.marker.color
    first = mark if isinstance(mark, str) or mark is None else (mark[0] if len(mark) else None)
    default = next((colour(place) for place, t in enumerate(trace.parent.data) if t is trace), INK)
    return line or (first if isinstance(first, str) else None) or default


def _per_point(value: Any, count: int, default: Any) -> list[Any]:
    """Expand a marker setting to one value per point."""
    if value is None or isinstance(value, str | int | float):
        return [default if value is None else value] * count
    return [*value, *([default] * (count - len(value)))][:count]


def _line(points: list[Point | None], trace: Trace) -> Iterator[str]:
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


def _marks(points: list[Point | None], trace: Trace) -> Iterator[str]:
    marker = trace.marker
    sizes, inks, signs = (
        _per_point(value, len(points), default)
        for value, default in ((marker.size, 6), (marker.color, ink_of(trace)), (marker.symbol, "circle"))
    )
    drawn: dict[str, list[str]] = {}
    shapes: dict[str, str] = {}  # defined once and referenced: a cloud has hundreds
    for point, size, ink, sign in zip(points, sizes, inks, signs, strict=True):
        if point is None:
            continue
        fill = "none" if "-open" in str(sign) else ink if isinstance(ink, str) else INK
        edge = ink if fill == "none" else (marker.line.color or "none")
        name = str(sign).removesuffix("-open")
        at, look = f"{point[0]:.1f}", f'fill="{fill}" stroke="{edge if isinstance(edge, str) else "none"}"'
        if name in MARKS:
            key = f"{name}-{float(size) / 2:.3g}".replace(".", "_")  # the same in each picture of a page
            shape = f'<path id="{key}" d="{MARKS[name]}" transform="scale({float(size) / 2:.3g})"'
            shapes[key] = f'{shape} vector-effect="non-scaling-stroke"/>'
            mark = f'<use href="#{key}" x="{at}" y="{point[1]:.1f}"/>'
        else:
            mark = f'<circle cx="{at}" cy="{point[1]:.1f}" r="{float(size) / 2:.1f}"/>'
        drawn.setdefault(look, []).append(mark)
    opacity = marker.opacity if isinstance(marker.opacity, int | float) else trace.opacity
    faint = f' opacity="{opacity}"' if opacity is not None else ""
    if shapes:
        yield f"<defs>{''.join(shapes.values())}</defs>"
    yield from (f"<g {look}{faint}>{''.join(marks)}</g>" for look, marks in drawn.items())


def _labels(points: list[Point | None], trace: Trace) -> Iterator[str]:
    ink, size = trace.textfont.color or INK, int(trace.textfont.size or 11)
    places = _per_point(trace.textposition, len(points), "middle center")
    for point, text, place in zip(points, trace.text, places, strict=False):
        if point and text:
            up = -8 if "top" in place else size + 8 if "bottom" in place else size / 3
            anchor = "end" if "left" in place else "start" if "right" in place else "middle"
            beside = {"end": -MARK_AWAY, "start": MARK_AWAY}.get(anchor, 0) if "markers" in trace.mode else 0
            yield from words(point[0] + beside, point[1] + up, text, anchor, ink if isinstance(ink, str) else INK, size)


def _flat(points: list[Point | None], trace: Trace) -> Iterator[str]:
    """Line, markers and labels of a trace at given pixels."""
    mode = trace.mode or "lines"
    if "lines" in mode and (trace.type != "scatter" or trace.fill != "toself"):
        yield from _line(points, trace)
    if "markers" in mode:
        yield from _marks(points, trace)
    if "text" in mode and trace.text is not None:
        yield from _labels(points, trace)


def _scatter(sheet: Sheet, trace: Trace) -> Iterator[str]:
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
        for point, value, length in zip(points, columns(trace)[0], trace.error_x.array, strict=True):
            if point:
                bar = f"M{x.pixel(value - length):.1f} {point[1]:.1f}H{x.pixel(value + length):.1f}"
                thick = trace.error_x.thickness or 2
                yield f'<path d="{bar}" stroke="{trace.error_x.color or INK}" stroke-width="{thick}"/>'
    yield from _flat(points, trace)


def _bars(sheet: Sheet, trace: Trace) -> Iterator[str]:
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


def _in_space(sheet: Sheet, trace: Trace) -> Iterator[str]:
    """Points in space, projected in parallel along the camera's direction."""
    scene = sheet.layout[trace.scene or "scene"]
    camera = [scene.camera.eye[axis] for axis in "xyz"]
    eye = np.array([1.25 if value is None else value for value in camera], dtype=float)  # 1.25 is plotly's default
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


def _heatmap(sheet: Sheet, trace: Trace) -> Iterator[str]:
    """Coloured cells, with their numbers if the trace has a text template; a single image if there are many."""
    values = np.asarray(trace.z, dtype=float)  # (rows, columns)
    if not values.size:
        return
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    wide, tall = (abs(scale.at(1) - scale.at(0)) for scale in (x, y))
    inks = _colours(trace)
    across, down = columns(trace)
    if values.size > MANY_CELLS and not trace.texttemplate:
        inks[~np.isfinite(values)] = 255
        ends = [scale.pixel(column[place]) for scale, column in ((x, across), (y, down)) for place in (0, -1)]
        first, last, top, bottom = ends
        inks = inks[:, ::-1] if first > last else inks
        inks = inks[::-1] if top > bottom else inks
        left, upper = min(first, last) - wide / 2, min(top, bottom) - tall / 2
        yield _image(inks, left, upper, wide * len(across), tall * len(down), ' style="image-rendering:pixelated"')
        return
    for row, column in np.argwhere(np.isfinite(values)).tolist():
        middle, level = x.pixel(across[column]), y.pixel(down[row])
        rgb = inks[row, column].tolist()
        size = f'width="{wide:.1f}" height="{tall:.1f}"'
        fill = f"rgb({', '.join(map(str, rgb))})"
        yield f'<rect x="{middle - wide / 2:.1f}" y="{level - tall / 2:.1f}" {size} fill="{fill}"/>'
        if trace.texttemplate:
            ink = "white" if sum(rgb) < 330 else INK
            form = re.search(r":([^}]*)", trace.texttemplate)  # "%{z:.2f}"
            value = format(float(values[row, column]), form[1] if form else "")
            yield from words(middle, level + 4, value, "middle", ink, 10)


def _contour(sheet: Sheet, trace: Trace) -> Iterator[str]:
    """A contour trace as a small image, its values at the pixels' middles."""
    x, y = sheet.scales[trace.xaxis or "x"], sheet.scales[trace.yaxis or "y"]
    across, up = columns(trace)
    step = [(column[-1] - column[0]) / (len(column) - 1) / 2 for column in (across, up)]
    left, right = x.pixel(across[0] - step[0]), x.pixel(across[-1] + step[0])
    bottom, top = y.pixel(up[0] - step[1]), y.pixel(up[-1] + step[1])
    yield _image(_colours(trace)[::-1], left, top, right - left, bottom - top)


def _rgb(name: str) -> list[int]:
    """Red, green and blue of ``#rrggbb`` or ``rgb(r, g, b)``."""
    if name.startswith("#"):
        return [int(name[at : at + 2], 16) for at in (1, 3, 5)]
    return [int(float(part)) for part in re.findall(r"[\d.]+", name)[:3]]


def _colours(trace: Trace) -> Pixels:
    """Red, green and blue of each value of a heatmap or contour, ``(rows, columns, 3)`` of 0 to 255; NaN is 0."""
    values = np.asarray(trace.z, dtype=float)
    low = float(np.nanmin(values)) if trace.zmin is None else trace.zmin
    high = float(np.nanmax(values)) if trace.zmax is None else trace.zmax
    share = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
    places = [place for place, _ in trace.colorscale]
    parts = np.array([_rgb(name) for _, name in trace.colorscale])
    channels = [np.interp(share, places, parts[:, channel]) for channel in range(3)]
    pixels: Pixels = np.nan_to_num(np.stack(channels, axis=-1)).round().astype(np.uint8)
    return pixels


def _png(pixels: Pixels) -> bytes:
    """An array ``(height, width, 3)`` of bytes as a PNG file."""
    high, wide, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def _image(pixels: Pixels, left: float, top: float, wide: float, high: float, look: str = "") -> str:
    """An array ``(height, width, 3)`` of bytes, stretched over a part of the picture."""
    data = base64.b64encode(_png(pixels)).decode("ascii")
    size = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<image {size} preserveAspectRatio="none"{look} href="data:image/png;base64,{data}"/>'


DRAWN = {"scatter": _scatter, "bar": _bars, "heatmap": _heatmap, "contour": _contour, "scatter3d": _in_space}
