"""A stored run, done again: to the same losses, with the controls moved at the same steps."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clwork
from clwork.training import ChangedError, Replay

from ..runs import Heard, stop_at, weights
from .test_run import until

pytestmark = pytest.mark.nightly


def test_a_replay_comes_to_the_same_numbers_moves_and_all(tiny: dict[str, Any]) -> None:
    heard = Heard()
    run = clwork.start("simcse", **(tiny | {"steps": 100_000}), on_row=heard)
    heard.step(2)
    run.pause()
    until(lambda: run.status == "paused")
    run.controls.temperature, run.controls.learning_rate = 0.3, 1e-4
    run.resume()
    heard.step(run.step + 2)
    stop_at(run, run.step + 2)
    again = clwork.replay(run.folder)
    assert str(again.replayed) == f"{run.step} steps of {run.name} replayed: every loss is equal to the last bit"
    assert again.step == run.step and again.config.temperature == 0.3
    ours, theirs = weights(again), weights(run)
    assert all((ours[name] == theirs[name]).all() for name in theirs)
    told = " ".join(again.history["event"])
    assert f"{run.name} replayed" in told and "temperature 0.05 → 0.3" in told
    assert again.recipe.parent is not None and again.recipe.parent.run == run.name
    assert clwork.resume(run.folder, background=True) is not run, "the run itself is as it was"
    clwork.runs()[-1].stop()
    clwork.runs()[-1].wait()


def test_a_resumed_run_and_a_replay_are_replayed_too(tiny: dict[str, Any]) -> None:
    cut = stop_at(clwork.start("simcse", **tiny), 4)
    run = clwork.resume(cut.folder)
    again = clwork.replay(run.folder, name="again")
    assert again.replayed == Replay(run.name, 8, None) and again.status == "finished"
    assert clwork.replay(again.folder).replayed == Replay("again", 8, None)


def test_the_first_difference_is_told(tiny: dict[str, Any]) -> None:
    run = clwork.train("simcse", **tiny)
    path = run.folder / "record.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    then = rows[5]["loss"]
    rows[5]["loss"] += 1e-9
    rows[7]["loss"] += 1.0
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(UserWarning, match="equal up to step 4; at step 5 the record has"):
        again = clwork.replay(run.folder)
    assert again.replayed is not None and again.replayed.differs == (5, then + 1e-9, then)


def test_what_cannot_be_replayed_says_why(tiny: dict[str, Any], tmp_path: Any) -> None:
    with pytest.raises(FileNotFoundError, match="holds no run"):
        clwork.replay(tmp_path)
    own = tmp_path / "own.txt"
    own.write_text("\n".join(tiny["sentences"]))
    run = clwork.train("simcse", **(tiny | {"sentences": str(own)}), keep_every=4)
    fork = run.fork(4).wait()
    with pytest.raises(ValueError, match=f"goes on from step 4 of {run.name}.*replay that run instead"):
        clwork.replay(fork.folder)
    assert clwork.replay(run.fork(0).wait().folder).replayed is not None
    own.write_text("\n".join(reversed(tiny["sentences"])))
    with pytest.raises(ChangedError, match="sentences are no longer"):
        clwork.replay(run.folder)
    path = run.folder / "record.jsonl"
    kept = path.read_text()
    row = {"step": 9, "loss": 1.0, "event": "temperature 0.05 → 0.1"}
    path.write_text(kept + json.dumps(row) + "\n")
    with pytest.raises(ValueError, match="recorded by an older clwork, in words"):
        clwork.replay(run.folder)
    path.write_text(kept + json.dumps({"step": 9, "events": [{"changed": "sentences"}]}) + "\n")
    with pytest.raises(ValueError, match="went on with another corpus or encoder at step 9"):
        clwork.replay(run.folder)
    path.write_text('{"step": 0}\n')
    with pytest.raises(ValueError, match="has no step"):
        clwork.replay(run.folder)
