"""Two figures: how far each comparison of many claims goes, and what every arm and control of one claim measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

import plotly.graph_objects as go

from ...claims.ledger import Expectation
from ...claims.verdicts import Answer, Comparison
from ...views import Figure
from ...views.style import FAINT, GHOST, INK, MARK, PALETTE, RULE, plain, shortened, styled, wrapped
from ..page.widgets import WIDE

LOOKS = {  # colour and marker of each verdict
    "supported": (PALETTE[2], "circle"),
    "refuted": (MARK, "x"),
    "too weak to tell": (FAINT, "circle-open"),
}
ROW, HEAD, LEFT, LETTERS, NEAR = 19, 105, 300, 46, 3
TICKS = (-300, -100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100, 300)
OWN = "diamond"
MOST_CONTROLS = 8


def compressed(value: float) -> float:
    """Linear near 0 and logarithmic far away, so that small and large effects share an axis.

    >>> compressed(0), round(compressed(-9), 3)
    (0.0, -1.0)
    """
    return math.copysign(math.log10(1 + abs(value)), value)


def in_margins(comparison: Comparison) -> tuple[float, float, float]:
    """Difference and ends of its interval in units of the metric's margin, positive in the claim's direction.

    For ``=`` the difference keeps its sign. A metric without a margin is given in half widths of the interval.
    """
    found = comparison.difference
    unit = comparison.metric.margin or (found.high - found.low) / 2 or abs(found.mean) or 1.0
    way = -1 if comparison.expected.sign == "<" else 1
    low, high = (found.low, found.high) if comparison.drawn else (found.mean, found.mean)
    least, most = sorted((way * low / unit, way * high / unit))
    return way * found.mean / unit, least, most


class Row(NamedTuple):
    """A row of the forest; one that only names a claim of several comparisons has none."""

    name: str
    answer: Answer
    comparison: Comparison | None = None


def rows_of(answers: Iterable[Answer]) -> list[Row]:
    """The forest's rows: a measured comparison each, below their claim's name where it has several."""
    rows = []
    for answer in answers:
        name = answer.claim.name.partition("/")[2]
        measured = [comparison for comparison in answer.comparisons if comparison.measured]
        if len(measured) == 1:
            rows.append(Row(name, answer, measured[0]))
        elif measured:
            rows.append(Row(f"{name}:", answer))
            rows += [Row(_in_words(comparison.expected), answer, comparison) for comparison in measured]
    return rows


def forest(answers: Sequence[Answer], own: Sequence[Answer] = (), width: int = WIDE) -> go.Figure:
    """Draw each measured comparison with its interval; ``own`` answers are diamonds below the same rows."""
    rows = rows_of(answers)
    place = {
        (row.answer.claim.name, row.comparison.expected): len(rows) - k
        for k, row in enumerate(rows)
        if row.comparison is not None
    }
    drawn = [(row.answer, row.comparison) for row in rows if row.comparison is not None]
    other = [(a, c) for a in own for c in a.comparisons if c.measured and (a.claim.name, c.expected) in place]
    reach = [*(end for _, c in [*drawn, *other] for end in in_margins(c)), -NEAR, NEAR]
    figure = Figure()
    _margin(figure, len(rows))
    for verdict, (ink, marker) in LOOKS.items():
        chosen = [(a, c) for a, c in drawn if c.verdict(a.threshold) == verdict]
        _points(figure, chosen, place, verdict, ink, marker, 0.0)
    if other:
        _points(figure, other, place, "yours", PALETTE[0], OWN, -0.33)
    _frame(figure, [row.name for row in rows], width)
    shown = [tick for tick in TICKS if min(reach) <= tick <= max(reach)]
    return figure.update_xaxes(
        tickvals=[compressed(tick) for tick in shown],
        ticktext=[f"{tick:g}" for tick in shown],
        range=[compressed(1.3 * min(reach)), compressed(1.3 * max(reach))],
        title_text="← the other way · in margins of the metric (0.5 points of a score) · as claimed →",
    )


def _margin(figure: go.Figure, rows: int) -> None:
    """Shade differences that are smaller than the metric's margin, and rule the line of none."""
    low, high = 0.4, max(1, rows) + 0.6
    box = {"x": [compressed(x) for x in (-1, 1, 1, -1)], "y": [low, low, high, high]}
    look = {"mode": "lines", "line": {"width": 0, "color": RULE}, "fill": "toself", "fillcolor": RULE, "opacity": 0.45}
    figure.add_trace(go.Scatter(**box, **look, showlegend=False, hoverinfo="skip"))
    rule = {"mode": "lines", "line": {"color": INK, "width": 1}, "showlegend": False, "hoverinfo": "skip"}
    figure.add_trace(go.Scatter(x=[0, 0], y=[low, high], **rule))


