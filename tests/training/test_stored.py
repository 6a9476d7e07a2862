"""Runs read from their folders: settings, differences, and groups that differ in the seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import clwork
from clwork.disk import runs_folder
from clwork.training.stored import changed_keys, stored_runs

from .conftest import SHORT


def train(corpus: Any, **values: Any) -> clwork.Run:
    return clwork.train("simcse", sentences=corpus, **{**SHORT, "steps": 2, **values})


def test_runs_are_read_back(corpus: Any) -> None:
    assert stored_runs() == []
    for seed in (0, 1):
        train(corpus, seed=seed)
    train(corpus, temperature=0.2)
    found = stored_runs()
    assert [run.run_config.seed for run in found] == [0, 1, 0]
    assert {(run.status, run.step) for run in found} == {("finished", 2)}
    assert changed_keys([run.settings for run in found]) == ["temperature"]


def test_a_stored_run_has_the_history_and_the_diagnosis_of_the_run(trained: clwork.Run) -> None:
    stored = clwork.open_run(trained.folder)
    pd.testing.assert_frame_equal(stored.history, trained.history)
    assert str(stored.diagnosis()) == str(trained.diagnosis())


def test_unreadable_runs_are_reported_and_the_others_shown(copied: Path) -> None:
    run = clwork.open_run(copied)
    broken = runs_folder() / "broken"
    broken.mkdir()
    (broken / "run.json").write_text("{")
    unknown = runs_folder() / "unknown"
    unknown.mkdir()
    run_config = json.loads((run.folder / "run.json").read_text()) | {
        "name": "unknown",
        "method": "own",
    }
    (unknown / "run.json").write_text(json.dumps(run_config))
    with pytest.warns(UserWarning, match="broken cannot be read"):
        found = stored_runs()
    assert {item.run_config.name for item in found} == {run.name, "unknown"}
    stranger = next(item for item in found if item.run_config.method == "own")
    assert (stranger.step, stranger.status) == (0, "unfinished")
    with pytest.raises(ValueError, match="import your method first"):
        clwork.resume(stranger.folder)
    with pytest.raises(FileNotFoundError, match="holds no encoder yet"):
        _ = stranger.encoder
