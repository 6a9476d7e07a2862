from __future__ import annotations

import json
import sys
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.encoders import load_encoder
from clwork.lab.playground import compared_encoders, corpus_search, encoded_corpus
from clwork.lab.playground.answers import Answers
from clwork.lab.playground.compared_encoders import AFTER, BEFORE, ELSEWHERE, NOTHING
from clwork.projections import PcaBasis

from ..encoders.conftest import write_tiny
from .conftest import SHORT
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
    monkeypatch.setattr(compared_encoders, "kernel_runs", list)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    play.compare()
    return play.wait(PATIENCE)


def do(play: lab.Playground, name: str, **more: Any) -> str:
    """Give a command as the page does; why it was refused, if it was."""
    sent: list[Any] = []
    buffers = [value for value in more.values() if isinstance(value, bytes)]
    for key, value in more.items():
        if isinstance(value, bytes):
            more[key] = {"buffer": 0}
    with pytest.MonkeyPatch.context() as patch, play.lock:
        patch.setattr(play, "send", lambda content, parts=(): sent.append(content))
        play._take(None, {"ask": 1, "page": "test", "known": {}, "do": {"name": name, **more}}, buffers)
    (answer,) = sent
    return str(answer.get("refused", ""))


def choose(play: lab.Playground, side: str, value: str, place: Any = "") -> None:
    assert not do(play, "choose", side=side, value=value, place=str(place))


def compare(play: lab.Playground, *texts: str) -> lab.Playground:
    assert not do(play, "compare", texts=list(texts) or play._typed, by="test")
    return play.wait(PATIENCE)


def grids(play: lab.Playground) -> list[Any]:
    """The matrices that the page draws."""
    part = play._news({})["compared"]
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
    assert play._news({})["pulse"]["working"]
    play.wait(PATIENCE)
    assert not play._news({})["pulse"]["working"] and "3 sentences" in play.state
    before, after = grids(play)
    texts = ["A boat on the lake.", "A ship at sea.", "The bank raised its rates."]
    assert play.texts() == texts
    for shown, drawn, encoder in (
        (before, play.figure().data[0], clwork.load_encoder(SHORT["encoder"], pooling="cls_before_pooler")),
        (after, play.figure().data[1], trained.encoder),
    ):
        assert np.allclose(shown, cosines(encoder.encode(texts)), atol=1e-4)
        assert np.allclose(shown, np.array(drawn.z), atol=1e-4)
    assert not np.allclose(before, after, atol=1e-2)
    assert near(play).count("<tr>") == 4 and "A ship at sea." in near(play)
    page = play._repr_mimebundle_()[0]["text/html"]
    assert '<img alt="Cosines of the sentences" src="data:image/svg+xml' in page and "Odd one out" in page


def test_one_encoder_gives_one_matrix_and_two_give_two(alone: lab.Playground, tiny: Path, tmp_path: Path) -> None:
    strong = "raw:all-MiniLM-L6-v2"
    assert [NOTHING, f"raw:{tiny}", strong, ELSEWHERE] == [value for _, value in alone.right.options]
    (shown,) = grids(alone)
    assert np.allclose(shown, cosines(load_encoder(tiny).encode(OWN)), atol=1e-4)
    other = write_tiny(tmp_path / "other", seed=1)
    choose(alone, "right", ELSEWHERE, f" {other} ")
    left, right = grids(compare(alone))
    assert np.allclose(left, shown, atol=1e-6)
    assert np.allclose(right, cosines(load_encoder(other).encode(OWN)), atol=1e-4)
    assert list(alone.vectors()) == [str(tiny), str(other)] and near(alone).count("scope='col'") == 3
    choose(alone, "right", alone.left.value)
    assert len(grids(compare(alone))) == 1 == len(alone.figure().data), "the same encoder twice is one"
    odd = int(np.argmin(shown.sum(axis=1)))
    assert f"“{OWN[odd]}” (mean cosine {(shown[odd].sum() - 1) / 3:.2f} to the others" in alone.words[0]
    choose(alone, "right", ELSEWHERE, tmp_path / "none")
    assert str(tmp_path / "none") in compare(alone).state and alone._news({})["pulse"]["trouble"]
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


