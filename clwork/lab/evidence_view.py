"""The evidence widget: a list of claims with all comparisons; a click opens a claim's facts.

Differences of all metrics share one axis. Its unit is the *margin* of a comparison's metric, the
smallest relevant difference, and its direction is that of the claim: right of zero is as claimed.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

import ipywidgets as widgets

from ..claims import Answer, answers, get
from ..claims.ledger import PAPERS
from ..claims.table import SCALES, Comparison
from ..claims.verdicts import RULE as RULE_OF_WORDS
from ..claims.verdicts import Difference
from ..views.style import DARK, FAINT, MARK, PALETTE, RULE
from ..wording import plural
from .page.markup import table
from .page.notebook import Bundled, unsaved

ALL = "all"
"""Choice of the filter that lets the claims of all papers pass."""
NOT_ANSWERED = ("not measured", "not testable")
"""Words of claims that are listed only if a filter is set."""


def _ink(colour: str) -> str:
    """Return a colour as CSS; ``STYLE`` replaces it in dark notebooks."""
    return f"var(--clwork-{colour[1:]}, {colour})"


@dataclass(frozen=True)
class Mark:
    """How a word is marked: signs and shapes differ too, for readers who see colours alike."""

    sign: str  # before the word
    colour: str
    shape: str  # SVG around the point 0, 0
    meaning: str

    @property
    def ink(self) -> str:
        """The colour as CSS."""
        return _ink(self.colour)

    @property
    def picture(self) -> str:
        """The shape in its colour, as SVG."""
        return f"<g style='color:{self.ink}'>{self.shape}</g>"


DISC = "<circle r='4' fill='currentColor'/>"
CROSS = "<path d='M-4 -4L4 4M-4 4L4 -4' stroke='currentColor' stroke-width='2.5'/>"
SQUARE = "<path d='M-4 -4h8v8h-8z' fill='currentColor'/>"
RING = (
    "<circle r='3.5' fill='var(--jp-layout-color0, Canvas)' stroke='currentColor' "
    "stroke-width='2'/>"
)
TICK = "<path d='M0 -5V5' stroke='currentColor' stroke-width='2.5'/>"
# The list of claims has this order.
MARKS = {
    "differs here": Mark(
        "✕", MARK, CROSS, "A paper's claim; a relevant difference points the other way here."
    ),
    "mixed": Mark("±", PALETTE[6], SQUARE, "One test set agrees, another one differs."),
    "agrees here": Mark(
        "✓", PALETTE[2], DISC, "A paper's claim; a relevant difference points the same way here."
    ),
    "below the margin": Mark(
        "≈",
        PALETTE[0],
        RING,
        "The difference is too small to be relevant, or smaller than the dashed line, where a "
        "claim says how large it should be.",
    ),
    "open": Mark("?", FAINT, TICK, "The interval allows a relevant difference, and none."),
    "refuted": Mark("✕", MARK, CROSS, "A statement of clwork's own that its runs contradict."),
    "supported": Mark("✓", PALETTE[2], DISC, "A statement of clwork's own that its runs confirm."),
    "inconclusive": Mark(
        "?", FAINT, TICK, "A statement of clwork's own that its runs do not decide."
    ),
    "not measured": Mark("–", FAINT, "", "No run of clwork measures it so far."),
    "not testable": Mark("–", FAINT, "", "It needs data, sizes or programs that are not here."),
}
FINDINGS = tuple(MARKS)
MOST_CONTROLS = 8
"""Controls in the table of a claim's variants."""
HEIGHT = 22
"""Height of a bar in pixels; its width is that of the column."""
REACH = 10.0
"""The scale ends at this many margins from zero; what lies farther is an arrow at its end."""
TICKS = (-10, -1, 0, 1, 10)
INKS = {MARK, FAINT, RULE, *PALETTE}
DARK_INKS = ";".join(f"--clwork-{colour[1:]}:{DARK[colour]}" for colour in sorted(INKS))
# JupyterLab colours widgets itself, except for the arrow of a drop-down; elsewhere they stay light
# without these rules.
STYLE = f"""<style>
:is([data-jp-theme-light="false"], [theme="dark"], .vscode-dark,
  .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {{ {DARK_INKS};
  --jp-widgets-dropdown-arrow: url("data:image/svg+xml,\
%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E\
%3Cpath fill='%23e8eaed' d='M5.2 5.9 9 9.7l3.8-3.8 1.2 1.2-5 5-5-5z'/%3E%3C/svg%3E"); }}
:is([theme="dark"], .vscode-dark,
  .vscode-high-contrast:not(.vscode-high-contrast-light),
  [data-vscode-theme-kind="vscode-dark"]) .clwork-evidence {{
  --jp-ui-font-color1: #e8eaed; --jp-layout-color0: #1e1e1e; --jp-border-color2: #4a4f57;
  color: #e8eaed;
  --jp-layout-color2: #3a3f47; --jp-widgets-color: #e8eaed; --jp-widgets-label-color: #e8eaed;
  --jp-widgets-input-color: #e8eaed; --jp-widgets-input-background-color: #26282c;
  --jp-widgets-input-border-color: #5f6368; }}
.clwork-claims, .clwork-evidence [role=status] {{ font-size: 13px; line-height: 1.4; }}
.clwork-claims {{ container-type: inline-size; }}
.clwork-claims > div {{ max-height: max(520px, 75vh); overflow: auto; }}
.clwork-claims .row {{ display: grid; column-gap: 14px; padding: 5px 4px;
  grid-template-columns: 8em minmax(0, 2fr) minmax(0, 5fr); }}
.clwork-claims .line {{ display: grid; column-gap: 10px;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }}
.clwork-claims .head {{ position: sticky; top: 0; z-index: 1; font-weight: 600;
  background: var(--jp-layout-color0, Canvas); }}
.clwork-claims details {{ border-top: 1px solid {_ink(RULE)}; }}
.clwork-claims summary {{ cursor: pointer; }}
.clwork-claims summary:hover, .clwork-claims details[open] > summary {{
  box-shadow: inset 3px 0 currentColor; }}
.clwork-still .clwork-claims > div {{ max-height: none; overflow: visible; }}
.clwork-claims svg {{ display: block; width: 100%; height: {HEIGHT}px; overflow: visible; }}
.clwork-claims .line > div {{ line-height: {HEIGHT}px; font-variant-numeric: tabular-nums; }}
.clwork-claims .word > summary {{ padding: 6px 4px; font-weight: 600; }}
.clwork-claims .word > summary > span {{ grid-column: span 2; }}
.clwork-claims .word > summary > span::before {{ content: "▸ "; }}
.clwork-claims .word[open] > summary > span::before {{ content: "▾ "; }}
.clwork-claims .word > summary svg > svg {{ opacity: .6; }}
.clwork-claims .card {{ padding: 4px 12px 12px 10em; }}
.clwork-claims .card p {{ margin: 4px 0; }}
.clwork-claims caption {{ white-space: nowrap; }}
.clwork-claims .line > div {{ padding-left: 6px; }}
@container (max-width: 900px) {{
  .clwork-claims :is(.row, .line) {{ grid-template-columns: minmax(0, 1fr); }}
  .clwork-claims .line > div {{ grid-row: 1; }}
  .clwork-claims .head .line > div {{ display: none; }}
  .clwork-claims .card {{ padding-left: 12px; }}
  .clwork-claims .head span {{ display: none; }}
  .clwork-claims .word > summary > span {{ grid-column: 1; }} }}
.clwork-meanings {{ margin: 4px 0; }}
.clwork-meanings summary {{ cursor: pointer; }}
</style>"""


