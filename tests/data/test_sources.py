"""Corpora with a name, and references to the examples of a run."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from clwork import data
from clwork.data.corpus import StreamedSentences
from clwork.data.sources import CorpusRef
from clwork.run_folder.config import RunConfig


def test_a_named_corpus_is_read_by_its_name_also_as_a_stream() -> None:
    read = data.sentences("wikipedia-mini")
    assert read.source == {"source": "wikipedia-mini"} and "CC BY-SA" in (read.licence or "")
    again = data.sentences(read[5:9].source)
    assert list(again) == list(read[5:9]) and again.labels == read.labels[5:9]  # type: ignore[index]
    stream = data.sentences("wikipedia-mini", streaming=True)
    assert isinstance(stream, StreamedSentences) and list(islice(stream, 9)) == list(read[:9])
    assert stream.fingerprint() == read.fingerprint()
    assert next(iter(data.sentences(stream.source))) == read[0]
    with pytest.raises(ValueError, match="did you mean 'wikipedia-mini'"):
        data.sentences("wikipedia_mini")
    with pytest.raises(ValueError, match="wikipedia-mini has no columns and no splits"):
        data.sentences("wikipedia-mini", column="text")


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


def test_only_public_text_may_be_read_for_a_folder_of_unknown_origin() -> None:
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
    assert outside({"source": "/their/letters.csv", "kind": "triplets"}) == "/their/letters.csv"
    assert outside({"source": "handwritten"}) == "handwritten", "a data set of the hub, for all that is known"
