from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clwork.data import sentences

Writer = Callable[[str, list[dict[str, Any]]], Path]
TEXTS = ["The cat sleeps.", "Él dijo: «sí».", "雨が降る。", 'She said "no", twice.', "τ = 0.05; λ → 0"]
LABELS = ["animal", "speech", "weather", "speech", "maths"]


def write_table(folder: Path, ending: str) -> Path:
    path = folder / f"table{ending}"
    table = pd.DataFrame({"n": range(5), "text": TEXTS, "label": LABELS, "title": list("ABCDE")})
    if ending == ".csv":
        table.to_csv(path, index=False)
    elif ending == ".tsv":
        table.to_csv(path, sep="\t", index=False)
    elif ending == ".parquet":
        table.to_parquet(path)
    else:
        table.to_json(path, orient="records", lines=True, force_ascii=False)
    return path


def test_tables(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for streaming, ending in product([False, True], [".csv", ".tsv", ".jsonl", ".parquet"]):
        with subtests.test(streaming=streaming, ending=ending):
            found = sentences(write_table(tmp_path, ending), streaming=streaming)
            assert list(found) == TEXTS
            assert found.labels == (None if streaming else LABELS)
            assert found.groups == (None if streaming else list("ABCDE"))


def test_compressed_tables(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for ending in [".csv", ".tsv", ".jsonl"]:
        with subtests.test(ending=ending):
            path = write_table(tmp_path, ending)
            packed = tmp_path / (path.name + ".gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            assert list(sentences(packed)) == TEXTS


def test_a_wrong_column_lists_those_there_are(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for ending in [".csv", ".tsv", ".jsonl", ".parquet"]:
        with subtests.test(ending=ending):
            with pytest.raises(ValueError, match=r"no column 'satz'.*'n', 'text', 'label', 'title'"):
                sentences(write_table(tmp_path, ending), column="satz")


def test_plain_text(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for newline, name in product(["\n", "\r\n", "\r"], ["x.txt", "x.txt.gz", "X.TXT"]):
        with subtests.test(newline=newline, name=name):
            raw = newline.join(["", *TEXTS, "   ", "last without an end"]).encode()
            path = tmp_path / name
            path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
            assert list(sentences(str(path))) == [*TEXTS, "last without an end"]
            assert list(sentences(path, streaming=True)) == [*TEXTS, "last without an end"]
            assert sentences(path).labels is None and sentences(path).groups is None


def test_a_line_separator_inside_a_sentence_does_not_split_it(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("one\u2028still one\x0cand still\ntwo\n", encoding="utf-8")
    assert len(sentences(path)) == 2


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    for name in ("x.txt", "x.csv"):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + ("sentence\nfine\n" if name == "x.csv" else "fine\n").encode())
        assert list(sentences(tmp_path / name)) == ["fine"]


def test_semicolons_and_embedded_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('satz;topic\n"Zeile eins\nZeile zwei; Ende";a\nkurz;b\n', encoding="utf-8")
    found = sentences(path, column="satz")
    assert list(found) == ["Zeile eins\nZeile zwei; Ende", "kurz"] and found.labels == ["a", "b"]


def test_lone_quotation_marks_in_tsv_swallow_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text('score\tsentence\n1\t"No, he said.\n2\tNext one.\n', encoding="utf-8")
    assert list(sentences(path)) == ['"No, he said.', "Next one."]


def test_rows_without_a_sentence_are_left_out_with_their_labels(jsonl: Writer) -> None:
    cells: list[tuple[str | None, int | None]] = [("a", 1), ("", 2), (None, 3), ("b", None)]
    rows = [{"text": text, "label": label} for text, label in cells]
    found = sentences(jsonl("x.jsonl", rows))
    assert list(found) == ["a", "b"] and found.labels == ["1", ""]


def test_ambiguous_columns_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("question,answer\nwhy,because\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"which column.*'question', 'answer'.*column="):
        sentences(path)
    assert list(sentences(path, column="answer")) == ["because"]


def test_a_table_without_a_header_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("The first line is a sentence.\nThe second one too.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="begin with a sentence"):
        sentences(path)


def test_unquoted_commas_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("sentence,label\nwell, this is cut,a\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 2: 3 fields.*2 columns.*double quotes"):
        sentences(path)


def refused(path: Path, content: bytes, match: str, kind: type[Exception] = ValueError) -> None:
    path.write_bytes(content)
    with pytest.raises(kind, match=match) as caught:
        sentences(path)
    assert path.name in str(caught.value)  # every message says which file
    with pytest.raises(kind, match=match):
        list(sentences(path, streaming=True))


def test_empty_files(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for ending in [".txt", ".csv", ".tsv", ".jsonl", ".parquet"]:
        with subtests.test(ending=ending):
            refused(tmp_path / f"x{ending}", b"", "empty")


def test_files_without_a_sentence(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, content in [("x.txt", b" \n\n"), ("x.csv", b"sentence\n\n"), ("x.jsonl", b"\n")]:
        with subtests.test(name=name, content=content):
            refused(tmp_path / name, content, "no sentence")


def test_other_kinds_of_file_under_a_known_name(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in ["x.txt", "x.csv", "x.jsonl"]:
        with subtests.test(name=name):
            path = tmp_path / name
            refused(path, b"%PDF-1.7 \xe2\xe3\xcf\xd3", "holds a PDF.*pdftotext")
            refused(path, b"PK\x03\x04 word/document.xml", "zip archive")
            refused(path, b"\xd0\xcf\x11\xe0\xa1", "old Word")
            refused(path, "sentence\n".encode("utf-16"), "UTF-16.*UTF-8")
            refused(path, b"\x7fELF\x02\x01\0\0\0", "binary data")
            refused(path, np.arange(9).tobytes(), "binary data")
            refused(path, b"PAR1....", "Parquet")
            refused(path, b"version https://git-lfs.github.com/spec/v1", "git lfs pull")


def test_wrong_encoding_names_the_place_and_the_remedy(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in ["x.txt", "x.csv", "x.tsv", "x.jsonl"]:
        with subtests.test(name=name):
            head = b'{"sentence": "caf' if name == "x.jsonl" else b"sentence\n" * 3000 + b"the caf"
            refused(tmp_path / name, head + b"\xe9 is open", "not UTF-8: byte 0xe9 near '.*caf.*iconv")


def test_unknown_endings(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, match in [
        ("x.docx", "plain text"),
        ("x.json", "one JSON object per line"),
        ("x.pkl", "never opened"),
        ("x", "'nothing'"),
    ]:
        with subtests.test(name=name, match=match):
            refused(tmp_path / name, b"{}", match)


def test_damaged_files(tmp_path: Path) -> None:
    refused(tmp_path / "x.txt.gz", gzip.compress(b"word " * 9999)[:40], "damaged gzip")
    refused(tmp_path / "y.txt.gz", b"plain text\n", "not gzip-compressed")
    refused(tmp_path / "x.parquet", b"PAR1 and no more", "cannot be read as Parquet")
    refused(tmp_path / "y.jsonl", b'[{"sentence": "a"}]\n', "line 1 holds a list")
    refused(tmp_path / "z.jsonl", b"{nonsense\n", "line 1 is not JSON")


def test_a_row_without_the_column(jsonl: Writer) -> None:
    with pytest.raises(ValueError, match="line 2: no 'text', only 'txt'"):
        sentences(jsonl("x.jsonl", [{"text": "a"}, {"txt": "b"}]))


def test_missing_files_suggest_neighbours(tmp_path: Path) -> None:
    (tmp_path / "sentences.txt").write_text("x", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"sentense\.txt.*did you mean sentences\.txt"):
        sentences(tmp_path / "sentense.txt")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        sentences(str(tmp_path / "nowhere" / "x.txt"))
    with pytest.raises(ValueError, match="is a folder"):
        sentences(tmp_path)