def _points(
    figure: go.Figure,
    chosen: Iterable[tuple[Answer, Comparison]],
    place: dict[tuple[str, Expectation], int],
    name: str,
    ink: str,
    marker: str,
    below: float,
) -> None:
    x: list[float | None] = []
    ends: list[float | None] = []
    y: list[float] = []
    heights: list[float | None] = []
    texts = []
    for answer, comparison in chosen:
        mean, low, high = map(compressed, in_margins(comparison))
        at = place[answer.claim.name, comparison.expected] + below
        x, y = [*x, mean], [*y, at]
        ends, heights = [*ends, low, high, None], [*heights, at, at, None]
        texts.append(_hover(answer, comparison))
    line = {"color": ink, "width": 2}
    figure.add_trace(go.Scatter(x=ends, y=heights, mode="lines", line=line, showlegend=False, hoverinfo="skip"))
    look = {"symbol": marker, "size": 8, "color": ink}
    figure.add_trace(
        go.Scatter(x=x, y=y, mode="markers", marker=look, name=name, text=texts, hovertemplate="%{text}<extra></extra>")
    )


def _frame(figure: go.Figure, names: Sequence[str], width: int) -> None:
    """Name the rows, the first at the top, and give each the same height."""
    count = max(1, len(names))
    styled(figure, width=width, height=HEAD + ROW * count)
    figure.update_layout(
        margin={"l": LEFT, "r": 15, "t": 34, "b": HEAD - 44},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )
    words = [shortened(name, LETTERS) for name in names]
    places = list(range(len(names), 0, -1))
    figure.update_yaxes(tickvals=places, ticktext=words, range=[0.4, count + 0.6], showgrid=False, automargin=False)


def _in_words(expected: Expectation) -> str:
    return f"{expected.left} {expected.sign} {expected.right}"


def _hover(answer: Answer, comparison: Comparison) -> str:
    expected, found = comparison.expected, comparison.difference
    numbers = f"{found.mean:+.3g}"
    if comparison.drawn:
        numbers += f", 95 %: {found.low:+.3g} to {found.high:+.3g}, p = {comparison.p:.2g}"
    lines = [
        f"<b>{plain(answer.claim.name)}</b>",
        wrapped(answer.claim.claim, 70),
        f"{plain(_in_words(expected))}, {comparison.metric.name}: {numbers}",
    ]
    return "<br>".join(lines)


def arms(answer: Answer, width: int = WIDE) -> go.Figure:
    """Draw what every arm and the strongest controls of a claim measured: a small mark a seed, a large one the mean."""
    rows = _values(answer)
    figure = Figure()
    for ink, name in ((PALETTE[0], "arms of the claim"), (GHOST, "the strongest controls")):
        seeds = [(value, len(rows) - k, row) for k, row in enumerate(rows) for value in row.values if row.ink == ink]
        means = [(fmean(row.values), len(rows) - k, row) for k, row in enumerate(rows) if row.ink == ink]
        if means:
            figure.add_trace(_marks(seeds, {"symbol": "circle-open", "size": 6, "color": ink}, "a seed"))
            figure.add_trace(_marks(means, {"symbol": "diamond", "size": 10, "color": ink}, "mean", name))
    _frame(figure, [row.name for row in rows], width)
    metric = answer.claim.metric
    better = f", {metric.better} is better" if metric.better else ""
    return figure.update_xaxes(title_text=shortened(f"{metric.about}{better}", 110))


class Values(NamedTuple):
    """What an arm or a control measured, one value a seed, and its colour."""

    name: str
    values: tuple[float, ...]
    ink: str


def _values(answer: Answer) -> list[Values]:
    """Arms and their strongest rivals, the best first."""
    measured: dict[str, tuple[float, ...]] = {}
    for comparison in answer.comparisons:
        if comparison.measured:
            measured.setdefault(comparison.expected.left, comparison.left)
            measured.setdefault(comparison.expected.right, comparison.right)
    known = [set(values) for values in measured.values()]
    rivals = [control for control in answer.controls if set(control.values) not in known][:MOST_CONTROLS]
    rows = [Values(name, values, PALETTE[0]) for name, values in measured.items()]
    rows += [Values(control.name, control.values, GHOST) for control in rivals]
    better = answer.claim.metric.better
    return sorted(rows, key=lambda row: fmean(row.values), reverse=better == "higher") if better else rows


def _marks(
    points: Sequence[tuple[float, int, Values]], marker: dict[str, object], of: str, name: str = ""
) -> go.Scatter:
    """Values at their rows; a legend's entry if there is a ``name``."""
    return go.Scatter(
        x=[x for x, _, _ in points],
        y=[y for _, y, _ in points],
        mode="markers",
        marker=marker,
        name=name,
        showlegend=bool(name),
        text=[plain(row.name) for _, _, row in points],
        hovertemplate=f"%{{text}}, {of}: %{{x:.4g}}<extra></extra>",
    )
