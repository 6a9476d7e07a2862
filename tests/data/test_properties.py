"""Properties of every reader: it returns the written data; any bytes are text or an error."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from clwork.data import Sentences, sentences
from clwork.data.sources import checked_examples

from ..strategies import HOLD, texts, words

# Each example writes its own files.
FILES = settings(HOLD, suppress_health_check=[HealthCheck.function_scoped_fixture])
labels = st.one_of(words.map(str.strip), st.just(""))
rows = st.lists(st.tuples(texts.map(str.strip), labels, labels), min_size=1, max_size=6)


def write_table(kind: str, content: list[tuple[str, str, str]], path: Path) -> None:
    """Write sentences, topics and articles as a table."""
    columns = pd.DataFrame(content, columns=["sentence", "topic", "article"])
    if kind == "parquet":
        columns.to_parquet(path)
    elif kind == "csv":
        columns.to_csv(path, index=False, lineterminator="\n", quoting=1)
    else:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in columns.to_dict("records"))
        path.write_bytes("".join(lines).encode())


@FILES
@given(content=rows)
def test_tables_round_trip(tmp_path: Path, content: list[tuple[str, str, str]]) -> None:
    texts, *marks = zip(*content, strict=True)
    # An empty cell is a missing label.
    labels, groups = ([mark or None for mark in column] for column in marks)
    expected = Sentences(list(texts), labels, groups)
    for kind in ["csv", "jsonl", "parquet", "jsonl.gz"]:
        note(kind)
        path = tmp_path / f"x.{kind}"
        write_table(kind.removesuffix(".gz"), content, path)
        if kind.endswith(".gz"):
            path.write_bytes(gzip.compress(path.read_bytes()))
        read = sentences(path)
        assert (list(read), read.labels, read.groups) == (
            list(expected),
            expected.labels,
            expected.groups,
        )
        assert read.fingerprint() == expected.fingerprint()
        again = sentences(json.loads(json.dumps(read.source)))
        assert again.fingerprint() == read.fingerprint()


@FILES
@given(
    content=st.one_of(
        st.binary(max_size=60),
        words.map(str.encode),
        rows.map(lambda table: json.dumps(table).encode()),
    )
)
def test_any_bytes_are_sentences_or_an_error_that_names_the_file(
    tmp_path: Path, content: bytes
) -> None:
    for name in ["x.txt", "x.csv", "x.tsv", "x.jsonl", "x.parquet", "x.txt.gz"]:
        note(name)
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        try:
            read = sentences(path)
        except ValueError as error:
            names_the_file = str(path) in str(error)
            assert names_the_file
            continue
        assert len(read)
        assert all(text.strip() == text != "" for text in read)


@HOLD
@given(content=st.lists(texts, min_size=2, max_size=9, unique=True))
def test_a_list_is_used_and_left_unchanged(content: list[str]) -> None:
    before = list(content)
    array = np.array(content, dtype=object)
    for examples in (content, tuple(content), array, pd.Series(content), iter(before)):
        assert list(sentences(examples)) == before
    assert list(checked_examples(content)) == before == content
