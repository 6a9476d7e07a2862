"""The board of the evidence: filter the claims, read one, see what its arms and their strongest rivals measured."""

from __future__ import annotations

import html
from collections.abc import Mapping

import ipywidgets as widgets
import plotly.graph_objects as go

from ..._validation import checked, choice
from ...claims import answers, get
from ...claims.ledger import PAPERS
from ...claims.verdicts import Answer
from ...views import to_svg_image
from ...wording import plural
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved
from ..page.widgets import LABEL, Board, drop_down
from .pictures import arms, forest, rows_of

ALL = "all"
NOT_HERE = "not to be tested here"
VERDICTS = ("supported", "refuted", "too weak to tell", "not measured", NOT_HERE)
MOST_ROWS = 45  # of the forest at a time


@checked()
@unsaved()
def evidence(own: Mapping[str, Answer] | None = None) -> Evidence:
    """Show every claim of the ledger with its answer; show the board by putting it last in a cell.

    The claims are filtered by paper, verdict and words. A forest plot has each comparison with its interval, in margins
    of its metric, so that scores and geometry share one axis; below it the chosen claim is opened: the paper's numbers,
    what every arm measured seed by seed, the strongest controls, and the command that measures it again.

    Args:
        own: the reader's own answers, drawn beside the stored ones: ``clwork.claims.load(folder)``, or
            ``{answer.claim.name: answer}`` of single ones.

    Raises:
        TypeError: ``own`` is no mapping of answers.
    """
    return Evidence(own or {})


