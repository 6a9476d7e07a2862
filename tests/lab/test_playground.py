from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab

PATIENCE = 300.0


@pytest.fixture(scope="module")
def run(corpus: Any, tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run strong enough to be seen."""
    folder = tmp_path_factory.mktemp("played") / "run-1"
    return clwork.train("simcse", sentences=corpus, steps=3, batch_size=8, learning_rate=1e-3, folder=folder)


def test_before_and_after_of_a_run(corpus: Any, run: clwork.Run) -> None:
    play = lab.playground(run=run, sentences=list(corpus))
    assert "press Compare" in play.state.value and "run-1" in play.choice.value
    play.text.value = "A boat on the lake.\n\n  A ship at sea.  \nThe bank raised its rates.\n"
    play.go.click()
    assert play.go.disabled
    play.wait(PATIENCE)
    assert not play.go.disabled and "3 sentences" in play.state.value
    before, after = (np.array(trace.z) for trace in play.drawn.figure().data)
    texts = ["A boat on the lake.", "A ship at sea.", "The bank raised its rates."]
    assert play.texts() == texts
    for shown, encoder in (
        (before, clwork.load_encoder("mini", pooling="cls_before_pooler")),
        (after, run.encoder),
    ):
        vectors = encoder.encode(texts)
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        assert np.allclose(shown, unit @ unit.T, atol=1e-4)
    assert not np.allclose(before, after, atol=1e-2)
    assert play.near.value.count("<tr>") == 4 and "A ship at sea." in play.near.value
    assert '<img alt="Cosines before and after" src="data:image/svg+xml' in play._repr_mimebundle_()["text/html"]


def test_what_is_wrong_is_said_in_words() -> None:
    play = lab.playground(["only one"])
    assert play.choice.value.startswith("no run yet") or "in this kernel" in play.choice.value
    play.compare()
    play.wait(PATIENCE)
    assert "give 2 to 30" in play.state.value and "Traceback" not in play.state.value and not play.go.disabled
    with pytest.raises(ValueError, match="2 to 30"):
        lab.playground(["a"] * 31).texts()


def test_without_a_run_the_encoder_is_shown_as_it_is(corpus: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("clwork.lab.playground_widget")
    monkeypatch.setattr(module, "kernel_runs", list)
    play = lab.playground(["One sentence.", "Another one."], sentences=list(corpus)[:20])
    assert play.choice.value.startswith("no run yet")
    play.compare()
    play.wait(PATIENCE)
    one, other = play.drawn.figure().data
    assert np.array_equal(one.z, other.z)
