"""The running table of the lessons, from the stored records and the answers."""

from __future__ import annotations

import re
import statistics
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from clwork.claims.records import record_name
from clwork.claims.table import Answer
from clwork.claims.verdicts import LAST
from clwork.reference_runs import Records

ROWS = Path(__file__).with_name("lesson_table.toml")
MISSING = "not measured"


def lesson_table(records: Records, answers: Mapping[str, Answer]) -> pd.DataFrame:
    """Return what each force of the lessons does, a row each with its lesson as index."""
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]
    lessons = pd.Index([row["lesson"] for row in rows], name="lesson")
    return pd.DataFrame([dict(_figures(row, records, answers)) for row in rows], index=lessons)


def _figures(
    row: Mapping[str, str], records: Records, answers: Mapping[str, Answer]
) -> Iterator[tuple[str, str]]:
    answer = answers[row["claim"]]
    measured = [
        one
        for one in answer.comparisons
        if one.measured and str(one.expected) == row.get("compare")
    ]
    rivals = [one for one in answer.controls if re.match("untrained(?!.* on the task)", one.name)]
    yield "force", row["force"]
    yield "share", _share(row, records, answer) if "share" in row else row.get("of", "–")
    compared = re.sub(" [<>=] ", " − ", row.get("compare", ""))
    yield "difference", f"{compared}, {answer.claim.metric.name}" if compared else "–"
    if measured:
        gap = measured[0].difference
        yield "effect", f"{gap.mean:+.2f} [{gap.low:+.2f}, {gap.high:+.2f}]"
    else:
        yield "effect", MISSING
    if rivals:
        rival = f"{rivals[0].name.replace('_', '-')} {rivals[0].mean:.2f}"
        ahead = f" ({statistics.fmean(measured[0].left) - rivals[0].mean:+.2f})" if measured else ""
        yield "strongest rival", f"{rival}{ahead}"
    else:
        yield "strongest rival", "none"


def _share(row: Mapping[str, str], records: Records, answer: Answer) -> str:
    variant = answer.claim.variants[row["variant"]]
    names = [str(record_name(answer.claim, variant, seed)) for seed in range(LAST)]
    known = [records[name] for name in names if name in records]
    if not known:
        return MISSING
    share = statistics.fmean(
        pd.DataFrame(one["history"]).eval(row["share"]).mean() for one in known
    )
    return f"{share:{'.0%' if share >= 0.01 else '.2%'}} of the {row['of']}"
