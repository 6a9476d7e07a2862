from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("streaming", [False, True])
def test_tables(tmp_path: Path, ending: str, streaming: bool) -> None:
    found = sentences(write_table(tmp_path, ending), streaming=streaming)
    assert list(found) == TEXTS
    assert found.labels == (None if streaming else LABELS)
    assert found.groups == (None if streaming else list("ABCDE"))


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl"])
def test_compressed_tables(tmp_path: Path, ending: str) -> None:
    path = write_table(tmp_path, ending)
    packed = tmp_path / (path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(sentences(packed)) == TEXTS


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_wrong_column_lists_those_there_are(tmp_path: Path, ending: str) -> None:
    with pytest.raises(ValueError, match=r"no column 'satz'.*'n', 'text', 'label', 'title'"):
        sentences(write_table(tmp_path, ending), column="satz")


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz", "X.TXT"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_plain_text(tmp_path: Path, name: str, newline: str) -> None:
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


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), min_size=1))
def test_any_text_survives_csv_jsonl_and_parquet(tmp_path: Path, texts: list[str]) -> None:
    kept = [text.strip() for text in texts if text.strip()]
    table = pd.DataFrame({"sentence": texts})
    table.to_parquet(tmp_path / "t.parquet")
    table.to_csv(tmp_path / "t.csv", index=False, lineterminator="\n", quoting=1)
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"sentence": t}) + "\n" for t in texts), encoding="utf-8")
    for name in ("t.parquet", "t.csv", "t.jsonl"):
        if kept:
            assert list(sentences(tmp_path / name)) == kept
        else:
            with pytest.raises(ValueError, match="no sentence"):
                sentences(tmp_path / name)


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


@pytest.mark.parametrize("ending", [".txt", ".csv", ".tsv", ".jsonl", ".parquet"])
def test_empty_files(tmp_path: Path, ending: str) -> None:
    refused(tmp_path / f"x{ending}", b"", "empty")


@pytest.mark.parametrize(("name", "content"), [("x.txt", b" \n\n"), ("x.csv", b"sentence\n\n"), ("x.jsonl", b"\n")])
def test_files_without_a_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    refused(tmp_path / name, content, "no sentence")


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_other_kinds_of_file_under_a_known_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    refused(path, b"%PDF-1.7 \xe2\xe3\xcf\xd3", "holds a PDF.*pdftotext")
    refused(path, b"PK\x03\x04 word/document.xml", "zip archive")
    refused(path, b"\xd0\xcf\x11\xe0\xa1", "old Word")
    refused(path, "sentence\n".encode("utf-16"), "UTF-16.*UTF-8")
    refused(path, b"\x7fELF\x02\x01\0\0\0", "binary data")
    refused(path, np.arange(9).tobytes(), "binary data")
    refused(path, b"PAR1....", "Parquet")
    refused(path, b"version https://git-lfs.github.com/spec/v1", "git lfs pull")


def test_a_stream_refuses_a_wrong_file_before_the_loop(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"%PDF-1.7")
    with pytest.raises(ValueError, match="PDF"):
        sentences(tmp_path / "x.txt", streaming=True)
    with pytest.raises(ValueError, match="no column 'satz'"):
        sentences(write_table(tmp_path, ".csv"), column="satz", streaming=True)


def test_a_pdf_by_its_ending(tmp_path: Path) -> None:
    refused(tmp_path / "paper.pdf", b"%PDF-1.7", "pdftotext")


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.tsv", "x.jsonl"])
def test_wrong_encoding_names_the_place_and_the_remedy(tmp_path: Path, name: str) -> None:
    head = b'{"sentence": "caf' if name == "x.jsonl" else b"sentence\n" * 3000 + b"the caf"
    refused(tmp_path / name, head + b"\xe9 is open", "not UTF-8: byte 0xe9 near '.*caf.*iconv")


@pytest.mark.parametrize(
    ("name", "match"),
    [("x.docx", "plain text"), ("x.json", "one JSON object per line"), ("x.pkl", "never opened"), ("x", "'nothing'")],
)
def test_unknown_endings(tmp_path: Path, name: str, match: str) -> None:
    refused(tmp_path / name, b"{}", match)


def test_damaged_files(tmp_path: Path) -> None:
    refused(tmp_path / "x.txt.gz", gzip.compress(b"word " * 9999)[:40], "damaged gzip")
    refused(tmp_path / "y.txt.gz", b"plain text\n", "not gzip-compressed")
    refused(tmp_path / "x.parquet", b"PAR1 and no more", "cannot be read as Parquet")
    refused(tmp_path / "y.jsonl", b'[{"sentence": "a"}]\n', "line 1 holds a list")
    refused(tmp_path / "z.jsonl", b"{nonsense\n", "line 1 is not JSON")


def test_numbers_are_not_sentences(jsonl: Writer) -> None:
    with pytest.raises(ValueError, match=r"line 1: column 'text' holds int \(7\)"):
        sentences(jsonl("x.jsonl", [{"text": 7}]))


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


def test_what_does_not_apply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(ValueError, match="without columns"):
        sentences(tmp_path / "x.txt", column="text")
    with pytest.raises(ValueError, match="no splits"):
        sentences(tmp_path / "x.txt", split="test")


def test_a_large_file_is_read_in_a_few_seconds(tmp_path: Path) -> None:
    path = tmp_path / "large.txt.gz"
    path.write_bytes(gzip.compress(b"A sentence of seven plain words here.\n" * 400_000, compresslevel=1))
    began = time.process_time()
    assert len(list(sentences(path))) == 400_000
    assert time.process_time() - began < 5  # takes about one; ten times that would be a mistake
