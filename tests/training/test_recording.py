"""A run as one JSON object: the same from a run, its folder and its copy, and never long."""

from __future__ import annotations

import json
from typing import Any

import clwork
from clwork.training.stored.recording import MOST_ROWS, downsample

KEYS = {"name", "method", "title", "total_steps", "status", "texts", "labels", "axes", "span", "share", "looks", "rows"}
KEYS |= {"columns", "settings", "seed"}


def test_it_has_all_that_a_player_needs(trained: clwork.Run, tiny: dict[str, Any]) -> None:
    run = trained
    found = clwork.recording(run)
    assert set(found) == KEYS and json.loads(json.dumps(found, allow_nan=False)) == found
    assert found == clwork.recording(clwork.open_run(run.folder))
    assert (found["name"], found["title"], found["total_steps"]) == (run.name, "SimCSE", 8)
    assert found["texts"] == list(tiny["sentences"]) and found["labels"] == tiny["sentences"].labels
    assert [look["step"] for look in found["looks"]] == [0, 2, 4, 6, 8]
    assert found["rows"] == run.records() and found["settings"]["temperature"] == 0.05 and found["seed"] == 0
    assert found["columns"]["loss"] == {"title": "loss", "scale": 1.0, "better": "", "cell": "loss"}
    assert found["columns"]["alignment"]["better"] == "lower"
    assert set(found["columns"]) == {name for row in found["rows"] for name in row}


def test_of_many_rows_those_that_matter_stay() -> None:
    rows: list[dict[str, Any]] = [{"step": step} for step in range(10_001)]
    rows[777]["events"] = [{"paused": 1.0}]
    found = downsample(rows, {123, 4567})
    steps = [row["step"] for row in found]
    assert len(found) <= MOST_ROWS and steps == sorted(set(steps))
    assert {0, 123, 777, 4567, 10_000} <= set(steps) and len(found) > MOST_ROWS / 2
    assert downsample(rows[:2000], set()) == rows[:2000]
    assert len(downsample(rows, set(range(10_001)))) == MOST_ROWS
