"""Corpora with a name, and references to the examples of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pytest

import clwork
from clwork import data
from clwork.data.sources import CorpusRef, checked_examples


def test_a_named_corpus_is_read_by_its_name_also_as_a_stream() -> None:
    read = data.sentences("wikipedia-mini")
    assert read.source == {"source": "wikipedia-mini"}
    again = data.sentences(read[5:9].source)
    assert list(again) == list(read[5:9])
    assert again.labels == read.labels[5:9]  # type: ignore[index]
    with pytest.raises(ValueError, match="did you mean 'wikipedia-mini'"):
        data.sentences("wikipedia_mini")
    with pytest.raises(ValueError, match="wikipedia-mini has no columns"):
        data.sentences("wikipedia-mini", column="text")


STORED: list[tuple[dict[str, Any], str, str | None, bool]] = [
    ({"source": {"source": "wikipedia-mini"}}, "wikipedia-mini", "sentences", True),
    ({"source": {"source": "a.csv", "column": "text"}}, "a.csv", "sentences", False),
    ({"source": {"source": "o/n", "split": "test"}}, "o/n", "sentences", False),
    (
        {"source": {"source": "o/n", "steps": [["sample", 6, 0]]}, "count": 6},
        "6 sentences of o/n",
        "sentences",
        False,
    ),
    ({"file": "sentences.jsonl", "count": 1200}, "1,200 examples of its own", None, False),
    ({}, "some sentences of its own", None, False),
]


def test_a_reference_is_written_as_it_was_read(subtests: pytest.Subtests) -> None:
    for stored, label, kind, plain in STORED:
        with subtests.test(stored=stored, label=label, kind=kind):
            reference = CorpusRef(**stored)
            assert reference.to_json() == stored
            assert (reference.label, reference.kind_of_examples, reference.is_plain) == (
                label,
                kind,
                plain,
            )


TABLE = datasets.Dataset.from_dict({"sentence": ["A cat.", "A dog."], "topic": ["pet", "pet"]})


def test_a_data_set_its_columns_and_its_splits() -> None:
    assert (
        list(data.sentences(TABLE["sentence"]))
        == list(data.sentences(TABLE))
        == ["A cat.", "A dog."]
    )
    assert list(checked_examples(TABLE["sentence"])) == ["A cat.", "A dog."]
    for read in (data.sentences, checked_examples):
        with pytest.raises(
            ValueError,
            match=r"does not say where .*, or one split of a data set, such as data\['train'\]",
        ):
            read(datasets.DatasetDict(train=TABLE, test=TABLE))


def test_a_table_without_a_likely_column_names_the_call(tmp_path: Path) -> None:
    """The call that raises may be ``clwork.train``, which has no column."""
    (tmp_path / "two.csv").write_text("id,comment\n1,a cat\n")
    with pytest.raises(ValueError, match=r"clwork\.data\.sentences\(\.\.\., column='comment'\)"):
        clwork.train("simcse", sentences=str(tmp_path / "two.csv"))
