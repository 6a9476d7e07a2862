"""Text files and tables: what is read, and which mistakes are explained."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from clwork.data import sentences

Writer = Callable[[str, list[dict[str, Any]]], Path]
TEXTS = [
    "The cat sleeps.",
    "Él dijo: «sí».",
    "雨が降る。",
    'She said "no", twice.',
    "τ = 0.05; λ → 0",
]


@pytest.mark.parametrize(
    ("newline", "name"), list(product(["\n", "\r\n", "\r"], ["x.txt", "x.txt.gz", "X.TXT"]))
)
def test_plain_text(tmp_path: Path, newline: str, name: str) -> None:
    raw = newline.join(["", *TEXTS, "   ", "last without an end"]).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    read = sentences(str(path))
    assert list(read) == [*TEXTS, "last without an end"]
    assert read.labels is None
    assert read.groups is None


POEM = "\n".join(f"{n} lines without a mark\nand one, {n}, with two" for n in range(30))
# Name and content of a file, arguments, and the sentences.
FINE: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("x.txt", "one\u2028still one\x0c.\ntwo\n", {}, ["one\u2028still one\x0c.", "two"]),
    ("x.txt", "\ufefffine\n", {}, ["fine"]),
    ("x.csv", "\ufeffsentence\nfine\n", {}, ["fine"]),
    (
        "x.csv",
        'satz;topic\n"Eins\nZwei; Ende";a\nkurz;b\n',
        {"column": "satz"},
        ["Eins\nZwei; Ende", "kurz"],
    ),
    ("x.csv", "question,answer\nwhy,because\n", {"column": "Answer"}, ["because"]),
    ("x.csv", "sentence,n\nNone,1\nNA,2\nnull,3\n", {}, ["None", "NA", "null"]),
    (
        "x.csv",
        "score\tsentence\n1\tNo, he said.\n2\tNext; one.\n",
        {},
        ["No, he said.", "Next; one."],
    ),
    ("x.csv", f'sentence,n\n"{POEM}",1\n', {}, [POEM]),
    ("x.tsv", 'n\tsentence\n1\t"No, he said.\n2\tNext.\n', {}, ['"No, he said.', "Next."]),
    ("x.tsv", '"n"\t"sentence"\n1\t"He said ""no""."\n', {}, ['He said "no".']),
    ("x.jsonl", '{"sentence": "2026", "n": 1}\n\n{"n": 2}\n', {}, ["2026"]),
]


@pytest.mark.parametrize(("name", "content", "options", "expected"), FINE)
def test_unusual_files_are_read(
    tmp_path: Path, name: str, content: str, options: dict[str, Any], expected: list[str]
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert list(sentences(tmp_path / name, **options)) == expected


def test_labels_that_look_equal_are_equal_and_missing_ones_are_none(
    tmp_path: Path, jsonl: Writer
) -> None:
    (tmp_path / "x.csv").write_text("sentence,topic\na,x\nb, x\nc,x \n")
    assert sentences(tmp_path / "x.csv").labels == ["x"] * 3
    rows = [("a", 1), ("", 2), (None, 3), ("b", 1.0), ("c", None)]
    read = sentences(jsonl("x.jsonl", [{"text": text, "label": label} for text, label in rows]))
    assert list(read) == ["a", "b", "c"]
    assert read.labels == ["1", "1", None]


MANY = "".join(f"sentence {n},{n}\n" for n in range(5000))
LATIN = b"sentence\n" * 3000 + b"the caf\xe9 is open"
REFUSED: list[tuple[str, bytes | str, str]] = [
    ("x.txt", " \n\n", "no sentence"),
    ("x.csv", "sentence\n\n", "holds no sentence"),
    ("x.jsonl", "\n", "has no rows"),
    ("x.txt", "sentence\n".encode("utf-16"), "not UTF-8"),
    *((name, LATIN, "not UTF-8.*0xe9.*iconv") for name in ("x.txt", "x.csv", "x.tsv", "x.jsonl")),
    ("x.pkl", "{}", "convert it to one of .txt"),
    ("x.txt.gz", gzip.compress(b"word " * 9999, mtime=0)[:40], "is complete"),
    ("y.txt.gz", b"plain text\n", "right ending"),
    ("x.parquet", b"PAR1 and no more", "Parquet.*right ending"),
    ("x.jsonl", "{nonsense\n", "cannot be read"),
    (
        "x.csv",
        f'sentence,n\nfine,1\n"Stray he said,2\n{MANY}',
        "EOF inside string starting at row 2",
    ),
    ("x.csv", "question,answer\nwhy,because\n", r"'question', 'answer'; choose the one.*column="),
    ("x.csv", "The first line is a sentence.\nThe second one too.\n", "begin with a sentence"),
    ("x.csv", "sentence\nwell, this is cut\n", "more fields than the 1 columns.*double quotes"),
    ("x.csv", "sentence\n1, this is cut\n", "more fields than the 1 columns.*double quotes"),
    ("x.csv", "sentence,n\na,1\nb, c,2\n", "Expected 2 fields in line 3"),
]


@pytest.mark.parametrize(("name", "content", "match"), REFUSED)
def test_other_files_are_refused_by_name(
    tmp_path: Path, name: str, content: bytes | str, match: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=match) as caught:
        sentences(path)
    assert name in str(caught.value)


def test_missing_files_and_columns_suggest_similar_names(tmp_path: Path) -> None:
    (tmp_path / "sentences.txt").write_text("x", encoding="utf-8")
    (tmp_path / "x.csv").write_text("number,answer\n1,yes\n")
    with pytest.raises(FileNotFoundError, match=r"sentense\.txt.*did you mean 'sentences\.txt'"):
        sentences(tmp_path / "sentense.txt")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        sentences(str(tmp_path / "nowhere" / "x.txt"))
    with pytest.raises(ValueError, match="is a folder"):
        sentences(tmp_path)
    with pytest.raises(
        ValueError, match=r"'anser' \(did you mean 'answer'\?\).*'number', 'answer'"
    ):
        sentences(tmp_path / "x.csv", column="anser")
