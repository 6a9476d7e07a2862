"""Numbers of the force view: of the next step; they add up and leave the run unchanged."""

from __future__ import annotations

import time
from typing import Any

import pytest
import torch

import clwork
from clwork import methods
from clwork.training import open_run
from clwork.training.forces import StepForces, forces_at
from clwork.training.frozen_step import checkpoint_steps

from ..runs import stop_at, weights
from .conftest import SHORT

SMALL: dict[str, dict[str, Any]] = {"dclr": {"complementary_steps": 1}}


def paused(**given: Any) -> clwork.Run:
    """A run that is paused before its first step."""
    run = clwork.start(steps=3, **{**SHORT, **given})
    run.pause()
    while run.status != "paused" and run.alive:
        time.sleep(0.02)
    assert (run.status, run.step) == ("paused", 0), run.error
    return run


def adds_up(seen: StepForces) -> None:
    added = sum(term.value for term in seen.terms.values())
    assert added == pytest.approx(seen.loss, rel=1e-5, abs=1e-5)
    assert seen.tables
    assert len(seen.texts) == len(seen.view_norms[next(iter(seen.view_norms))])
    for entry in seen.tables:
        pairs = entry.pairs(1)
        assert pairs
        assert any(pair.sentence == 1 and pair.kind == entry.table.own for pair in pairs)
        assert [pair.norm for pair in pairs] == sorted((pair.norm for pair in pairs), reverse=True)
        positives = [pair.text for pair in pairs if pair.kind == "positive"]
        assert len(entry.texts) > 1 or set(positives) <= set(entry.texts[0])
    assert seen.formula(1)[-1].startswith(r"\mathcal{L} = ")


NIGHTLY = [name for name in methods.names() if name != "simcse"]


@pytest.mark.parametrize(
    "name", ["simcse", *(pytest.param(name, marks=pytest.mark.nightly) for name in NIGHTLY)]
)
def test_every_method_reports_its_next_step_and_leaves_the_run_unchanged(
    name: str, corpus: Any
) -> None:
    given: dict[str, Any] = {"method": name, "sentences": corpus, **SMALL.get(name, {})}
    if name == "gclsr":
        given["encoder"] = None  # a TextCNN, its own default
    apart = clwork.start(steps=3, **{**SHORT, **given}).wait()
    run = paused(**given)
    before, drawn = weights(run), torch.get_rng_state()
    seen = forces_at(run)
    adds_up(seen)
    assert torch.equal(torch.get_rng_state(), drawn), "torch's own generator was used"
    assert all(torch.equal(tensor, before[key]) for key, tensor in weights(run).items())
    run.resume()
    run.wait()
    first = run.records()[1]
    assert first["step"] == 1
    assert seen.loss == pytest.approx(first["loss"], rel=1e-6)
    assert seen.gradient_norm == pytest.approx(first["gradient_norm"], rel=1e-4)
    there = weights(apart)
    assert all(torch.equal(tensor, there[key]) for key, tensor in weights(run).items()), "bits"
    for mine, other in zip(run.records(), apart.records(), strict=True):
        for part in mine.keys() - {"seconds", "probe_share"}:
            assert mine[part] == other[part]


def test_the_shares_of_pairs_sum_to_the_gradient_of_a_vector(corpus: Any) -> None:
    seen = forces_at(clwork.start("simcse", sentences=corpus, steps=1, **SHORT).wait())
    (entry,) = seen.tables
    for row in (0, 5):
        whole = entry.anchor_gradients(row).sum(dim=0)  # view 1 is an anchor and nothing else
        assert float(whole.norm()) == pytest.approx(float(seen.view_norms["z1"][row]), rel=1e-4)
        by_kind = entry.by_kind(row)
        assert by_kind["positive"] > 0 > by_kind["in-batch negative"], "pulled, and pushed"
        (positive,) = (pair for pair in entry.pairs(row) if pair.kind == "positive")
        assert positive.sentence == row
        assert positive.text == seen.texts[row]
        assert positive.pull > 0
        assert positive.norm == pytest.approx(by_kind["positive"], rel=1e-4)


def test_forces_from_a_folder_equal_those_of_the_run(corpus: Any) -> None:
    arguments = {**SHORT, "sentences": corpus, "steps": 4, "complementary_steps": 1}
    halted = stop_at(clwork.start("dclr", **arguments), 2)
    seen = forces_at(open_run(halted.folder))
    assert seen.step == 2
    assert "checkpoint of step 2" in seen.about
    resumed = clwork.resume(halted.folder, background=True).wait()
    row = next(row for row in resumed.records() if row["step"] == 3)
    assert seen.loss == pytest.approx(row["loss"], rel=1e-6)
    last = forces_at(resumed)
    assert last.step == 4
    assert "would come next" in last.about
    assert last.loss == pytest.approx(forces_at(open_run(resumed.folder)).loss)


def test_only_steps_with_stored_weights_are_available(corpus: Any) -> None:
    arguments = {**SHORT, "sentences": corpus, "steps": 6, "keep_every": 2}
    halted = stop_at(clwork.start("simcse", **arguments), 3)
    stored = checkpoint_steps(halted)
    assert stored == [3, 2, 0]
    losses = {row["step"]: row["loss"] for row in halted.records() if "loss" in row}
    for step in stored:
        seen = forces_at(halted, step)
        expected = losses.get(step + 1, seen.loss)
        assert seen.step == step
        assert seen.loss == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ValueError, match=r"has no weights of step 1.*give one of the stored steps"):
        forces_at(halted, 1)
