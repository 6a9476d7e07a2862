"""The answers of a student to the exercises, in the file ``answers.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from .disk import runs_folder, to_json, write_file

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
    path.parent.mkdir(parents=True, exist_ok=True)
    # Locked from reading to writing, since two notebooks may store an answer at once.
    with FileLock(path.with_name(f".{ANSWERS}.lock"), timeout=LOCK_TIMEOUT):
        answers = _read_answers(path) if path.is_file() else {}
        answers[title] = answer
        write_file(path, to_json(answers, indent=1, ensure_ascii=False))


def _read_answers(path: Path) -> dict[str, Any]:
    """Read a file of answers by title."""
    try:
        # "-sig", since editors of Windows write a byte order mark.
        answers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path} is damaged ({error}); rename or remove it") from None
    return answers
