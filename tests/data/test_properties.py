"""Properties of every reader: it returns the written data; any bytes are text or raise an error of clwork."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from clwork import data
from clwork.data import Triplets, sentences, triplets
from clwork.data.sources import check_examples

from ..strategies import HOLD, texts, words

FILES = settings(
    HOLD, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # each example writes its own
labels = st.one_of(words.map(str.strip), st.just(""))
Sentences: Any = data.Sentences
rows = st.lists(st.tuples(texts.map(str.strip), labels, labels), min_size=1, max_size=6)


def table(kind: str, found: list[tuple[str, str, str]], path: Path) -> None:
    """Write sentences, topics and articles as a table."""
    columns = pd.DataFrame(found, columns=["sentence", "topic", "article"])
    if kind == "parquet":
        columns.to_parquet(path)
    elif kind == "csv":
        columns.to_csv(path, index=False, lineterminator="\n", quoting=1)
    else:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in columns.to_dict("records"))
        path.write_bytes("".join(lines).encode())


@FILES
@given(found=rows)
def test_tables_round_trip(tmp_path: Path, found: list[tuple[str, str, str]]) -> None:
    for kind in ["csv", "jsonl", "parquet", "jsonl.gz"]:
        note(kind)
        path = tmp_path / f"x.{kind}"
        table(kind.removesuffix(".gz"), found, path)
        if kind.endswith(".gz"):
            path.write_bytes(gzip.compress(path.read_bytes()))
        read = sentences(path)
        assert list(read) == [text for text, _, _ in found]
        assert read.labels == [topic for _, topic, _ in found] and read.groups == [
            article for _, _, article in found
        ]
        assert read.fingerprint() == Sentences(*map(list, zip(*found, strict=True))).fingerprint()
        again, stream = (
            sentences(json.loads(json.dumps(read.source))),
            sentences(path, streaming=True),
        )
        assert again.fingerprint() == read.fingerprint() and list(stream) == list(read)
        assert stream.fingerprint() == sentences(path, streaming=True).fingerprint()


@FILES
@given(found=st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5), cut=st.slices(5))
def test_triplets_round_trip(tmp_path: Path, found: Any, cut: slice) -> None:
    stripped = [tuple(part.strip() for part in row) for row in found]
    pd.DataFrame(found, columns=["premise", "entailment", "contradiction"]).to_parquet(
        tmp_path / "x.parquet"
    )
    read = triplets(tmp_path / "x.parquet")
    assert list(read) == stripped and read.fingerprint() == Triplets(stripped).fingerprint()
    part: Any = sentences(json.loads(json.dumps(read[cut].source)))
    assert list(part) == stripped[cut] and part.fingerprint() == read[cut].fingerprint()


@FILES
@given(
    content=st.one_of(
        st.binary(max_size=60),
        words.map(str.encode),
        rows.map(lambda found: json.dumps(found).encode()),
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
            assert str(path) in str(error)
            continue
        assert len(read) and all(text.strip() == text != "" and "\0" not in text for text in read)
        assert list(sentences(path, streaming=True)) == list(read) and len(read.fingerprint()) == 32


@HOLD
@given(
    found=st.lists(texts, min_size=2, max_size=9, unique=True),
    n=st.integers(0, 2),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_list_is_used_and_left_unchanged(found: list[str], n: int, seed: int) -> None:
    before = list(found)
    for given_as in (
        found,
        tuple(found),
        np.array(found, dtype=object),
        pd.Series(found),
        (text for text in found),
    ):
        assert list(sentences(given_as)) == before
    checked = check_examples(found)
    assert list(checked) == before == found
    drawn = checked.sample(n, seed)
    assert len(drawn) == n and list(drawn) == [text for text in checked if text in list(drawn)]
