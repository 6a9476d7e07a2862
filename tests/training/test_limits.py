"""Where the limits of a run's arguments and files lie: the last thing that is taken, and the first that is refused."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork.training.disk.locked_folder import PlainFiles
from clwork.training.disk.schema import CheckpointMeta, State, check_row, parse
from clwork.training.run.arguments import check_place, rhythm

from ..refusals import Case, not_refused

HERE = Path("file.json")
BILLION = 10**9
META: dict[str, Any] = {"step": 0, "config": {}, "seconds": 0.0, "probe_seconds": 0.0}
STATE: dict[str, Any] = {"status": "running", "step": 0, "process": 0, "host": "here"}
BEST: dict[str, Any] = {"step": 0, "score": -1.5, "rule": "last step"}


FIELDS: list[tuple[Any, dict[str, Any], str, Any, Any]] = [  # the last value that is taken, the first that is refused
    (CheckpointMeta, META, "step", BILLION, BILLION + 1),
    (CheckpointMeta, META, "step", 0, -1),
    (CheckpointMeta, META, "seconds", 1e9, 1.1e9),
    (CheckpointMeta, META, "probe_seconds", 0.0, -0.1),
    (CheckpointMeta, META, "config", dict.fromkeys(map(str, range(200))), dict.fromkeys(map(str, range(201)))),
    (CheckpointMeta, META, "config", {"a" * 200: 1}, {"a" * 201: 1}),
    (CheckpointMeta, META, "events", ["e"] * 1000, ["e"] * 1001),
    (CheckpointMeta, META, "events", ["e" * 20_000], ["e" * 20_001]),
    (CheckpointMeta, META, "best", {}, {"step": 3}),
    (CheckpointMeta, META, "best", BEST | {"rule": "r" * 200}, BEST | {"rule": "r" * 201}),
    (CheckpointMeta, META, "best", BEST, BEST | {"score": float("nan")}),
    (State, STATE, "step", BILLION, BILLION + 1),
    (State, STATE, "process", 0, -1),
    (State, STATE, "host", "h" * 200, "h" * 201),
    (State, STATE, "error", "e" * 20_000, "e" * 20_001),
    (State, STATE, "error", None, 1),
    (State, STATE, "status", "failed", "fail"),
]


def test_what_a_file_may_hold() -> None:
    cases: list[Case] = []
    for kind, content, name, last, first_refused in FIELDS:
        parse(kind, content | {name: last}, HERE)
        wrong = f"file.json is damaged, or not from clwork: {name}"
        cases.append((name, partial(parse, kind, content | {name: first_refused}, HERE), ValueError, wrong))
        cases.append((name, partial(parse, kind, content | {name: last, "other": 1}, HERE), ValueError, "other"))
    assert not_refused(cases) == []


def test_a_row_of_a_record() -> None:
    fine: list[dict[str, Any]] = [{"step": 0}, {"step": BILLION, "loss": float("nan"), "n": 1, "event": "paused 3 s"}]
    assert all(check_row(row, HERE) is row for row in fine)
    wrong: list[tuple[Any, str]] = [
        ([0], "without a step"),
        ({"loss": 1.0}, "without a step"),
        ({"step": True}, "without a step"),
        ({"step": 1.0}, "without a step"),
        ({"step": -1}, "without a step"),
        ({"step": BILLION + 1}, "without a step"),
        ({"step": 3, "loss": "low"}, "loss at step 3 is no number"),
        ({"step": 3, "loss": None}, "loss at step 3 is no number"),
        ({"step": 3, "event": ["a"]}, "event at step 3 is no number"),
    ]
    assert not_refused((row, partial(check_row, row, HERE), ValueError, words) for row, words in wrong) == []


def test_files_are_read_up_to_their_size(tmp_path: Path) -> None:
    folder = PlainFiles(tmp_path)
    text = json.dumps({"text": ""})
    (tmp_path / "a.json").write_text(json.dumps({"text": "a" * (2**20 - len(text))}))
    assert len(folder.read_json("a.json")["text"]) == 2**20 - len(text)
    (tmp_path / "a.json").write_text(json.dumps({"text": "a" * (2**20 - len(text) + 1)}))
    with pytest.raises(ValueError, match=r"has 1,048,577 bytes; a a.json of clwork has at most 1,048,576"):
        folder.read_json("a.json")
    (tmp_path / "a.jsonl").touch()
    os.truncate(tmp_path / "a.jsonl", 2**31)  # a hole: nothing of it is on the disk
    assert folder.plain("a.jsonl") == tmp_path / "a.jsonl"
    os.truncate(tmp_path / "a.jsonl", 2**31 + 1)
    with pytest.raises(ValueError, match="at most 2,147,483,648"):
        folder.plain("a.jsonl")


def test_validations_are_four_unless_something_else_is_given() -> None:
    for steps, expected in ((1, 20), (11, 20), (80, 20), (100, 25), (300, 75)):
        every = {"steps": steps, "checkpoint_every": 200, "probe_every": None, "keep_every": None}
        assert rhythm(steps, None, None, 200) == every | {"eval_every": expected}
        assert rhythm(steps, 1, 7, 200) == every | {"eval_every": 7, "probe_every": 1}
    zeros = [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    cases: list[Case] = [
        (given, partial(rhythm, *given), ValueError, "=0 is out of range; give an int") for given in zeros
    ]
    nothing: list[Any] = [(None, 1, 1, 1), (1, 1, 1, None)]
    cases += [(given, partial(rhythm, *given), TypeError, "=None is NoneType; give an int") for given in nothing]
    assert not_refused(cases) == []


def test_names_and_folders_have_a_length(tmp_path: Path) -> None:
    check_place("mini", "n" * 200, tmp_path / "new")
    check_place(None, None, str(tmp_path))
    with pytest.raises(ValueError, match="has 201 letters; give at most 200"):
        check_place(None, "n" * 201, None)
    check_place(None, None, "/".join(["f" * 99] * 40))
    with pytest.raises(ValueError, match="is too long"):
        check_place(None, None, "f" * 4001)
    with pytest.raises(ValueError, match="is blank"):
        check_place(None, None, "  ")
    with pytest.raises(FileExistsError, match="is there, and no folder"):
        check_place(None, None, __file__)


def test_a_run_without_wishes_is_the_one_that_is_described(corpus: Any) -> None:
    run = clwork.start("simcse", sentences=corpus)
    run.stop()
    run.wait()
    made = run.recipe
    assert (made.name, made.encoder, made.steps, made.seed) == ("simcse-001", "mini", 300, 0)
    assert (made.probe_every, made.eval_every, made.checkpoint_every) == (None, 75, 200)
    assert (made.sts, made.device, made.defined_in) == (None, None, "clwork.methods.simcse")
