"""The evidence widget: a table of all claims, and the chosen claim's answer and stored runs."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from .._validation import checked
from ..claims import Answer, answers, count_verdicts, get
from ..claims.ledger import NOT_TESTED, PAPERS
from ..claims.table import SCALES, Comparison
from ..views.style import FAINT, MARK, PALETTE, RULE
from ..wording import plural
from .explore_view import explore
from .page.csv_link import csv_link
from .page.markup import failure, table
from .page.notebook import Bundled, unsaved, widget_bundle

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"
MARKS = {  # sign and colour of each verdict
    "refuted": ("✕", MARK),
    "supported": ("✓", PALETTE[2]),
    "inconclusive": ("?", FAINT),
    "not measured": ("–", FAINT),
    "not testable": ("–", FAINT),
}
VERDICTS = tuple(MARKS)
MOST_CONTROLS = 8
WIDTH, HEIGHT, NEAR = (
    220,
    18,
    10,
)  # pixels of a bar; the scale ends at least this many margins from zero
TICKS = (-100, -10, -1, 0, 1, 10, 100)
TABLE = "border-collapse:separate;border-spacing:8px 2px;font-size:12px;line-height:1.4"
# JupyterLab colours widgets itself, except for the arrow of a drop-down; elsewhere they stay light without these rules.
STYLE = """<style>
:is([data-jp-theme-light="false"], [theme="dark"], .vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {
  --jp-widgets-dropdown-arrow: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E\
%3Cpath fill='%23e8eaed' d='M5.2 5.9 9 9.7l3.8-3.8 1.2 1.2-5 5-5-5z'/%3E%3C/svg%3E"); }
:is([theme="dark"], .vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {
  --jp-ui-font-color1: #e8eaed; --jp-layout-color0: #1e1e1e; --jp-border-color2: #4a4f57; color: #e8eaed;
  --jp-layout-color2: #3a3f47; --jp-widgets-color: #e8eaed; --jp-widgets-label-color: #e8eaed;
  --jp-widgets-input-color: #e8eaed; --jp-widgets-input-background-color: #26282c;
  --jp-widgets-input-border-color: #5f6368; }
</style>"""
TOP = "position:sticky;top:0;background:var(--jp-layout-color0, Canvas);text-align:left"


@checked()
@unsaved()
def evidence(own: Mapping[str, Answer] | None = None) -> Evidence:
    """Show the claims of the ledger and their answers: a table of all comparisons, and the chosen claim's stored runs.

    ``own`` are your answers by the claim's name, such as ``clwork.claims.answers(folder)`` returns; they are drawn
    as diamonds in the same rows.
    """
    return Evidence(own or {})


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`; its controls are ``paper``, ``verdict``, ``find`` and ``claims``."""

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self._own = own
        self.answers = answers()
        papers = [("all", ALL), *((title, name) for name, title in PAPERS.items())]
        self.paper = widgets.Dropdown(
            options=papers, description="paper", tooltip="Lists the claims of this paper."
        )
        verdicts = (ALL, *VERDICTS)
        about = "Lists the claims with this verdict."
        self.verdict = widgets.Dropdown(options=verdicts, description="verdict", tooltip=about)
        about = "Lists the claims that contain this text."
        self.find = widgets.Text(placeholder="text of a claim", description="find", tooltip=about)
        about = "Shows the chosen claim below."
        self.claims = widgets.Select(rows=9, tooltip=about, layout=widgets.Layout(width="auto"))
        self.state, self.table, self.about, self.runs = (widgets.HTML() for _ in range(4))
        self.table.add_class("clwork-table")
        about = "Shows the stored runs of the chosen claim with all settings."
        self.explore = widgets.Button(description="Stored runs", tooltip=about)
        self.explore.on_click(lambda _: self._explore())
        self._listed = list(self.answers.values())
        for name in ("paper", "verdict", "find", "claims"):
            getattr(self, name).add_class(f"clwork-{name}")
        filters = [self.paper, self.verdict, self.find]
        for control in filters:
            control.layout.flex, control.layout.width = "1 1 220px", "auto"
            control.style.description_width = "initial"
        top = widgets.HBox(filters, layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        boxes = [self.table, self.claims, self.about, self.explore, self.runs]
        super().__init__([top, self.state, *boxes], layout=widgets.Layout(width="100%"))
        self.add_class("clwork-evidence")
        self._list()
        for control in filters:
            control.observe(lambda _: self._list(), names="value")
        self.claims.observe(lambda _: self._open(), names="value")

    def choose(self, name: str) -> Evidence:
        """Open a claim by its name; reset the filters if they hide it."""
        chosen = get(name).name
        if chosen not in {answer.claim.name for answer in self._listed}:
            self.paper.value, self.verdict.value, self.find.value = ALL, ALL, ""
        self.claims.value = chosen
        return self

    def _list(self) -> None:
        before, text = self.claims.value, self.find.value.strip().lower()
        passing = [
            answer
            for name, answer in self.answers.items()
            if self.paper.value in (ALL, answer.claim.paper)
            and self.verdict.value in (ALL, answer.verdict)
            and text in f"{name} {answer.claim.claim} {answer.claim.place}".lower()
        ]
        self._listed = sorted(passing, key=lambda answer: VERDICTS.index(answer.verdict))
        names = [answer.claim.name for answer in self._listed]
        self.claims.options = [
            (f"{one.verdict} · {one.claim.name}", one.claim.name) for one in self._listed
        ]
        self.claims.value = before if before in names else (names[0] if names else None)
        self.table.value = table_of(self._listed, self._own) + csv_link(frame_of(self._listed))
        counts = count_verdicts(self._listed)
        words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
        scales = "; ".join(f"{encoder} {scale}" for encoder, scale in SCALES.items())
        summary = f"{plural(len(self._listed), 'claim')}: {words}. Verdicts hold for the encoders {scales}."
        nothing = "No claim of this paper has this verdict and contains this text."
        self.state.value = f"{STYLE}<div role='status'>{summary if self._listed else nothing}</div>"
        self._open()

    def _open(self) -> None:
        answer = self.answers.get(self.claims.value)
        self.about.value = (
            "" if answer is None else _about(answer, self._own.get(answer.claim.name))
        )
        self.runs.value = ""
        self.explore.disabled = answer is None

    def _explore(self) -> None:
        try:
            self.runs.value = explore(self.claims.value)._repr_html_()
        except FileNotFoundError as error:
            self.runs.value = failure(str(error))

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return widget_bundle(self, f"{self.state.value}{self.table.value}{self.about.value}")


def _about(answer: Answer, own: Answer | None) -> str:
    claim = answer.claim
    lines = [
        f"<b>{html.escape(claim.claim)}</b>",
        html.escape(f"{PAPERS[claim.paper]}, {claim.place}"),
    ]
    if claim.reported:
        cells = "; ".join(f"{one.variant} {one.value:g} ({one.backbone})" for one in claim.reported)
        lines.append(
            f"The paper reports, {html.escape(claim.reported[0].of)}: {html.escape(cells)}."
        )
    lines.append(f"<pre>{html.escape(str(answer))}</pre>{arms(answer)}")
    if own is not None:
        lines.append(f"Your answer:<pre>{html.escape(str(own))}</pre>")
    if claim.metric.name not in NOT_TESTED:
        lines.append(
            f"Measure it again: <code>clwork.claims.test({html.escape(repr(claim.name))})</code>"
        )
    if claim.teaches:
        lines.append(f"Lesson: notebook {html.escape(claim.teaches)}.")
    return "".join(f"<p>{line}</p>" if not line.startswith("<pre>") else line for line in lines)


def compressed(value: float) -> float:
    """Scale a value linearly near 0 and logarithmically far from it, so that all effects fit on an axis."""
    return math.copysign(math.log10(1 + abs(value)), value)


def in_margins(comparison: Comparison) -> tuple[float, float, float]:
    """Return difference and its ends in the metric's margins; above 0 supports the claim, with ``=`` it is below."""
    found = comparison.difference
    unit = comparison.metric.margin or (found.high - found.low) / 2 or abs(found.mean) or 1.0
    sign = comparison.expected.sign
    way = -1 if sign == "<" or (sign == "=" and found.mean > 0) else 1
    low, high = (found.low, found.high) if comparison.drawn else (found.mean, found.mean)
    least, most = sorted((way * low / unit, way * high / unit))
    return way * found.mean / unit, least, most


def table_of(answers: Sequence[Answer], own: Mapping[str, Answer]) -> str:
    """Return an HTML table: a row for each comparison of each claim, with its interval as a bar."""
    measured = [one for answer in answers for one in answer.comparisons if one.measured]
    reach = max([float(NEAR), *(abs(end) for one in measured for end in in_margins(one))])
    place = partial(_place, reach=reach)
    style = f"y='{HEIGHT - 4}' text-anchor='middle' font-size='11' fill='currentColor'"
    ticks = "".join(
        f"<text x='{place(tick):.0f}' {style}>{tick:g}</text>"
        for tick in TICKS
        if abs(tick) <= reach
    )
    scale = f"against the claim ← → as claimed, in margins<br>{_svg(ticks)}"
    heads = ("verdict", "claim", "comparison", scale, "difference and interval")
    head = "".join(f"<th scope='col' style='{TOP}'>{one}</th>" for one in heads)
    rows = "".join(_rows(answer, own.get(answer.claim.name), place) for answer in answers)
    lines = f"<table style='{TABLE}'><thead><tr>{head}</tr></thead>{rows}</table>"
    return f"<div style='max-height:420px;overflow:auto'>{lines}</div>"


def frame_of(answers: Sequence[Answer]) -> pd.DataFrame:
    """Return the numbers of :func:`table_of`: a row for each measured comparison."""
    import pandas as pd

    measured = [(answer, one) for answer in answers for one in answer.comparisons if one.measured]
    names = [
        (answer.claim.name, answer.verdict, str(one.expected), one.metric.name)
        for answer, one in measured
    ]
    numbers = [
        (one.difference.mean, one.difference.low, one.difference.high) for _, one in measured
    ]
    columns = ["claim", "verdict", "comparison", "metric", "difference", "low", "high"]
    return pd.DataFrame([(*a, *b) for a, b in zip(names, numbers, strict=True)], columns=columns)


def _place(value: float, reach: float) -> float:
    return WIDTH / 2 * (1 + 0.95 * compressed(value) / compressed(reach))


def _svg(parts: str) -> str:
    return f"<svg width='{WIDTH}' height='{HEIGHT}' style='vertical-align:middle'>{parts}</svg>"


def _rows(answer: Answer, own: Answer | None, place: Callable[[float], float]) -> str:
    claim, (sign, ink) = answer.claim, MARKS[answer.verdict]
    yours = (
        {one.expected: one for one in own.comparisons if one.measured} if own is not None else {}
    )
    shown = [one for one in answer.comparisons if one.measured]
    span = f"rowspan='{max(1, len(shown))}' style='vertical-align:top;text-align:left"
    about = f"{html.escape(claim.claim)}<br><small>{html.escape(f'{PAPERS[claim.paper]}, {claim.place}')}</small>"
    first = f"<td {span};white-space:nowrap;color:{ink}'>{sign} {answer.verdict}</td>"
    first += (
        f"<th scope='row' {span};font-weight:400;max-width:340px;white-space:normal'>{about}</th>"
    )
    cells = [_cells(answer, one, yours.get(one.expected), place) for one in shown]
    cells = cells or [f"<td colspan='3'>{html.escape(answer.why)}</td>"]
    lines = (f"<tr>{'' if k else first}{one}</tr>" for k, one in enumerate(cells))
    return f"<tbody>{''.join(lines)}</tbody>"


def _cells(
    answer: Answer,
    comparison: Comparison,
    yours: Comparison | None,
    place: Callable[[float], float],
) -> str:
    ink, found = MARKS[comparison.verdict(answer.threshold)][1], comparison.difference
    mean, low, high = map(place, in_margins(comparison))
    margin, half = place(-1), HEIGHT / 2
    parts = f"<rect x='{margin:.1f}' width='{place(1) - margin:.1f}' height='{HEIGHT}' fill='{RULE}' opacity='.45'/>"
    parts += f"<path d='M{WIDTH / 2} 0V{HEIGHT}' stroke='currentColor'/>"
    parts += f"<path d='M{low:.1f} {half}H{high:.1f}' stroke='{ink}' stroke-width='2'/>"
    parts += f"<circle cx='{mean:.1f}' cy='{half}' r='4' fill='{ink}'/>"
    if yours is not None:
        at = place(in_margins(yours)[0])
        parts += f"<path d='M{at - 5:.1f} {half}l5 -5l5 5l-5 5z' fill='{PALETTE[0]}'><title>your runs</title></path>"
    interval = f" [{found.low:+.3g}, {found.high:+.3g}]" if comparison.drawn else ""
    numbers = f"{found.mean:+.3g}{interval} {comparison.metric.name}"
    return f"<td>{html.escape(str(comparison.expected))}</td><td>{_svg(parts)}</td><td>{html.escape(numbers)}</td>"


def arms(answer: Answer) -> str:
    """Return a table of the claim's arms and the strongest controls, best first."""
    measured: dict[str, tuple[float, ...]] = {}
    for one in answer.comparisons:
        if one.measured:
            measured |= {one.expected.left: one.left, one.expected.right: one.right}
    known = [set(values) for values in measured.values()]
    controls = [control for control in answer.controls if set(control.values) not in known][
        :MOST_CONTROLS
    ]
    rows = [(fmean(values), "arm", name, values) for name, values in measured.items()]
    rows += [(control.mean, "control", control.name, control.values) for control in controls]
    rows.sort(key=lambda row: row[0], reverse=answer.claim.metric.better == "higher")
    cells = [
        [name, role, f"{mean:.4g}", f"{min(of):.4g} to {max(of):.4g}"]
        for mean, role, name, of in rows
    ]
    return (
        table(answer.claim.metric.about, ["", "", "mean", "range over seeds"], cells)
        if cells
        else ""
    )
