"""docs/claims.md: the verdicts by paper, and a row for each answered claim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from clwork import claims
from clwork.claims.ledger import PAPERS, at_hand, source
from clwork.claims.table import Answer
from clwork.claims.verdicts import Finding
from clwork.lab.evidence_view import LINKS, typeset

# Words for the papers' claims, and for clwork's own statements.
WORDS: tuple[Finding, ...] = (
    "agrees here",
    "differs here",
    "mixed",
    "below the margin",
    "open",
    "not measured",
    "not testable",
)
VERDICTS: tuple[Finding, ...] = (
    "supported",
    "refuted",
    "inconclusive",
    "not measured",
    "not testable",
)


def papers_answered() -> str:
    """README's sentence."""
    answers = [answer for answer in claims.answers().values() if answer.claim.stated_by != "clwork"]
    found = Counter(answer.finding for answer in answers)
    testable = len(answers) - found["not testable"]
    measured = testable - found["not measured"]
    decided = measured - found["open"]
    return (
        f"{len(answers)} claims found in the five papers, {testable} testable, {measured} measured "
        f"here by runs of small encoders, {decided} decided."
    )


def claims_page(root: Path | None = None) -> str:
    """All of docs/claims.md below its head."""
    by_paper: dict[str, list[Answer]] = {paper: [] for paper in PAPERS}
    for answer in claims.answers().values():
        by_paper[answer.claim.stated_by].append(answer)
    how = "How a comparison is decided"
    lines = [f"{papers_answered()} [{how}](#{_anchor(how)}).", ""]
    lines += [f"| Paper | claims | {' | '.join(WORDS)} |", "|---" * (2 + len(WORDS)) + "|"]
    for paper, answers in by_paper.items():
        if paper != "clwork":
            found = Counter(answer.finding for answer in answers)
            title = PAPERS[paper]
            cells = " | ".join(_count(found[word], f"{title}: {word}") for word in WORDS)
            lines.append(f"| [{title}](#{_anchor(title)}) | {len(answers)} | {cells} |")
    found = Counter(answer.finding for answer in by_paper["clwork"])
    title = PAPERS["clwork"]
    counts = ", ".join(
        f"{_count(found[verdict], f'{title}: {verdict}')} {verdict}"
        for verdict in VERDICTS
        if found[verdict]
    )
    lines += ["", f"[clwork's own statements](#{_anchor(title)}): {counts}."]
    for paper, answers in by_paper.items():
        title = PAPERS[paper]
        lines += ["", f"## {title}", "", _plain(at_hand(paper)), ""]
        authors, address = source(paper)
        if address:
            lines += [f"The paper: [{title}]({address}) ({authors}).", ""]
        for word in VERDICTS if paper == "clwork" else WORDS:
            chosen = [answer for answer in answers if answer.finding == word]
            if chosen:
                lines += [f"### {title}: {word}", "", *_table(chosen), ""]
    return "\n".join([*lines, f"## {how}", "", claims.RULE])


def _anchor(heading: str) -> str:
    return re.sub("[,:]", "", heading.lower()).replace(" ", "-")


def _count(number: int, heading: str) -> str:
    """A number of claims, with a link to the heading under which they stand."""
    return f"[{number}](#{_anchor(heading)})" if number else "0"


def _table(answers: Sequence[Answer]) -> list[str]:
    if answers[0].finding in ("not measured", "not testable"):
        rows = ["| Claim, and where it is stated | Why |", "|---|---|"]
        for answer in answers:
            reasons = [_plain(answer.why), *_elsewhere(answer)]
            rows.append(f"| {_named(answer)} | {'<br>'.join(reasons)} |")
        return rows
    rows = ["| Claim, and where it is stated | Found here | What limits it |", "|---" * 3 + "|"]
    for answer in answers:
        lines = []
        for comparison in answer.comparisons:
            order = f"{comparison.expected}"
            rest = answer.line(comparison).removeprefix(order)
            lines.append(f"**{_plain(order)}**{_plain(rest)}")
        limits = []
        if answer.claim.carries:
            limits.append(f"**Does it carry over?** {_plain(answer.claim.carries)}")
        if answer.controls:
            limits.append(f"**Strongest control:** {_strongest(answer)}")
        here = "<br>".join([*lines, *_elsewhere(answer)])
        rows.append(f"| {_named(answer)} | {here} | {'<br>'.join(limits)} |")
    return rows


def _strongest(answer: Answer) -> str:
    """The best control, and beside one without training the variant that is treated alike."""
    best = answer.controls[0]
    text = f"{best.name}: {best.mean:.1f}"
    source, _, view = best.name.partition(", ")
    _, _, post = view.partition(", ")
    if source == "untrained" and post:
        names = {name for each in answer.claim.expects for name in (each.left, each.right)}
        alike = [each for each in answer.controls if each.name in {f"{n}, {post}" for n in names}]
        text += "".join(f"; {each.name}: {each.mean:.1f}" for each in alike[:1])
    return text


def _named(answer: Answer) -> str:
    claim = answer.claim
    _, address = source(claim.paper)
    paper = f"[{PAPERS[claim.paper]}]({address}), " if address else ""
    stated = f"{paper}{_plain(claim.place)}"
    return f'`{claim.name}`<a id="{claim.name}"></a> {_plain(claim.claim)}<br>*{stated}*'


def _elsewhere(answer: Answer) -> list[str]:
    return [_plain(other.told(answer.claim.paper)) for other in answer.claim.outside]


def _plain(text: str) -> str:
    """A text in a cell of a Markdown table, with links to the pages, papers and claims it names."""
    page = typeset(text).replace("|", "\\|").replace("\n", " ")
    page = page.replace("<", "&lt;").replace(">", "&gt;")
    for named, address in LINKS.items():
        if address.startswith("../docs/claims.md"):
            # Sphinx does not know the anchors of rows.
            link = r'<a href="#\g<0>">\g<0></a>'
        elif address.endswith(".ipynb"):
            link = rf"[\g<0>](../notebooks/{address})"
        else:
            link = rf"[\g<0>]({address})"
        page = re.sub(named, link, page)
    return page
