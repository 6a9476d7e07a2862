"""A fork continues from its parent's step, bit for bit without changes; changes are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.training.starting import view_run
from clwork.training.stored import stored_runs

from ..runs import same, stop_at


def losses(run: clwork.Run) -> list[float]:
    return [row["loss"] for row in run.records()[1:]]


def changes(run: clwork.Run) -> dict[str, list[Any]]:
    assert run.run_config.parent is not None
    return run.run_config.parent.changed


@pytest.mark.parametrize("step", [0, 3])
def test_a_fork_without_changes_repeats_its_parent(
    step: int, trained: clwork.Run, tiny: dict[str, Any]
) -> None:
    assert trained.checkpoint_steps() == [0, 3, 6]
    fork = trained.fork(step).wait()
    assert fork.status == "finished"
    assert fork.folder != trained.folder
    assert same(trained, fork)
    assert losses(fork) == losses(trained)
    assert fork.positions.rows() == trained.positions.rows()
    events = fork.history["event"].tolist()
    forked = events[step + 1 if step else 0].rpartition("; ")[2]
    assert forked == f"forked from {trained.name} at step {step}"
    assert sum("forked" in event or "resumed" in event for event in events) == 1
    parent = clwork.open_run(fork.folder).parent
    assert parent is not None
    assert (parent.run, parent.step) == (trained.name, step)
    first = clwork.load_encoder(tiny["encoder"], device="cpu").backbone.state_dict()
    last = fork.encoder.backbone.state_dict()
    assert not all(torch.equal(first[name], last[name]) for name in last), "it trained"


def test_changed_settings_apply_from_the_fork_on_and_are_recorded(trained: clwork.Run) -> None:
    changed: dict[str, Any] = {"temperature": 0.2, "batch_size": 6, "steps": 10}
    fork = trained.fork(3, **changed, name="other").wait()
    assert losses(fork)[:3] == losses(trained)[:3]
    assert losses(fork)[3] != losses(trained)[3]
    assert (fork.name, fork.step) == ("other", 10)
    assert "temperature 0.05 → 0.2" in fork.history["event"].iloc[4]
    before = {"temperature": 0.05, "batch_size": 4, "steps": 8}
    assert changes(fork) == {name: [before[name], value] for name, value in changed.items()}
    cut = stop_at(trained.fork(3, **changed), 7)
    assert same(clwork.resume(cut.folder), fork), "a fork that is stopped is resumed as any run"
    again = fork.fork(0).wait()
    assert again.run_config.parent is not None
    assert again.run_config.parent.run == "other"


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"step": 4}, ValueError, r"step=4 of .* has no checkpoint; .* 0, 3, 6\. .*keep_every=50"),
    ({"step": "3"}, TypeError, "step='3' is str"),
    ({"temprature": 0.1}, TypeError, r"no setting 'temprature' \(did you mean 'temperature'"),
    ({"temperature": -1.0}, ValueError, r"temperature=-1\.0 is out of range"),
    ({"steps": 3}, ValueError, "steps=3 is out of range; give an int from 4"),
]


def test_an_impossible_fork_raises_the_reason(copied: Path, subtests: pytest.Subtests) -> None:
    run = view_run(clwork.open_run(copied))
    before = len(stored_runs())
    for arguments, error, match in WRONG:
        with subtests.test(match=match), pytest.raises(error, match=match):
            run.fork(**{"step": 3, **arguments})
    assert len(stored_runs()) == before, "no folder is left"
    with pytest.raises(FileExistsError, match="not empty"):
        run.fork(3, name=run.name)
    with pytest.raises(RuntimeError, match="in loading state_dict"):
        run.fork(3, head="none").wait()


def test_a_finished_run_without_stored_steps_can_be_forked_at_step_0(tiny: dict[str, Any]) -> None:
    run = clwork.train("simcse", **tiny)
    assert run.checkpoint_steps() == [0]
    fork = run.fork(temperature=0.2).wait()
    assert fork.run_config.parent is not None
    assert fork.run_config.parent.step == 0
    fresh = clwork.train("simcse", **tiny, temperature=0.2)
    assert same(fork, fresh)
    settings = [clwork.open_run(run.folder).settings for run in (fork, fresh)]
    assert settings[0] == settings[1], "a fork of step 0 is like a new run"


def test_a_fork_copies_dclrs_complementary_model_unchanged(tiny: dict[str, Any]) -> None:
    few: dict[str, Any] = {**tiny, "steps": 4, "complementary_steps": 2, "noise_ratio": 1.0}
    parent = clwork.train("dclr", **few, keep_every=2)
    assert RunFolder(parent.folder).made_by_method() == ["complementary"]
    fork = parent.fork(2).wait()
    assert same(parent, fork)
    assert losses(fork) == losses(parent)
    match = r"complementary_steps determines the encoder .* made before its first step"
    with pytest.raises(ValueError, match=match):
        parent.fork(2, complementary_steps=3)
    assert parent.fork(0, complementary_steps=3).wait().status == "finished"
