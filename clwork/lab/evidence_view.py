"""The evidence widget: a table of all claims, and the three facts on the chosen one.

Differences of all metrics share one axis. Its unit is the *margin* of a comparison's metric, the
smallest relevant difference, and its direction is that of the claim: right of zero is as claimed.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import ipywidgets as widgets

from ..claims import Answer, answers, get
from ..claims.ledger import PAPERS
from ..claims.table import SCALES, Comparison
from ..claims.verdicts import Difference
from ..views.style import FAINT, MARK, PALETTE, RULE
from ..wording import plural
from .page.markup import table
from .page.notebook import Bundled, unsaved

ALL = "all"
"""Choice of a filter that lets all claims pass."""


@dataclass(frozen=True)
class Mark:
    """How a word is marked: signs and shapes differ too, for readers who see colours alike."""

    sign: str  # before the word
    ink: str  # the colour
    shape: str  # SVG around the point 0, 0; "ink" stands for the colour

    @property
    def picture(self) -> str:
        """The shape in its colour, as SVG."""
        return self.shape.replace("ink", self.ink)


DISC = "<circle r='4' fill='ink'/>"
CROSS = "<path d='M-4 -4L4 4M-4 4L4 -4' stroke='ink' stroke-width='2.5'/>"
SQUARE = "<path d='M-4 -4h8v8h-8z' fill='ink'/>"
RING = "<circle r='3.5' fill='Canvas' stroke='ink' stroke-width='2'/>"
TICK = "<path d='M0 -5V5' stroke='ink' stroke-width='2.5'/>"
# The list of claims has this order.
MARKS = {
    "differs here": Mark("✕", MARK, CROSS),
    "mixed": Mark("±", PALETTE[6], SQUARE),
    "agrees here": Mark("✓", PALETTE[2], DISC),
    "below the margin": Mark("≈", PALETTE[0], RING),
    "open": Mark("?", FAINT, TICK),
    "refuted": Mark("✕", MARK, CROSS),
    "supported": Mark("✓", PALETTE[2], DISC),
    "inconclusive": Mark("?", FAINT, TICK),
    "not measured": Mark("–", FAINT, ""),
    "not testable": Mark("–", FAINT, ""),
}
FINDINGS = tuple(MARKS)
MOST_CONTROLS = 8
"""Controls in the table of a claim's variants."""
# The size of a bar in pixels.
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
    """Show the claims of the ledger: all comparisons on one axis, and a claim's variants.

    Args:
        own: your answers by the claim's name, such as ``clwork.claims.answers(folder)`` returns;
            they are drawn as diamonds in the same rows.

    >>> evidence().choose("simcse/temperature").claims.value
    'simcse/temperature'
    """
    return Evidence(own or {})


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`.

    Attributes:
        answers: the stored answers by the claim's name.
        paper, finding, find: the filters: two menus and a text field.
        claims: a menu of the claims that pass the filters; the chosen one is shown below.
        state: a sentence that counts the listed claims by what is found.
        table: the comparisons of the listed claims.
        about: the chosen claim.
    """

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self.answers = answers()
        self._own = own
        self._listed = list(self.answers.values())
        self._make_filters()
        self._make_results()
        # Tests and styles find these controls by their class.
        for name in ("paper", "finding", "find", "table", "claims"):
            getattr(self, name).add_class(f"clwork-{name}")
        filters = [self.paper, self.finding, self.find]
        top = widgets.HBox(filters, layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        boxes = [top, self.state, self.table, self.claims, self.about]
        super().__init__(boxes, layout=widgets.Layout(width="100%"))
        self.add_class("clwork-evidence")
        self._list()

    def _make_filters(self) -> None:
        """Make the filters: a change of one lists the claims that pass all of them."""
        papers = [("all", ALL), *((title, name) for name, title in PAPERS.items())]
        self.paper = widgets.Dropdown(
            options=papers, description="paper", tooltip="Lists the claims of this paper."
        )
        self.finding = widgets.Dropdown(
            options=(ALL, *FINDINGS),
            description="found",
            tooltip="Lists the claims of which this is found.",
        )
        self.find = widgets.Text(
            placeholder="text of a claim",
            description="find",
            tooltip="Lists the claims that contain this text.",
        )
        for control in (self.paper, self.finding, self.find):
            control.layout.flex = "1 1 220px"
            control.layout.width = "auto"
            control.style.description_width = "initial"
            control.observe(lambda _: self._list(), names="value")

    def _make_results(self) -> None:
        """Make what the filters change, empty at first, and the menu that opens a claim."""
        self.state = widgets.HTML()
        self.table = widgets.HTML()
        self.claims = widgets.Dropdown(
            description="claim",
            tooltip="Shows the chosen claim below.",
            layout=widgets.Layout(width="auto"),
        )
        self.claims.style.description_width = "initial"
        self.claims.observe(lambda _: self._open(), names="value")
        self.about = widgets.HTML()

    def choose(self, name: str) -> Evidence:
        """Open a claim by its name; reset the filters if they hide it."""
        chosen = get(name).name
        if chosen not in {answer.claim.name for answer in self._listed}:
            self.paper.value = ALL
            self.finding.value = ALL
            self.find.value = ""
        self.claims.value = chosen
        return self

    def _passes(self, answer: Answer) -> bool:
        """Whether the filters let an answer pass."""
        claim = answer.claim
        words = f"{claim.name} {claim.claim} {claim.place}".lower()
        return (
            self.paper.value in (ALL, claim.paper)
            and self.finding.value in (ALL, answer.finding)
            and self.find.value.strip().lower() in words
        )

    def _list(self) -> None:
        """List the claims that pass the filters; the chosen one stays chosen if it is listed."""
        chosen = self.claims.value
        passing = filter(self._passes, self.answers.values())
        self._listed = sorted(passing, key=lambda answer: FINDINGS.index(answer.finding))
        names = [answer.claim.name for answer in self._listed]
        self.claims.options = [(answer.claim.claim, answer.claim.name) for answer in self._listed]
        self.claims.value = chosen if chosen in names else next(iter(names), None)
        self.table.value = table_of(self._listed, self._own)
        self.state.value = f"{STYLE}<div role='status'>{self._summary()}</div>"
        # If the chosen claim is the same as before, its control reports no change.
        self._open()

    def _summary(self) -> str:
        """Count the listed claims by what is found, and name the encoders for which that holds."""
        if not self._listed:
            return "No claim of this paper has this word and contains this text."
        counts = Counter(str(answer.finding) for answer in self._listed)
        by_finding = ", ".join(f"{counts[word]} {word}" for word in FINDINGS if counts[word])
        scales = "; ".join(f"{encoder} {scale}" for encoder, scale in SCALES.items())
        claims = plural(len(self._listed), "claim")
        return f"{claims}: {by_finding}. This holds for the encoders {scales}."

    def _open(self) -> None:
        """Show the chosen claim below the list; nothing if no claim is listed."""
        answer = self.answers.get(self.claims.value)
        self.about.value = "" if answer is None else _described(answer)

    def _static(self) -> tuple[str, str]:
        return "Evidence", f"{self.state.value}{self.table.value}{self.about.value}"


def _described(answer: Answer) -> str:
    """Return a claim as HTML: three facts, the paper's numbers, its variants, and the call."""
    claim = answer.claim
    blocks = [
        f"<p><b>{html.escape(claim.claim)}</b></p>",
        _paragraph(f"{PAPERS[claim.paper]}, {claim.place}"),
        _paragraph(f"Here: {MARKS[answer.finding].sign} {answer.finding}. {answer.why}"),
    ]
    blocks += map(_paragraph, answer.facts)
    if claim.reported:
        numbers = "; ".join(
            f"{number.variant} {number.value:g} ({number.backbone})" for number in claim.reported
        )
        # The first number says what is measured; the others repeat it or add to it.
        measure = claim.reported[0].of
        blocks.append(_paragraph(f"The paper reports, {measure}: {numbers}."))
    blocks.append(variants_table(answer))
    if not claim.metric.not_tested:
        call = html.escape(f"clwork.claims.test({claim.name!r})")
        blocks.append(f"<p>Measure it again: <code>{call}</code></p>")
    if claim.teaches:
        blocks.append(_paragraph(f"Lesson: notebook {claim.teaches}."))
    return "".join(blocks)


def judged(comparison: Comparison) -> list[tuple[str, Difference]]:
    """Return the differences by which a comparison is judged, each with a clause after it.

    The clause says what the difference is over, as the end of a text: " on STS-B validation (1,500
    pairs, 5 seeds)" for a test set, or " over seeds alone".
    """
    if not comparison.sets:
        return [(f" {comparison.over}", comparison.difference)]
    return [(f" on {each}", each.difference) for each in comparison.sets]


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def compressed(value: float) -> float:
    """Return ``sign(value) · log10(1 + |value|)``, so that small and large effects fit on one axis.

    It is linear near 0 and logarithmic far from it.

    >>> compressed(9), compressed(-9)
    (1.0, -1.0)
    """
    return math.copysign(math.log10(1 + abs(value)), value)


def in_margins(comparison: Comparison, difference: Difference) -> tuple[float, float, float]:
    """Return a difference's mean and both ends in the metric's margins; above 0 is as claimed.

    The mean of a claim of equality (``=``) is at or below 0: any difference speaks against it. If
    no value depends on the seed, there may be no interval, and both ends equal the mean.
    """
    # A metric without a margin is drawn in units of the interval, or else of the difference.
    half_width = (difference.high - difference.low) / 2
    unit = comparison.metric.margin or half_width or abs(difference.mean) or 1.0

    # The difference is left minus right; turn it if a positive one contradicts the claim.
    sign = comparison.expected.sign
    is_turned = sign == "<" or (sign == "=" and difference.mean > 0)
    factor = -1 / unit if is_turned else 1 / unit
    low, high = sorted((factor * difference.low, factor * difference.high))
    return factor * difference.mean, low, high


def measured_in(answer: Answer) -> list[Comparison]:
    """Return the comparisons of an answer that were measured."""
    return [comparison for comparison in answer.comparisons if comparison.measured]


class Scale:
    """The horizontal axis of all bars, from ``-reach`` to ``reach`` margins, 0 in the middle."""

    def __init__(self, reach: float) -> None:
        self.reach = reach

    def __call__(self, margins: float) -> float:
        """Return the position of a difference in margins, in pixels from the left."""
        # 0.95 leaves space for a dot at the ends
        return WIDTH / 2 * (1 + 0.95 * compressed(margins) / compressed(self.reach))

    def axis(self) -> str:
        """Return the numbers of the axis as SVG."""
        style = f"y='{HEIGHT - 4}' text-anchor='middle' font-size='11' fill='currentColor'"
        ticks = [tick for tick in TICKS if abs(tick) <= self.reach]
        labels = [f"<text x='{self(tick):.0f}' {style}>{tick:g}</text>" for tick in ticks]
        return _svg(labels)


def table_of(answers: Sequence[Answer], own: Mapping[str, Answer]) -> str:
    """Return an HTML table: a row for each comparison of each claim, with its interval as a bar.

    ``own`` are the reader's answers by the claim's name.
    """
    # All bars have one scale, which reaches to the farthest end of an interval.
    reach = NEAR
    for answer in answers:
        for comparison in measured_in(answer):
            for _, difference in judged(comparison):
                reach = max(reach, *map(abs, in_margins(comparison, difference)))
    scale = Scale(reach)
    axis = f"against the claim ← → as claimed, in margins<br>{scale.axis()}"
    titles = ("found here", "claim", "comparison", axis, "difference and interval")
    head = "".join(f"<th scope='col' style='{TOP}'>{title}</th>" for title in titles)
    body = "".join(_rows(answer, own.get(answer.claim.name), scale) for answer in answers)
    page = f"<table style='{TABLE}'><thead><tr>{head}</tr></thead>{body}</table>"
    return f"<div style='max-height:420px;overflow:auto'>{page}</div>"


def _svg(shapes: Sequence[str]) -> str:
    """Return a picture of one row's height with these shapes, the last one on top."""
    size = f"width='{WIDTH}' height='{HEIGHT}'"
    return f"<svg {size} style='vertical-align:middle'>{''.join(shapes)}</svg>"


def _rows(answer: Answer, readers_answer: Answer | None, scale: Scale) -> str:
    """Return a claim's rows, one for each measured comparison; word and claim span all rows."""
    readers_comparisons = {}
    if readers_answer is not None:
        readers_comparisons = {
            comparison.expected: comparison for comparison in measured_in(readers_answer)
        }
    rows = []
    for comparison in measured_in(answer):
        readers_comparison = readers_comparisons.get(comparison.expected)
        rows.append(_cells(answer, comparison, readers_comparison, scale))
    if not rows:
        rows = [f"<td colspan='3'>{html.escape(answer.why)}</td>"]

    claim = answer.claim
    mark = MARKS[answer.finding]
    source = html.escape(f"{PAPERS[claim.paper]}, {claim.place}")
    # The closing quote is missing, because both cells add to the style.
    spanning = f"rowspan='{len(rows)}' style='vertical-align:top;text-align:left"
    first_cells = (
        f"<td {spanning};white-space:nowrap;color:{mark.ink}'>{mark.sign} {answer.finding}</td>"
        f"<th scope='row' {spanning};font-weight:400;max-width:340px;white-space:normal'>"
        f"{html.escape(claim.claim)}<br><small>{source}</small></th>"
    )
    return f"<tbody><tr>{first_cells}{'</tr><tr>'.join(rows)}</tr></tbody>"


def _cells(
    answer: Answer, comparison: Comparison, readers_comparison: Comparison | None, scale: Scale
) -> str:
    """Return the cells of a comparison: its text, and a bar and numbers for each test set."""
    bars: list[str] = []
    numbers = []
    for clause, difference in judged(comparison):
        # The reader's answer is one over all test sets, so it is drawn once, in the first bar.
        readers = None if bars else readers_comparison
        bars.append(_bar(answer, comparison, difference, scale, readers))
        numbers.append(f"{difference} {comparison.metric.name}{clause}")
    expected = html.escape(str(comparison.expected))
    listed = "<br>".join(map(html.escape, numbers))
    return f"<td>{expected}</td><td>{'<br>'.join(bars)}</td><td>{listed}</td>"


def _bar(
    answer: Answer,
    comparison: Comparison,
    difference: Difference,
    scale: Scale,
    readers_comparison: Comparison | None,
) -> str:
    """Return a difference with its interval as SVG, marked by the word for it.

    ``readers_comparison`` is that of the reader's runs, whose mean is drawn as a diamond.
    """
    # An answer has a word for a comparison. The word for this difference is that of a comparison
    # which is judged by this difference alone, without results on test sets.
    word = answer.finding_of(replace(comparison, difference=difference, sets=()))
    mark = MARKS[word]
    # These numbers are in pixels, as all that follow.
    mean, low, high = map(scale, in_margins(comparison, difference))
    left = scale(-1)
    middle = HEIGHT / 2
    # In a path, M moves to a point without drawing, V draws to a height, H to a horizontal
    # position, l draws by a distance, and z closes the outline.
    shapes = [
        # A band from -1 to 1 margins, in which differences are not relevant.
        f"<rect x='{left:.1f}' width='{scale(1) - left:.1f}' height='{HEIGHT}' fill='{RULE}' "
        "opacity='.45'/>",
        # A line at zero.
        f"<path d='M{WIDTH / 2} 0V{HEIGHT}' stroke='currentColor'/>",
        # The interval, and the mean as a mark.
        f"<path d='M{low:.1f} {middle}H{high:.1f}' stroke='{mark.ink}' stroke-width='2'/>",
        f"<g class='clwork-mean' transform='translate({mean:.1f} {middle})'>"
        f"<title>{word}</title>{mark.picture}</g>",
    ]
    if readers_comparison is not None:
        readers_mean, _, _ = in_margins(readers_comparison, readers_comparison.difference)
        x = scale(readers_mean)
        # A diamond for the mean of the reader's runs.
        shapes.append(
            f"<path d='M{x - 5:.1f} {middle}l5 -5l5 5l-5 5z' fill='{PALETTE[1]}' "
            "stroke='currentColor'><title>your runs</title></path>"
        )
    return _svg(shapes)


def variants_table(answer: Answer) -> str:
    """Return a table of the claim's variants and the strongest controls, best first, as HTML.

    It is empty if nothing is measured.
    """
    values_by_variant: dict[str, tuple[float, ...]] = {}
    for comparison in measured_in(answer):
        values_by_variant[comparison.expected.left] = comparison.left
        values_by_variant[comparison.expected.right] = comparison.right
    if not values_by_variant:
        return ""

    # (mean, role, name, values), so that rows are sorted by their mean
    rows = [(fmean(values), "variant", name, values) for name, values in values_by_variant.items()]
    # A control may be one of the variants under another name; its values are then the same.
    variant_values = [set(values) for values in values_by_variant.values()]
    controls = [each for each in answer.controls if set(each.values) not in variant_values]
    rows += [
        (control.mean, "control", control.name, control.values)
        for control in controls[:MOST_CONTROLS]
    ]
    rows.sort(reverse=answer.claim.metric.better == "higher")

    cells = [
        [name, role, f"{mean:.4g}", f"{min(values):.4g} to {max(values):.4g}"]
        for mean, role, name, values in rows
    ]
    head = ["", "", "mean", "range over seeds"]
    return table(answer.claim.metric.about, head, cells)
