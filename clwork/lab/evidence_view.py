"""The evidence widget: a list of claims with all comparisons; a click opens a claim's facts.

Differences of all metrics share one axis. Its unit is the *margin* of a comparison's metric, the
smallest relevant difference, and its direction is that of the claim: right of zero is as claimed.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

import ipywidgets as widgets

from ..claims import Answer, answers, get
from ..claims.ledger import PAPERS, source
from ..claims.table import NO_RATINGS, SCALES, Comparison
from ..claims.verdicts import RULE as RULE_OF_WORDS
from ..claims.verdicts import TASKS, Difference
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


DISC = "<circle r='4.5' fill='currentColor'/>"
CROSS = "<path d='M-4 -4L4 4M-4 4L4 -4' stroke='currentColor' stroke-width='2.5'/>"
SQUARE = "<path d='M-4.5 -4.5h9v9h-9z' fill='currentColor'/>"
RING = (
    "<circle r='4' fill='var(--jp-layout-color0, Canvas)' stroke='currentColor' stroke-width='2'/>"
)
TRIANGLE = (
    "<path d='M0 -4.5L5 4h-10z' fill='var(--jp-layout-color0, Canvas)' stroke='currentColor' "
    "stroke-width='1.8'/>"
)
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
    "open": Mark("?", FAINT, TRIANGLE, "The interval allows both a relevant difference and none."),
    "refuted": Mark("✕", MARK, CROSS, "A statement of clwork's own that its runs contradict."),
    "supported": Mark("✓", PALETTE[2], DISC, "A statement of clwork's own that its runs confirm."),
    "inconclusive": Mark(
        "?", FAINT, TRIANGLE, "A statement of clwork's own that its runs do not decide."
    ),
    "not measured": Mark("–", FAINT, "", "No run of clwork measures it so far."),
    "not testable": Mark("–", FAINT, "", "It needs data, sizes or programs that are not here."),
}
FINDINGS = tuple(MARKS)
MOST_CONTROLS = 8
"""Controls in the table of a claim's variants."""
HEIGHT = 22
"""Height of a bar in pixels; its width is that of the column."""
SIZE = 16
"""Width and height of a group's mark in pixels, which is also the area to press."""
NARROWEST = 320
"""Width in pixels of a group's plot in which no two marks touch."""
REACH = 30.0
"""The scale ends at this many margins from zero; what lies farther is an arrow at its end."""
TICKS = {-30: "≤ −30", -10: "−10", -1: "−1", 0: "0", 1: "1", 10: "10", 30: "≥ 30"}
"""Numbers of the axis, in margins."""
LESSONS = (
    "01_the_sphere",
    "02_simcse",
    "03_dclr",
    "04_sg_bert",
    "05_gclsr",
    "06_mocoutrl",
    "07_side_by_side",
    "11_larger",
)
"""Notebooks of the lessons that claims name."""
LINKS = {
    r"docs/\w+\.md": r"../\g<0>",
    r"arXiv (\d+\.\d+)": r"https://arxiv.org/abs/\1",
    r"issue (\d+)": r"https://github.com/princeton-nlp/SimCSE/issues/\1",
    rf"\b(?:{'|'.join(PAPERS)})/[a-z]+-[a-z-]+": r"../docs/claims.md#\g<0>",
    **{f"(?:[Ll]esson|[Nn]otebook) {name[:2]}": f"{name}.ipynb" for name in LESSONS},
}
"""Addresses of what a claim's text names, as seen from a lesson, by regular expression."""
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
.clwork-claims, .clwork-evidence [role=status] {{ font-size: 14px; line-height: 1.45; }}
.clwork-evidence [role=status] {{ max-width: 75ch; }}
.clwork-evidence small {{ font-size: 12px; font-weight: 400; }}
.clwork-evidence :is(summary, a):focus-visible {{ outline: 2px solid; outline-offset: -2px; }}
.clwork-claims {{ container-type: inline-size; }}
.clwork-claims > div {{ max-height: max(520px, 75vh); overflow: auto; }}
.clwork-claims [hidden] {{ display: none !important; }}
.clwork-claims .row {{ display: grid; gap: 2px 20px; padding: 6px 4px 6px 10px;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }}
.clwork-claims .row > span > * {{ display: block; }}
.clwork-claims .head {{ position: sticky; top: 0; z-index: 1; font-weight: 600;
  background: var(--jp-layout-color0, Canvas); }}