class Evidence(Board):
    """See :func:`evidence`, which makes it.

    Attributes:
        paper: the drop-down of papers; its value is a name of :data:`clwork.claims.ledger.PAPERS`, or ``"all"``.
        verdict: the drop-down of verdicts.
        find: words that a claim must contain.
        claims: the list of claims; its value is the chosen one's name.
    """

    def __init__(self, own: Mapping[str, Answer]) -> None:
        self._own = own
        self.answers = answers()
        self.paper = drop_down("paper", "Whose claims are listed.", [("all", ALL), *_swapped(PAPERS)], ALL)
        self.verdict = drop_down("verdict", "Which claims are listed.", [(v, v) for v in (ALL, *VERDICTS)], ALL)
        about = "The list keeps the claims that contain these words."
        self.find = widgets.Text(placeholder="words of a claim", description="find", tooltip=about, style=LABEL)
        self.claims = widgets.Select(
            rows=9, tooltip="The chosen claim is opened below.", layout=widgets.Layout(width="auto")
        )
        self.state, self.about = widgets.HTML(), widgets.HTML()
        self._listed = self._matching()
        self._pictures = {"forest": forest(self._shown()), "arms": arms(self._first())}
        labels = {"forest": "Differences of all listed claims", "arms": "What the arms of the chosen claim measured"}
        self.drawn = {k: LiveFigure(figure, labels[k], stretches=True) for k, figure in self._pictures.items()}
        for name in ("paper", "verdict", "find", "claims"):
            getattr(self, name).add_class(f"clwork-{name}")
        flow = widgets.Layout(flex_flow="row wrap", grid_gap="6px")
        for control in (self.paper, self.verdict, self.find):
            control.layout.flex, control.layout.width = "1 1 220px", "auto"
        top = widgets.HBox([self.paper, self.verdict, self.find], layout=flow)
        pictures = {name: drawn.box for name, drawn in self.drawn.items()}
        self._lay_out("evidence", [top, self.state, pictures["forest"], self.claims, self.about, pictures["arms"]])
        self._list()
        for control in (self.paper, self.verdict, self.find):
            control.observe(lambda _: self._list(), names="value")
        self.claims.observe(lambda _: self._open(), names="value")

    def choose(self, name: str) -> Evidence:
        """Open a claim by its name; filters that hide it are lifted.

        Raises:
            TypeError, ValueError: no such claim.
        """
        chosen = get(name).name
        if chosen not in {answer.claim.name for answer in self._listed}:
            self.paper.value, self.verdict.value, self.find.value = ALL, ALL, ""
        self.claims.value = chosen
        return self

    def figure(self, name: str = "forest") -> go.Figure:
        """A picture as a static figure: ``"forest"`` or ``"arms"``."""
        return self._pictures[choice("name", name, list(self._pictures))]

    def _matching(self) -> list[Answer]:
        words = self.find.value.strip().lower()
        return [
            answer
            for name, answer in self.answers.items()
            if self.paper.value in (ALL, answer.claim.paper)
            and self.verdict.value in (ALL, _verdict(answer))
            and words in f"{name} {answer.claim.claim} {answer.claim.place}".lower()
        ]

    def _list(self) -> None:
        """List the claims that pass the filters, those with a verdict first, and draw their differences."""
        before = self.claims.value
        self._listed = sorted(self._matching(), key=lambda answer: VERDICTS.index(_verdict(answer)))
        self.claims.options = [
            (f"{_verdict(answer)} · {answer.claim.name}", answer.claim.name) for answer in self._listed
        ]
        names = [answer.claim.name for answer in self._listed]
        self.claims.value = before if before in names else (names[0] if names else None)
        self._replace("forest", forest(self._shown(), [self._own[name] for name in names if name in self._own]))
        self._announce(self._summary())
        self._open()

    def _summary(self) -> str:
        if not self._listed:
            return "No claim is of this paper and verdict and has these words."
        counts = {verdict: sum(_verdict(answer) == verdict for answer in self._listed) for verdict in VERDICTS}
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        drawn = sum(comparison.measured for answer in self._shown() for comparison in answer.comparisons)
        measured = sum(comparison.measured for answer in self._listed for comparison in answer.comparisons)
        more = (
            f" Drawn are the first {drawn} of {measured} comparisons: choose a paper or a verdict."
            if drawn < measured
            else ""
        )
        return f"{plural(len(self._listed), 'claim')}: {words}.{more}"

    def _shown(self) -> list[Answer]:
        """The listed claims whose comparisons fit in the forest."""
        shown, rows = [], 0
        for answer in self._listed:
            rows += len(rows_of([answer]))
            if rows > MOST_ROWS:
                break
            shown.append(answer)
        return shown

    def _first(self) -> Answer:
        return next(iter(self.answers.values()))

    def _open(self) -> None:
        """Show the chosen claim in words and in a picture."""
        name = self.claims.value
        if name is None:
            self.about.value = ""
            self.drawn["arms"].box.layout.display = "none"
            return
        answer = self.answers[name]
        self.about.value = _about(answer, self._own.get(name))
        self._replace("arms", arms(answer))
        measured = any(comparison.measured for comparison in answer.comparisons)
        self.drawn["arms"].box.layout.display = "flex" if measured else "none"

    def _replace(self, name: str, figure: go.Figure) -> None:
        self._pictures[name] = figure
        self.drawn[name].replace(figure)

    def _page(self) -> str:
        pictures = [to_svg_image(self._pictures["forest"], "Differences of the listed claims"), self.about.value]
        if self.drawn["arms"].box.layout.display != "none":
            pictures.append(to_svg_image(self._pictures["arms"], "What the arms of the chosen claim measured"))
        return f"{self.state.value}{''.join(pictures)}"


def _swapped(titles: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(title, name) for name, title in titles.items()]


def _verdict(answer: Answer) -> str:
    return NOT_HERE if answer.claim.kind == "quoted" else answer.verdict


def _about(answer: Answer, own: Answer | None) -> str:
    """The chosen claim in words: what the paper says and reports, what was measured, and the command."""
    claim = answer.claim
    lines = [f"<b>{html.escape(claim.claim)}</b>", html.escape(f"{PAPERS[claim.paper]}, {claim.place}")]
    if claim.reported:
        cells = "; ".join(f"{one.arm} {one.value:g} ({one.backbone})" for one in claim.reported)
        lines.append(f"The paper reports, {html.escape(claim.reported[0].of)}: {html.escape(cells)}.")
    lines.append(f"<pre>{html.escape(str(answer))}</pre>")
    if own is not None:
        lines.append(f"Yours:<pre>{html.escape(str(own))}</pre>")
    if answer.why:
        lines.append(html.escape(answer.why[:1].upper() + answer.why[1:]) + ".")
    if claim.testable:
        lines.append(f"Measure it again: <code>clwork.claims.test({html.escape(repr(claim.name))})</code>")
    if claim.teaches:
        lines.append(f"It is taught in notebook {html.escape(claim.teaches)}.")
    return "".join(f"<p>{line}</p>" if not line.startswith("<pre>") else line for line in lines)
