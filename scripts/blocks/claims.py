"""docs/claims.md: the verdicts by paper, and a row for each answered claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clwork import claims
from clwork.claims.ledger import PAPERS
from clwork.claims.table import Answer, Comparison

FOUND = 389  # claims in the five papers, as listed before the ledger was cut to those that were answered


def answered(answers: Sequence[Answer]) -> str:
    """How many of the ledger's claims that can be tested here are answered."""
    *decided, missing, _ = claims.count_verdicts(answers).values()
    return f"{sum(decided)} of {sum(decided) + missing}"


def papers_answered() -> str:
    """README's sentence."""
    counts = claims.count_verdicts(
        [one for one in claims.answers().values() if one.claim.paper != "clwork"]
    )
    *decided, _, cut = counts.values()
    found = f"Of {FOUND} claims found in the five papers, {sum(decided)} are answered by runs of small encoders. The"
    return f"{found} ledger was cut to answered claims and {cut} that cannot be tested here; most are not measured."


def claims_page(root: Path | None = None) -> str:
    """All of docs/claims.md below its head."""
    answers = list(claims.answers().values())
    heads = ["Paper", "answered, of those kept", *claims.count_verdicts([])]
    parts = [
        claims.RULE,
        "",
        papers_answered(),
        "",
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
    ]
    by_paper = {
        paper: [answer for answer in answers if answer.claim.paper == paper] for paper in PAPERS
    }
    for paper, own in by_paper.items():
        cells = " | ".join(map(str, claims.count_verdicts(own).values()))
        anchor = PAPERS[paper].lower().replace(" ", "-").replace(",", "")
        parts.append(f"| [{PAPERS[paper]}](#{anchor}) | {answered(own)} | {cells} |")
    for paper, own in by_paper.items():
        parts += ["", f"## {PAPERS[paper]}", ""]
        for verdict in heads[2:]:
            if chosen := [answer for answer in own if answer.verdict == verdict]:
                parts += [f"### {PAPERS[paper]}: {verdict}", "", *_table(chosen), ""]
    return "\n".join(parts)


def _table(answers: Sequence[Answer]) -> list[str]:
    rows = ["| Claim | Place | Compared | Strongest control | Seeds |", "|---|---|---|---|---|"]
    for answer in answers:
        claim = answer.claim
        lines = [
            claim.untestable,
            *(_compared(answer, comparison) for comparison in answer.comparisons),
        ]
        lines += [
            _plain(f"elsewhere, {one.scale}: {one.number} ({one.source})") for one in claim.outside
        ]
        compared = "<br>".join(filter(None, lines))
        control = (
            f"{answer.controls[0].name}: {answer.controls[0].mean:.1f}" if answer.controls else ""
        )
        text = f"`{claim.name}` {_plain(claim.claim)}"
        rows.append(
            f"| {text} | {_plain(claim.place)} | {compared} | {control} | {answer.seeds or ''} |"
        )
    return rows


def _compared(answer: Answer, comparison: Comparison) -> str:
    if not comparison.measured:
        return _plain(f"{comparison.expected}: not measured")
    found = comparison.difference
    numbers = f"{found.mean:+.3g}" + (
        f" ({found.low:+.3g} to {found.high:+.3g})" if comparison.drawn else ""
    )
    text = f"{comparison.expected}: {numbers}, {comparison.verdict(answer.threshold)}"
    return _plain("; ".join(filter(None, (text, comparison.remark, comparison.apart))))


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace(">", "&gt;")
