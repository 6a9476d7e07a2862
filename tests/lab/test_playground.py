from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.encoders import Encoder, load_encoder
from clwork.lab.playground import sources
from clwork.lab.playground.sources import AFTER, BEFORE, ELSEWHERE, NOTHING

from ..encoders.conftest import write_tiny
from .conftest import SHORT
from .panel.client import Client
from .test_desk import store

PATIENCE = 300.0
OWN = ["the cat sat on the mat", "a dog ran far", "the dog sat", "a mat"]
CORPUS = [
    f"the {a} {b} on the {c}" for a in ("cat", "dog", "mat") for b in ("sat", "ran") for c in ("mat", "cat", "far")
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def alone(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> lab.Playground:
    """A playground with a tiny encoder and no runs, compared."""
    monkeypatch.setattr(sources, "kernel_runs", list)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    play.compare()
    return play.wait(PATIENCE)


def do(play: lab.Playground, name: str, **more: Any) -> str:
    """Send a command as the page does; return the reason if it was refused."""
    with play.lock:
        return Client(play).refused(name, **more)


def choose(play: lab.Playground, side: str, value: str, place: Any = "") -> None:
    assert not do(play, "choose", side=side, value=value, place=str(place))


def compare(play: lab.Playground, *texts: str) -> lab.Playground:
    assert not do(play, "compare", texts=list(texts) or play._typed, by="test")
    return play.wait(PATIENCE)


def grids(play: lab.Playground) -> list[Any]:
    """The matrices that the page draws."""
    part = play._update({})["compared"]
    return [np.frombuffer(side["cosines"], np.float32).reshape(len(part["texts"]), -1) for side in part["sides"]]


def near(play: lab.Playground) -> str:
    """The table of neighbours as HTML."""
    return "" if play.near is None else play.near.html()


def cosines(vectors: Any) -> Any:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def test_before_and_after_of_a_run(corpus: Any, trained: clwork.Run) -> None:
    play = lab.playground(run=trained, sentences=list(corpus))
    assert "press Compare" in play.state
    assert "run-1, before" in play.left.label and "run-1 (simcse)" in play.right.label
    do(
        play,
        "compare",
        texts=["A boat on the lake.", "", "  A ship at sea.  ", "The bank raised its rates."],
        by="test",
    )
    assert play._update({})["status"]["working"]
    play.wait(PATIENCE)
    assert not play._update({})["status"]["working"] and "3 sentences" in play.state
    before, mean, after = grids(play)
    texts = ["A boat on the lake.", "A ship at sea.", "The bank raised its rates."]
    assert play.texts() == texts
    raw = clwork.load_encoder(SHORT["encoder"], pooling="cls_before_pooler")
    for shown, encoder in ((before, raw), (mean, raw.with_pooling("first_last")), (after, trained.encoder)):
        assert np.allclose(shown, cosines(encoder.encode(texts)), atol=1e-4)
    assert not np.allclose(before, after, atol=1e-2)
    assert near(play).count("<tr>") == 4 and "A ship at sea." in near(play)
    page = play._repr_mimebundle_()[0]["text/html"]
    assert "A ship at sea." in page and "Odd one out" in page


def test_one_encoder_gives_one_matrix_and_two_give_two(alone: lab.Playground, tiny: Path, tmp_path: Path) -> None:
    strong = "raw:all-MiniLM-L6-v2"
    assert [NOTHING, f"raw:{tiny}", strong, ELSEWHERE] == [value for _, value in alone.right.options]
    (shown,) = grids(alone)
    assert np.allclose(shown, cosines(load_encoder(tiny).encode(OWN)), atol=1e-4)
    other = write_tiny(tmp_path / "other", seed=1)
    choose(alone, "right", ELSEWHERE, f" {other} ")
    left, _, right = grids(compare(alone))
    assert np.allclose(left, shown, atol=1e-6)
    assert np.allclose(right, cosines(load_encoder(other).encode(OWN)), atol=1e-4)
    names = [str(tiny), f"{tiny}, mean of first and last layer", str(other)]
    assert list(alone.vectors()) == names and near(alone).count("scope='col'") == 4
    choose(alone, "right", alone.left.value)
    assert len(grids(compare(alone))) == 1, "the same encoder twice is one"
    odd = int(np.argmin(shown.sum(axis=1)))
    assert f"“{OWN[odd]}” (mean cosine {(shown[odd].sum() - 1) / 3:.2f} with the others" in alone.remarks[0]
    choose(alone, "right", ELSEWHERE, tmp_path / "none")
    assert str(tmp_path / "none") in compare(alone).state and alone._update({})["status"]["trouble"]
    assert "is not among the encoders" in do(alone, "choose", side="left", value="raw:nobody's")


def test_a_folder_of_a_run_is_its_encoder_and_a_killed_run_is_not_the_default(
    trained: clwork.Run, alone: lab.Playground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    choose(alone, "left", ELSEWHERE, trained.folder)
    compare(alone)
    assert list(alone.vectors()) == ["run-1, step 12"]
    np.testing.assert_allclose(alone.vectors()["run-1, step 12"], trained.encoder.encode(OWN), atol=1e-5)
    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path))
    folder = store(tmp_path, "killed")
    fresh = lab.playground(OWN)
    assert fresh.left.value == "raw:mini" and fresh.right.value == NOTHING
    assert {f"{BEFORE}{folder}", f"{AFTER}{folder}"} <= {value for _, value in fresh.left.options}


def test_neighbours_are_those_of_the_whole_corpus_and_the_second_time_need_no_encoding(
    alone: lab.Playground, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(tiny)
    one, corpus = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in map(encoder.encode, (OWN, CORPUS)))
    best = np.sort(one @ corpus.T, axis=1)[:, ::-1][:, :3]
    assert alone.near is not None
    found = [[float(line.split()[0]) for line in row[1].splitlines()] for row in alone.near.rows]
    np.testing.assert_allclose(found, best, atol=6e-3)
    assert f"of {len(CORPUS)} sentences" in near(alone)
    table, calls = near(alone), list[int]()
    real = Encoder.encode

    def counted(self: Encoder, texts: list[str]) -> Any:
        calls.append(len(texts))
        return real(self, texts)

    monkeypatch.setattr(Encoder, "encode", counted)
    alone.compare()
    assert near(alone.wait(PATIENCE)) == table and "4 sentences" in alone.state and sum(calls) == len(OWN)


def test_a_stop_ends_the_search_and_compare_continues(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "kernel_runs", list)
    monkeypatch.setattr(sources, "AT_ONCE", 3)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    reached, resumed = threading.Event(), threading.Event()
    real = sources.CorpusSearch._report

    def held(self: Any, side: Any, done: int, *more: Any) -> None:
        real(self, side, done, *more)
        if done == 6:
            reached.set()
            resumed.wait(PATIENCE)

    monkeypatch.setattr(sources.CorpusSearch, "_report", held)
    play.compare()
    assert reached.wait(PATIENCE)
    status = play._update({})["status"]
    assert "6 of 18 sentences of the corpus encoded" in status["doing"] and status["working"]
    assert (status["done"], status["total"]) == (6, 18) and len(grids(play)[0]) == 4
    assert not do(play, "stop")
    resumed.set()
    play.wait(PATIENCE)
    assert "Stopped" in play.state and "of 9 sentences" in near(play)
    play.compare()
    play.wait(PATIENCE)
    assert "Stopped" not in play.state and "of 18 sentences" in near(play)
    assert play._update({})["status"]["total"] == 0


def ranks(encoder: Any, text: str, corpus: Any) -> Any:
    """Each sentence's rank by its cosine with the text, from 1, and the cosines."""
    found = cosines(encoder.encode([text, *corpus]))[0, 1:]
    places = np.empty(len(found), dtype=int)
    places[np.argsort(-found, kind="stable")] = np.arange(1, len(found) + 1)
    return places, found


def test_two_results_are_shown_side_by_side_with_their_ranks_in_each_other(
    alone: lab.Playground, tiny: Path, tmp_path: Path
) -> None:
    other = write_tiny(tmp_path / "other", seed=1)
    choose(alone, "right", ELSEWHERE, other)
    compare(alone)
    do(alone, "edit", text="the dog ran", row=2, partner="a dog")
    answer = alone.wait(PATIENCE)._update({})["answer"]
    corpus = alone.search.texts()
    encoders = [load_encoder(tiny), load_encoder(tiny).with_pooling("first_last"), load_encoder(other)]
    by = [ranks(encoder, "the dog ran", corpus) for encoder in encoders]
    pair = [cosines(encoder.encode(["the dog ran", "a dog"]))[0, 1] for encoder in encoders]
    np.testing.assert_allclose([side["pair"] for side in answer["sides"]], pair, atol=2e-3)
    for column, encoder, (here, found), (there, _) in zip(
        answer["columns"], encoders, by, (by[1], by[2], by[1]), strict=True
    ):
        assert column["searched"] == len(CORPUS) and len(column["rows"]) == 10
        np.testing.assert_allclose(column["cosines"], found[column["rows"]], atol=2e-3)
        assert np.abs(here[column["rows"]] - np.arange(1, 11)).max() <= 1, "near equals may be swapped"
        assert np.abs(there[column["rows"]] - column["there"]).max() <= 1
        then, _ = ranks(encoder, OWN[2], corpus)
        assert np.abs(then[column["rows"]] - column["then"]).max() <= 1
        assert not set(column["gone"]) & set(column["rows"]) and all(place > 10 for place in column["gone_to"])
    assert answer["changed"] and answer["texts"][str(answer["columns"][0]["rows"][0])] in CORPUS
    do(alone, "edit", text="a new sentence", row=None)
    new = alone.wait(PATIENCE)._update({})["answer"]
    assert new["row"] == -1 and not new["changed"] and new["columns"][0]["then"] is None


def test_unknown_tokens_give_a_warning(alone: lab.Playground, tmp_path: Path) -> None:
    assert alone.warnings == []
    compare(alone, "the cat ☃ sat", "a <b>dog</b>", "猫 猫")
    (warning,) = alone.warnings
    assert "cannot read 100 % of “猫 猫” (猫); " in warning and "25 % of “the cat ☃ sat” (☃)" in warning
    page = alone._repr_mimebundle_()[0]["text/html"]
    assert warning[:30] in page and "<b>dog" not in page
    choose(alone, "right", ELSEWHERE, "mini")
    assert len(compare(alone).warnings) == 2, "two vocabularies, two warnings"
    choose(alone, "right", ELSEWHERE, write_tiny(tmp_path / "other", seed=1))
    (warning,) = compare(alone).warnings
    assert " and " in warning.partition("cannot read")[0]
