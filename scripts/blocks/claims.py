"""The pages that are written from the results of the ledger: README's summary, and docs/claims.md, a row a claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clwork import claims
from clwork.claims.ledger import PAPERS
from clwork.claims.verdicts import Answer, Comparison

VERDICTS = ("supported", "refuted", "too weak to tell", "not measured")
COMMAND = "make evidence DATA=FOLDER"


def summary_table(root: Path | None = None) -> str:
    """Verdicts by paper."""
    answers = claims.answers()
    rows = [
        f"| Paper | claims | {' | '.join(VERDICTS)} | not to be tested here |",
        "|---|---|---|---|---|---|---|",
    ]
    for paper in PAPERS:
        names = claims.names(paper)
        counts = claims.count_verdicts([answers[name] for name in names if answers[name].claim.kind != "quoted"])
        quoted = sum(claims.get(name).kind == "quoted" for name in names)
        cells = [str(counts[verdict]) for verdict in VERDICTS]
        rows.append(
            f"| [{PAPERS[paper]}](docs/claims.md#{_anchor(paper)}) | {len(names)} | {' | '.join(cells)} | {quoted} |"
        )
    return "\n".join(rows)


def claims_page(root: Path | None = None) -> str:
    """All of docs/claims.md below its head."""
    answers = claims.answers()
    parts = [claims.RULE, "", summary_table(root).replace("docs/claims.md#", "#")]
    for paper in PAPERS:
        parts += ["", f"## {PAPERS[paper]}", ""]
        of_paper = [answers[name] for name in claims.names(paper)]
        for verdict in VERDICTS:
            chosen = [a for a in of_paper if a.claim.kind != "quoted" and a.verdict == verdict]
            if chosen and verdict != "not measured":
                parts += [f"### {PAPERS[paper]}: {verdict}", "", *_table(chosen), ""]
        parts += _rest(paper, of_paper)
    return "\n".join(parts)


def _anchor(paper: str) -> str:
    return PAPERS[paper].lower().replace(" ", "-").replace(",", "")


def _table(answers: Sequence[Answer]) -> list[str]:
    rows = ["| Claim | Place | Compared | Strongest control | Seeds |", "|---|---|---|---|---|"]
    return [*rows, *map(_row, answers)]


def _row(answer: Answer) -> str:
    claim = answer.claim
    compared = "<br>".join(_compared(answer, comparison) for comparison in answer.comparisons)
    best = answer.controls[0] if answer.controls else None
    control = f"{best.name}: {best.mean:.1f}" if best is not None else ""
    words = f"`{claim.name}` {_plain(claim.claim)}"
    return f"| {words} | {_plain(claim.place)} | {compared} | {control} | {answer.seeds or ''} |"


def _compared(answer: Answer, comparison: Comparison) -> str:
    expected = comparison.expected
    words = f"{expected.left} {expected.sign} {expected.right}"
    if not comparison.measured:
        return f"{_plain(words)}: not measured"
    found = comparison.difference
    numbers = f"{found.mean:+.3g}"
    if comparison.drawn:
        numbers += f" ({found.low:+.3g} to {found.high:+.3g})"
    parts = (f"{words}: {numbers}, {comparison.verdict(answer.threshold)}", comparison.remark, comparison.apart)
    return _plain("; ".join(filter(None, parts)))


def _rest(paper: str, answers: Sequence[Answer]) -> list[str]:
    """What has no verdict, with the reason, a line each."""
    rest = [a for a in answers if a.claim.kind == "quoted" or a.verdict == "not measured"]
    if not rest:
        return []
    lines = [f"- `{answer.claim.name}` ({_plain(answer.claim.place)}): {_plain(answer.why)}" for answer in rest]
    return [
        "<details>",
        f"<summary>{PAPERS[paper]}: {len(rest)} claims without a verdict, and why</summary>",
        "",
        *lines,
        "",
        "</details>",
    ]


def _plain(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace(">", "&gt;")
