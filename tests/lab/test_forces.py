"""The force view with the requests of its page: a sentence, a step; and its errors."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.lab import force_view
from clwork.lab.force_view import ForceView
from clwork.training.forces import StepForces, forces_at

from ..runs import stop_at
from .conftest import SHORT
from .panel.client import Client

MARKED = 'A <b>bold</b> & "quoted" sentence with $x$ in it.'


@pytest.fixture(scope="module")
def run(corpus: Any, tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run of a few steps whose first batch holds a text that is no HTML."""
    folder = tmp_path_factory.mktemp("forces") / "run-1"
    texts = [MARKED, *list(corpus)[:7]]
    return clwork.train(
        "simcse", sentences=texts, checkpoint_every=1, folder=folder, **{**SHORT, "steps": 2}
    )


def static_page(view: ForceView) -> str:
    """The HTML for readers without widgets."""
    data, _ = view._repr_mimebundle_()
    return str(data["text/html"])


def settled(client: Client) -> dict[str, Any]:
    """Poll until nothing is computed; return all replies."""
    news: dict[str, Any] = {}

    def over(answer: dict[str, Any]) -> bool:
        news.update(answer)
        return not answer["status"]["working"]

    client.until(over)
    return news


def test_it_starts_with_the_hardest_sentence(run: clwork.Run) -> None:
    view = lab.forces(run)
    news = Client(view).request()
    losses = view.seen.tables[0].losses
    assert losses is not None
    assert view.row == news["sentence"]["row"] == int(losses.argmax())
    assert news["step"]["texts"] == list(view.seen.texts)
    assert len(view.seen.texts) == 8
    assert np.array_equal(np.frombuffer(news["step"]["losses"], "<f4"), losses.astype(np.float32))
    assert "after the last of 2 steps" in news["status"]["sentence"]
    assert "run-1" in news["status"]["sentence"]
    assert [question["role"] for question in news["step"]["questions"]] == [
        "view 1 retrieves view 2"
    ]


def test_another_sentence_changes_figures_and_numbers(run: clwork.Run) -> None:
    view = lab.forces(run, row=0)
    client = Client(view)
    before = client.request()
    news = client.request("choose", row=3)
    assert "step" not in news, "texts and losses are sent once for a step"
    assert view.row == news["sentence"]["row"] == 3
    assert news["sentence"]["formula"] != before["sentence"]["formula"]
    assert len(news["sentence"]["formula"]) == len(view.seen.formula(3))
    assert "<math" in news["sentence"]["formula"][1]
    assert "rank" in news["sentence"]["about"]
    assert news["sentence"]["about"] != before["sentence"]["about"]
    first = news["sentence"]["pairs"][0]
    assert (first["kind"], first["row"]) == ("positive", 3)
    assert first["text"] is None, "the page has that text"
    assert first["pull"] == pytest.approx(view.seen.tables[0].by_kind(3)["positive"], rel=1e-5)
    assert dict(news["sentence"]["kinds"]) == pytest.approx(
        view.seen.tables[0].by_kind(3), rel=1e-5
    )
    assert client.refused("question", place=1)
    assert client.refused("choose", row=8).startswith("row=8 is out of range")
    with pytest.raises(ValueError, match=r"row=8 is out of range"):
        view.choose(8)


def test_texts_are_escaped_wherever_they_are_shown(run: clwork.Run) -> None:
    view = lab.forces(run)
    view.choose(view.seen.texts.index(MARKED))
    page = static_page(view)
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page
    assert r"$$\ell_{" in page
    assert page.count("$$") == 2 * len(view.seen.formula(view.row))


def test_a_stored_step_can_be_chosen_and_a_missing_one_is_reported(run: clwork.Run) -> None:
    texts = list(run.probe.texts)  # type: ignore[union-attr]
    small = {**SHORT, "steps": 4, "batch_size": 4}
    halted = stop_at(clwork.start("simcse", sentences=texts, keep_every=2, **small), 3)
    view = lab.forces(halted.folder)
    client = Client(view)
    first = client.request()
    assert first["step"]["stops"] == [0, 2, 3, None]
    assert first["status"]["chosen"] is None
    assert "checkpoint of step 3" in first["status"]["sentence"]
    loss = view.seen.loss
    assert client.request("step", step=2)["status"]["working"], (
        "the reply does not wait for the numbers"
    )
    news = settled(client)
    assert view.seen.step == news["step"]["step"] == 2
    assert view.seen.loss != loss
    assert news["status"]["chosen"] == 2
    client.request("step", step=0)
    assert view.seen.step == 2 or "at the initial weights" in settled(client)["status"]["sentence"]
    settled(client)
    assert view.seen.step == 0
    client.request("step", step=2)
    settled(client)
    (halted.folder / "saved-000002.safetensors").unlink()
    client.request("step", step=2)
    status = settled(client)["status"]
    assert "has no weights of step 2" in status["sentence"]
    assert status["trouble"]
    assert view.seen.step == 2
    client.request("choose", row=1)
    assert not client.request()["status"]["trouble"], "the shown step is still valid"
    with pytest.raises(ValueError, match=r"the stored steps \(0, 3.* or leave step out"):
        lab.forces(halted, step=99)


def test_of_several_waiting_requests_only_the_newest_is_computed(
    run: clwork.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = threading.Event()
    go_on = threading.Event()
    requested: list[int | None] = []

    def at(run: clwork.Run, step: int | None) -> StepForces:
        requested.append(step)
        # the first call is for the view's constructor; the second one waits
        if len(requested) == 2:
            busy.set()
            assert go_on.wait(60)
        return forces_at(run, step)

    monkeypatch.setattr(force_view, "forces_at", at)
    view = ForceView(run, None)
    client = Client(view)
    client.request("step", step=0)
    assert busy.wait(60)
    for step in (2, 0, 2):
        assert client.request("step", step=step)["status"] == {
            "working": True, "sentence": "Computing …", "trouble": False, "chosen": step
        }  # fmt: skip
    go_on.set()
    news = settled(client)
    assert requested == [None, 0, 2]
    assert view.seen.step == news["step"]["step"] == 2
