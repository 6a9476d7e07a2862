from __future__ import annotations

import csv
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
LABELS = ["animal", "speech", "weather", "speech", "maths"]
TABLES = (".csv", ".tsv", ".jsonl", ".parquet")


def test_plain_text(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for newline, name in product(["\n", "\r\n", "\r"], ["x.txt", "x.txt.gz", "X.TXT"]):
        with subtests.test(newline=newline, name=name):
            raw = newline.join(["", *TEXTS, "   ", "last without an end"]).encode()
            path = tmp_path / name
            path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
            assert list(sentences(str(path))) == [*TEXTS, "last without an end"]
            assert list(sentences(path, streaming=True)) == [*TEXTS, "last without an end"]
            assert sentences(path).labels is None and sentences(path).groups is None


POEM = "\n".join(f"{n} lines without a mark\nand one, {n}, with two" for n in range(30))
MANY = "".join(f"sentence {n},{n}\n" for n in range(5000))
FINE: list[tuple[str, str, dict[str, Any], list[str]]] = [
    (
        "x.txt",
        "one\u2028still one\x0cand still\ntwo\n",
        {},
        ["one\u2028still one\x0cand still", "two"],
    ),
    ("x.txt", "\ufefffine\n", {}, ["fine"]),
    ("x.csv", "\ufeffsentence\nfine\n", {}, ["fine"]),
    (
        "x.csv",
        'satz;topic\n"Eins\nZwei; Ende";a\nkurz;b\n',
        {"column": "satz"},
        ["Eins\nZwei; Ende", "kurz"],
    ),
    ("x.csv", "question,answer\nwhy,because\n", {"column": "answer"}, ["because"]),
    ("x.csv", "sentence,n\nNone,1\nNA,2\nnull,3\n", {}, ["None", "NA", "null"]),
    (
        "x.csv",
        "score\tsentence\n1\tNo, he said.\n2\tNext; one.\n",
        {},
        ["No, he said.", "Next; one."],
    ),
    ("x.csv", f'sentence,n\n"{POEM}",1\n', {}, [POEM]),
    (
        "x.tsv",
        'score\tsentence\n1\t"No, he said.\n2\tNext one.\n',
        {},
        ['"No, he said.', "Next one."],
    ),
]


def test_reading_changes_no_setting_of_the_process(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    (tmp_path / "x.csv").write_text("sentence,n\nfine,1\n")
    assert list(sentences(tmp_path / "x.csv")) == ["fine"] and csv.field_size_limit() == before


def test_unusual_files_are_read(tmp_path: Path, jsonl: Writer, subtests: pytest.Subtests) -> None:
    for name, content, options, expected in FINE:
        with subtests.test(content=content):
            (tmp_path / name).write_text(content, encoding="utf-8")
            assert list(sentences(tmp_path / name, **options)) == expected
    cells: list[tuple[str | None, int | None]] = [("a", 1), ("", 2), (None, 3), ("b", None)]
    found = sentences(jsonl("x.jsonl", [{"text": text, "label": label} for text, label in cells]))
    assert list(found) == ["a", "b"] and found.labels == ["1", ""], (
        "rows without a sentence are left out"
    )


REFUSED: list[tuple[str, bytes | str, str]] = [
    *((f"x{ending}", b"", "empty") for ending in (".txt", *TABLES)),
    *(
        (name, content, "no sentence")
        for name, content in (("x.txt", " \n\n"), ("x.csv", "sentence\n\n"), ("x.jsonl", "\n"))
    ),
    ("x.csv", b"%PDF-1.7 \xe2\xe3\xcf\xd3", "not UTF-8.*binary data"),
    ("x.txt", "sentence\n".encode("utf-16"), "not UTF-8.*UTF-16"),
    (
        "x.txt",
        "今天天气很好，我们去公园吧。\n".encode("gb18030") * 9,
        "not UTF-8.*GB18030.*iconv -f ENCODING",
    ),
    (
        "x.txt",
        "今日は天気がいい。\n".encode("shift-jis") * 9,
        "not UTF-8.*Shift-JIS.*iconv -f ENCODING",
    ),
    *(
        (
            f"x{ending}",
            b"sentence\n" * 3000 + b"the caf\xe9 is open",
            "not UTF-8: byte 0xe9 near '.*caf.*iconv",
        )
        for ending in (".txt", ".csv", ".tsv")
    ),
    ("x.pkl", b"{}", "never opened"),
    ("x.txt.gz", gzip.compress(b"word " * 9999)[:40], "no complete gzip file"),
    ("y.txt.gz", b"plain text\n", "no complete gzip file.*correct its ending"),
    ("x.parquet", b"PAR1 and no more", "cannot be read as Parquet"),
    ("z.jsonl", b"{nonsense\n", "line 1 is not JSON"),
    ("x.jsonl", b'{"text": "a"}\n{"txt": "b"}\n', "line 2: no column 'text', only 'txt'"),
    ("x.csv", f'sentence,n\nfine,1\n"Stray he said,2\n{MANY}', "line 3: unexpected end of data"),
    (
        "x.csv",
        'sentence,n\nfine,1\n"Stray,2\na,3\n"b, b",4\n',
        "line 3: ',' expected after '\"' in the row",
    ),
    ("x.csv", "question,answer\nwhy,because\n", r"'question', 'answer'; choose the one.*column="),
    ("x.csv", "The first line is a sentence.\nThe second one too.\n", "begin with a sentence"),
    (
        "x.csv",
        "sentence,label\nwell, this is cut,a\n",
        r"line 2: 3 fields.*2 columns.*double quotes",
    ),
]


def test_other_files_are_refused_by_name(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, content, match) in enumerate(REFUSED):
        with subtests.test(name=name, match=match):
            path = tmp_path / str(number) / name
            path.parent.mkdir()
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            for streaming in (False, True):
                with pytest.raises(ValueError, match=match) as caught:
                    list(sentences(path, streaming=streaming))
                assert name in str(caught.value)


def test_missing_files_suggest_similar_names(tmp_path: Path) -> None:
    (tmp_path / "sentences.txt").write_text("x", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"sentense\.txt.*did you mean sentences\.txt"):
        sentences(tmp_path / "sentense.txt")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        sentences(str(tmp_path / "nowhere" / "x.txt"))
    with pytest.raises(ValueError, match="is a folder"):
        sentences(tmp_path)
