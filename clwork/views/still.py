"""A figure as a still picture (SVG), for where neither widgets nor scripts run: GitHub, nbconvert, a saved notebook."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .style import FAINT, INK, RULE

DASH = {"dash": "8 5", "dot": "2 4", "dashdot": "8 4 2 4", "longdash": "14 6"}
Point = tuple[float, float]


def _box(figure: go.Figure, number: str) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a pair of axes, in pixels."""
    layout, margin = figure.layout, figure.layout.margin
    wide, high = layout.width - margin.l - margin.r, layout.height - margin.t - margin.b
    (x0, x1), (y0, y1) = (layout[f"{axis}axis{number}"].domain or (0, 1) for axis in "xy")
    return margin.l + x0 * wide, margin.l + x1 * wide, margin.t + (1 - y1) * high, margin.t + (1 - y0) * high


class _Cell:
    """One pair of axes: where it lies on the picture and how data become pixels."""

    def __init__(self, figure: go.Figure, number: str, traces: list[Any]) -> None:
        self.x_axis, self.y_axis = figure.layout[f"xaxis{number}"], figure.layout[f"yaxis{number}"]
        self.left, self.right, self.top, self.bottom = _box(figure, number)
        self.log = self.y_axis.type == "log"
        self.x_range = _range(self.x_axis.range, [trace.x for trace in traces], False)
        self.y_range = _range(self.y_axis.range, [trace.y for trace in traces], self.log)

    def pixel(self, x: Any, y: Any) -> Point | None:
        """Where a point lies, or None where it has no place (missing, or not positive on a log axis)."""
        values = (_number(x), _number(y))
        if not all(map(math.isfinite, values)) or (self.log and values[1] <= 0):
            return None
        (a, b), (c, d) = self.x_range, self.y_range
        v = math.log10(values[1]) if self.log else values[1]
        right = self.left + (values[0] - a) / (b - a) * (self.right - self.left)
        return right, self.bottom - (v - c) / (d - c) * (self.bottom - self.top)

    def frame(self) -> Iterator[str]:
        """The axes: their lines, the ends of their ranges, their titles."""
        corner = f"M{self.left:.0f} {self.top:.0f}V{self.bottom:.0f}H{self.right:.0f}"
        yield f'<path d="{corner}" fill="none" stroke="{RULE}"/>'
        low, high = (10**v if self.log else v for v in self.y_range)
        if self.y_axis.showticklabels is not False:
            yield _text(self.left - 4, self.bottom, f"{low:.3g}", "end")
            yield _text(self.left - 4, self.top + 9, f"{high:.3g}", "end")
        if self.x_axis.showticklabels is not False:
            yield _text(self.left, self.bottom + 13, f"{self.x_range[0]:.3g}", "middle")
            yield _text(self.right, self.bottom + 13, f"{self.x_range[1]:.3g}", "end")
        if self.x_axis.title.text:
            yield _text((self.left + self.right) / 2, self.bottom + 15, self.x_axis.title.text, "middle")


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _range(given: Any, columns: list[Any], log: bool) -> tuple[float, float]:
    if given is not None:
        return float(given[0]), float(given[1])
    values = [_number(v) for column in columns if column is not None for v in column]
    values = [math.log10(v) if log else v for v in values if math.isfinite(v) and (v > 0 or not log)]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    air = 0.05 * (high - low) or 0.5
    return low - air, high + air


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = FAINT, size: int = 11) -> str:
    plain = html.escape(html.unescape(re.sub(r"<[^>]*>", " ", text)))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{plain}</text>'


def _trace(cell: _Cell, trace: Any) -> Iterator[str]:
    points = [cell.pixel(x, y) for x, y in zip(trace.x, trace.y, strict=False)]
    mode = trace.mode or "lines"
    ink = trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else INK)
    if trace.fill == "toself":
        corners = " ".join(f"{p[0]:.1f},{p[1]:.1f}" for p in points if p)
        yield f'<polygon points="{corners}" fill="{trace.fillcolor or ink}" opacity="{trace.opacity or 1}"/>'
    elif "lines" in mode:
        path, pen = "", "M"
        for point in points:
            path, pen = (f"{path}{pen}{point[0]:.1f} {point[1]:.1f}", "L") if point else (path, "M")
        broken = f' stroke-dasharray="{DASH[trace.line.dash]}"' if trace.line.dash in DASH else ""
        yield f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{trace.line.width or 2}"{broken}/>'
    if "markers" in mode:
        size = trace.marker.size if isinstance(trace.marker.size, int | float) else 5
        dots = (f'<circle cx="{p[0]:.1f}" cy="{p[1]:.1f}" r="{size / 2:.1f}"/>' for p in points if p)
        yield f'<g fill="{trace.marker.color if isinstance(trace.marker.color, str) else ink}">{"".join(dots)}</g>'
    if "text" in mode and trace.text is not None:
        for point, text in zip(points, trace.text, strict=False):
            if point and text:
                yield _text(point[0] - 3, point[1] - 3, text, "end")


