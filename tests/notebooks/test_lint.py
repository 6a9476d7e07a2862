"""Every notebook follows the rules of ``lint.py``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from tests.notebooks import lint

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
WITH_EXERCISES = [path for path in LESSONS if path.name[:2] != "00"]
WITH_PANEL = [path for path in LESSONS if "panel = lab.panel(" in path.read_text(encoding="utf-8")]


def read(path: Path) -> lint.Notebook:
    notebook: lint.Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def test_the_lessons_are_found() -> None:
    assert LESSONS[0].name == "00_start_here.ipynb"
    assert WITH_PANEL


@pytest.mark.parametrize(
    "path", LESSONS + SOLUTIONS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_every_notebook_follows_the_rules(path: Path) -> None:
    notebook = read(path)
    rules = lint.FOR_ALL
    if path in LESSONS:
        rules += lint.FOR_LESSONS
    errors = [f"{rule.__name__}: {error}" for rule in rules for error in rule(notebook)]
    assert not errors, "\n".join(errors)


@pytest.mark.parametrize(
    "path", LESSONS + SOLUTIONS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_opening_and_saving_a_notebook_does_not_change_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    assert text == nbformat.writes(notebook) + "\n"  # type: ignore[no-untyped-call]
    assert len(text.encode()) <= lint.MAX_BYTES


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_exercises_stand_in_their_sections_and_have_solutions(path: Path) -> None:
    section = ""
    titles = []
    levels = []
    for cell in read(path)["cells"]:
        text = lint.source(cell)
        section = [section, *re.findall(r"^## (\d+) ", text, re.MULTILINE)][-1]
        if cell["cell_type"] == "code" and "lab.exercise(" in text:
            (title,) = re.findall(r"^#@title Exercise (\d\.\d: .+)$", text, re.MULTILINE)
            quoted = json.dumps(title, ensure_ascii=False)
            assert quoted in text.split("lab.exercise(")[1], "seen where code is folded"
            assert title.startswith(f"{section}.")
            assert cell["metadata"]["jupyter"]["source_hidden"], title
            assert f'lesson="{path.name[:2]}"' in text, "for the table of clwork.grade"
            titles.append(title)
            level = re.search(r"\blevel=(\d)", text)
            levels.append(int(level[1]) if level else 1)
    answers = "\n".join(lint.of_kind(read(ROOT / "solutions" / path.name), "markdown"))
    assert re.findall(r"^## Exercise (\d\.\d: .+)$", answers, re.MULTILINE) == titles
    assert 4 <= len(levels) <= 7
    assert {2, 3} <= set(levels), "something to plan or explain, and something to write"


@pytest.mark.parametrize("path", WITH_PANEL, ids=lambda path: path.stem)
def test_panels_are_shown_in_the_cell_that_makes_them(path: Path) -> None:
    """On Colab, messages of a later cell do not reach an earlier output."""
    (made,) = [text for text in lint.of_kind(read(path), "code") if "= lab.panel(" in text]
    assert made.rstrip().endswith("\npanel")
    # Long enough to control, at two probes a second.
    steps = re.search(r"steps=(\d+)", made)
    assert steps
    assert int(steps[1]) >= 120
