"""The running table of the lessons: each force, its share, its effect and its strongest rival."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .. import _validation

if TYPE_CHECKING:
    import pandas as pd

TABLE = "lesson_table.csv"


def running_table(upto: str = "07") -> pd.DataFrame:
    """Return a row for each force of the lessons, from the stored runs that are part of clwork.

    The share is the mean over steps and seeds; a whole method has "–". The effect's interval is by
    ``claims.RULE``. The rival is the best encoder without training that has seen no sentence of the
    task; in brackets the trained encoder's score minus that of the rival.

    Args:
        upto: the last lesson, from ``"01"`` to ``"07"``.

    Raises:
        ValueError: ``upto`` is not the number of a lesson with a row.

    >>> list(running_table("02").columns)
    ['force', 'share', 'difference', 'effect', 'strongest rival']
    """
    import pandas as pd

    path = Path(__file__).with_name(TABLE)
    table = pd.read_csv(path, dtype=str, keep_default_na=False, index_col="lesson")
    _validation.choice("upto", upto, sorted(set(table.index)))
    return table.loc[:upto]