def _on_scale(scale: Any, share: float) -> list[int]:
    """Red, green and blue (0 to 255) at ``share`` of a colour scale of (place, "#rrggbb") pairs."""
    places = [place for place, _ in scale]
    parts = [[int(ink[at : at + 2], 16) for at in (1, 3, 5)] for _, ink in scale]
    return [round(float(np.interp(share, places, [part[channel] for part in parts]))) for channel in range(3)]


def _heatmap(figure: go.Figure, trace: Any) -> Iterator[str]:
    """A grid of coloured cells, first row on top, with its numbers and the names of its rows."""
    left, right, top, bottom = _box(figure, (trace.xaxis or "x")[1:])
    values = np.asarray(trace.z, dtype=float)  # (rows, columns)
    if not values.size:
        return
    low = float(np.nanmin(values)) if trace.zmin is None else trace.zmin
    high = float(np.nanmax(values)) if trace.zmax is None else trace.zmax
    wide, tall = (right - left) / values.shape[1], (bottom - top) / values.shape[0]
    names = figure.layout[f"yaxis{(trace.yaxis or 'y')[1:]}"].showticklabels is not False
    for row, line in enumerate(values):
        y = top + row * tall
        if names:
            yield _text(left - 6, y + tall / 2 + 4, str(trace.y[row]), "end")
        for column, value in enumerate(line):
            if not math.isfinite(value):
                continue
            share = min(1.0, max(0.0, (value - low) / ((high - low) or 1.0)))
            rgb, x = _on_scale(trace.colorscale, share), left + column * wide
            fill = f"rgb({', '.join(map(str, rgb))})"
            yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{fill}"/>'
            if trace.texttemplate:
                colour = "white" if sum(rgb) < 330 else INK
                yield _text(x + wide / 2, y + tall / 2 + 4, f"{value:.2f}", "middle", colour, 10)


def _notes(figure: go.Figure, cells: dict[str, _Cell]) -> Iterator[str]:
    layout, margin = figure.layout, figure.layout.margin
    for shape in layout.shapes:
        cell = cells.get((shape.xref or "x")[1:])
        if cell and (at := cell.pixel(shape.x0, 10 ** cell.y_range[0] if cell.log else cell.y_range[0])):
            line = f'x1="{at[0]:.1f}" x2="{at[0]:.1f}" y1="{cell.top:.1f}" y2="{cell.bottom:.1f}"'
            yield f'<line {line} stroke="{shape.line.color}" stroke-dasharray="5 4"/>'
    for note in layout.annotations:
        anchor = {"right": "end", "center": "middle"}.get(note.xanchor, "start")
        if note.xref == "paper":
            x = margin.l + note.x * (layout.width - margin.l - margin.r)
            y = margin.t + (1 - note.y) * (layout.height - margin.t - margin.b) - 4
        elif (cell := cells.get((note.xref or "x")[1:])) and (at := cell.pixel(note.x, 1)):
            x, y = at[0], cell.bottom - note.y * (cell.bottom - cell.top)
        else:
            continue
        yield _text(x, y, note.text or "", anchor, note.font.color or INK)


def _legend(figure: go.Figure) -> Iterator[str]:
    """The names of drawn lines on the bottom edge, where the figure's own legend would be."""
    left, x = float(figure.layout.margin.l), float(figure.layout.width)
    lines: list[list[tuple[float, Any]]] = []
    for trace in figure.data:
        if trace.showlegend is False or trace.x is None or not len(trace.x) or figure.layout.legend.orientation != "h":
            continue
        if x + 20 + 6.2 * len(trace.name) > figure.layout.width:
            lines.append([])
            x = left
        lines[-1].append((x, trace))
        x += 20 + 6.2 * len(trace.name)
    for up, line in enumerate(reversed(lines)):
        for x, trace in line:
            yield _text(x, figure.layout.height - 8 - 17 * up, f"● {trace.name}", colour=trace.line.color or INK)


def still(figure: go.Figure) -> str:
    """Draw lines, points, shades or a heatmap as SVG text, plainly: axes with their ends, no grid, no hover.

    Raises:
        ValueError: the figure has no size, or holds other traces than flat scatter plots and heatmaps.
    """
    if not figure.layout.width or not figure.layout.height:
        raise ValueError("the figure has no width and height; make it with one of clwork.views' functions")
    cells: dict[str, _Cell] = {}
    for trace in figure.data:
        if trace.type not in ("scatter", "heatmap"):
            raise ValueError(f"a still picture shows scatter traces and heatmaps, this figure holds {trace.type!r}")
        number = (trace.xaxis or "x")[1:]
        if number not in cells and trace.type == "scatter":
            cells[number] = _Cell(figure, number, [t for t in figure.data if (t.xaxis or "x")[1:] == number])
    parts = [part for cell in cells.values() for part in cell.frame()]
    for trace in figure.data:
        if trace.type == "heatmap":
            parts += _heatmap(figure, trace)
        elif trace.x is not None and len(trace.x):
            parts += _trace(cells[(trace.xaxis or "x")[1:]], trace)
    parts += [*_notes(figure, cells), *_legend(figure)]
    if figure.layout.title.text:
        parts.append(_text(figure.layout.margin.l, 20, figure.layout.title.text, colour=INK, size=14))
    size = f'width="{figure.layout.width}" height="{figure.layout.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {figure.layout.width} {figure.layout.height}" '
        f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>'
    )
