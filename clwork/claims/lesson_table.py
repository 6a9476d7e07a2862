"""The running table of the lessons: each force, its share, its effect and its strongest rival."""

import re
import statistics
import tomllib
from collections.abc import Mapping
from importlib.resources import files

import pandas as pd

from .. import _validation
from .records import record_name, shipped_records
from .verdicts import LAST, Answer, answers

MISSING = "not measured"


@_validation.checked()
def running_table(upto: str = "07") -> pd.DataFrame:
    """Return what each force of the lessons does, from the stored runs that are part of clwork.

    The share is the mean over steps and seeds; a whole method has "–". The effect's interval is by ``claims.RULE``.
    The rival is the best encoder without training that has seen no sentence of the task; in brackets the trained
    encoder's score minus that of the rival.

    Args:
        upto: the last lesson, from ``"01"`` to ``"07"``.

    >>> list(running_table("02").columns)
    ['force', 'share', 'difference', 'effect', 'strongest rival']
    """
    rows = tomllib.loads(files(__package__).joinpath("lesson_table.toml").read_text(encoding="utf-8"))["row"]
    _validation.choice("upto", upto, sorted({row["lesson"] for row in rows}))
    lessons = pd.Series([row["lesson"] for row in rows], name="lesson")
    return pd.DataFrame(map(_figures, rows)).set_index(lessons).loc[:upto]


def _figures(row: Mapping[str, str]) -> dict[str, str]:
    answer = answers()[row["claim"]]
    found = next((one for one in answer.comparisons if one.measured and str(one.expected) == row.get("compare")), None)
    rival = next((one for one in answer.controls if re.match("untrained(?!.* on the task)", one.name)), None)
    difference, metric = found and found.difference, answer.claim.metric.name
    ahead = f" ({statistics.fmean(found.left) - rival.mean:+.2f})" if found and rival else ""
    return {
        "force": row["force"],
        "share": _share(row, answer) if "share" in row else row.get("of", "–"),
        "difference": f"{re.sub(' [<>=] ', ' − ', row['compare'])}, {metric}" if "compare" in row else "–",
        "effect": f"{difference.mean:+.2f} [{difference.low:+.2f}, {difference.high:+.2f}]" if difference else MISSING,
        "strongest rival": f"{rival.name.replace('_', '-')} {rival.mean:.2f}{ahead}" if rival else "none",
    }


def _share(row: Mapping[str, str], answer: Answer) -> str:
    names = [str(record_name(answer.claim, answer.claim.arms[row["arm"]], seed)) for seed in range(LAST)]
    records = [shipped_records()[name] for name in names if name in shipped_records()]
    shares = [pd.DataFrame(record["history"]).eval(row["share"]).mean() for record in records]
    share = statistics.fmean(shares) if shares else 0.0
    return f"{share:{'.0%' if share >= 0.01 else '.2%'}} of the {row['of']}" if shares else MISSING
