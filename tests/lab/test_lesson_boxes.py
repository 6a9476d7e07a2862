"""The boxes of a lesson: their visible and hidden parts, and their errors."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import re
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import lab
from clwork.grading import store_answer

from . import state_in


def test_the_outcome_is_folded_and_text_is_escaped() -> None:
    box = lab.predict(
        "Is <b> bold?", ["<i>yes</i>", "no"], lambda: "It is & stays\n<script>alert(1)</script>"
    )
    text = box._repr_html_()
    assert "<script>" not in text
    assert "<i>" not in text
    assert "Is &lt;b&gt; bold?" in text
    visible = re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)
    assert "stays" in text
    assert "stays" not in visible
    assert "<details open" not in text
    assert "stays" not in repr(box)


def test_all_values_of_a_dial_are_computed_at_once() -> None:
    drawn: list[float] = []

    def draw(x: float) -> dict[str, float]:
        drawn.append(x)
        return {"half": x / 2, "square": x * x}

    made = lab.dial("x", [1, 2, 4], draw, start=3.5, unit="<b>")
    assert drawn == [1, 2, 4]
    assert made.rows[2] == {"half": 2, "square": 16}
    state = state_in(made.page())
    assert state["start"] == 2
    assert state["rows"][1] == [1, 4]
    assert state["unit"] == "<b>"
    assert "<b>" not in made.page().split("clwork-state")[2], "a text cannot close its script"


def test_dollars_in_a_box_are_no_formula() -> None:
    box = lab.exercise("From $5 to $10?", lambda: "no, from $6 to $7")
    box.check()
    texts = [
        lab.predict("From $5 to $10?", None, "$4")._repr_html_(),
        box._repr_mimebundle_()[0]["text/html"],
        box._result.value,
    ]
    assert all("mathjax_ignore" in text for text in texts)


def test_an_exercise_shows_what_is_missing_or_an_error_until_it_is_solved() -> None:
    answers: list[Any] = [False, None, "x is <3>, too small", True]
    box = lab.exercise(
        "Raise <x>", lambda: answers.pop(0), level=2, hint="above `4`", title="1.1: up"
    )
    text = box._repr_mimebundle_()[0]["text/html"]
    assert box.solved is None
    assert "Raise &lt;x&gt;" in text
    assert "<b>Exercise 1.1: up</b>" in text
    said = []
    while answers:
        box._button.click()
        said.append(box._result.value)
    assert ["above <code>4</code>" in one for one in said] == [True, True, False, False]
    assert "x is &lt;3&gt;" in said[2]
    assert "Done." in said[3]
    assert box.solved is True
    wrong = lab.exercise("Divide", lambda: 1 / 0 > 1)
    assert wrong.check() is False
    assert "division by zero" in wrong._result.value


def test_an_answer_that_cannot_be_stored_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path / "runs"))
    answers = tmp_path / "answers.json"
    box = lab.exercise("Go.", lambda: True, title="1.1")

    def shown() -> str:
        """Check the exercise; return the result that the box shows."""
        box.check()
        return str(box.children[2].value)

    answers.write_text('{"1.0": {"level": 3, "solved": true}}')
    assert "not stored" not in shown()
    assert json.loads(answers.read_text()).keys() == {"1.0", "1.1"}
    assert clwork.grade(tmp_path).loc["answers"].to_list() == [3, 1]
    for other_content in ('{"1.1": ', '["1.1"]'):
        answers.write_text(other_content)
        assert "not stored" in shown()
        assert answers.read_text() == other_content
    answers.unlink()
    answers.mkdir()
    assert "not stored" in shown()


def _store_many(folder: str, notebook: int) -> None:
    os.environ["CLWORK_RUNS"] = folder
    for number in range(30):
        store_answer({"lesson": "", "exercise": f"{notebook}.{number}"})


def test_two_notebooks_store_their_answers_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_store_many, args=(str(tmp_path / "runs"), n)) for n in range(2)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(json.loads((tmp_path / "answers.json").read_text())) == 60


def test_answers_are_compared_by_their_digest_and_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(student: str, title: str, answer: float, digest: str) -> bool:
        monkeypatch.setenv("CLWORK_RUNS", str(tmp_path / student / "runs"))
        (tmp_path / student).mkdir(exist_ok=True)
        return lab.exercise(
            "Halve it.", lambda: answer, level=2, title=title, lesson="07", digest=digest
        ).check()

    assert not check("anna", "1.1", 0.5714, "3:")
    stored = json.loads((tmp_path / "anna" / "answers.json").read_bytes())["07 1.1"]
    digest = stored.pop("digest")
    assert "0.571 is not the answer" in stored.pop("result")
    assert stored == {"lesson": "07", "exercise": "1.1", "level": 2, "solved": False}
    assert check("anna", "1.1", 0.57142, digest)
    assert not check("ben", "1.1", 0.572, digest)
    assert not check("ben", "1.2", 0.57142, digest), "a digest holds for one title"

    # copies that JupyterLab and macOS make
    (tmp_path / "anna" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "anna" / ".ipynb_checkpoints" / "answers-checkpoint.json").write_text("{")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "._anna.json").write_text("{")
    # saved by an editor of Windows
    ben = tmp_path / "ben" / "answers.json"
    ben.write_text(ben.read_text(encoding="utf-8"), encoding="utf-8-sig")
    csv = clwork.grade(tmp_path).to_csv()
    assert csv.splitlines() == ["student,07 1.1,07 1.2", "anna,2,", "ben,0,0"]
    # a report of lesson 10, and a page without an answer
    report = '<h1>1 < 2</h1><script type="application/json">{"10 5.1": '
    report += '{"level": 3, "solved": true}}</script>'
    (tmp_path / "ben" / "my-paper.html").write_text(report)
    (tmp_path / "card.html").write_text("<h1>a card</h1>")
    rows = clwork.grade(tmp_path).to_csv().splitlines()
    assert rows == ["student,07 1.1,07 1.2,10 5.1", "anna,2,,", "ben,0,0,3"]
    with pytest.raises(FileNotFoundError, match=r"copy each student's answers\.json"):
        clwork.grade(tmp_path / "nobody")
    (tmp_path / "carl.json").write_text("[1]")
    with pytest.raises(ValueError, match=r"carl\.json has no answers to exercises"):
        clwork.grade(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [2, 1]}, "increasing"),
        ({"values": [0.0, 1.0], "log": True}, "above 0"),
        ({"values": [0.0, math.nan]}, "increasing"),
        ({"values": [0.0, math.inf]}, "increasing"),
    ],
)
def test_values_of_a_dial_increase(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lab.dial("x", draw=lambda x: {"a": 1.0}, **arguments)
