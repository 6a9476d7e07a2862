"""The running table of the lessons, from the stored records and the answers."""

from __future__ import annotations

import re
import statistics
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from clwork.claims.table import Answer, Comparison
from clwork.claims.verdicts import LAST
from clwork.reference_runs import Records

from .measurements import record_name

ROWS = Path(__file__).with_name("lesson_table.toml")
MISSING = "not measured"


def lesson_table(records: Records, answers: Mapping[str, Answer]) -> pd.DataFrame:
    """Return what each force of the lessons does, a row for each, with its lesson as index."""
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]
    lessons = pd.Index([row["lesson"] for row in rows], name="lesson")
    return pd.DataFrame([_figures(row, records, answers) for row in rows], index=lessons)


def _figures(
    row: Mapping[str, str], records: Records, answers: Mapping[str, Answer]
) -> dict[str, str]:
    """Return the columns of a row of ``lesson_table.toml``, which explains its keys."""
    answer = answers[row["claim"]]
    measured = [each for each in answer.comparisons if each.measured]
    comparison = next((each for each in measured if str(each.expected) == row.get("compare")), None)

    figures = {"force": row["force"], "share": row.get("of", "–"), "difference": "–"}
    if "share" in row:
        figures["share"] = _share(row, records, answer)
    if "compare" in row:
        sides = re.sub(" [<>=] ", " − ", row["compare"])
        figures["difference"] = f"{sides}, {answer.claim.metric.name}"
    figures["effect"] = MISSING
    if comparison is not None:
        gap = comparison.difference
        figures["effect"] = f"{gap.mean:+.2f} [{gap.low:+.2f}, {gap.high:+.2f}]"
    figures["strongest rival"] = _rival(answer, comparison)
    return figures


def _rival(answer: Answer, comparison: Comparison | None) -> str:
    """Return the best control without training, and the left variant's score minus its score."""
    # Whitening on the task uses the sentences of the test.
    rivals = (
        control
        for control in answer.controls
        if control.name.startswith("untrained") and " on the task" not in control.name
    )
    best = next(rivals, None)
    if best is None:
        return "none"
    rival = f"{best.name.replace('_', '-')} {best.mean:.2f}"
    if comparison is None:
        return rival
    return f"{rival} ({statistics.fmean(comparison.left) - best.mean:+.2f})"


def _share(row: Mapping[str, str], records: Records, answer: Answer) -> str:
    """Return the mean of an expression over the history's columns, over steps and seeds."""
    variant = answer.claim.variants[row["variant"]]
    names = [str(record_name(answer.claim, variant, seed)) for seed in range(LAST)]
    histories = [pd.DataFrame(records[name]["history"]) for name in names if name in records]
    if not histories:
        return MISSING
    share = statistics.fmean(history.eval(row["share"]).mean() for history in histories)
    # Two digits for a small share, which is not none.
    digits = ".0%" if share >= 0.01 else ".2%"
    return f"{share:{digits}} of the {row['of']}"
