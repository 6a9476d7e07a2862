"""The axes of an SVG picture: scales from data to pixels, grid, ticks and titles."""

from __future__ import annotations

import html
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.basedatatypes import BaseTraceType as Trace

from ..._validation import printable
from ..style import FAINT, RULE

LETTER = 6.0  # mean width of a letter of 11 px, in pixels
BREAK = re.compile(r"<br\s*/?>")


def words(x: float, y: float, text: str, anchor: str = "start", colour: str = FAINT, size: int = 11) -> Iterator[str]:
    """Text as SVG, one element per ``<br>`` line; plotly's other tags are dropped."""
    for line, part in enumerate(BREAK.split(str(text))):
        plain = html.escape(printable(html.unescape(re.sub(r"<[^>]*>", "", part))))
        at = f'x="{x:.1f}" y="{y + 1.2 * size * line:.1f}"'
        yield f'<text {at} text-anchor="{anchor}" fill="{colour}" font-size="{size}">{plain}</text>'


def number(value: Any) -> float:
    """Convert to float; None becomes NaN."""
    return float("nan") if value is None else float(value)


def columns(trace: Trace) -> tuple[list[Any], list[Any]]:
    """X and y of a trace; a missing column counts from 0."""
    if trace.type in ("heatmap", "contour"):
        rows, across = len(trace.z), len(trace.z[0]) if len(trace.z) else 0
        return list(trace.x if trace.x is not None else range(across)), list(
            trace.y if trace.y is not None else range(rows)
        )
    x, y = ([] if column is None else list(column) for column in (trace.x, trace.y))
    count = max(len(x), len(y))
    return x or list(range(count)), y or list(range(count))


def _extent(trace: Trace) -> tuple[list[Any], list[Any]]:
    """Values that the axes must include: the columns, 0 under bars and fills, and the ends of error bars."""
    x, y = columns(trace)
    if trace.type == "bar":
        return ([*x, 0], y) if trace.orientation == "h" else (x, [*y, 0])
    if trace.type == "scatter" and trace.fill == "tozeroy":
        y = [*y, 0]
    if trace.type == "scatter" and trace.error_x.array is not None:
        errors = list(trace.error_x.array)
        x = [*x, *(v + e for v, e in zip(x, errors, strict=True)), *(v - e for v, e in zip(x, errors, strict=True))]
    return x, y


