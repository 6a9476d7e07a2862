from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.encoders import load_encoder
from clwork.lab.playground import compared_encoders, encoded_corpus
from clwork.lab.playground.compared_encoders import AFTER, BEFORE, ELSEWHERE, NOTHING

from ..encoders.conftest import write_tiny

PATIENCE = 300.0
OWN = ["the cat sat on the mat", "a dog ran far", "the dog sat", "a mat"]
CORPUS = [
    f"the {a} {b} on the {c}" for a in ("cat", "dog", "mat") for b in ("sat", "ran") for c in ("mat", "cat", "far")
]


@pytest.fixture(scope="module")
def run(corpus: Any, tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A run strong enough to be seen."""
    folder = tmp_path_factory.mktemp("played") / "run-1"
    return clwork.train("simcse", sentences=corpus, steps=3, batch_size=8, learning_rate=1e-3, folder=folder)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def alone(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> lab.Playground:
    """A playground with a tiny encoder and no runs, compared."""
    monkeypatch.setattr(compared_encoders, "kernel_runs", list)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    play.compare()
    return play.wait(PATIENCE)


def cosines(vectors: Any) -> Any:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def test_before_and_after_of_a_run(corpus: Any, run: clwork.Run) -> None:
    play = lab.playground(run=run, sentences=list(corpus))
    assert "press Compare" in play.state.value
    assert "run-1, before" in play.left.choice.label and "run-1 (simcse)" in play.right.choice.label
    play.text.box.value = "A boat on the lake.\n\n  A ship at sea.  \nThe bank raised its rates.\n"
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
        assert np.allclose(shown, cosines(encoder.encode(texts)), atol=1e-4)
    assert not np.allclose(before, after, atol=1e-2)
    assert play.near.value.count("<tr>") == 4 and "A ship at sea." in play.near.value
    page = play._repr_mimebundle_()["text/html"]
    assert '<img alt="Cosines of the sentences" src="data:image/svg+xml' in page and "Odd one out" in page


def test_one_encoder_gives_one_matrix_and_two_give_two(alone: lab.Playground, tiny: Path, tmp_path: Path) -> None:
    assert alone.left.choice.layout.display != "none" and alone.left.place.layout.display == "none"
    strong = "raw:all-MiniLM-L6-v2"
    assert [NOTHING, f"raw:{tiny}", strong, ELSEWHERE] == [value for _, value in alone.right.choice.options]
    (shown,) = alone.drawn.figure().data
    assert np.allclose(np.array(shown.z), cosines(load_encoder(tiny).encode(OWN)), atol=1e-4)
    other = write_tiny(tmp_path / "other", seed=1)
    alone.right.choice.value, alone.right.place.value = ELSEWHERE, f" {other} "
    alone.compare()
    alone.wait(PATIENCE)
    left, right = alone.drawn.figure().data
    assert np.allclose(np.array(left.z), np.array(shown.z), atol=1e-6)
    assert np.allclose(np.array(right.z), cosines(load_encoder(other).encode(OWN)), atol=1e-4)
    assert list(alone.vectors()) == [str(tiny), str(other)] and alone.near.value.count("scope='col'") == 3
    alone.right.place.value = str(tmp_path / "none")
    alone.compare()
    alone.wait(PATIENCE)
    assert str(tmp_path / "none") in alone.state.value and not alone.go.disabled


def test_the_strong_encoder_is_offered_where_it_is_installed(
    alone: lab.Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone.right.choice.value = "raw:all-MiniLM-L6-v2"
    alone.compare()
    _, strong = alone.wait(PATIENCE).drawn.figure().data
    assert np.allclose(np.array(strong.z), cosines(load_encoder("all-MiniLM-L6-v2").encode(OWN)), atol=1e-4)
    monkeypatch.setattr("clwork.encoders.disk.strong.PACKAGE", "no_such_package_of_clwork")
    assert "raw:all-MiniLM-L6-v2" not in [value for _, value in lab.playground(OWN).left.choice.options]


def test_the_same_encoder_twice_is_one(alone: lab.Playground) -> None:
    alone.right.choice.value = alone.left.choice.value
    alone.compare()
    assert len(alone.wait(PATIENCE).drawn.figure().data) == 1


def test_a_folder_of_a_run_is_its_encoder_and_a_killed_run_is_not_the_default(
    run: clwork.Run, alone: lab.Playground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alone.left.choice.value, alone.left.place.value = ELSEWHERE, str(run.folder)
    alone.compare()
    alone.wait(PATIENCE)
    assert list(alone.vectors()) == ["run-1, step 3"]
    np.testing.assert_allclose(alone.vectors()["run-1, step 3"], run.encoder.encode(OWN), atol=1e-5)
    from .test_desk import store

    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path))
    folder = store(tmp_path, "killed")
    fresh = lab.playground(OWN)
    assert fresh.left.choice.value == "raw:mini" and fresh.right.choice.value == NOTHING
    assert {f"{BEFORE}{folder}", f"{AFTER}{folder}"} <= {value for _, value in fresh.left.choice.options}


def test_what_is_wrong_is_said_in_words() -> None:
    play = lab.playground(["only one"])
    play.compare()
    play.wait(PATIENCE)
    assert "give 2 to 30" in play.state.value and "Traceback" not in play.state.value and not play.go.disabled
    with pytest.raises(ValueError, match="2 to 30"):
        lab.playground(["a"] * 31).texts()
    with pytest.raises(ValueError, match="from 10 to 1000000"):
        lab.playground(searched=2_000_000)
    with pytest.raises(RuntimeError, match="press Compare"):
        play.vectors()


def test_neighbours_are_those_of_the_whole_corpus_and_the_second_time_need_no_encoding(
    alone: lab.Playground, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load_encoder(tiny)
    one, corpus = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in map(encoder.encode, (OWN, CORPUS)))
    best = np.sort(one @ corpus.T, axis=1)[:, ::-1][:, :3]
    assert alone._compared is not None
    (found,) = alone._compared.found.values()
    np.testing.assert_allclose(found.cosines, best, atol=2e-3)
    assert f"of {len(CORPUS)} sentences" in alone.near.value
    table = alone.near.value

    def never(*_: Any) -> int:
        raise AssertionError("the corpus was encoded again")

    monkeypatch.setattr(encoded_corpus, "_encode", never)
    alone.compare()
    assert alone.wait(PATIENCE).near.value == table and "4 sentences" in alone.state.value


def test_a_stop_ends_the_search_and_compare_goes_on(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_encoders, "kernel_runs", list)
    monkeypatch.setattr(encoded_corpus, "AT_ONCE", 3)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    reached, go_on = threading.Event(), threading.Event()
    real = encoded_corpus.encoded

    def held(encoder: Any, corpus: Any, tell: Any, over: Any, enough: int) -> Any:
        def hold(done: int, total: int) -> None:
            tell(done, total)
            if done == 6:
                reached.set()
                go_on.wait(PATIENCE)

        return real(encoder, corpus, hold, over, enough)

    monkeypatch.setattr(encoded_corpus, "encoded", held)
    play.compare()
    assert reached.wait(PATIENCE)
    assert "6 of 18 sentences of the corpus encoded" in play.search.words.value
    assert play.search.bar.value == pytest.approx(6 / 18) and len(play.drawn.figure().data[0].z) == 4
    play.search.stop.click()
    go_on.set()
    play.wait(PATIENCE)
    assert "Stopped" in play.state.value and "of 9 sentences" in play.near.value
    play.compare()
    play.wait(PATIENCE)
    assert "Stopped" not in play.state.value and "of 18 sentences" in play.near.value


def test_the_first_neighbours_are_shown_while_more_are_looked_for(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_encoders, "kernel_runs", list)
    monkeypatch.setattr(encoded_corpus, "AT_ONCE", 3)
    monkeypatch.setattr(sys.modules["clwork.lab.playground.playground"], "FIRST", 6)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    shown: list[str] = []
    play.near.observe(lambda change: shown.append(change["new"]), names="value")
    play.compare()
    play.wait(PATIENCE)
    assert ["of 6 sentences" in table for table in shown] == [True, False] and "of 18 sentences" in shown[-1]


def test_a_changed_word_moves_the_sentence(alone: lab.Playground, tiny: Path) -> None:
    alone.edit.row.value = 2
    assert alone.edit.line.value == OWN[2]
    alone.edit.go.click()
    assert "change a word" in alone.wait(PATIENCE).state.value
    alone.edit.line.value = "the cat sat"
    alone.edit.go.click()
    table = alone.wait(PATIENCE).edit.outcome.value
    encoder = load_encoder(tiny)
    then, now = cosines(encoder.encode(OWN)), cosines(encoder.encode([*OWN, "the cat sat"]))
    assert f"{now[4, 2]:.2f}</td>" in table and "cosine to what it was" in table
    assert f"{then[2, 0]:.2f} → {now[4, 0]:.2f} ({now[4, 0] - then[2, 0]:+.2f})" in table
    corpus = encoder.encode(CORPUS)
    near = [
        {CORPUS[k] for k in np.argsort(-cosines(np.concatenate([encoder.encode([text]), corpus]))[0, 1:])[:3]}
        for text in (OWN[2], "the cat sat")
    ]
    assert all(text in table for text in near[0] ^ near[1])
    assert not any(text in table for text in near[0] & near[1])


def test_what_cannot_be_read_is_a_warning(alone: lab.Playground, tmp_path: Path) -> None:
    assert "cannot read" not in alone.words.value
    alone.text.box.value = "the cat ☃ sat\na <b>dog</b>\n猫 猫"
    alone.compare()
    told = alone.wait(PATIENCE).words.value
    assert "cannot read</b> 100 % of “猫 猫” (猫); " in told and "25 % of “the cat ☃ sat” (☃)" in told
    assert "<b>dog" not in told
    alone.right.choice.value, alone.right.place.value = ELSEWHERE, "mini"
    alone.compare()
    told = alone.wait(PATIENCE).words.value
    assert told.count("cannot read</b>") == 2, "two vocabularies, two warnings"
    alone.right.place.value = str(write_tiny(tmp_path / "other", seed=1))
    alone.compare()
    told = alone.wait(PATIENCE).words.value
    assert told.count("cannot read</b>") == 1 and " and " in told.partition("cannot read")[0]


def test_the_odd_one_out_is_named(alone: lab.Playground, tiny: Path) -> None:
    grid = cosines(load_encoder(tiny).encode(OWN))
    odd = int(np.argmin(grid.sum(axis=1)))
    assert f"“{OWN[odd]}” (mean cosine {(grid[odd].sum() - 1) / 3:.2f} to the others" in alone.words.value


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_vectors_are_exported_and_nothing_is_overwritten_unasked(
    alone: lab.Playground, tiny: Path, tmp_path: Path, ending: str
) -> None:
    import pandas as pd

    path = tmp_path / f"own.{ending}"
    assert alone.export(path) == path
    table: Any = np.load(path, allow_pickle=False) if ending == "npy" else pd.read_parquet(path)
    assert list(table["sentence"]) == OWN
    np.testing.assert_array_equal(np.stack(list(table[str(tiny)])), load_encoder(tiny).encode(OWN))
    kept = path.read_bytes()
    with pytest.raises(FileExistsError, match="is there already"):
        alone.export(path)
    alone.file.path.value = str(path)
    alone.file.go.click()
    assert "is there already" in alone.file.outcome.value and path.read_bytes() == kept
    alone.file.replace.value = True
    alone.file.go.click()
    assert alone.file.outcome.value.startswith("Written")
    with pytest.raises(ValueError, match=r"\.npy or \.parquet"):
        alone.export(tmp_path / "own.txt")


def test_sentences_come_from_a_file(alone: lab.Playground) -> None:
    def upload(name: str, content: bytes) -> str:
        about = {"name": name, "type": "text/plain", "size": len(content), "last_modified": 0}
        alone.text._take([{**about, "content": memoryview(content)}])
        return str(alone.state.value)

    assert "own.txt is read" in upload("own.txt", "\ufeffone\n\n two \r\nthree".encode())
    assert alone.texts() == ["one", "two", "three"]
    assert "no text in UTF-8" in upload("own.txt", b"\xff\xfe1") and "binary" in upload("own.txt", b"a\0b")
    assert "holds no sentence" in upload("own.txt", b"\n \n") and alone.texts() == ["one", "two", "three"]
    assert "first 30 of its 31" in upload("own.txt", "\n".join(map(str, range(31))).encode())
    assert len(alone.texts()) == 30