def test_what_is_wrong_is_said_in_words() -> None:
    play = lab.playground(["only one"])
    play.compare()
    play.wait(PATIENCE)
    assert "give 2 to 30" in play.state and "Traceback" not in play.state and play._news({})["pulse"]["trouble"]
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
    assert f"of {len(CORPUS)} sentences" in near(alone)
    table = near(alone)

    def never(*_: Any) -> int:
        raise AssertionError("the corpus was encoded again")

    monkeypatch.setattr(encoded_corpus, "_encode", never)
    alone.compare()
    assert near(alone.wait(PATIENCE)) == table and "4 sentences" in alone.state


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

    monkeypatch.setattr(corpus_search, "encoded", held)
    play.compare()
    assert reached.wait(PATIENCE)
    pulse = play._news({})["pulse"]
    assert "6 of 18 sentences of the corpus encoded" in pulse["doing"] and pulse["working"]
    assert (pulse["done"], pulse["total"]) == (6, 18) and len(grids(play)[0]) == 4
    assert not do(play, "stop")
    go_on.set()
    play.wait(PATIENCE)
    assert "Stopped" in play.state and "of 9 sentences" in near(play)
    play.compare()
    play.wait(PATIENCE)
    assert "Stopped" not in play.state and "of 18 sentences" in near(play)
    assert play._news({})["pulse"]["total"] == 0


def test_a_changed_word_moves_the_sentence(alone: lab.Playground, tiny: Path) -> None:
    alone.move()
    assert "change a word" in alone.wait(PATIENCE).state
    assert not do(alone, "edit", text="the cat sat", row=2)
    alone.wait(PATIENCE).move()
    assert "is encoded" in alone.wait(PATIENCE).state and alone.moved is not None
    table = alone.moved.html()
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
    assert not do(alone, "edit", text=OWN[2], row=2)
    assert alone.wait(PATIENCE).moved is None, "back where it was"


def ranks(encoder: Any, text: str, corpus: Any) -> Any:
    """Each sentence's place by its cosine with the text, from 1, and the cosines."""
    found = cosines(encoder.encode([text, *corpus.texts]))[0, 1:]
    places = np.empty(len(found), dtype=int)
    places[np.argsort(-found, kind="stable")] = np.arange(1, len(found) + 1)
    return places, found


def test_two_answers_stand_side_by_side_with_the_rank_that_each_has_in_the_other(
    alone: lab.Playground, tiny: Path, tmp_path: Path
) -> None:
    other = write_tiny(tmp_path / "other", seed=1)
    choose(alone, "right", ELSEWHERE, other)
    compare(alone)
    do(alone, "edit", text="the dog ran", row=2)
    answer = alone.wait(PATIENCE)._news({})["answer"]
    corpus = alone.search.read()
    by = [ranks(load_encoder(folder), "the dog ran", corpus) for folder in (tiny, other)]
    for column, folder, (here, found), (there, _) in zip(
        answer["columns"], (tiny, other), by, reversed(by), strict=True
    ):
        assert column["searched"] == len(CORPUS) and len(column["rows"]) == 10
        np.testing.assert_allclose(column["cosines"], found[column["rows"]], atol=2e-3)
        assert np.abs(here[column["rows"]] - np.arange(1, 11)).max() <= 1, "half precision swaps near equals"
        assert np.abs(there[column["rows"]] - column["there"]).max() <= 1
        then, _ = ranks(load_encoder(folder), OWN[2], corpus)
        assert np.abs(then[column["rows"]] - column["then"]).max() <= 1
        assert not set(column["gone"]) & set(column["rows"]) and all(place > 10 for place in column["gone_to"])
    assert answer["changed"] and answer["texts"][str(answer["columns"][0]["rows"][0])] in CORPUS
    do(alone, "edit", text="a new sentence", row=None)
    new = alone.wait(PATIENCE)._news({})["answer"]
    assert new["row"] == -1 and not new["changed"] and new["columns"][0]["then"] is None


def test_under_one_encoder_a_changed_sentence_stands_beside_what_it_was(alone: lab.Playground) -> None:
    assert len(alone._news({})["answer"]["columns"]) == 1
    do(alone, "edit", text="the dog ran", row=2)
    was, now = alone.wait(PATIENCE)._news({})["answer"]["columns"]
    assert was["title"] == "as it was" and was["past"] and not now["past"]
    for row, place in zip(was["rows"], was["there"], strict=True):
        assert place == (now["rows"].index(row) + 1 if row in now["rows"] else place) and place >= 1