class Scale:
    """One axis: its range, and the map from values to pixels between ``start`` and ``end``."""

    def __init__(self, axis: go.layout.XAxis, values: list[Any], start: float, end: float) -> None:
        """Take type and range from ``axis`` where it sets them, else from ``values``."""
        self.axis, self.start, self.end = axis, start, end
        self.log = axis.type == "log"
        named = axis.type == "category" or (axis.type is None and any(isinstance(v, str) for v in values))
        categories = dict.fromkeys(str(v) for v in [*(axis.categoryarray or ()), *values] if v is not None)
        self.names = {name: place for place, name in enumerate(categories)} if named else {}
        self.low, self.high = self._range(values)

    def _range(self, values: list[Any]) -> tuple[float, float]:
        if self.axis.range is not None:
            return float(self.axis.range[0]), float(self.axis.range[1])
        places = [place for value in values if math.isfinite(place := self.place(value))]
        if self.axis.rangemode == "tozero":
            places.append(0.0)
        low, high = (min(places), max(places)) if places else (0.0, 1.0)
        air = 0.5 if self.names else 0.05 * (high - low) or 0.5
        return (high + air, low - air) if self.axis.autorange == "reversed" else (low - air, high + air)

    def place(self, value: Any) -> float:
        """Coordinate of a value in the axis's range: the index of a category, the exponent on a log axis."""
        if self.names:
            return float(self.names.get(str(value), math.nan))
        plain = number(value)
        return (math.log10(plain) if plain > 0 else math.nan) if self.log else plain

    def at(self, place: float) -> float:
        """Pixel of a coordinate."""
        return self.start + (place - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)

    def pixel(self, value: Any) -> float:
        """Pixel of a value; NaN if it is missing, an unknown category, or not positive on a log axis."""
        return self.at(self.place(value))

    def widen(self, factor: float) -> None:
        """Multiply the range by ``factor`` about its middle."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2 * factor
        self.low, self.high = middle - half, middle + half

    def ticks(self) -> list[tuple[float, str]]:
        """Coordinates and labels of the ticks: those of the axis, else round numbers."""
        if self.axis.showticklabels is False or self.axis.visible is False:
            return []
        if self.axis.tickvals is not None:
            values = list(self.axis.tickvals)
            return list(zip(map(self.place, values), self.axis.ticktext or map(str, values), strict=True))
        if self.names:
            return [(float(place), name) for name, place in self.names.items()]
        low, high = sorted((self.low, self.high))
        if self.log and high - low >= 1:
            apart = math.ceil((high - low) / 6)
            return [(e, f"{10.0**e:g}") for e in range(math.ceil(low), math.floor(high) + 1, apart)]
        if self.log:
            return [(low, f"{10**low:.2g}"), (high, f"{10**high:.2g}")]
        rough = (high - low) / 4 or 1.0
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough * 0.999)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return [(k * step, f"{k * step:.10g}") for k in range(first, last + 1)]


def axis_of(layout: go.Layout, name: str) -> go.layout.XAxis:
    """The layout's axis with a trace's name for it, such as ``x2``."""
    return layout[f"{name[0]}axis{name[1:]}"]


class Sheet:
    """Layout of a figure in pixels: margins wide enough for its labels, and a scale for each axis."""

    def __init__(self, figure: go.Figure, right: float) -> None:
        """Lay the axes out, with ``right`` pixels free for a legend at the side."""
        self.figure, self.layout = figure, figure.layout
        margins = [self.layout.margin[side] for side in "lrtb"]
        left, edge, top, bottom = (80.0 if value is None else float(value) for value in margins)
        self.pairs = list(dict.fromkeys((t.xaxis or "x", t.yaxis or "y") for t in figure.data if t.type != "scatter3d"))
        shown: dict[str, list[Any]] = defaultdict(list)
        for trace in figure.data:
            if trace.type != "scatter3d":
                for name, values in zip((trace.xaxis or "x", trace.yaxis or "y"), _extent(trace), strict=True):
                    shown[self._root(name)] += values
        self.top, self.bottom = top, self.layout.height - bottom
        self.left, self.right = max(left, self._labels(shown)), self.layout.width - max(edge, right)
        self.scales = {name: self._scale(name, shown) for pair in self.pairs for name in pair}
        for x, y in self.pairs:
            if axis_of(self.layout, y).scaleanchor:
                self._square(self.scales[x], self.scales[y])

    def _root(self, name: str) -> str:
        return str(axis_of(self.layout, name).matches or name)

    def _labels(self, shown: dict[str, list[Any]]) -> float:
        """Width in pixels of the tick labels of the leftmost vertical axes."""
        longest = 0
        for _, y in self.pairs:
            axis = axis_of(self.layout, y)
            if not (axis.domain or (0,))[0] and (axis_of(self.layout, "x" + y[1:]).domain or (0,))[0] < 0.01:
                ticks = Scale(axis, shown[self._root(y)], 0, 1).ticks()
                lines = (line for _, text in ticks for line in BREAK.split(text))
                longest = max([longest, *(len(re.sub(r"<[^>]*>|&\w+;", " ", line)) for line in lines)])
        return min(LETTER * longest + 12, 0.45 * float(self.layout.width))

    def span(self, letter: str, domain: Sequence[float] | None) -> tuple[float, float]:
        """First and last pixel of a domain (shares of the plot area), left to right or bottom to top."""
        low, high = domain or (0.0, 1.0)
        start, end = (self.left, self.right) if letter == "x" else (self.bottom, self.top)
        return start + low * (end - start), start + high * (end - start)

    def _scale(self, name: str, shown: dict[str, list[Any]]) -> Scale:
        axis = axis_of(self.layout, name)
        return Scale(axis, shown[self._root(name)], *self.span(name[0], axis.domain))

    @staticmethod
    def _square(x: Scale, y: Scale) -> None:
        """Make one unit equally long on both axes."""
        across, up = (abs((s.end - s.start) / ((s.high - s.low) or 1.0)) for s in (x, y))
        (x if across > up else y).widen(max(across, up) / min(across, up))

    def frames(self) -> Iterator[str]:
        """SVG of each pair of axes: grid, lines, ticks and titles."""
        for pair in self.pairs:
            x, y = (self.scales[name] for name in pair)
            if x.axis.visible is False:
                continue
            yield f'<path d="M{x.start:.0f} {y.end:.0f}V{y.start:.0f}H{x.end:.0f}" fill="none" stroke="{FAINT}"/>'
            grid = ""
            for place, text in x.ticks():
                grid += f"M{x.at(place):.1f} {y.start:.0f}V{y.end:.0f}" if x.axis.showgrid is not False else ""
                yield from words(x.at(place), y.start + 13, text, "middle")
            for place, text in y.ticks():
                grid += f"M{x.start:.0f} {y.at(place):.1f}H{x.end:.0f}" if y.axis.showgrid is not False else ""
                lines = len(BREAK.split(str(text)))
                yield from words(x.start - 5, y.at(place) + 4 - 6.6 * (lines - 1), text, "end")
            yield f'<path d="{grid}" stroke="{RULE}"/>' if grid else ""
            if x.axis.title.text:
                yield from words((x.start + x.end) / 2, y.start + 28, x.axis.title.text, "middle")
            if y.axis.title.text:
                across, up = max(11.0, x.start - 40), (y.start + y.end) / 2
                yield f'<g transform="rotate(-90 {across:.0f} {up:.0f})">'
                yield from words(across, up, y.axis.title.text, "middle")
                yield "</g>"
