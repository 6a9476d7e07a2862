"""Notebooks of students are executed and graded, whatever their cells do."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import nbformat
import pytest

import clwork

FILLED_IN = [
    "from clwork import lab",
    "def half(x):\n    return x / 2",
    "lab.exercise('Write half.', lambda: half(4) == 2, level=3, title='1.1', lesson='02')",
    "answer = 5",
    "lab.exercise('Add.', lambda: answer == 6 or f'{answer} is wrong.', title='1.2', lesson='02')",
    "failing = 1 / 0",
    "lab.exercise(f'Add to {failing}.', lambda: True, title='1.3', lesson='02')",
    "def unanswered():\n    ...",
    "lab.exercise('Write.', lambda: unanswered() or 'It returns None.', title='1.4', lesson='02')",
    "below = None",
    "lab.exercise('Set below.', lambda: below == 1, level=2, title='1.5', lesson='02')",
    "lab.exercise('Use the panel.', lambda: False, level=2, title='1.6', lesson='02')",
    # An answer in a cell below its exercise, and a name that is used again.
    "below, half = 1, None",
    "open('stray.txt', 'w').close()",
]


def write_notebook(path: Path, cells: list[str]) -> None:
    """Write a notebook with these code cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]  # type: ignore[no-untyped-call]
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def test_a_notebook_is_graded_though_nobody_pressed_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    teacher = tmp_path / "teacher"
    teacher.mkdir()
    (teacher / "answers.json").write_text("{}")
    monkeypatch.setenv("CLWORK_RUNS", str(teacher / "runs"))
    monkeypatch.chdir(teacher)
    handed_in = tmp_path / "handed in"
    write_notebook(handed_in / "anna" / "02.ipynb", FILLED_IN)
    write_notebook(handed_in / "anna" / "without.ipynb", ["1 / 0"])
    stored = {"lesson": "02", "exercise": "1.6", "level": 2, "solved": True, "result": "Done."}
    unsolved = {**stored, "exercise": "1.1", "level": 3, "solved": False}
    answers = {"02 1.1": unsolved, "02 1.6": stored}
    (handed_in / "anna" / "answers.json").write_text(json.dumps(answers))

    table = clwork.grade(handed_in, long=True)

    assert table.to_csv(index=False).splitlines() == [
        "student,lesson,exercise,level,points,result",
        "anna,02,02 1.1,3,3,Done.",
        "anna,02,02 1.2,1,0,Not yet. 5 is wrong.",
        "anna,02,02 1.4,1,0,Not yet. It returns None.",
        "anna,02,02 1.5,2,2,Done.",
        "anna,02,02 1.6,2,2,Done.",
    ]
    line = capsys.readouterr().out
    assert "02.ipynb: 2 of 5 exercises solved, 2 cells failed, first 'division by zero'" in line
    assert line.count("\n") == 1, "a notebook without exercises is not executed"
    assert [path.name for path in teacher.iterdir()] == ["answers.json"]
    assert (teacher / "answers.json").read_text() == "{}"


def test_no_notebook_stops_the_grading_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = {"02 1.1": {"level": 1, "solved": True}}
    write_notebook(tmp_path / "anna.ipynb", ["import os\nos._exit(1)  # exercise()", "1"])
    (tmp_path / "ben.ipynb").write_text('{"cells": "lab.exercise(')
    carls = [
        "while True:\n    pass  # exercise()",
        f"import json\njson.dump({solved}, open('answers.json', 'w'))",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ]
    write_notebook(tmp_path / "carl.ipynb", carls)
    started = time.monotonic()
    table = clwork.grade(tmp_path, seconds=10)
    assert time.monotonic() - started < 100
    assert table.to_csv().splitlines() == ["student,02 1.1", "anna,", "ben,", "carl,1"]
    first, second, third = capsys.readouterr().out.splitlines()
    assert "anna.ipynb: 0 of 0 exercises solved, 1 cell failed, first 'Kernel died'" in first
    assert "ben.ipynb: 0 of 0 exercises solved, 1 cell failed" in second
    assert "carl.ipynb: 1 of 1 exercise solved" in third
    assert "failed, first 'interrupted'" in third


def test_the_package_that_executes_notebooks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nbclient", None)
    write_notebook(tmp_path / "anna.ipynb", ["# exercise()"])
    with pytest.raises(ImportError, match="pip install nbclient"):
        clwork.grade(tmp_path)