def test_the_sentence_has_its_place_in_the_cloud_of_the_corpus(alone: lab.Playground, tiny: Path) -> None:
    (side,) = alone._news({})["clouds"]["sides"]
    dots, own = (np.frombuffer(side[name], np.float32).reshape(-1, 2) for name in ("dots", "own"))
    unit = load_encoder(tiny).encode([*alone.search.read().texts, *OWN]).astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    basis = PcaBasis.fit(unit[: len(CORPUS)])
    np.testing.assert_allclose(np.concatenate([dots, own]), basis.transform(unit), atol=5e-3)
    do(alone, "edit", text="the dog ran", row=2)
    (part,) = alone.wait(PATIENCE)._news({})["answer"]["sides"]
    np.testing.assert_allclose(part["at"], basis.transform(load_encoder(tiny).encode(["the dog ran"]))[0], atol=5e-3)
    rows = [int(row) for row in part["near"]]
    np.testing.assert_allclose(list(part["near"].values()), dots[rows], atol=1e-3)


def test_of_questions_that_come_while_one_is_answered_the_newest_counts(
    alone: lab.Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on, asked = threading.Event(), threading.Event(), list[str]()
    real = Answers.of

    def held(self: Answers, question: Any) -> Any:
        asked.append(question.text)
        reached.set()
        assert go_on.wait(PATIENCE)
        return real(self, question)

    monkeypatch.setattr(Answers, "of", held)
    do(alone, "edit", text="the", row=2)
    assert reached.wait(PATIENCE)
    for text in ("the d", "the do", "the dog"):
        do(alone, "edit", text=text, row=2)
    go_on.set()
    assert alone.wait(PATIENCE)._news({})["answer"]["text"] == "the dog" and asked == ["the", "the dog"]


def test_a_sentence_is_answered_while_the_corpus_is_encoded(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared_encoders, "kernel_runs", list)
    monkeypatch.setattr(encoded_corpus, "AT_ONCE", 3)
    monkeypatch.setattr(sys.modules["clwork.lab.playground.playground"], "FIRST", 6)
    play = lab.playground(OWN, sentences=CORPUS, encoder=str(tiny))
    real, seen = Answers.of, list[tuple[str, int]]()

    def of(self: Answers, question: Any) -> Any:
        seen.append((question.text, play.search.done))
        return real(self, question)

    class Asking(corpus_search.TimeLeft):
        def at(self, done: int, total: int) -> str:
            if done == 12:  # as if the reader typed now
                do(play, "edit", text="the dog ran", row=2)
            return super().at(done, total)

    monkeypatch.setattr(Answers, "of", of)
    monkeypatch.setattr(corpus_search, "TimeLeft", Asking)
    play.compare()
    play.wait(PATIENCE)
    assert ("the dog ran", 12) in seen and "4 sentences" in play.state


def test_a_page_is_sent_what_it_lacks_and_nothing_twice(alone: lab.Playground) -> None:
    everything = alone._news({})
    known = alone._known_after({}, everything)
    assert set(everything) == {"pulse", *known} and set(alone._news(known)) == {"pulse"}
    do(alone, "edit", text="the dog ran", row=2)
    assert set(alone.wait(PATIENCE)._news(known)) == {"pulse", "answer"}
    do(alone, "read", rows=[3, 999])
    assert alone._news(known)["texts"]["texts"] == {"3": alone.search.read().texts[3]}


def test_what_cannot_be_read_is_a_warning(alone: lab.Playground, tmp_path: Path) -> None:
    assert alone.warnings == []
    compare(alone, "the cat ☃ sat", "a <b>dog</b>", "猫 猫")
    (told,) = alone.warnings
    assert "cannot read 100 % of “猫 猫” (猫); " in told and "25 % of “the cat ☃ sat” (☃)" in told
    page = alone._repr_mimebundle_()[0]["text/html"]
    assert told[:30] in page and "<b>dog" not in page
    choose(alone, "right", ELSEWHERE, "mini")
    assert len(compare(alone).warnings) == 2, "two vocabularies, two warnings"
    choose(alone, "right", ELSEWHERE, write_tiny(tmp_path / "other", seed=1))
    (told,) = compare(alone).warnings
    assert " and " in told.partition("cannot read")[0]


def test_vectors_are_exported_and_nothing_is_overwritten_unasked(
    alone: lab.Playground, tiny: Path, tmp_path: Path
) -> None:
    import pandas as pd

    for ending in ("npy", "parquet"):
        path = tmp_path / f"own.{ending}"
        assert alone.export(path) == path
        table: Any = np.load(path, allow_pickle=False) if ending == "npy" else pd.read_parquet(path)
        assert list(table["sentence"]) == OWN
        np.testing.assert_array_equal(np.stack(list(table[str(tiny)])), load_encoder(tiny).encode(OWN))
        kept = path.read_bytes()
        with pytest.raises(FileExistsError, match="is there already"):
            alone.export(path)
        assert "is there already" in do(alone, "export", path=f" {path} ", replace=False)
        assert path.read_bytes() == kept and not do(alone, "export", path=str(path), replace=True)
        assert alone._news({})["written"]["text"].startswith("Written")
    with pytest.raises(ValueError, match=r"\.npy or \.parquet"):
        alone.export(tmp_path / "own.txt")


def test_sentences_come_from_a_file(alone: lab.Playground) -> None:
    def upload(name: str, content: bytes) -> str:
        return do(alone, "sentences_file", file=name, content=content) or alone.state

    assert "own.txt is read" in upload("own.txt", "\ufeffone\n\n two \r\nthree".encode())
    assert alone.texts() == ["one", "two", "three"]
    assert "no text in UTF-8" in upload("own.txt", b"\xff\xfe1") and "binary" in upload("own.txt", b"a\0b")
    assert "holds no sentence" in upload("own.txt", b"\n \n") and alone.texts() == ["one", "two", "three"]
    assert "first 30 of its 31" in upload("own.txt", "\n".join(map(str, range(31))).encode())
    assert len(alone.texts()) == 30


def test_a_corpus_of_the_reader_s_own_comes_in_pieces_or_by_its_path(tiny: Path, tmp_path: Path) -> None:
    content = "".join(f"{text}\n" for text in CORPUS).encode()
    play = lab.playground(OWN, encoder=str(tiny))
    choose(play, "right", NOTHING)
    choose(play, "left", f"raw:{tiny}")
    halves = {0: content[:100], 100: content[100:]}
    about = {"file": "../../mine.txt", "size": len(content)}
    assert "missing" in do(play, "corpus_file", **about, at=100, piece=halves[100])
    for at, piece in halves.items():
        assert play.search.name == "wikipedia-mini" and not do(play, "corpus_file", **about, at=at, piece=piece)
    assert play.search.name == "mine.txt" and "mine.txt is here" in play.state
    assert sorted(compare(play).search.read().texts) == sorted(CORPUS)
    sent = play._news({})["answer"]["columns"][0]
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    assert not do(play, "corpus", text=str(path), count=2000)
    assert compare(play)._news({})["answer"]["columns"][0] == sent
    assert "10 to 1000000" in do(play, "corpus", text=str(path), count=5).replace(",", "")
    assert "bytes" in do(play, "corpus_file", file="huge.txt", size=1 << 40, at=0, piece=b"a")
    play.close()


class Mapped:
    """Vectors on disk that count what is read of them at once."""

    def __init__(self, vectors: Any) -> None:
        self.vectors, self.read = vectors, list[int]()

    def __len__(self) -> int:
        return len(self.vectors)

    def __getitem__(self, rows: Any) -> Any:
        part = self.vectors[rows]
        self.read.append(len(part))
        return part


@pytest.mark.nightly
def test_memory_grows_by_a_few_bytes_a_sentence_and_the_page_is_sent_no_more(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 50,000 sentences: a question reads each vector once, in parts; cloud and hits are as small as ever."""
    monkeypatch.setattr(corpus_search, "ROWS", 1000)
    rng, words = np.random.default_rng(0), np.array(["the", "cat", "sat", "on", "mat", "dog", "ran", "far"])

    def cost(count: int) -> tuple[int, int, int]:
        corpus = [f"{' '.join(words[rng.integers(0, 8, 3)])} {number}" for number in range(count)]
        play = lab.playground(OWN, sentences=corpus, encoder=str(tiny), searched=count)
        choose(play, "right", NOTHING)
        choose(play, "left", f"raw:{tiny}")
        assert "Stopped" not in compare(play).state
        searched = next(iter(play._last().searched.values()))
        assert isinstance(searched.vectors, np.memmap)
        mapped: Any = Mapped(searched.vectors)
        searched.vectors = mapped
        do(play, "edit", text="the dog", row=2)
        play.wait(PATIENCE)
        assert mapped.read[: 2 * count // 1000] == [1000] * (2 * count // 1000), "as it was, and as it is"
        mapped.read.clear()
        tracemalloc.start()
        do(play, "edit", text="the dog ran", row=2)
        play.wait(PATIENCE)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert mapped.read[:-1] == [1000] * (count // 1000) and mapped.read[-1] <= 2 * 10, "once, and the hits' places"
        news = play._news({})
        play.close()
        return peak, len(news["clouds"]["sides"][0]["dots"]), len(json.dumps(news["answer"]))

    small, large = cost(5_000), cost(50_000)
    assert large[0] - small[0] < 45_000 * 24 < 45_000 * load_encoder(tiny).dim * 2, "less than the vectors on disk"
    assert large[1] == small[1] == 2000 * 8 and large[2] < 2 * small[2]
