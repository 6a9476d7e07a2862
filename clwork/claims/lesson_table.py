"""The running table of the lessons: each force, its share, its effect and its strongest rival."""

from pathlib import Path

import pandas as pd

from .. import _validation

TABLE = "lesson_table.csv"


def running_table(upto: str = "07") -> pd.DataFrame:
    """Return what each force of the lessons does, from the stored runs that are part of clwork.

    The share is the mean over steps and seeds; a whole method has "–". The effect's interval is by
    ``claims.RULE``. The rival is the best encoder without training that has seen no sentence of the
    task; in brackets the trained encoder's score minus that of the rival.

    Args:
        upto: the last lesson, from ``"01"`` to ``"07"``.

    >>> list(running_table("02").columns)
    ['force', 'share', 'difference', 'effect', 'strongest rival']
    """
    path = Path(__file__).with_name(TABLE)
    table = pd.read_csv(path, dtype=str, keep_default_na=False, index_col="lesson")
    _validation.choice("upto", upto, sorted(set(table.index)))
    return table.loc[:upto]
