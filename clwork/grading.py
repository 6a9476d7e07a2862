"""The answers of students to the exercises of the lessons: one file for each student, and a table of all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._validation import checked
from .disk import runs_folder, to_json, write_file

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = "answers.json"


def store_answer(title: str, answer: Mapping[str, Any]) -> None:
    path = runs_folder().absolute().parent / ANSWERS
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    write_file(path, to_json({**stored, title: answer}, indent=1, ensure_ascii=False))


@checked()
def grade(folder: str | Path) -> pd.DataFrame:
    """Return which exercises were solved: a row for each student, a column for each exercise.

    A student is a file such as ``anna.json``, or a subfolder with files: copies of the ``answers.json`` that
    :func:`clwork.lab.exercise` writes. 1 means solved, 0 tried, and NaN not tried.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a file has other content.
    """
    import pandas as pd

    solved: dict[str, dict[str, int]] = {}
    for path in sorted(Path(folder).glob("**/*.json")):
        student = path.relative_to(folder).with_suffix("").parts[0]
        try:
            answers = json.loads(path.read_text(encoding="utf-8"))
            found = {title: int(answer["solved"]) for title, answer in answers.items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{path} has no answers to exercises; remove it from the folder") from error
        solved.setdefault(student, {}).update(found)
    if not solved:
        raise FileNotFoundError(f"{folder} has no .json file; copy each student's {ANSWERS} into it")
    return pd.DataFrame.from_dict(solved, orient="index").sort_index(axis=1)
