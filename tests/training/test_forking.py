"""A fork continues from its parent's step: bit for bit without changes; changed settings are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.stored import group_by_recipe, stored_runs
from clwork.training.starting import view_run

from ..runs import same, stop_at


def losses(run: clwork.Run) -> list[float]:
    return [row["loss"] for row in run.records()[1:]]


@pytest.mark.parametrize("step", [0, 3])
def test_a_fork_without_changes_repeats_its_parent(
    step: int, trained: clwork.Run, tiny: dict[str, Any]
) -> None:
    parent = trained
    assert parent.checkpoint_steps() == [0, 3, 6]
    fork = parent.fork(step).wait()
    assert fork.status == "finished" and same(parent, fork) and losses(fork) == losses(parent)
    events = fork.history["event"].tolist()
    assert (
        events[step + 1 if step else 0].rpartition("; ")[2]
        == f"forked from {parent.name} at step {step}"
    )
    assert sum("forked" in event or "resumed" in event for event in events) == 1
    assert fork.positions.rows() == parent.positions.rows() and fork.folder != parent.folder
    stored = clwork.open_run(fork.folder)
    assert stored.parent is not None and (stored.parent.run, stored.parent.step) == (
        parent.name,
        step,
    )
    first = clwork.load_encoder(tiny["encoder"], device="cpu").backbone.state_dict()
    assert not all(
        torch.equal(first[n], t) for n, t in fork.encoder.backbone.state_dict().items()
    ), "it trained"


def test_changed_settings_apply_from_the_fork_on_and_are_recorded(trained: clwork.Run) -> None:
    parent = trained
    fork = parent.fork(3, temperature=0.2, batch_size=6, steps=10, seed=5, name="other").wait()
    assert losses(fork)[:3] == losses(parent)[:3] and losses(fork)[3] != losses(parent)[3]
    assert (fork.name, fork.step, fork.recipe.seed) == ("other", 10, 5)
    assert (fork.config.temperature, fork.config.batch_size) == (0.2, 6)
    assert parent.config.temperature == 0.05, "the parent is left as it is"
    expected = "temperature 0.05 → 0.2"
    assert (
        expected in fork.history["event"].iloc[4] and "seed 0 → 5" in fork.history["event"].iloc[4]
    )
    assert fork.recipe.parent is not None and fork.recipe.parent.changed == {
        "temperature": [0.05, 0.2],
        "batch_size": [4, 6],
        "steps": [8, 10],
        "seed": [0, 5],
    }
    cut = stop_at(parent.fork(3, temperature=0.2, batch_size=6, steps=10, seed=5), 7)
    assert same(clwork.resume(cut.folder), fork), "a fork that is stopped is resumed as any run"
    again = fork.fork(0).wait()
    assert again.recipe.parent is not None and again.recipe.parent.run == "other"


def test_a_fork_at_any_step_repeats_the_parents_steps_bit_for_bit(tiny: dict[str, Any]) -> None:
    parent = clwork.start("simcse", **tiny, keep_every=3)
    parent.pause()
    for step in range(1, 9):  # a control is moved before steps 2 and 5
        if step in (2, 5):
            parent.controls.temperature = {2: 0.2, 5: 0.4}[step]
        parent.step_once()
    parent.resume()
    parent.wait()
    assert [parent.settings_at(step)["temperature"] for step in (0, 1, 2, 4, 5, 8)] == [
        0.05,
        0.05,
        0.2,
        0.2,
        0.4,
        0.4,
    ]
    for step in (2, 5, 8):  # from step 0, from a checkpoint, and at the end of a finished run
        steps = 10 if step == 8 else 8
        fork = parent.fork(
            step, repeat=True, steps=steps, temperature=parent.controls.temperature
        ).wait()
        assert fork.recipe.parent is not None and fork.recipe.parent.step == step
        expected = {2: {"temperature": [0.2, 0.4]}, 5: {}, 8: {"steps": [8, 10]}}[step]
        assert fork.recipe.parent.changed == expected, "compared with the settings at this step"
        assert losses(fork)[:step] == losses(parent)[:step] and fork.step == steps
        assert fork.records()[: step + 1] == parent.records()[: step + 1]
        same_until = [row for row in parent.positions.rows() if row["step"] <= step]
        assert fork.positions.rows()[: len(same_until)] == same_until, "on the axes of the parent"
        assert len(fork.positions.rows()) > len(same_until)
        if step == 5:
            assert same(parent, fork), "without changes it repeats its parent"

    child = parent.fork(3, temperature=0.1, batch_size=6, steps=9, seed=5).wait()
    again = child.fork(5, repeat=True).wait()  # from step 0, with the steps of two recipes
    assert (
        child.checkpoint_steps() == [0, 6, 9]
        and losses(again) == losses(child)
        and same(child, again)
    )
    assert again.settings_at(2)["temperature"] == 0.2 and again.settings_at(2)["batch_size"] == 4
    early = child.fork(1, repeat=True, steps=2).wait()
    assert losses(early)[0] == losses(parent)[0] and early.config.temperature == 0.05
    with pytest.raises(ValueError, match="has not done step 99 yet; give a step up to 8"):
        parent.fork(99, repeat=True)


def test_a_stopped_repetition_is_resumed(tiny: dict[str, Any]) -> None:
    parent = clwork.train("simcse", **tiny, keep_every=3)
    fork = parent.fork(5, repeat=True, temperature=0.2)
    fork.stop()
    fork.wait()
    finished = clwork.resume(fork.folder)
    whole = parent.fork(5, repeat=True, temperature=0.2).wait()
    assert losses(finished)[:5] == losses(parent)[:5] and losses(finished) == losses(whole)


def test_an_impossible_fork_raises_the_reason(copied: Path) -> None:
    run = view_run(clwork.open_run(copied))
    before = len(stored_runs()[0])
    with pytest.raises(
        ValueError, match=r"step=4 of .* has no checkpoint; .* steps 0, 3, 6\. .*keep_every=50"
    ):
        run.fork(4)
    with pytest.raises(TypeError, match="step='3' is str"):
        run.fork("3")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"no setting 'temprature' \(did you mean 'temperature'"):
        run.fork(3, temprature=0.1)
    with pytest.raises(ValueError, match=r"temperature=-1\.0 is out of range"):
        run.fork(3, temperature=-1.0)
    with pytest.raises(ValueError, match="steps=3 is out of range; give an int from 4"):
        run.fork(3, steps=3)
    assert len(stored_runs()[0]) == before, "nothing was written"
    with pytest.raises(FileExistsError, match="not empty"):
        run.fork(3, name=run.name)
    with pytest.raises(ValueError, match="does not fit this run"):
        run.fork(3, head="none").wait()


def test_a_finished_run_without_stored_steps_can_be_forked_at_step_0(tiny: dict[str, Any]) -> None:
    run = clwork.train("simcse", **tiny)
    assert run.checkpoint_steps() == [0]
    fork = run.fork(temperature=0.2).wait()
    assert fork.recipe.parent is not None and fork.recipe.parent.step == 0
    fresh = clwork.train("simcse", **tiny, temperature=0.2)
    assert same(fork, fresh)
    found = [one for one in stored_runs()[0] if one.name in (fork.name, fresh.name)]
    assert len(group_by_recipe(found)) == 1, "a fork of step 0 has the recipe of a new run"


def test_a_fork_copies_dclrs_complementary_model_unchanged(tiny: dict[str, Any]) -> None:
    judged: dict[str, Any] = {"complementary_steps": 2, "noise_ratio": 1.0}
    parent = clwork.train("dclr", **(tiny | {"steps": 4}), **judged, keep_every=2)
    assert RunFolder(parent.folder).made_by_method() == ["complementary"]
    fork = parent.fork(2).wait()
    assert same(parent, fork) and losses(fork) == losses(parent)
    with pytest.raises(
        ValueError,
        match=r"complementary_steps determines the encoder .* made before its first step",
    ):
        parent.fork(2, complementary_steps=3)
    assert parent.fork(0, complementary_steps=3).wait().status == "finished"