@unsaved()
def evidence(own: Mapping[str, Answer] | None = None) -> Evidence:
    """Show the claims of the ledger: all comparisons on one axis; a click opens a claim.

    Args:
        own: your answers by the claim's name, such as ``clwork.claims.answers(folder)`` returns;
            they are drawn as diamonds in the same rows.

    >>> evidence().choose("simcse/temperature").find.value
    'simcse/temperature'
    """
    return Evidence(own or {})


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`.

    Attributes:
        answers: the stored answers by the claim's name.
        paper, find: the filters: a menu and a text field.
        state: a sentence that counts the listed claims by what is found.
        table: the claims that pass the filters, in a group for each word. Without a filter the
            groups are closed, and show a mark for each of their claims.
    """

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self.answers = answers()
        self._own = own
        self._listed: list[Answer] = []
        self._rows: dict[str, str] = {}
        self.state = widgets.HTML()
        self.table = widgets.HTML()
        self._make_filters()
        # Tests and styles find these controls by their class.
        for name in ("paper", "find", "table"):
            getattr(self, name).add_class(f"clwork-{name}")
        filters = [self.paper, self.find]
        top = widgets.HBox(filters, layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        boxes = [top, self.state, self.table]
        super().__init__(boxes, layout=widgets.Layout(width="100%"))
        self.add_class("clwork-evidence")
        self._list()

    def _make_filters(self) -> None:
        """Make the filters: a change of one lists the claims that pass all of them."""
        papers = [("all", ALL), *((title, name) for name, title in PAPERS.items())]
        self.paper = widgets.Dropdown(
            options=papers, description="paper", tooltip="Lists the claims of this paper."
        )
        self.find = widgets.Text(
            placeholder="text of a claim",
            description="find",
            tooltip="Lists the claims that contain this text.",
        )
        for control in (self.paper, self.find):
            control.layout.flex = "1 1 220px"
            control.layout.width = "auto"
            control.style.description_width = "initial"
            control.observe(lambda _: self._list(), names="value")

    def choose(self, name: str) -> Evidence:
        """List one claim by its name, and open it."""
        chosen = get(name).name
        self.paper.value = ALL
        self.find.value = chosen
        return self

    def _passes(self, answer: Answer) -> bool:
        """Whether the filters let an answer pass."""
        claim = answer.claim
        words = f"{claim.name} {claim.claim} {claim.place}".lower()
        return (
            self.paper.value in (ALL, claim.paper)
            and self.find.value.strip().lower() in words
            and (self.is_filtered or answer.finding not in NOT_ANSWERED)
        )

    @property
    def is_filtered(self) -> bool:
        """Whether a paper is chosen or a text is sought."""
        return self.paper.value != ALL or bool(self.find.value.strip())

    def _list(self) -> None:
        """List the claims that pass the filters; one that is found by its name is open."""
        passing = filter(self._passes, self.answers.values())
        self._listed = sorted(passing, key=lambda answer: FINDINGS.index(answer.finding))
        sought = self.find.value.strip()
        group_open = " open" if self.is_filtered else ""
        rows = []
        for word, group in groupby(self._listed, key=lambda answer: answer.finding):
            listed = list(group)
            within = []
            for answer in listed:
                is_open = " open" if answer.claim.name == sought else ""
                within.append(f"<details{is_open}{self._row(answer)}")
            rows.append(
                f"<details class='word'{group_open}><summary class='row'>{_group(word, listed)}"
                f"</summary>{''.join(within)}</details>"
            )
        self.table.value = HEAD.format(rows="".join(rows)) if rows else ""
        self.state.value = f"{STYLE}<div role='status'>{self._summary()}</div>"

    def _row(self, answer: Answer) -> str:
        """Return what follows ``<details`` of a claim; it does not depend on the filters."""
        name = answer.claim.name
        if name not in self._rows:
            self._rows[name] = _row(answer, self._own.get(name))
        return self._rows[name]

    def _summary(self) -> str:
        """Count the listed claims, and name the encoders for which the answers hold."""
        if not self._listed:
            return "No claim passes both filters: choose all papers, or empty the field."
        scales = "; ".join(f"{encoder} {scale}" for encoder, scale in SCALES.items())
        claims = plural(len(self._listed), "claim")
        words = "".join(
            f"<li>{mark.sign} <b>{word}</b>: {mark.meaning}</li>" for word, mark in MARKS.items()
        )
        return (
            f"{claims}; a click opens one. Its mark shows the comparison that decides its word. "
            f"A margin is the smallest relevant difference. The encoders: {scales}."
            "<details class='clwork-meanings'><summary>What words and intervals mean</summary>"
            f"<ul>{words}</ul><p>{RULE_OF_WORDS}</p></details>"
        )

    def _static(self) -> tuple[str, str]:
        page = f"{self.state.value}{self.table.value}"
        return "Evidence", f"<div class='clwork-evidence clwork-still'>{page}</div>"


def _group(word: str, listed: list[Answer]) -> str:
    """Return a word's title, and for each claim a mark at the weakest comparison with its word."""
    mark = MARKS[word]
    marks = []
    for answer in listed:
        means = [
            in_margins(comparison, comparison.difference)[0]
            for comparison in measured_in(answer)
            if answer.finding_of(comparison) == word
        ]
        if means:
            marks.append(_at(min(means), mark.picture, answer.claim.claim))
    kind = "of clwork's own claims" if listed[0].claim.stated_by == "clwork" else "claims of papers"
    return (
        f"<span style='color:{mark.ink}'>{mark.sign} {len(listed)} {kind}: {word}</span>"
        f"<div class='line'><svg>{_ground()}{''.join(marks)}</svg></div>"
    )


def _row(answer: Answer, readers_answer: Answer | None) -> str:
    """Return a claim as HTML, without the start of its tag: word, claim and bars, then its card."""
    readers_comparisons = {}
    if readers_answer is not None:
        readers_comparisons = {
            comparison.expected: comparison for comparison in measured_in(readers_answer)
        }
    lines: list[str] = []
    for comparison in measured_in(answer):
        # The reader's answer is one over all test sets, so it is drawn once, in the first bar.
        readers = readers_comparisons.get(comparison.expected)
        for clause, difference in judged(comparison):
            name = f"{comparison.expected}: {difference} {comparison.metric.name}{clause}"
            # The test set's name stands before its pairs and seeds.
            tested = clause.partition(" (")[0].removeprefix(" on ")
            what = tested if comparison.sets else comparison.metric.name
            mean = _minus(f"{difference.mean:+.3g}")
            text = f"<b>{mean}</b> {html.escape(f'{what}: {comparison.expected}')}"
            bar = _bar(answer, comparison, difference, name, readers)
            title = html.escape(name)
            lines.append(f"<div class='line'>{bar}<div title='{title}'>{text}</div></div>")
            readers = None

    claim = answer.claim
    mark = MARKS[answer.finding]
    margin = f"; margin {claim.metric.margin:g}" if claim.metric.margin else ""
    source = html.escape(f"{PAPERS[claim.paper]}, {claim.place}{margin}")
    cells = [
        f"<span style='color:{mark.ink}'>{mark.sign} {answer.finding}</span>",
        f"<span>{html.escape(claim.claim)}<br><small>{source}</small></span>",
        f"<div>{''.join(lines) or html.escape(answer.why)}</div>",
    ]
    return (
        f" data-claim='{claim.name}'><summary class='row'>{''.join(cells)}</summary>"
        f"<div class='card'>{_described(answer)}</div></details>"
    )


def _described(answer: Answer) -> str:
    """Return a claim as HTML: its reason, the paper's numbers, facts, variants, and the call."""
    claim = answer.claim
    blocks = [f"<p>{html.escape(answer.why)}</p>"] if answer.why else []
    # First what holds for the claim as a whole, then the comparisons, which begin with their order.
    orders = tuple(f"{comparison.expected}:" for comparison in answer.comparisons)
    for fact in sorted(answer.facts, key=lambda fact: fact.startswith(orders)):
        # A fact begins with what it is about, up to a colon or a question mark.
        about = re.split("(?<=[:?]) ", fact, maxsplit=1)[0]
        rest = fact.removeprefix(about)
        blocks.append(f"<p><b>{html.escape(about)}</b>{html.escape(rest)}</p>")
    if claim.reported:
        numbers = [
            (number.variant, f"{number.value:g}", number.backbone) for number in claim.reported
        ]
        # The first number says what is measured; the others repeat it or add to it.
        caption = f"The paper reports, {claim.reported[0].of}:"
        blocks.append(table(caption, ["", "", "encoder"], numbers))
    blocks.append(variants_table(answer))
    if not claim.metric.not_tested:
        call = html.escape(f"clwork.claims.test({claim.name!r})")
        blocks.append(f"<p>Measure it again: <code>{call}</code></p>")
    if claim.teaches:
        blocks.append(f"<p>Lesson: notebook {html.escape(claim.teaches)}.</p>")
    return "".join(blocks)


def judged(comparison: Comparison) -> list[tuple[str, Difference]]:
    """Return the differences by which a comparison is judged, each with a clause after it.

    The clause says what the difference is over, as the end of a text: " on STS-B validation (1,500
    pairs, 5 seeds)" for a test set, or " over seeds alone".
    """
    if not comparison.sets:
        return [(f" {comparison.over}", comparison.difference)]
    return [(f" on {each}", each.difference) for each in comparison.sets]


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


def place(margins: float) -> float:
    """Return the horizontal position of a difference in margins, in percent of the axis."""
    inside = max(-REACH, min(margins, REACH))
    # 0.93 leaves space for a mark at the ends
    return 50 * (1 + 0.93 * compressed(inside) / compressed(REACH))


def _minus(number: str) -> str:
    """Return a number as text with the sign of typography."""
    return number.replace("-", "−")


def _axis() -> str:
    """Return the numbers of the axis as SVG."""
    style = f"y='{HEIGHT - 6}' text-anchor='middle' font-size='11' fill='currentColor'"
    labels = [
        f"<text x='{place(tick):.1f}%' {style}>{_minus(f'{tick:g}')}</text>" for tick in TICKS
    ]
    return f"<svg>{''.join(labels)}</svg>"


def _ground() -> str:
    """Return a band of differences that are not relevant, -1 to 1 margins, and a line at zero."""
    left = place(-1)
    return (
        f"<rect x='{left:.1f}%' width='{place(1) - left:.1f}%' height='100%' fill='{_ink(RULE)}' "
        "opacity='.45'/><line x1='50%' x2='50%' y2='100%' stroke='currentColor'/>"
    )


def _at(margins: float, shape: str, label: str) -> str:
    """Return a shape at a difference in margins, with a label that the pointer shows."""
    return (
        f"<svg x='{place(margins):.1f}%' y='{HEIGHT // 2}' overflow='visible'>"
        f"<title>{html.escape(label)}</title>{shape}</svg>"
    )


def _bar(
    answer: Answer,
    comparison: Comparison,
    difference: Difference,
    name: str,
    readers_comparison: Comparison | None,
) -> str:
    """Return a difference with its interval as SVG, marked by the word for it.

    ``readers_comparison`` is that of the reader's runs, whose mean is drawn as a diamond.
    """
    # An answer has a word for a comparison. The word for this difference is that of a comparison
    # which is judged by this difference alone, without results on test sets.
    word = answer.finding_of(replace(comparison, difference=difference, sets=()))
    mark = MARKS[word]
    mean, low, high = in_margins(comparison, difference)
    middle = HEIGHT // 2
    shapes = [
        _ground(),
        # The interval, and the mean as a mark, or as an arrow if it is beyond the axis.
        f"<line x1='{place(low):.1f}%' x2='{place(high):.1f}%' y1='{middle}' y2='{middle}' "
        f"stroke='{mark.ink}' stroke-width='2'/>",
        _at(mean, f"<g class='clwork-mean'>{mark.picture}</g>", f"{word}; {name}"),
    ]
    if least := answer.claim.least:
        # How large the claim says that the difference is.
        x = f"{place(least / comparison.metric.margin):.1f}%"
        ends = f"x1='{x}' x2='{x}' y2='100%'"
        shapes.append(f"<line {ends} stroke='currentColor' stroke-dasharray='3 3'/>")
    if abs(mean) > REACH:
        side = math.copysign(1, mean)
        arrow = f"<path d='M{7 * side} -5l{6 * side} 5l{-6 * side} 5z' fill='{mark.ink}'/>"
        shapes.append(_at(mean, arrow, f"{mean:+.0f} margins"))
    if readers_comparison is not None:
        readers_mean, _, _ = in_margins(readers_comparison, readers_comparison.difference)
        diamond = f"<path d='M-5 0l5 -5l5 5l-5 5z' fill='{PALETTE[1]}' stroke='currentColor'/>"
        shapes.append(_at(readers_mean, diamond, "your runs"))
    return f"<svg role='img' aria-label='{html.escape(name)}'>{''.join(shapes)}</svg>"


HEAD = (
    "<div class='clwork-claims'><div><div class='row head'><span>found here</span>"
    "<span>claim</span><div>against the claim ← in margins, not to scale → as claimed"
    f"<div class='line'>{_axis()}<div>difference, comparison</div></div></div></div>"
    "{rows}</div></div>"
)


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
