"""The evidence widget: a table of all claims, and a claim's answer and stored runs."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

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
# pixels of a bar
WIDTH = 220
HEIGHT = 18
NEAR = 10.0
"""The scale ends at least this many margins from zero."""
TICKS = (-100, -10, -1, 0, 1, 10, 100)
TABLE = "border-collapse:separate;border-spacing:8px 2px;font-size:12px;line-height:1.4"
# JupyterLab colours widgets itself, except for the arrow of a drop-down; elsewhere they stay light
# without these rules.
STYLE = """<style>
:is([data-jp-theme-light="false"], [theme="dark"], .vscode-dark,
  .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {
  --jp-widgets-dropdown-arrow: url("data:image/svg+xml,\
%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E\
%3Cpath fill='%23e8eaed' d='M5.2 5.9 9 9.7l3.8-3.8 1.2 1.2-5 5-5-5z'/%3E%3C/svg%3E"); }
:is([theme="dark"], .vscode-dark,
  .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {
  --jp-ui-font-color1: #e8eaed; --jp-layout-color0: #1e1e1e; --jp-border-color2: #4a4f57;
  color: #e8eaed;
  --jp-layout-color2: #3a3f47; --jp-widgets-color: #e8eaed; --jp-widgets-label-color: #e8eaed;
  --jp-widgets-input-color: #e8eaed; --jp-widgets-input-background-color: #26282c;
  --jp-widgets-input-border-color: #5f6368; }
</style>"""
TOP = "position:sticky;top:0;background:var(--jp-layout-color0, Canvas);text-align:left"


@unsaved()
def evidence(own: Mapping[str, Answer] | None = None) -> Evidence:
    """Show the claims of the ledger and their answers: all comparisons, and a claim's stored runs.

    Args:
        own: your answers by the claim's name, such as ``clwork.claims.answers(folder)`` returns;
            they are drawn as diamonds in the same rows.
    """
    return Evidence(own or {})


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`; controls are ``paper``, ``verdict``, ``find``, ``claims``."""

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self.answers = answers()
        self._own = own
        self._listed = list(self.answers.values())
        papers = [("all", ALL), *((title, name) for name, title in PAPERS.items())]
        self.paper = widgets.Dropdown(
            options=papers, description="paper", tooltip="Lists the claims of this paper."
        )
        self.verdict = widgets.Dropdown(
            options=(ALL, *VERDICTS),
            description="verdict",
            tooltip="Lists the claims with this verdict.",
        )
        self.find = widgets.Text(
            placeholder="text of a claim",
            description="find",
            tooltip="Lists the claims that contain this text.",
        )
        filters = [self.paper, self.verdict, self.find]
        for control in filters:
            control.layout.flex, control.layout.width = "1 1 220px", "auto"
            control.style.description_width = "initial"
            control.observe(lambda _: self._list(), names="value")
        self.state = widgets.HTML()
        self.table = widgets.HTML()
        self.claims = widgets.Select(
            rows=9,
            tooltip="Shows the chosen claim below.",
            layout=widgets.Layout(width="auto"),
        )
        self.claims.observe(lambda _: self._open(), names="value")
        self.about = widgets.HTML()
        self.explore = widgets.Button(
            description="Stored runs",
            tooltip="Shows the stored runs of the chosen claim with all settings.",
        )
        self.explore.on_click(lambda _: self._explore())
        self.runs = widgets.HTML()
        for name in ("paper", "verdict", "find", "table", "claims"):
            getattr(self, name).add_class(f"clwork-{name}")
        top = widgets.HBox(filters, layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        boxes = [top, self.state, self.table, self.claims, self.about, self.explore, self.runs]
        super().__init__(boxes, layout=widgets.Layout(width="100%"))
        self.add_class("clwork-evidence")
        self._list()

    def choose(self, name: str) -> Evidence:
        """Open a claim by its name; reset the filters if they hide it."""
        chosen = get(name).name
        if chosen not in {answer.claim.name for answer in self._listed}:
            self.paper.value = ALL
            self.verdict.value = ALL
            self.find.value = ""
        self.claims.value = chosen
        return self

    def _passes(self, answer: Answer) -> bool:
        """Whether the filters let an answer pass."""
        claim = answer.claim
        words = f"{claim.name} {claim.claim} {claim.place}".lower()
        return (
            self.paper.value in (ALL, claim.paper)
            and self.verdict.value in (ALL, answer.verdict)
            and self.find.value.strip().lower() in words
        )

    def _list(self) -> None:
        chosen = self.claims.value
        passing = filter(self._passes, self.answers.values())
        self._listed = sorted(passing, key=lambda answer: VERDICTS.index(answer.verdict))
        options = {
            answer.claim.name: f"{answer.verdict} · {answer.claim.name}" for answer in self._listed
        }
        self.claims.options = [(label, name) for name, label in options.items()]
        self.claims.value = chosen if chosen in options else next(iter(options), None)
        self.table.value = table_of(self._listed, self._own) + csv_link(frame_of(self._listed))
        self.state.value = f"{STYLE}<div role='status'>{self._summary()}</div>"
        self._open()

    def _summary(self) -> str:
        if not self._listed:
            return "No claim of this paper has this verdict and contains this text."
        counts = count_verdicts(self._listed)
        words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
        scales = "; ".join(f"{encoder} {scale}" for encoder, scale in SCALES.items())
        claims = plural(len(self._listed), "claim")
        return f"{claims}: {words}. Verdicts hold for the encoders {scales}."

    def _open(self) -> None:
        answer = self.answers.get(self.claims.value)
        self.runs.value = ""
        self.about.value = ""
        self.explore.disabled = answer is None
        if answer is not None:
            self.about.value = _about(answer, self._own.get(answer.claim.name))

    def _explore(self) -> None:
        try:
            self.runs.value = explore(self.claims.value)._repr_html_()
        except FileNotFoundError as error:
            self.runs.value = failure(str(error))

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return widget_bundle(self, f"{self.state.value}{self.table.value}{self.about.value}")


def _about(answer: Answer, own: Answer | None) -> str:
    """Return a claim with its answer, its variants and the commands that measure it, as HTML."""
    claim = answer.claim
    parts = [
        f"<p><b>{html.escape(claim.claim)}</b></p>",
        _paragraph(f"{PAPERS[claim.paper]}, {claim.place}"),
    ]
    if claim.reported:
        cells = "; ".join(f"{one.variant} {one.value:g} ({one.backbone})" for one in claim.reported)
        parts.append(_paragraph(f"The paper reports, {claim.reported[0].of}: {cells}."))
    parts += [f"<pre>{html.escape(str(answer))}</pre>", variants(answer)]
    if own is not None:
        parts.append(f"<p>Your answer:</p><pre>{html.escape(str(own))}</pre>")
    if claim.metric.name not in NOT_TESTED:
        call = html.escape(f"clwork.claims.test({claim.name!r})")
        parts.append(f"<p>Measure it again: <code>{call}</code></p>")
    if claim.teaches:
        parts.append(_paragraph(f"Lesson: notebook {claim.teaches}."))
    return "".join(parts)


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def compressed(value: float) -> float:
    """Scale a value linearly near 0 and logarithmically far from it, so that all effects fit.

    >>> compressed(9), compressed(-9)
    (1.0, -1.0)
    """
    return math.copysign(math.log10(1 + abs(value)), value)


def in_margins(comparison: Comparison) -> tuple[float, float, float]:
    """Return the difference and its ends in the metric's margins; above 0 supports the claim.

    The difference of a claim of equality (``=``) is below 0.
    """
    difference = comparison.difference
    half_width = (difference.high - difference.low) / 2
    unit = comparison.metric.margin or half_width or abs(difference.mean) or 1.0
    sign = comparison.expected.sign
    is_against = sign == "<" or (sign == "=" and difference.mean > 0)
    scale = (-1 if is_against else 1) / unit
    mean = scale * difference.mean
    if not comparison.drawn:
        return mean, mean, mean
    low, high = sorted((scale * difference.low, scale * difference.high))
    return mean, low, high


def measured_in(answer: Answer) -> list[Comparison]:
    """Return the comparisons of an answer that were measured."""
    return [comparison for comparison in answer.comparisons if comparison.measured]


class Scale:
    """Horizontal positions of differences in margins; ``reach`` is the largest one."""

    def __init__(self, reach: float) -> None:
        self.reach = reach

    def __call__(self, margins: float) -> float:
        """Return the position in pixels."""
        return WIDTH / 2 * (1 + 0.95 * compressed(margins) / compressed(self.reach))

    def axis(self) -> str:
        """Return the numbers of the axis as SVG."""
        style = f"y='{HEIGHT - 4}' text-anchor='middle' font-size='11' fill='currentColor'"
        ticks = [tick for tick in TICKS if abs(tick) <= self.reach]
        return _svg("".join(f"<text x='{self(t):.0f}' {style}>{t:g}</text>" for t in ticks))


def table_of(answers: Sequence[Answer], own: Mapping[str, Answer]) -> str:
    """Return an HTML table: a row for each comparison of each claim, with its interval as a bar."""
    measured = [comparison for answer in answers for comparison in measured_in(answer)]
    farthest = [max(map(abs, in_margins(comparison))) for comparison in measured]
    scale = Scale(max([NEAR, *farthest]))
    axis = f"against the claim ← → as claimed, in margins<br>{scale.axis()}"
    titles = ("verdict", "claim", "comparison", axis, "difference and interval")
    head = "".join(f"<th scope='col' style='{TOP}'>{title}</th>" for title in titles)
    rows = "".join(_rows(answer, own.get(answer.claim.name), scale) for answer in answers)
    lines = f"<table style='{TABLE}'><thead><tr>{head}</tr></thead>{rows}</table>"
    return f"<div style='max-height:420px;overflow:auto'>{lines}</div>"


def frame_of(answers: Sequence[Answer]) -> pd.DataFrame:
    """Return the numbers of :func:`table_of`: a row for each measured comparison."""
    import pandas as pd

    rows = []
    for answer in answers:
        for comparison in measured_in(answer):
            rows.append(
                {
                    "claim": answer.claim.name,
                    "verdict": answer.verdict,
                    "comparison": str(comparison.expected),
                    "metric": comparison.metric.name,
                    "difference": comparison.difference.mean,
                    "low": comparison.difference.low,
                    "high": comparison.difference.high,
                }
            )
    return pd.DataFrame(rows)


def _svg(parts: str) -> str:
    size = f"width='{WIDTH}' height='{HEIGHT}'"
    return f"<svg {size} style='vertical-align:middle'>{parts}</svg>"


def _rows(answer: Answer, own: Answer | None, scale: Scale) -> str:
    """Return the rows of a claim; verdict and claim span all of them."""
    claim, (sign, ink) = answer.claim, MARKS[answer.verdict]
    of_reader = {} if own is None else {one.expected: one for one in measured_in(own)}
    cells = [
        _cells(answer, comparison, of_reader.get(comparison.expected), scale)
        for comparison in measured_in(answer)
    ]
    if not cells:
        cells = [f"<td colspan='3'>{html.escape(answer.why)}</td>"]
    source = html.escape(f"{PAPERS[claim.paper]}, {claim.place}")
    style = f"rowspan='{len(cells)}' style='vertical-align:top;text-align:left"
    verdict = f"{style};white-space:nowrap;color:{ink}'>{sign} {answer.verdict}"
    about = f"{html.escape(claim.claim)}<br><small>{source}</small>"
    spanning = (
        f"<td {verdict}</td><th scope='row' {style};font-weight:400;max-width:340px;"
        f"white-space:normal'>{about}</th>"
    )
    lines = "</tr><tr>".join(cells)
    return f"<tbody><tr>{spanning}{lines}</tr></tbody>"


def _cells(
    answer: Answer, comparison: Comparison, of_reader: Comparison | None, scale: Scale
) -> str:
    """Return the cells of a comparison: its text, its interval as a bar, its numbers."""
    _, ink = MARKS[comparison.verdict(answer.threshold)]
    mean, low, high = map(scale, in_margins(comparison))
    left, middle = scale(-1), HEIGHT / 2
    parts = [
        f"<rect x='{left:.1f}' width='{scale(1) - left:.1f}' height='{HEIGHT}' fill='{RULE}' "
        "opacity='.45'/>",
        f"<path d='M{WIDTH / 2} 0V{HEIGHT}' stroke='currentColor'/>",
        f"<path d='M{low:.1f} {middle}H{high:.1f}' stroke='{ink}' stroke-width='2'/>",
        f"<circle cx='{mean:.1f}' cy='{middle}' r='4' fill='{ink}'/>",
    ]
    if of_reader is not None:
        x = scale(in_margins(of_reader)[0])
        parts.append(
            f"<path d='M{x - 5:.1f} {middle}l5 -5l5 5l-5 5z' fill='{PALETTE[0]}'>"
            "<title>your runs</title></path>"
        )
    difference = comparison.difference
    numbers = f"{difference.mean:+.3g}"
    if comparison.drawn:
        numbers += f" [{difference.low:+.3g}, {difference.high:+.3g}]"
    expected = html.escape(str(comparison.expected))
    name = html.escape(comparison.metric.name)
    return f"<td>{expected}</td><td>{_svg(''.join(parts))}</td><td>{numbers} {name}</td>"


def variants(answer: Answer) -> str:
    """Return a table of the claim's variants and the strongest controls, best first."""
    measured: dict[str, tuple[float, ...]] = {}
    for one in measured_in(answer):
        measured |= {one.expected.left: one.left, one.expected.right: one.right}
    if not measured:
        return ""
    known = [set(values) for values in measured.values()]
    others = [control for control in answer.controls if set(control.values) not in known]
    rows = [(fmean(values), "variant", name, values) for name, values in measured.items()]
    for control in others[:MOST_CONTROLS]:
        rows.append((control.mean, "control", control.name, control.values))
    rows.sort(reverse=answer.claim.metric.better == "higher")
    cells = []
    for mean, role, name, values in rows:
        cells.append([name, role, f"{mean:.4g}", f"{min(values):.4g} to {max(values):.4g}"])
    head = ["", "", "mean", "range over seeds"]
    return table(answer.claim.metric.about, head, cells)
