"""docs/claims.md: the verdicts by paper, and a row for each answered claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clwork import claims
from clwork.claims.ledger import PAPERS
from clwork.claims.table import Answer, Comparison

# Claims in the five papers, as listed before the ledger was cut to those that were answered.
FOUND = 389


def answered(answers: Sequence[Answer]) -> str:
    """How many of the ledger's claims that can be tested here are answered."""
    *decided, missing, _ = claims.count_verdicts(answers).values()
    return f"{sum(decided)} of {sum(decided) + missing}"


def papers_answered() -> str:
    """README's sentence."""
    of_papers = [answer for answer in claims.answers().values() if answer.claim.paper != "clwork"]
    *decided, _, cut = claims.count_verdicts(of_papers).values()
    return (
        f"Of {FOUND} claims found in the five papers, {sum(decided)} are answered by runs of small "
        f"encoders. The ledger was cut to answered claims and {cut} that cannot be tested here; "
        "most are not measured."
    )


def claims_page(root: Path | None = None) -> str:
    """All of docs/claims.md below its head."""
    answers = list(claims.answers().values())
    heads = ["Paper", "answered, of those kept", *claims.count_verdicts([])]
    by_paper: dict[str, list[Answer]] = {PAPERS[paper]: [] for paper in PAPERS}
    for answer in answers:
        if answer.claim.paper in PAPERS:
            by_paper[PAPERS[answer.claim.paper]].append(answer)
    lines = [claims.RULE, "", papers_answered(), ""]
    lines += [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for title, of_paper in by_paper.items():
        cells = " | ".join(map(str, claims.count_verdicts(of_paper).values()))
        anchor = title.lower().replace(" ", "-").replace(",", "")
        lines.append(f"| [{title}](#{anchor}) | {answered(of_paper)} | {cells} |")
    for title, of_paper in by_paper.items():
        lines += ["", f"## {title}", ""]
        for verdict in heads[2:]:
            chosen = [answer for answer in of_paper if answer.verdict == verdict]
            if chosen:
                lines += [f"### {title}: {verdict}", "", *_table(chosen), ""]
    return "\n".join(lines)


def _table(answers: Sequence[Answer]) -> list[str]:
    rows = ["| Claim | Place | Compared | Strongest control | Seeds |", "|---|---|---|---|---|"]
    for answer in answers:
        claim = answer.claim
        lines = [claim.untestable]
        lines += [_compared(answer, comparison) for comparison in answer.comparisons]
        for result in claim.outside:
            lines.append(_plain(f"elsewhere, {result.scale}: {result.number} ({result.source})"))
        strongest = ""
        if answer.controls:
            strongest = f"{answer.controls[0].name}: {answer.controls[0].mean:.1f}"
        cells = [
            f"`{claim.name}` {_plain(claim.claim)}",
            _plain(claim.place),
            "<br>".join(filter(None, lines)),
            strongest,
            str(answer.seeds or ""),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _compared(answer: Answer, comparison: Comparison) -> str:
    if not comparison.measured:
        return _plain(f"{comparison.expected}: not measured")
    difference = comparison.difference
    numbers = f"{difference.mean:+.3g}"
    if comparison.drawn:
        numbers += f" ({difference.low:+.3g} to {difference.high:+.3g})"
    text = f"{comparison.expected}: {numbers}, {comparison.verdict(answer.threshold)}"
    return _plain("; ".join(filter(None, (text, comparison.remark, comparison.apart))))


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace(">", "&gt;")
