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
SECONDS = 10.0  # that a notebook waits for another one that stores an answer


def store_answer(title: str, answer: Mapping[str, Any]) -> None:
    """Add an answer to the file of answers.

    Raises:
        OSError, ValueError: it cannot be stored; the file is unchanged.
    """
    path = runs_folder().absolute().parent / ANSWERS
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two notebooks may store at once.
        with FileLock(path.with_name(f".{ANSWERS}.lock"), timeout=SECONDS):
            stored = _answers(path) if path.is_file() else {}
            write_file(path, to_json({**stored, title: answer}, indent=1, ensure_ascii=False))


def _answers(path: Path) -> dict[str, Any]:
    """Read a file of answers, also one with a byte order mark or without content."""
    try:
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

    A student is a file such as ``anna.json``, or a subfolder with files: copies of the
    ``answers.json`` that :func:`clwork.lab.exercise` writes. 1 means solved, 0 tried, and NaN not
    tried.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a file has other content.
    """
    import pandas as pd

    solved: dict[str, dict[str, int]] = {}
    for path in sorted(Path(folder).glob("**/*.json")):
        parts = path.relative_to(folder).with_suffix("").parts
        # JupyterLab and macOS make copies: .ipynb_checkpoints/anna.json, __MACOSX/._anna.json.
        if any(part.startswith(".") for part in parts):
            continue
        student = parts[0]
        try:
            answers = {title: int(answer["solved"]) for title, answer in _answers(path).items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{path} has no answers to exercises; correct it, or remove it from the folder"
            ) from error
        solved.setdefault(student, {}).update(answers)
    if not solved:
        raise FileNotFoundError(
            f"{folder} has no .json file; copy each student's {ANSWERS} into it"
        )
    return pd.DataFrame.from_dict(solved, orient="index").sort_index(axis=1)
