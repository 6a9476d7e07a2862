"""What to train on and what to start from: what can be chosen, what is read, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clwork.data import CorpusSource, Sentences
from clwork.data.sources import SOURCES
from clwork.lab.settings.corpus_choice import CorpusChoice, Kept
from clwork.lab.settings.encoder_choice import EncoderChoice


def labels(chosen: CorpusChoice | EncoderChoice) -> list[str]:
    return [option["label"] for option in chosen.options]


def test_the_offline_corpus_is_the_default_and_its_licence_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Sentences(["A cat sleeps.", "Rain falls."])
    mine = CorpusSource("mine", "Mine.", lambda: texts, credit="By <a href='x'>A &amp; B</a>.")
    monkeypatch.setitem(SOURCES, "mine", mine)
    assert CorpusChoice("mine").credit == "By A & B.", "plain text"
    corpus = CorpusChoice()
    assert corpus.read() == "wikipedia-mini" and "CC BY-SA" in corpus.credit
    assert corpus.shown == [] and "36,000 sentences" in corpus.state()["note"]


def test_another_place_is_asked_for_only_when_chosen(tmp_path: Path) -> None:
    corpus = CorpusChoice()
    corpus.choose("elsewhere")
    assert corpus.shown == ["place", "column"] and corpus.credit == ""
    with pytest.raises(ValueError, match="no corpus is named"):
        corpus.read()
    corpus.choose(place=" user/data ")
    assert corpus.read() == corpus.name == "user/data"
    table = tmp_path / "table.csv"
    table.write_text("number,text\n" + "\n".join(f"{i},A sentence with number {i} in it." for i in range(5)) + "\n")
    corpus.choose(place=str(table), column="text")
    assert next(iter(corpus.read())) == "A sentence with number 0 in it."


def test_examples_given_in_the_call_come_first() -> None:
    triplets = [("a", "b", "c")] * 3
    corpus = CorpusChoice(triplets)
    assert labels(corpus)[0] == "given in the call (3 examples)" and corpus.read() is triplets
    assert corpus.kind == "triplets" and corpus.state()["note"] == "The examples of this run."
    assert CorpusChoice("user/data").read() == "user/data"
    assert CorpusChoice("user/data").shown == ["place", "column"]


def test_what_a_run_has_kept_is_read_only_when_it_is_asked_for() -> None:
    read: list[int] = []

    def kept() -> list[str]:
        read.append(1)
        return ["a", "b"]

    corpus = CorpusChoice(Kept("as in one", "pairs", kept))
    assert labels(corpus)[0] == "as in one" and corpus.choice == "kept" and corpus.kind == "pairs" and not read
    assert corpus.read() == ["a", "b"]
    corpus.choose("wikipedia-mini")
    corpus.write("kept")
    assert corpus.choice == "kept"


def test_no_text_names_examples_that_are_not_here() -> None:
    for name in ("given", "kept", "triplets"):
        with pytest.raises(ValueError, match="no text holds the examples"):
            CorpusChoice().write(name)
    corpus = CorpusChoice()
    corpus.write("some file.csv", "text")
    assert (corpus.choice, corpus.place, corpus.column) == ("elsewhere", "some file.csv", "text")
    corpus.write("own text")
    assert (corpus.choice, corpus.place, corpus.column) == ("own text", "some file.csv", "")


def test_an_encoder_by_name_by_object_or_from_an_earlier_run() -> None:
    nothing = EncoderChoice(None, "mini")
    nothing.choose("elsewhere")
    with pytest.raises(ValueError, match="no encoder is named"):
        nothing.read()
    assert EncoderChoice(None, "mini").read() == "mini"
    assert EncoderChoice("some/encoder", "mini").read() == "some/encoder"
    own = SimpleNamespace(name="mine")
    chosen: list[str] = []
    encoder = EncoderChoice(own, "mini", changed=lambda: chosen.append(encoder.choice))
    assert encoder.read() is own and encoder.origin is own
    validated = SimpleNamespace(name="one", folder="runs/one", best={"step": 1})
    encoder.offer([validated, SimpleNamespace(name="two", folder="runs/two", best={})])
    assert labels(encoder) == ["given in the call (mine)", "mini", "best of one", "a folder or hub name …"]
    assert encoder.read() is own, "offering more changes no choice"
    encoder.choose("elsewhere", place="some/encoder")
    assert chosen == ["elsewhere"]
    encoder.offer([validated, SimpleNamespace(name="three", folder="runs/three", best={"step": 1})])
    assert encoder.read() == "some/encoder" and encoder.shown == ["place"] and chosen == ["elsewhere"]
    encoder.offer([])
    assert encoder.read() == "some/encoder" and chosen == ["elsewhere"]


def test_a_run_that_is_no_longer_offered_is_no_longer_chosen() -> None:
    encoder = EncoderChoice(None, "mini")
    encoder.offer([SimpleNamespace(name="one", folder="runs/one", best={"step": 1})])
    encoder.choose("run:runs/one")
    with pytest.raises(ValueError, match="no longer known to this kernel"):
        encoder.read()
    encoder.offer([])
    assert encoder.read() == "mini"


def test_triplets_are_offered_where_the_method_takes_them() -> None:
    assert "triplets" not in [option["value"] for option in CorpusChoice().options]
    corpus = CorpusChoice(accepts=("sentences", "triplets"))
    corpus.choose("triplets")
    assert len(corpus.read()) == 240 and len(corpus.read()[0]) == 3 and corpus.credit == ""


def test_a_method_may_offer_more_encoders() -> None:
    encoder = EncoderChoice(None, "textcnn:glove-6b-50d", ("textcnn:mini", "mini"))
    assert labels(encoder) == ["textcnn:glove-6b-50d", "textcnn:mini", "mini", "a folder or hub name …"]
    assert encoder.read() == "textcnn:glove-6b-50d"
    encoder.choose("textcnn:mini")
    assert encoder.read() == encoder.origin == "textcnn:mini"
    assert EncoderChoice("mini", "textcnn:glove-6b-50d", ("mini",)).choice == "mini"
    file = EncoderChoice("textcnn:my.vec", "textcnn:glove-6b-50d", ("mini",))
    assert file.choice == "elsewhere" and file.read() == "textcnn:my.vec"


def test_own_text_is_a_corpus() -> None:
    corpus = CorpusChoice()
    corpus.choose("own text")
    assert corpus.shown == ["text"]
    with pytest.raises(ValueError, match="at least 2, one a line"):
        corpus.read()
    corpus.choose(text="  A cat sleeps.\n\nRain falls.\n")
    assert corpus.read() == ["A cat sleeps.", "Rain falls."] and "2 sentences" in corpus.state()["note"]
    assert corpus.kind == "sentences" and corpus.credit == ""


def test_a_long_own_text_is_not_sent_back_with_every_change() -> None:
    corpus = CorpusChoice()
    corpus.choose("own text", text="A cat sleeps.\n" * 3)
    assert corpus.state()["text"] == "A cat sleeps.\n" * 3
    corpus.choose(text="A cat sleeps.\n" * 10_000)
    state = corpus.state()
    assert state["text"] is None and "10000 sentences" in state["note"].replace(",", "")
    corpus.choose(column="")
    assert len(corpus.read()) == 10_000, "what the page does not send stays"


def test_an_uploaded_file_is_read_like_any_other() -> None:
    corpus = CorpusChoice()
    corpus.choose("upload")
    assert corpus.shown == ["file", "column"]
    with pytest.raises(ValueError, match="no file was uploaded"):
        corpus.read()
    rows = "\n".join(f"{i},A sentence with number {i} in it.,even" for i in range(5))
    content = f"number,text,topic\n{rows}\n".encode()
    corpus.choose(file=("mine.csv", content))
    read = corpus.read()
    assert read[0] == "A sentence with number 0 in it." and read.labels == ["even"] * 5
    assert read.source == {"source": "list"}, "the run keeps the sentences: the file has no place of its own"
    assert corpus.state()["file"] == "mine.csv" and f"mine.csv ({len(content)} bytes)" == corpus.state()["note"]
    assert json.loads(json.dumps(corpus.state())) == corpus.state(), "the file's bytes are not sent back"
    corpus.choose(column="nothing")
    with pytest.raises(ValueError, match=r"mine\.csv") as caught:
        corpus.read()
    assert "/tmp" not in str(caught.value)


def test_what_no_page_sends_is_refused_and_changes_nothing() -> None:
    for chosen in (CorpusChoice(), EncoderChoice(None, "mini")):
        made: Any = chosen
        before = made.state()
        with pytest.raises(ValueError, match="'nothing' to choose; known: "):
            made.choose("nothing", place="x")
        with pytest.raises(TypeError, match="place=5 is no text"):
            made.choose("elsewhere", place=5)
        assert made.state() == before
