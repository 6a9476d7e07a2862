"""The answers of students to the exercises: a file for each student, and a table of all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from .disk import runs_folder, to_json, write_file

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = "answers.json"
# Seconds that a notebook waits for another one that stores an answer.
LOCK_TIMEOUT = 10.0
# A report of lesson 10 is a page that contains its answer.
IN_A_PAGE = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)


def store_answer(answer: Mapping[str, Any]) -> None:
    """Add the answer to an exercise to the file ``answers.json``; replace an older one.

    The file is next to the folder of runs. It has the answers by name, which is the lesson and the
    exercise: ``"02 2.1: the loss of a batch"``. OSError, ValueError or TypeError if the
    answer cannot be stored; the file is then unchanged.
    """
    path = runs_folder().absolute().parent / ANSWERS
    path.parent.mkdir(parents=True, exist_ok=True)
    name = f"{answer['lesson']} {answer['exercise']}".strip()
    # Locked from reading to writing, since two notebooks may store an answer at once.
    with FileLock(path.with_name(f".{ANSWERS}.lock"), timeout=LOCK_TIMEOUT):
        answers = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        answers[name] = answer
        write_file(path, to_json(answers, indent=1, ensure_ascii=False))


def grade(folder: str | Path) -> pd.DataFrame:
    """Return the points of each student (rows, the index ``student``) in each exercise (columns).

    A solved exercise has as many points as its level, 1 to 3; one that was tried and not solved has
    0; one that was not tried has NA. ``grade(folder).to_csv("points.csv")`` writes a table that a
    learning-management system imports.

    Args:
        folder: has for each student a file such as ``anna.json``, or a subfolder ``anna`` with such
            files: copies of the ``answers.json`` that :func:`clwork.lab.exercise` writes. A report
            of lesson 10, such as ``anna.html``, is read too; other pages are left out.

    Raises:
        FileNotFoundError: there is no such file or report.
        ValueError: a file has other content.

    >>> clwork.grade("answers").mean()  # doctest: +SKIP
    """
    import pandas as pd

    points: dict[str, dict[str, int]] = {}
    for path in sorted([*Path(folder).glob("**/*.json"), *Path(folder).glob("**/*.html")]):
        names = path.relative_to(folder).with_suffix("").parts
        # JupyterLab and macOS make copies: .ipynb_checkpoints/anna.json, __MACOSX/._anna.json.
        if any(name.startswith(".") for name in names):
            continue
        try:
            # "-sig", since editors of Windows write a byte order mark.
            text = path.read_text(encoding="utf-8-sig")
            if path.suffix == ".html":
                in_page = IN_A_PAGE.search(text)
                if in_page is None:
                    continue
                text = in_page[1]
            answers = json.loads(text)
            earned = {name: answer["level"] * answer["solved"] for name, answer in answers.items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{path} has no answers to exercises; correct it, or remove it from the folder"
            ) from error
        # The student is the name of the file, or of the subfolder that the file is in.
        points.setdefault(names[0], {}).update(earned)
    if not points:
        raise FileNotFoundError(
            f"{folder} has no .json file; copy each student's {ANSWERS} into it"
        )
    table = pd.DataFrame.from_dict(points, orient="index", dtype="Int64").sort_index(axis=1)
    return table.rename_axis("student")