.clwork-claims .ends {{ display: flex; justify-content: space-between; font-size: 12px; }}
.clwork-claims details {{ border-top: 1px solid {_ink(RULE)}; }}
.clwork-claims summary {{ cursor: pointer; }}
.clwork-claims summary:hover, .clwork-claims details[open] > summary {{
  box-shadow: inset 3px 0 currentColor; }}
.clwork-claims details[open] > .row .claim {{ font-size: 16px; font-weight: 600; }}
.clwork-still .clwork-claims > div {{ max-height: none; overflow: visible; }}
.clwork-claims svg {{ display: block; width: 100%; height: {HEIGHT}px; overflow: visible; }}
.clwork-claims .line {{ font-variant-numeric: tabular-nums; }}
.clwork-claims .line small {{ display: inline-block; }}
.clwork-evidence .chosen {{ margin: 24px 0 8px; font-weight: 600; }}
.clwork-claims .word > summary b::before {{ content: "▸ "; }}
.clwork-claims .word[open] > summary b::before {{ content: "▾ "; }}
.clwork-claims .marks {{ position: relative; }}
.clwork-claims .ground {{ position: absolute; inset: 0; height: 100%; }}
.clwork-claims .mark {{ display: contents; }}
.clwork-claims .mark svg {{ position: absolute; width: {SIZE}px; height: {SIZE}px;
  margin-left: -{SIZE // 2}px; }}
.clwork-claims .mark:hover svg {{ transform: scale(1.5); }}
.clwork-claims .tip {{ display: none; position: absolute; z-index: 2;
  inset: -6px calc(100% + 4px) auto auto; width: 60%; padding: 6px 8px; font-size: 13px;
  pointer-events: none;
  color: var(--jp-ui-font-color1, CanvasText); background: var(--jp-layout-color0, Canvas);
  border: 1px solid currentColor; border-radius: 4px; }}
.clwork-claims .word:last-child .tip {{ inset: auto calc(100% + 4px) -6px auto; }}
.clwork-claims .mark:hover .tip {{ display: block; }}
.clwork-claims a[id] {{ scroll-margin-top: 40vh; }}
.clwork-claims .card {{ display: grid; grid-template-columns: 10em minmax(0, 80ch); gap: 12px 14px;
  margin: 0; padding: 8px 12px 20px 10px; }}
.clwork-claims :is(dt, dd) {{ margin: 0 !important; padding: 0 !important; font-weight: 600; }}
.clwork-claims dd {{ overflow-x: auto; font-weight: 400; }}
.clwork-claims .card p {{ margin: 0 0 4px; }}
.clwork-claims .card details {{ border: 0; }}
.clwork-claims .card summary {{ box-shadow: none !important; }}
.clwork-claims .clwork-table {{ margin: 6px 0 4px -12px; }}
.clwork-claims .clwork-table :is(th, td) {{ min-width: 0 !important; vertical-align: top;
  font-variant-numeric: tabular-nums; padding: 1px 0; }}
.clwork-claims .clwork-table caption {{ padding-left: 12px; font-size: 13px; font-weight: 600;
  white-space: nowrap; }}
@container (max-width: 700px) {{
  .clwork-claims :is(.row, .card) {{ grid-template-columns: minmax(0, 1fr); }}
  .clwork-claims .card {{ row-gap: 2px; }}
  .clwork-claims .clwork-table caption {{ white-space: normal; }}
  .clwork-claims dd + dt {{ margin-top: 12px !important; }}
  .clwork-claims .head span {{ display: none; }}
  .clwork-claims .word .tip.tip {{ inset: auto 0 calc(100% + 4px); width: auto; }}
  .clwork-still .clwork-claims .head {{ top: var(--header-height, 0); }} }}
.clwork-meanings {{ margin: 4px 0; }}
.clwork-meanings summary {{ cursor: pointer; }}
</style>"""


@unsaved()
def evidence() -> Evidence:
    """Show the claims of the ledger: all comparisons on one axis; a click opens a claim.

    >>> evidence().choose("simcse/temperature").find.value
    'simcse/temperature'
    """
    return Evidence()


class Evidence(Bundled, widgets.VBox):  # type: ignore[misc]
    """Returned by :func:`evidence`.

    Attributes:
        answers: the stored answers by the claim's name.
        paper, find: the filters: a menu and a text field.
        state: a sentence that counts the listed claims by what is found.
        table: the claims that pass the filters, in a group for each word. Without a filter the
            groups are closed, and show a mark for each of their claims.
    """

    def __init__(self) -> None:
        self.answers = answers()
        # What a claim's details hold, and their end; it does not depend on the filters.
        self._rows = {
            name: f"{_row(answer)}{_card(answer)}</details>"
            for name, answer in self.answers.items()
        }
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
        listed = list(filter(self._passes, self.answers.values()))
        sought = self.find.value.strip()
        group_open = " open" if self.is_filtered else ""
        rows = []
        ranked = sorted(listed, key=lambda answer: FINDINGS.index(answer.finding))
        for word, group in groupby(ranked, key=lambda answer: answer.finding):
            of_word = list(group)
            rows.append(
                f"<details class='word'{group_open}><summary class='row'>{_group(word, of_word)}"
                "</summary>"
            )
            for answer in of_word:
                name = answer.claim.name
                is_open = " open" if name == sought else ""
                # A link to what is inside of closed details opens them.
                target = f"<a id='evidence/{name}'></a>"
                rows.append(f"<details{is_open} data-claim='{name}'>{target}{self._rows[name]}")
            rows.append("</details>")
        self.table.value = HEAD.format(rows="".join(rows)) if rows else ""
        count = plural(len(listed), "claim")
        state = f"<b>{count}.</b> {HOW_TO_READ}" if rows else NOTHING_LISTED
        self.state.value = f"{STYLE}<div role='status'>{state}</div>"

    def _static(self) -> tuple[str, str]:
        page = f"{self.state.value}{self.table.value}"
        return "Evidence", f"<div class='clwork-evidence clwork-still'>{page}</div>"


def lanes(positions: Iterable[float]) -> list[int]:
    """Return a row for each position on the axis, in percent and ascending, so that no marks touch.

    >>> lanes([50, 51, 60])
    [0, 1, 0]
    """
    gap = 100 * SIZE / NARROWEST
    ends: list[float] = []
    rows = []
    for position in positions:
        free = (row for row, end in enumerate(ends) if position - end >= gap)
        row = next(free, len(ends))
        ends[row : row + 1] = [position]
        rows.append(row)
    return rows


def _effect(comparison: Comparison) -> float:
    """Return a comparison's mean difference in margins; above 0 is as claimed."""
    return in_margins(comparison, comparison.difference)[0]


def _measure(comparison: Comparison) -> str:
    """Return the name of a comparison's measure, for readers."""
    name = comparison.metric.name
    return TASKS.get(name, name.replace("_", " "))


def _group(word: str, listed: list[Answer]) -> str:
    """Return a word's title, and for each claim a mark at the weakest comparison with its word."""
    mark = MARKS[word]
    links = []
    for answer in listed:
        deciding = [each for each in measured_in(answer) if answer.finding_of(each) == word]
        if deciding and mark.shape:
            weakest = min(deciding, key=_effect)
            claim = answer.claim
            numbers = typeset(f"{_measure(weakest)}: {weakest.expected}, {weakest.difference}")
            stated = f"{mark.sign} {word}; {PAPERS[claim.paper]}, {claim.place}"
            tip = "<br>".join(map(html.escape, (claim.claim, numbers, stated)))
            links.append((place(_effect(weakest)), claim.name, tip))
    links.sort()
    rows = lanes(position for position, _, _ in links)
    marks = "".join(
        f"<a class='mark' tabindex='-1' href='#evidence/{name}'>"
        f"<svg viewBox='-8 -8 16 16' style='left:{position:.1f}%;top:{SIZE * row}px'>{mark.picture}"
        f"</svg><span class='tip'>{tip}</span></a>"
        for row, (position, name, tip) in zip(rows, links, strict=True)
    )
    height = SIZE * (max(rows, default=0) + 1)
    plot = f"<svg class='ground'>{_ground()}</svg>{marks}" if marks else ""
    if listed[0].claim.stated_by == "clwork":
        title = f"{len(listed)} of clwork's own claims"
    else:
        title = f"{plural(len(listed), 'claim')} of papers"
    return (
        f"<span><b style='color:{mark.ink}'>{mark.sign} {title}: {word}</b>"
        f"<small>{mark.meaning}</small></span>"
        f"<div class='marks' style='min-height:{height}px' aria-hidden='true'>{plot}</div>"
    )


def _row(answer: Answer) -> str:
    """Return a claim's row as HTML: word, claim and bars."""
    lines = []
    for comparison in measured_in(answer):
        for measured_on, difference in judged(comparison):
            # The test set's name stands before its pairs and seeds.
            what = measured_on.partition(" (")[0] if comparison.sets else _measure(comparison)
            numbers = f"{difference} {comparison.metric.name} ({measured_on})"
            name = html.escape(typeset(f"{comparison.expected}: {numbers}"))
            text = html.escape(f"{what}: {comparison.expected}")
            mean = typeset(f"{difference.mean:+.3g}")
            margin = comparison.metric.margin
            if margin:
                margins = f"{abs(difference.mean / margin):.3g} margins of {margin:g}"
                text += f" <small>({margins})</small>"
            bar = _bar(answer, comparison, difference, name)
            lines.append(f"<div class='line' title='{name}'><b>{mean}</b> {text}{bar}</div>")

    claim = answer.claim
    mark = MARKS[answer.finding]
    stated = html.escape(f"{PAPERS[claim.paper]}, {claim.place}")
    cells = [
        f"<span><span style='color:{mark.ink}'>{mark.sign} {answer.finding}</span>",
        f"<span class='claim'>{html.escape(claim.claim)}</span><small>{stated}</small></span>",
        f"<div>{''.join(lines) or linked(answer.why)}</div>",
    ]
    return f"<summary class='row'>{''.join(cells)}</summary>"


def _card(answer: Answer) -> str:
    """Return what an opened claim shows: source, measurement, verdict, others' results, call."""
    claim = answer.claim
    told = [sentence(other.told(claim.paper)) for other in claim.outside]
    parts = {
        "Stated in": _stated(answer),
        "Measured here": _measured(answer),
        "What was found": _verdict(answer),
        "At other scales": "".join(told),
        "Reproduce it": _reproduced(answer),
    }
    rows = [f"<dt>{title}</dt><dd>{part}</dd>" for title, part in parts.items() if part]
    return f"<dl class='card'>{''.join(rows)}</dl>"


def _stated(answer: Answer) -> str:
    """Return a claim's source with links, and the numbers that the paper reports, as HTML."""
    claim = answer.claim
    authors, address = source(claim.paper)
    title = f"<b>{PAPERS[claim.paper]}</b>"
    if address:
        title = f"<a href='{address}' target='_blank'>{title}</a> ({authors})"
    stated = f"<p>{title}, {linked(claim.place)}</p>"
    if not claim.reported:
        return stated
    numbers = [(each.variant, f"{each.value:g}", each.backbone) for each in claim.reported]
    # The first number says what is measured; the others repeat it or add to it.
    reported = table(claim.reported[0].of, ["", "reported", "encoder"], numbers)
    return f"{stated}{typeset(reported)}"


def _measured(answer: Answer) -> str:
    """Return what was measured: a table for each comparison, and the scores of all variants."""
    comparisons = measured_in(answer)
    if not comparisons:
        return ""
    metric = answer.metric
    margin = f"; a difference below {metric.margin:g} does not matter" if metric.margin else ""
    steps = plural(answer.steps, "training step") if answer.steps else "no training"
    encoder = f"{answer.encoder} {SCALES.get(answer.encoder, '')}".strip()
    blocks = [sentence(f"measure: {metric.about}{margin}"), sentence(f"encoder {encoder}, {steps}")]
    for comparison in comparisons:
        rows = []
        for measured_on, difference in judged(comparison):
            word = _word(answer, comparison, difference)
            why = answer.why_open(comparison, difference)
            rows.append((str(difference), measured_on, f"{MARKS[word].sign} {word}{why}"))
        if comparison.sets:
            rows.append((str(comparison.difference), comparison.over, "not judged"))
        caption = f"{comparison.expected}: {answer.finding_of(comparison)}"
        blocks.append(
            typeset(table(caption, ["difference [interval]", "measured on", "found"], rows))
        )
        blocks.append(sentence("; ".join(answer.notes(comparison))))
    summary = "Scores of the variants"
    if answer.controls:
        best = answer.controls[0]
        summary += f" and of controls, of which the strongest is {best.name}, {best.mean:.2f}"
    scores = f"<summary>{html.escape(summary)}</summary>{variants_table(answer)}"
    return f"{''.join(blocks)}<details>{scores}</details>"


def _verdict(answer: Answer) -> str:
    """Return a claim's word with its reason or meaning, and whether it carries over, as HTML."""
    claim = answer.claim
    mark = MARKS[answer.finding]
    word = f"<b style='color:{mark.ink}'>{mark.sign} {answer.finding}</b>"
    blocks = [f"<p>{word}: {linked(answer.why) or mark.meaning}</p>"]
    if len(measured_in(answer)) > 1:
        blocks.append("<p>Of several comparisons, the strongest objection gives the word.</p>")
    if answer.metric is not claim.metric:
        blocks.append(sentence(NO_RATINGS))
    if claim.carries:
        blocks.append(f"Does it carry over to the paper's setting? {sentence(claim.carries)}")
    return "".join(blocks)


def _reproduced(answer: Answer) -> str:
    """Return the call that measures a claim again, and the lesson about it, as HTML."""
    claim = answer.claim
    call = html.escape(f"clwork.claims.test({claim.name!r})")
    blocks = []
    if not claim.metric.not_tested:
        blocks.append(f"<p><code>{call}</code></p>")
    elif measured_in(answer):
        refused = "clwork.claims.test refuses this claim, because its measure"
        blocks.append(f"<p>{refused} {claim.metric.not_tested}.</p>")
    if claim.teaches:
        number, _, section = claim.teaches.partition(" ")
        blocks.append(sentence(f"lesson {number}, {section}"))
    return "".join(blocks)


def typeset(text: str) -> str:
    """Return a text with the signs of typography: minus and times.

    >>> typeset("-1.2 [-3, -.5] of Spearman x 100, STS12-16")
    '−1.2 [−3, −.5] of Spearman × 100, STS12-16'
    """
    return re.sub(r" x (?=\d)", " × ", re.sub(r"(?<![\w.])-(?=\.?\d)", "−", text))


def linked(text: str) -> str:
    """Return a text as HTML, with ``LINKS``.

    >>> linked("see docs/measured.md")
    "see <a href='../docs/measured.md' target='_blank'>docs/measured.md</a>"
    """
    page = html.escape(typeset(text), quote=False)
    for named, address in LINKS.items():
        page = re.sub(named, rf"<a href='{address}' target='_blank'>\g<0></a>", page)
    return page


def sentence(text: str) -> str:
    """Return a text as a paragraph that begins with a capital and ends with a full stop."""
    return f"<p>{linked(text[:1].upper() + text[1:]).removesuffix('.')}.</p>" if text else ""


def _word(answer: Answer, comparison: Comparison, difference: Difference) -> str:
    """Return the word for one of a comparison's differences."""
    # An answer has a word for a comparison. The word for this difference is that of a comparison
    # which is judged by this difference alone, without results on test sets.
    return answer.finding_of(replace(comparison, difference=difference, sets=()))


def judged(comparison: Comparison) -> list[tuple[str, Difference]]:
    """Return the differences by which a comparison is judged, and what each is over, as text.

    It is "STS-B validation (1,500 pairs, 5 seeds)" for a test set, else "over seeds alone".
    """
    if not comparison.sets:
        return [(comparison.over, comparison.difference)]
    return [(str(each), each.difference) for each in comparison.sets]


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
    if sign == "<" or (sign == "=" and difference.mean > 0):
        unit = -unit
    low, high = sorted((difference.low / unit, difference.high / unit))
    return difference.mean / unit, low, high


def measured_in(answer: Answer) -> list[Comparison]:
    """Return the comparisons of an answer that were measured."""
    return [comparison for comparison in answer.comparisons if comparison.measured]


def place(margins: float) -> float:
    """Return the horizontal position of a difference in margins, in percent of the axis."""
    inside = max(-REACH, min(margins, REACH))
    # 0.93 leaves space for a mark at the ends
    return 50 * (1 + 0.93 * compressed(inside) / compressed(REACH))


def _ground() -> str:
    """Return a band of differences that are not relevant, -1 to 1 margins, and a line at zero."""
    left = place(-1)
    return (
        f"<rect x='{left:.1f}%' width='{place(1) - left:.1f}%' height='100%' fill='{_ink(RULE)}' "
        "opacity='.45'/><line x1='50%' x2='50%' y2='100%' stroke='currentColor'/>"
    )


def _at(margins: float, shape: str, label: str) -> str:
    """Return a shape at a difference in margins, with a label, as HTML, that the pointer shows."""
    return (
        f"<svg x='{place(margins):.1f}%' y='{HEIGHT // 2}' overflow='visible'>"
        f"<title>{label}</title>{shape}</svg>"
    )


def _bar(answer: Answer, comparison: Comparison, difference: Difference, name: str) -> str:
    """Return a difference with its interval as SVG, marked by the word for it."""
    word = _word(answer, comparison, difference)
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
        shapes.append(_at(mean, arrow, typeset(f"{mean:+.0f} margins")))
    return f"<svg role='img' aria-label='{name}'>{''.join(shapes)}</svg>"


HOW_TO_READ = (
    "Each mark is one claim, made by a paper or by clwork, and asks: do small encoders that were "
    "trained and measured here show what the claim says? Right of 0 the difference points the way "
    "the claim says, left of 0 the other way; in the grey band it is too small to matter. The axis "
    "counts margins: a margin is the smallest difference of a measure that matters. A claim that "
    "two variants are equal has its mark at or left of 0, since any difference speaks against it. "
    "Shape and colour say what was found. Point at a mark to read its claim, and press it to open "
    "the claim's card."
    "<details class='clwork-meanings'><summary>What the scale, the words and the intervals mean"
    "</summary><p>Each row names its margin; a measure that has none is drawn in half widths of "
    "its interval. The scale is linear near 0 and logarithmic farther away, and ends at 30 "
    "margins; marks at its ends may lie farther out. A claim with several comparisons has its mark "
    "at the weakest of those that give its word. Marks of one word stand in rows only so that none "
    f"covers another.</p><p>{RULE_OF_WORDS}</p><p>The encoders: "
    f"{'; '.join(f'{encoder} {scale}' for encoder, scale in SCALES.items())}.</p></details>"
)
NOTHING_LISTED = "No claim passes both filters: choose all papers, or empty the field."
AXIS = "".join(
    f"<text x='{place(tick):.1f}%' y='16' text-anchor='middle' font-size='11' fill='currentColor'>"
    f"{label}</text>"
    for tick, label in TICKS.items()
)
HEAD = (
    "<div class='clwork-claims'><div><div class='row head'><span>What was found, and the claims"
    "</span><div><div class='ends'><b>← against the claim</b><b>in margins</b><b>as claimed →</b>"
    f"</div><svg>{AXIS}</svg></div></div>{{rows}}</div></div>"
)


def variants_table(answer: Answer) -> str:
    """Return a table of the claim's variants and the strongest controls, best first, as HTML."""
    variants: dict[str, tuple[float, ...]] = {}
    for comparison in measured_in(answer):
        variants[comparison.expected.left] = comparison.left
        variants[comparison.expected.right] = comparison.right
    # A control may be one of the variants under another name; its values are then the same.
    known = [set(values) for values in variants.values()]
    controls = [each for each in answer.controls if set(each.values) not in known]
    rows = [(name, "variant", values) for name, values in variants.items()]
    rows += [(each.name, "control", each.values) for each in controls[:MOST_CONTROLS]]
    metric = answer.claim.metric
    rows.sort(key=lambda row: fmean(row[2]), reverse=metric.better == "higher")
    cells = [
        (name, role, f"{fmean(values):.4g}", f"{min(values):.4g} to {max(values):.4g}")
        for name, role, values in rows
    ]
    return typeset(table(metric.about, ["", "", "mean", "range over seeds"], cells))
