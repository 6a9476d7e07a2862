"""A run's record: one dict per step, kept in memory and appended to ``record.jsonl``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FILE = "record.jsonl"
COLUMNS = (
    "step",
    "loss",
    "alignment",
    "uniformity",
    "mean_cosine",
    "effective_rank",
    "std_sqrt_d",
    "learning_rate",
    "tokens_per_second",
    "probe_share",
    "seconds",
    "event",
)


class Record:
    """Rows are added by the training thread and read by any other; a row is never changed once added."""

    def __init__(self, folder: Path, upto: int | None = None) -> None:
        """Open the record of ``folder``; with ``upto``, rows of later steps are dropped, a resumed run redoes them."""
        self._path = folder / FILE
        self._rows: list[dict[str, Any]] = []
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                row = _parse(line)
                if row is not None and (upto is None or row["step"] <= upto):
                    self._rows.append(row)
            if upto is not None:
                self._rewrite()

    def _rewrite(self) -> None:
        partial = self._path.with_name(FILE + ".partial")
        partial.write_text("".join(json.dumps(row) + "\n" for row in self._rows), encoding="utf-8")
        partial.replace(self._path)

    def add(self, row: dict[str, Any]) -> None:
        """Append one row to memory and file."""
        with open(self._path, "a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        self._rows.append(row)

    def rows(self, since: int = 0) -> list[dict[str, Any]]:
        """Rows from number ``since`` on; cheap, for drawing what is new."""
        return self._rows[since:]

    def frame(self) -> pd.DataFrame:
        """All rows as a DataFrame, the columns of :data:`COLUMNS` first; NaN where nothing was measured."""
        import pandas as pd

        rows = self.rows()
        extra = dict.fromkeys(key for row in rows for key in row if key not in COLUMNS)
        names = [*COLUMNS[:-1], *extra, COLUMNS[-1]]
        frame = pd.DataFrame(rows, columns=names)
        numbers = [name for name in names if name != "event"]
        frame[numbers] = frame[numbers].astype(float)
        frame["step"] = frame["step"].astype(int)
        frame["event"] = [row.get("event") or "" for row in rows]
        return frame


def _parse(line: str) -> dict[str, Any] | None:
    """One row, or None for a last line that a crash cut short."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return None
    return row if isinstance(row, dict) and "step" in row else None
