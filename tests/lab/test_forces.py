"""The force view as a widget: choosing a sentence, a question, a matrix and a step; what it says where it can not."""

from __future__ import annotations

import html
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import lab, methods
from clwork.lab.forces.forces import NOW
from clwork.methods import Candidates, Forces, score_table
from clwork.training import open_run

from ..runs import stop_at
from ..training.test_forces import plain as plain

MARKED = 'A <b>bold</b> & "quoted" sentence with $x$ in it.'


@pytest.fixture(scope="module")
def run(corpus: Any, tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run of a few steps whose first batch holds a text that is no HTML."""
    folder = tmp_path_factory.mktemp("forces") / "run-1"
    texts = [MARKED, *list(corpus)[:7]]
    return clwork.train("simcse", sentences=texts, steps=2, batch_size=8, checkpoint_every=1, folder=folder)


def test_it_begins_with_the_sentence_that_is_hardest(run: clwork.Run) -> None:
    view = lab.forces(run)
    losses = view.seen.tables[0].losses
    assert losses is not None and view.row == int(losses.argmax())
    labels = [label for label, _ in view.sentences.options]
    assert len(labels) == 8 and [place for _, place in view.sentences.options] == (-losses).argsort().tolist()
    assert labels[0].startswith(f"{losses.max():.3g} · ")
    assert "after the last of 2 steps" in view.state.value and "run-1" in view.state.value
    assert view.question.layout.display == "none", "there is one question"


def test_another_sentence_makes_other_pictures_and_numbers(run: clwork.Run) -> None:
    view = lab.forces(run, row=0)
    bars, formula, table = view.drawn["bars"].figure(), view.formula.value, view.table.value
    view.choose(3)
    assert view.row == view.sentences.value == 3
    assert view.drawn["bars"].figure() != bars and view.formula.value != formula and view.table.value != table
    assert r"\ell_{4} = " in view.formula.value and view.formula.value.count("$$") == 2 * len(view.seen.formula(3))
    (shown,) = (trace for trace in view.figure("bars").data if trace.name == "pulls")
    assert len(shown.x) == 1 and shown.x[0] == pytest.approx(view.seen.tables[0].by_kind(3)["positive"], rel=1e-5)
    assert view.figure("matrix").layout.shapes[0].y0 == 2.5
    view.matrix.value = "softmax weight"
    view.place.value = 2
    assert view.row == view.sentences.options[1][1], "the slider walks along the list"
    assert view.filter.layout.display is None, "a drop-down that hides hides nothing else"
    assert np.allclose(np.asarray(view.drawn["matrix"].figure().data[0].z).sum(axis=1), 1, atol=1e-4)
    with pytest.raises(ValueError, match=r"row=8 is out of range"):
        view.choose(8)


def test_sentences_are_found_by_their_words(run: clwork.Run) -> None:
    view = lab.forces(run)
    view.filter.value = "QUOTED"
    assert len(view.sentences.options) == 1 and view.seen.texts[view.row] == MARKED
    assert "&lt;b&gt;bold&lt;/b&gt;" in view.note.value
    before = view.row
    view.filter.value = "no sentence has this"
    assert view.sentences.options == () and view.row == before
    view.filter.value = ""
    assert len(view.sentences.options) == 8 and view.row == before


def test_texts_are_escaped_wherever_they_are_shown(run: clwork.Run) -> None:
    view = lab.forces(run)
    view.choose(view.seen.texts.index(MARKED))
    page = view._repr_mimebundle_()["text/html"]
    assert "<b>bold" not in page and "&lt;b&gt;bold" in page
    assert page.count("<img alt=") == 3
    for drawn in view.drawn.values():
        assert "<b>bold" not in json.dumps(drawn.figure().to_plotly_json(), default=str).replace("&lt;b&gt;", "")


def test_a_kept_step_can_be_chosen_and_what_cannot_be_had_is_said(run: clwork.Run) -> None:
    texts = list(run.probe.texts)  # type: ignore[union-attr]
    halted = stop_at(clwork.start("simcse", sentences=texts, steps=4, batch_size=4, checkpoint_every=2), 3)
    view = lab.forces(halted.folder)
    steps = [step for _, step in view.step.options]
    assert steps == [-1, 3, 2, 0] and "checkpoint of step 3" in view.state.value
    loss = view.seen.loss
    view.step.value = 2
    assert view.seen.step == 2 and view.seen.loss != loss
    view.step.value = 0
    assert view.seen.step == 0 and "weights it begins with" in view.state.value
    view.step.value = 2
    (halted.folder / "checkpoint.earlier.safetensors").unlink()
    view.look()
    assert "keeps no weights of step 2" in view.state.value and view.seen.step == 2
    with pytest.raises(ValueError, match=r"kept are 0, 3, .*give one of these, or leave step out"):
        lab.forces(halted, step=99)


@pytest.mark.parametrize("name", ["dclr", "self_guided", "gclsr", "mocoutrl"])
def test_every_method_is_shown_by_what_it_tells(name: str, corpus: Any, tmp_path: Path) -> None:
    more: dict[str, Any] = {"complementary_steps": 1} if name == "dclr" else {}
    run = clwork.train(name, sentences=corpus, steps=1, batch_size=8, folder=tmp_path / "run", **more)
    view = lab.forces(run)
    for place in range(len(view.question.options)):
        view.question.value = place
        for matrix in view.matrix.options:
            view.matrix.value = matrix
            for group in range(len(view.group.options)):
                view.group.value = group
                (heat,) = view.figure("matrix").data
                assert np.isfinite(np.asarray(heat.z)).all() and len(heat.y) == 8
        assert html.escape(view.seen.tables[place].role) in view.note.value
        assert ("push" if "antonym beside" in view.seen.tables[place].role else "pull") in view.table.value
    terms = view.figure("shares").data[0]
    assert len(terms.y) == len(view.seen.terms) and sum(terms.x) == pytest.approx(100)
    assert view._repr_mimebundle_()["text/html"].count("<img alt=") == 3


def test_a_method_that_tells_nothing_says_so_and_shows_the_rest(plain: Any, corpus: Any, tmp_path: Path) -> None:
    run = clwork.train("plain", sentences=corpus, steps=1, batch_size=8, encoder="mini", folder=tmp_path / "run")
    view = lab.forces(run)
    assert "does not tell its loss pair by pair" in view.note.value and "forces(views)" in view.note.value
    assert view.drawn["bars"].box.layout.display == "none" and view.drawn["shares"].box.layout.display == "flex"
    assert "gradient on z1" in str(view.figure("shares").data)
    assert "half" in view.table.value and "$$" in view.formula.value
    view.choose(2)
    assert view._repr_mimebundle_()["text/html"].count("<img alt=") == 1


def test_a_loss_that_asks_no_question_is_shown_by_its_pairs(plain: Any, corpus: Any, tmp_path: Path) -> None:
    """Alignment and uniformity: nobody looks for anybody, and no sentence has a loss of its own."""

    def apart(scores: torch.Tensor) -> torch.Tensor:
        others = ~torch.eye(len(scores), dtype=torch.bool)
        return (-2 * (2 - 2 * scores[others])).logsumexp(dim=0) - math.log(int(others.sum()))

    def forces(self: Any, views: dict[str, torch.Tensor]) -> Forces:
        z1, z2 = views["z1"], views["z2"]
        pairs = score_table("view 1 beside view 2", z1, Candidates("view 2", z2), only_own=True)
        spread = score_table(
            "view 1 beside other sentences", z1, Candidates("view 1", z1, "other sentence"), positives=()
        )
        aligned = (2 - 2 * pairs.scores.diagonal()).mean()  # squared distances of unit vectors
        return Forces((pairs, spread), {"alignment": aligned, "uniformity": apart(spread.scores)})

    plain.forces = forces
    plain.compare = lambda self, views: methods.Terms(torch.stack(list(self.forces(views).terms.values())).sum())
    run = clwork.train("plain", sentences=corpus, steps=1, batch_size=8, encoder="mini", folder=tmp_path / "run")
    view = lab.forces(run, row=2)
    assert "alignment" in view.formula.value and "pull" in view.table.value
    view.question.value = 1
    assert "push" in view.table.value and "positive" not in view.table.value and "pull" not in view.table.value
    assert view.row == 2 and {pair.kind for pair in view.seen.tables[1].pairs(2)} == {"other sentence"}


def test_a_method_is_shown_before_anything_was_trained() -> None:
    view = lab.forces("simcse", batch_size=8)
    assert view.seen.step == 0 and "nothing has been trained" in view.state.value
    assert len(view.seen.texts) == 8 and view.step.options == ((NOW, -1),)
    view.look()
    assert "nothing has been trained" in view.state.value
    with pytest.raises(TypeError, match="batch_size can only be given with the name of a method"):
        lab.forces(view, batch_size=4)


def test_what_is_no_run_is_refused_with_a_remedy(run: clwork.Run, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"give a run, as clwork\.start"):
        lab.forces(42)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="holds no run"):
        lab.forces(tmp_path)
    with pytest.raises(ValueError, match="row=100 is out of range"):
        lab.forces(run, row=100)
    assert lab.forces(open_run(run.folder), row=1).row == 1
