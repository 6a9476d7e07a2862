"""The answers of students to the exercises: a file for each student, and a table of all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from ._validation import shown
from .disk import disk_errors, runs_folder, to_json, write_file

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = "answers.json"
# Seconds that a notebook waits for another one that stores an answer.
LOCK_TIMEOUT = 10.0


def store_answer(title: str, answer: Mapping[str, Any]) -> None:
    """Add the answer to the exercise ``title`` to the file ``answers.json``; replace an older one.

    The file is next to the folder of runs. ``answer`` has at least the key ``"solved"``.

    Raises:
        OSError, ValueError: it cannot be stored; the file is unchanged.
    """
    path = runs_folder().absolute().parent / ANSWERS
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Locked from reading to writing, since two notebooks may store an answer at once.
        with FileLock(path.with_name(f".{ANSWERS}.lock"), timeout=LOCK_TIMEOUT):
            answers = _read_answers(path) if path.is_file() else {}
            answers[title] = answer
            write_file(path, to_json(answers, indent=1, ensure_ascii=False))


def _read_answers(path: Path) -> dict[str, Any]:
    """Read a file of answers by title; an empty file has none."""
    try:
        # "-sig", since editors of Windows write a byte order mark.
        text = path.read_text(encoding="utf-8-sig")
        answers = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise ValueError(f"{path} is damaged ({error}); rename or remove it") from None
    if not isinstance(answers, dict):
        raise ValueError(
            f"{path} holds {shown(answers, 40)}, not answers by title; rename or remove it"
        )
    return answers


def grade(folder: str | Path) -> pd.DataFrame:
    """Return which exercises were solved: a row for each student, a column for each exercise.

    1 means solved, 0 tried, and NaN not tried.

    Args:
        folder: has for each student a file such as ``anna.json``, or a subfolder ``anna`` with such
            files: copies of the ``answers.json`` that :func:`clwork.lab.exercise` writes.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a file has other content.

    >>> clwork.grade("answers").mean()  # doctest: +SKIP
    """
    import pandas as pd

    solved: dict[str, dict[str, int]] = {}
    for path in sorted(Path(folder).glob("**/*.json")):
        names = path.relative_to(folder).with_suffix("").parts
        # JupyterLab and macOS make copies: .ipynb_checkpoints/anna.json, __MACOSX/._anna.json.
        if any(name.startswith(".") for name in names):
            continue
        # The name of the file, or of the subfolder that the file is in.
        student = names[0]
        try:
            answers = _read_answers(path)
            results = {title: int(answer["solved"]) for title, answer in answers.items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{path} has no answers to exercises; correct it, or remove it from the folder"
            ) from error
        solved.setdefault(student, {}).update(results)
    if not solved:
        raise FileNotFoundError(
            f"{folder} has no .json file; copy each student's {ANSWERS} into it"
        )
    return pd.DataFrame.from_dict(solved, orient="index").sort_index(axis=1)
