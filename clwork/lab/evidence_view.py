"""The evidence widget: filter the claims, open one, and see the measurements of its arms and strongest controls."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go

from .._validation import checked, choice, kind
from ..claims import answers, get
from ..claims.ledger import PAPERS
from ..claims.verdicts import Answer, Comparison
from ..views.style import FAINT, GHOST, INK, MARK, PALETTE, RULE, Figure, plain, shortened, styled, wrapped
from ..wording import plural
from .page.live_figure import LiveFigure
from .page.markup import failure
from .page.notebook import WIDE, Bundled, manager_metadata, unsaved

ALL = "all"
VERDICTS = ("supported", "refuted", "inconclusive", "not measured")
STYLES = {  # colour and marker of each verdict
    "supported": (PALETTE[2], "circle"),
    "refuted": (MARK, "x"),
    "inconclusive": (FAINT, "circle-open"),
}
MOST_ROWS, MOST_CONTROLS = 45, 8
ROW, HEAD, LEFT = 19, 105, 300  # pixels: a row, all other parts of the height, the left margin
LETTERS, NEAR = 46, 3  # characters of a label; the axis shows at least this many margins to both sides
TICKS = (-300, -100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100, 300)
LABELS = {"forest": "Differences of all listed claims", "arms": "Measurements of the chosen claim's arms"}


@checked()
@unsaved()
def evidence(own: Mapping[str, Answer] | None = None) -> Evidence:
    """Show the claims of the ledger and their answers: a forest plot, measurements by seed, controls and more.

    ``own`` are your answers by the claim's name, such as ``clwork.claims.answers(folder)`` returns; they are drawn
    next to the stored answers.
    """
    return Evidence(own or {})


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`; its controls are ``paper``, ``verdict``, ``find`` and ``claims``."""

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self._own = own
        self.answers = answers()
        papers = [("all", ALL), *((title, name) for name, title in PAPERS.items())]
        self.paper = widgets.Dropdown(options=papers, description="paper", tooltip="Lists the claims of this paper.")
        verdicts = (ALL, *VERDICTS)
        about = "Lists the claims with this verdict."
        self.verdict = widgets.Dropdown(options=verdicts, description="verdict", tooltip=about)
        about = "Lists the claims that contain this text."
        self.find = widgets.Text(placeholder="text of a claim", description="find", tooltip=about)
        about = "Shows the chosen claim below."
        self.claims = widgets.Select(rows=9, tooltip=about, layout=widgets.Layout(width="auto"))
        self.state, self.about = widgets.HTML(), widgets.HTML()
        self._listed = list(self.answers.values())
        self._figures = {"forest": forest(self._shown()), "arms": arms(self._listed[0])}
        self.drawn = {name: LiveFigure(figure, LABELS[name]) for name, figure in self._figures.items()}
        for name in ("paper", "verdict", "find", "claims"):
            getattr(self, name).add_class(f"clwork-{name}")
        filters = [self.paper, self.verdict, self.find]
        for control in filters:
            control.layout.flex, control.layout.width = "1 1 220px", "auto"
            control.style.description_width = "initial"
        top = widgets.HBox(filters, layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        boxes = [self.drawn["forest"].box, self.claims, self.about, self.drawn["arms"].box]
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

    def figure(self, name: str = "forest") -> go.Figure:
        """Return a static figure: ``"forest"`` or ``"arms"``."""
        return self._figures[choice("name", name, list(self._figures))]

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
        self.claims.options = [(f"{one.verdict} · {one.claim.name}", one.claim.name) for one in self._listed]
        self.claims.value = before if before in names else (names[0] if names else None)
        self._replace("forest", forest(self._shown(), [self._own[name] for name in names if name in self._own]))
        self.state.value = f"<div role='status'>{failure(self._summary())}</div>"
        self._open()

    def _summary(self) -> str:
        if not self._listed:
            return "No claim of this paper has this verdict and contains this text."
        counts = {verdict: sum(answer.verdict == verdict for answer in self._listed) for verdict in VERDICTS}
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        drawn, measured = (
            sum(comparison.measured for answer in some for comparison in answer.comparisons)
            for some in (self._shown(), self._listed)
        )
        more = f" The first {drawn} of {measured} comparisons are drawn; choose a paper or a verdict to see others."
        return f"{plural(len(self._listed), 'claim')}: {words}.{more if drawn < measured else ''}"

    def _shown(self) -> list[Answer]:
        shown, rows = [], 0
        for answer in self._listed:
            rows += len(rows_of([answer]))
            if rows > MOST_ROWS:
                break
            shown.append(answer)
        return shown

    def _open(self) -> None:
        answer = self.answers.get(self.claims.value)
        measured = answer is not None and any(comparison.measured for comparison in answer.comparisons)
        self.about.value = "" if answer is None else _about(answer, self._own.get(answer.claim.name))
        if answer is not None:
            self._replace("arms", arms(answer))
        self.drawn["arms"].box.layout.display = "flex" if measured else "none"

    def _replace(self, name: str, figure: go.Figure) -> None:
        self._figures[name] = figure
        self.drawn[name].replace(figure)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        text = {"text/plain": kind(self), "text/html": f"{self.state.value}{self.about.value}"}
        return {**text, "application/vnd.jupyter.widget-view+json": view}, manager_metadata()


def _about(answer: Answer, own: Answer | None) -> str:
    """Return the chosen claim as HTML: the paper's text and numbers, the measurements, and the command."""
    claim = answer.claim
    lines = [f"<b>{html.escape(claim.claim)}</b>", html.escape(f"{PAPERS[claim.paper]}, {claim.place}")]
    if claim.reported:
        cells = "; ".join(f"{one.arm} {one.value:g} ({one.backbone})" for one in claim.reported)
        lines.append(f"The paper reports, {html.escape(claim.reported[0].of)}: {html.escape(cells)}.")
    lines.append(f"<pre>{html.escape(str(answer))}</pre>")
    if own is not None:
        lines.append(f"Your answer:<pre>{html.escape(str(own))}</pre>")
    if answer.why:
        lines.append(html.escape(answer.why[:1].upper() + answer.why[1:]) + ".")
    lines.append(f"Measure it again: <code>clwork.claims.test({html.escape(repr(claim.name))})</code>")
    if claim.teaches:
        lines.append(f"Lesson: notebook {html.escape(claim.teaches)}.")
    return "".join(f"<p>{line}</p>" if not line.startswith("<pre>") else line for line in lines)


def compressed(value: float) -> float:
    """Scale a value linearly near 0 and logarithmically far from it, so that all effects fit on an axis."""
    return math.copysign(math.log10(1 + abs(value)), value)


def in_margins(comparison: Comparison) -> tuple[float, float, float]:
    """Return difference, low and high end in units of the metric's margin; positive values support the claim."""
    found = comparison.difference
    unit = comparison.metric.margin or (found.high - found.low) / 2 or abs(found.mean) or 1.0
    way = -1 if comparison.expected.sign == "<" else 1
    low, high = (found.low, found.high) if comparison.drawn else (found.mean, found.mean)
    least, most = sorted((way * low / unit, way * high / unit))
    return way * found.mean / unit, least, most


def rows_of(answers: Iterable[Answer]) -> list[tuple[str, Answer, Comparison | None]]:
    """Return label, answer and comparison of each row of the forest plot; headings of claims have no comparison."""
    rows: list[tuple[str, Answer, Comparison | None]] = []
    for answer in answers:
        name = answer.claim.name.partition("/")[2]
        measured = [comparison for comparison in answer.comparisons if comparison.measured]
        if len(measured) == 1:
            rows.append((name, answer, measured[0]))
        elif measured:
            rows.append((f"{name}:", answer, None))
            rows += [(str(comparison.expected), answer, comparison) for comparison in measured]
    return rows


def forest(answers: Sequence[Answer], own: Sequence[Answer] = (), width: int = WIDE) -> go.Figure:
    """Draw each measured comparison with its interval; the user's ``own`` answers are diamonds in the same rows."""
    rows = rows_of(answers)
    places = {(a.claim.name, c.expected): float(len(rows) - k) for k, (_, a, c) in enumerate(rows) if c is not None}
    drawn = [(answer, comparison) for _, answer, comparison in rows if comparison is not None]
    yours = [(a, c) for a in own for c in a.comparisons if c.measured and (a.claim.name, c.expected) in places]
    reach = [*(end for _, c in [*drawn, *yours] for end in in_margins(c)), -NEAR, NEAR]
    figure = Figure()
    margin = compressed(1)
    figure.add_vrect(x0=-margin, x1=margin, fillcolor=RULE, opacity=0.45, line_width=0, layer="below")
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    groups = [
        (verdict, ink, symbol, 0.0, [(a, c) for a, c in drawn if c.verdict(a.threshold) == verdict])
        for verdict, (ink, symbol) in STYLES.items()
    ]
    if yours:
        groups.append(("yours", PALETTE[0], "diamond", -0.33, yours))
    for name, ink, symbol, below, chosen in groups:
        points = [tuple(map(compressed, in_margins(comparison))) for _, comparison in chosen]
        y = [places[answer.claim.name, comparison.expected] + below for answer, comparison in chosen]
        ends = {
            "arrayminus": [mean - least for mean, least, _ in points],
            "array": [most - mean for mean, _, most in points],
        }
        marker = {"symbol": symbol, "size": 8, "color": ink}
        texts = [_hover(answer, comparison) for answer, comparison in chosen]
        hover = {"text": texts, "hovertemplate": "%{text}<extra></extra>"}
        bars = {"symmetric": False, **ends, "color": ink, "thickness": 2, "width": 0}
        x = [mean for mean, _, _ in points]
        figure.add_scatter(x=x, y=y, error_x=bars, mode="markers", marker=marker, name=name, **hover)
    _frame(figure, [name for name, _, _ in rows], width)
    ticks = [tick for tick in TICKS if min(reach) <= tick <= max(reach)]
    return figure.update_xaxes(
        tickvals=[compressed(tick) for tick in ticks],
        ticktext=[f"{tick:g}" for tick in ticks],
        range=[compressed(1.3 * min(reach)), compressed(1.3 * max(reach))],
        title_text="← against the claim · difference / margin of the metric (0.5 points of a score) · as claimed →",
    )


def _frame(figure: go.Figure, names: Sequence[str], width: int) -> None:
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


def _hover(answer: Answer, comparison: Comparison) -> str:
    found = comparison.difference
    numbers = f"{found.mean:+.3g}"
    if comparison.drawn:
        numbers += f", 95 %: {found.low:+.3g} to {found.high:+.3g}, p = {comparison.p:.2g}"
    head = f"<b>{plain(answer.claim.name)}</b><br>{wrapped(answer.claim.claim, 70)}"
    return f"{head}<br>{plain(str(comparison.expected))}, {comparison.metric.name}: {numbers}"


def arms(answer: Answer, width: int = WIDE) -> go.Figure:
    """Draw the measurements of all arms and the strongest controls: small marks are seeds, large marks means."""
    measured: dict[str, tuple[float, ...]] = {}
    for comparison in answer.comparisons:
        if comparison.measured:
            measured.setdefault(comparison.expected.left, comparison.left)
            measured.setdefault(comparison.expected.right, comparison.right)
    known = [set(values) for values in measured.values()]
    controls = [control for control in answer.controls if set(control.values) not in known][:MOST_CONTROLS]
    rows = [(name, values, PALETTE[0]) for name, values in measured.items()]
    rows += [(control.name, control.values, GHOST) for control in controls]
    metric = answer.claim.metric
    if metric.better:
        rows.sort(key=lambda row: fmean(row[1]), reverse=metric.better == "higher")
    figure = Figure()
    for ink, title in ((PALETTE[0], "arms of the claim"), (GHOST, "the strongest controls")):
        chosen = [(len(rows) - k, name, values) for k, (name, values, own) in enumerate(rows) if own == ink]
        seeds = [(value, at, name) for at, name, values in chosen for value in values]
        means = [(fmean(values), at, name) for at, name, values in chosen]
        for points, of, symbol, size in ((seeds, "seed", "circle-open", 6), (means, "mean", "diamond", 10)):
            if points:
                x, y, names = zip(*points, strict=True)
                figure.add_scatter(
                    x=x,
                    y=y,
                    mode="markers",
                    marker={"symbol": symbol, "size": size, "color": ink},
                    name=title,
                    showlegend=of == "mean",
                    text=[plain(name) for name in names],
                    hovertemplate=f"%{{text}}, {of}: %{{x:.4g}}<extra></extra>",
                )
    _frame(figure, [name for name, _, _ in rows], width)
    better = f", {metric.better} is better" if metric.better else ""
    return figure.update_xaxes(title_text=shortened(f"{metric.about}{better}", 110))
