"""Corpora with a name, and references to the examples of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data
from clwork.data import CorpusSource, Sentences, register_source, sources
from clwork.data.corpus import StreamedSentences
from clwork.data.sources import CorpusRef
from clwork.run_folder.config import RunConfig
from clwork.run_folder.folder import RunFolder


@pytest.fixture
def harbour() -> Iterator[str]:
    """The registered name of a corpus of forty sentences."""
    before = dict(sources.SOURCES)
    texts = [f"Ship {i} came in at dawn." for i in range(40)]
    register_source(
        CorpusSource(
            "harbour-log",
            "Forty lines of a harbour's log.",
            lambda: Sentences(texts, labels=["in", "out"] * 20),
            licence="CC0",
            credit="Sentences: the harbour, CC0.",
        )
    )
    yield "harbour-log"
    sources.SOURCES.clear()
    sources.SOURCES.update(before)


def test_a_registered_corpus_is_read_by_its_name(harbour: str) -> None:
    read = data.sentences(harbour)
    assert (len(read), read.licence, read.source) == (40, "CC0", {"source": "harbour-log"})
    again = data.sentences(read[5:9].source)
    assert list(again) == list(read[5:9]) and again.labels == read.labels[5:9]  # type: ignore[index]
    stream = data.sentences(harbour, streaming=True)
    assert isinstance(stream, StreamedSentences) and list(stream) == list(read)
    assert stream.fingerprint() == read.fingerprint() and list(data.sentences(stream.source)) == list(read)
    with pytest.raises(ValueError, match="did you mean 'harbour-log'"):
        data.sentences("harbour_log")
    with pytest.raises(ValueError, match="harbour-log has no columns and no splits"):
        data.sentences(harbour, column="text")


def test_a_run_stores_the_name_of_a_registered_corpus(harbour: str, tmp_path: Path) -> None:
    short: dict[str, Any] = {"steps": 1, "batch_size": 4, "eval_every": 1, "device": "cpu"}
    run = clwork.train("simcse", sentences=harbour, folder=tmp_path / "run", **short)
    corpus = RunConfig.read(RunFolder(run.folder)).sentences
    assert corpus == CorpusRef({"source": harbour}) and corpus.label == harbour
    assert corpus.kind_of_examples == "sentences"
    assert run.status == "finished"
    named = run.recipe.external()["sentences"]
    assert named.text == harbour, "text that is not public needs its fingerprint"


def test_a_built_in_name_is_refused_and_another_one_replaced(harbour: str) -> None:
    def letters(name: str, key: str = "") -> CorpusSource:
        return CorpusSource(name, "Two letters.", lambda: Sentences(["Dear A.", "Dear B."]), key=key)

    for name, key in (("wikipedia-mini", ""), ("triplets", ""), ("handwritten", ""), ("letters", harbour)):
        with pytest.raises(ValueError, match=r"there is already a corpus .*choose another name"):
            register_source(letters(name, key))
    register_source(letters(harbour))  # as when a cell runs again
    assert list(data.sentences(harbour)) == ["Dear A.", "Dear B."]


STORED = [
    ({"source": {"source": "wikipedia-mini"}}, "wikipedia-mini", "sentences", True),
    ({"source": {"source": "a.csv", "column": "text"}}, "a.csv", "sentences", True),
    ({"source": {"source": "o/n", "split": "test", "streaming": True}}, "o/n", "sentences", False),
    ({"source": {"source": "o/n", "steps": [["sample", 6, 0]]}, "count": 6}, "6 sentences of o/n", "sentences", False),
    ({"source": {"source": "handwritten", "kind": "triplets"}}, "handwritten", "triplets", False),
    ({"file": "sentences.jsonl", "count": 1200}, "1,200 examples of its own", None, False),
    ({"unknown": "a Stream; give it again"}, "a Stream; give it again", None, False),
    ({}, "some sentences of its own", None, False),
]


def test_a_reference_is_written_as_it_was_read(subtests: pytest.Subtests) -> None:
    for stored, label, kind, plain in STORED:
        with subtests.test(stored=stored, label=label, kind=kind):
            reference = CorpusRef.from_json(stored)
            assert reference.to_json() == stored
            assert (reference.label, reference.kind_of_examples, reference.is_plain) == (label, kind, plain)


def test_only_public_text_may_be_read_for_a_folder_of_unknown_origin(harbour: str) -> None:
    def outside(source: dict[str, Any]) -> str | None:
        values: dict[str, Any] = {"steps": 1, "seed": 0, "sts": None, "probe_every": None, "device": None, "config": {}}
        recipe = RunConfig(
            name="run",
            method="simcse",
            encoder="mini",
            sentences=CorpusRef(source),
            eval_every=1,
            checkpoint_every=1,
            **values,
        )
        named = recipe.external().get("sentences")
        return None if named is None else named.text

    assert outside({"source": "wikipedia-mini"}) is None
    assert outside({"source": "handwritten", "kind": "triplets"}) is None
    assert outside({"source": harbour}) == harbour
    assert outside({"source": "/their/letters.csv", "kind": "triplets"}) == "/their/letters.csv"
    assert outside({"source": "handwritten"}) == "handwritten", "a data set of the hub, for all that is known"
