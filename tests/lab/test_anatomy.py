"""The anatomy of a method: its numbers are those of the method, and its steps those of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.lab.anatomy_view import SENTENCES, AnatomyView, anatomy, force_by_kind
from clwork.training.forces import forces_at
from scripts import recorded_runs


@pytest.fixture
def view() -> Iterator[AnatomyView]:
    shown = anatomy("simcse", encoder="mini")
    yield shown
    shown.close()


@pytest.mark.parametrize("method", clwork.methods.names())
def test_every_method_has_an_anatomy_whose_loss_falls(method: str) -> None:
    view = anatomy(method)
    try:
        before = view.moment_part()
        view.step(3)
        after = view.moment_part()
    finally:
        view.close()
    assert (before["step"], after["step"]) == (0, 3)
    assert after["loss"] < before["loss"]
    assert (len(before["timeline"]), len(after["timeline"])) == (1, 4)
    recorded = view.about["forces"]
    if before["groups"][0]["weight"] is None:
        assert recorded is None
    else:
        assert list(recorded["steps"][0]) == list(before["timeline"][0])


def test_the_table_is_that_of_the_run_in_the_order_of_the_sentences(view: AnatomyView) -> None:
    forces = forces_at(view._bench.run)
    part = view.moment_part()
    table = forces.tables[0]
    # the run has shuffled them, so that an order that is lost would be seen
    assert forces.texts != SENTENCES
    for row, text in enumerate(SENTENCES):
        in_batch = forces.texts.index(text)
        own = table.matrices()["cosine"][in_batch, in_batch]
        assert part["groups"][0]["score"][row][row] == pytest.approx(own, abs=1e-4)
    weights = np.array(part["groups"][0]["weight"])
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-3)
    losses = -np.log(weights.diagonal())
    assert np.allclose(part["losses"], losses, atol=1e-3)
    assert part["loss"] == pytest.approx(losses.mean(), abs=1e-3)


def test_the_mean_force_is_the_share_over_the_temperature(view: AnatomyView) -> None:
    weights = np.array(view.moment_part()["groups"][0]["weight"])
    wrong = 1 - weights.diagonal().mean()
    forces = force_by_kind(view._moment.forces.tables[0])
    assert forces["in-batch negative"] == pytest.approx(wrong / 0.05, rel=1e-3)
    assert forces["positive"] == pytest.approx(forces["in-batch negative"], rel=1e-3)


def test_recorded_forces_are_those_of_the_same_steps(view: AnatomyView) -> None:
    with recorded_runs.forces_of_steps("simcse") as by_step:
        view.step(2)
    first, second, third = view.moment_part()["timeline"]
    # each step, and after it the view's look at the next one
    expected = [first, second, second, third]
    assert by_step == [pytest.approx(forces, rel=1e-3) for forces in expected]
    assert first["positive"] != second["positive"]


def test_its_steps_are_those_of_the_run(view: AnatomyView, tmp_path: Path) -> None:
    view.step(2)
    same = clwork.train(
        "simcse", encoder="mini", sentences=list(SENTENCES), batch_size=8, steps=2, device="cpu",
        schedule="constant", warmup=0.0, folder=tmp_path / "run",
    )  # fmt: skip
    stepped = view._bench.run.history["loss"].dropna().tolist()
    assert stepped == same.history["loss"].dropna().tolist()


def test_a_moved_temperature_acts_at_once_and_on_the_next_step(view: AnatomyView) -> None:
    before = view.moment_part()
    view.set("temperature", 1.0)
    after = view.moment_part()
    # the same vectors, another softmax
    assert after["groups"][0]["score"] == before["groups"][0]["score"]
    assert after["loss"] == pytest.approx(np.log(8), abs=0.05)
    view.step()
    assert view._bench.run.history["loss"].dropna().iloc[-1] == pytest.approx(after["loss"], 1e-3)


def test_without_a_sentence_it_begins_again(view: AnatomyView) -> None:
    view.step().keep(1, False)
    part = view.moment_part()
    assert part["step"] == 0
    assert len(part["groups"][0]["score"]) == 7
    assert part["kept"] == [row != 1 for row in range(8)]
    view._do({"name": "keep", "row": 1, "kept": True})
    assert len(view.moment_part()["groups"][0]["score"]) == 8


def test_too_few_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match="give 3 to 12"):
        anatomy("simcse", ["one sentence", "another one"])


def test_a_method_without_forces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clwork.methods.get("simcse"), "forces", lambda self, views: None)
    with pytest.raises(ValueError, match="define the method forces"):
        anatomy("simcse")


def test_a_sentence_of_a_lesson_acts_on_it(view: AnatomyView) -> None:
    assert lab.act(view, "[Two steps]", step=2, choose=3, temperature=0.5).press()
    part = view.moment_part()
    assert (part["step"], part["row"], part["settings"][0]["value"]) == (2, 3, 0.5)
    refused = lab.act(view, "[Sentence 9]", choose=8)
    assert not refused.press()
    assert "row=8 is out of range" in refused._result.value
    with pytest.raises(ValueError, match=r"'choose'.*'temperature'"):
        lab.act(view, "[Type]", type="a violin concerto")
