"""Every notebook follows the rules of ``lint.py``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat

from tests.notebooks import lint

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
RULES = lint.FOR_ALL + lint.FOR_LESSONS + lint.FOR_THE_HAND


def read(path: Path) -> lint.Notebook:
    notebook: lint.Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def complaints(name: str, notebook: lint.Notebook, rules: tuple[lint.Rule, ...]) -> list[str]:
    return [f"{rule.__name__}: {text}" for rule in rules for text in rule(name, notebook)]


def test_every_notebook_follows_the_rules() -> None:
    """Opening and saving a file in JupyterLab would not change it."""
    wrong = []
    for path in LESSONS + SOLUTIONS:
        text, rules = path.read_text(encoding="utf-8"), RULES if path in LESSONS else lint.FOR_ALL
        wrong += [
            f"{path.name}: {complaint}" for complaint in complaints(path.name, read(path), rules)
        ]
        saved = nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"  # type: ignore[no-untyped-call]
        if text != saved or len(text.encode()) > lint.MAX_BYTES:
            wrong.append(
                f"{path.name}: more than {lint.MAX_BYTES} bytes, or not as nbformat.write writes it"
            )
    assert LESSONS[0].name == "00_start_here.ipynb" and not wrong, "\n".join(wrong)


def test_exercises_stand_in_their_sections_and_have_solutions_in_the_same_order() -> None:
    for path in LESSONS:
        if path.name[:2] not in ("00", "09"):
            check_exercises(path)


def check_exercises(path: Path) -> None:
    section, titles, levels = "", [], []
    for one in read(path)["cells"]:
        text = lint.source(one)
        section = [section, *re.findall(r"^## (\d+) ", text, re.MULTILINE)][-1]
        if one["cell_type"] == "code" and "lab.exercise(" in text:
            (title,) = re.findall(r"^#@title Exercise (\d\.\d: .+)$", text, re.MULTILINE)
            assert json.dumps(title, ensure_ascii=False) in text.split("lab.exercise(")[1], (
                "seen where code is folded"
            )
            assert (
                title.startswith(f"{section}.") and one["metadata"]["jupyter"]["source_hidden"]
            ), title
            titles.append(title)
            levels.append(int((re.findall(r"\blevel=(\d)", text) or ["1"])[0]))
    answers = "\n".join(lint.of_kind(read(ROOT / "solutions" / path.name), "markdown"))
    assert re.findall(r"^## Exercise (\d\.\d: .+)$", answers, re.MULTILINE) == titles
    assert 4 <= len(levels) <= 7 and set(levels) == {1, 2, 3} and levels.count(1) >= len(levels) / 2


def test_panels_are_started_in_the_cell_that_shows_them() -> None:
    """Panels train slowly enough to control; on Colab, messages of a later cell do not reach an earlier output."""
    with_panel = [path for path in LESSONS if "panel.start(" in path.read_text(encoding="utf-8")]
    assert len(with_panel) >= 6
    for path in with_panel:
        (made,) = [text for text in lint.of_kind(read(path), "code") if "lab.panel(" in text]
        assert "panel.start(slowly=True)\npanel" in made, path.name
        steps = re.search(r"steps=(\d+), probe_every=5", made)
        assert steps and int(steps[1]) >= 120, path.name  # two probes a second
