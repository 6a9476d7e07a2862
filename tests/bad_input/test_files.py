"""Bad files: other formats, other encodings, damaged, no files at all, and tables that contradict themselves."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from clwork import data

from .table import Case, hold, refused, table, taken, within

FEW = ["A cat sleeps.", "Rain falls.", "A dog barks."]
TABLE = pa.table({"sentence": FEW, "label": ["a", "b", "a"]})


def read(path: Path, **more: Any) -> Any:
    """The sentences of a file; read whole and as a stream, which must agree."""
    found, stream = data.sentences(path, **more), data.sentences(path, streaming=True, **more)
    assert list(found) == list(stream)
    return found


def file(name: str, content: bytes | str, **more: Any) -> Callable[[Path], Any]:
    """Reads a file of that name and content."""

    def call(folder: Path) -> Any:
        path = folder / name
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return read(path, **more)

    return call


def jsonl(*lines: str) -> Callable[[Path], Any]:
    return file("x.jsonl", "\n".join(['{"sentence": "fine"}', *lines]) + "\n")


def columns(*names: str, **more: Any) -> Callable[[Path], Any]:
    """Reads a Parquet table with columns of these names."""

    def call(folder: Path) -> Any:
        path = folder / "x.parquet"
        parquet.write_table(pa.Table.from_arrays([pa.array(FEW)] * len(names), names=list(names)), path)
        return read(path, **more)

    return call


def written(found: Any) -> Callable[[Path], Any]:
    """Reads a Parquet table that pandas or pyarrow wrote."""

    def call(folder: Path) -> Any:
        path = folder / "x.parquet"
        found.to_parquet(path) if isinstance(found, pd.DataFrame) else parquet.write_table(found, path)
        return read(path)

    return call


def damaged(change: Callable[[bytearray], Any]) -> Callable[[Path], Any]:
    """Reads a Parquet table of which some bytes were changed."""

    def call(folder: Path) -> Any:
        path = folder / "x.parquet"
        parquet.write_table(TABLE, path)
        content = bytearray(path.read_bytes())
        change(content)
        path.write_bytes(content)
        return read(path)

    return call


def zeros(content: bytearray) -> None:
    content[20:60] = bytes(40)


def footer(content: bytearray) -> None:
    content[-40:-12] = b"\xff" * 28


def link(name: str, target: str) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        (folder / name).symlink_to(target)
        return read(folder / name)

    return call


def pipe(name: str) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        os.mkfifo(folder / name)
        return read(folder / name)

    return call


def below(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def moved(folder: Path) -> Any:
    """A stream over a relative path goes on after the working directory has changed."""
    (folder / "x.txt").write_text("\n".join(FEW))
    before = Path.cwd()
    try:
        os.chdir(folder)
        stream = data.sentences("x.txt", streaming=True)
        os.chdir("/")
        return list(stream), list(data.sentences(stream.source))
    finally:
        os.chdir(before)


def linked(folder: Path) -> Any:
    """A link to a file without an ending, as stores of large files have it, is read again by its .source."""
    (folder / "0a1b2c").write_text("\n".join(FEW))
    (folder / "x.txt").symlink_to("0a1b2c")
    return list(data.sentences(data.sentences(folder / "x.txt").source))


def gone(folder: Path) -> Any:
    (folder / "x.txt").write_text("\n".join(FEW))
    stream = data.sentences(folder / "x.txt", streaming=True)
    (folder / "x.txt").unlink()
    return list(stream)


DEEP = '{"sentence": ' + "[" * 100_000 + "]" * 100_000 + "}"

NO_FILES = [
    refused("a folder", ValueError, "is a folder; name one file in it", lambda f: read(f)),
    refused("a folder with the ending", ValueError, "is a folder", lambda f: read(below(f, "x.txt"))),
    refused("a pipe", ValueError, "is a pipe, a socket or a device.*copy what it gives into a file", pipe("x.txt")),
    refused("a pipe of lines", ValueError, "is a pipe", pipe("x.jsonl")),
    refused("an endless device", ValueError, "is a pipe, a socket or a device", link("x.txt", "/dev/zero")),
    refused("noise without end", ValueError, "is a pipe, a socket or a device", link("x.parquet", "/dev/urandom")),
    refused("nothing without end", ValueError, "is a pipe, a socket or a device", link("x.csv", "/dev/null")),
    refused("a device by its name", ValueError, "is a pipe, a socket or a device", lambda _: read(Path("/dev/zero"))),
    refused(
        "links in a loop",
        ValueError,
        "cannot be looked up .*links.*check its name and its links",
        link("x.txt", "x.txt"),
    ),
    refused(
        "a link to nothing",
        FileNotFoundError,
        "is a link to nowhere.txt, which is not there",
        link("x.txt", "nowhere.txt"),
    ),
    refused(
        "a file as a folder",
        FileNotFoundError,
        "there is no file",
        lambda f: (f / "a").write_text("x") and read(f / "a" / "x.txt"),
    ),
    refused("an empty file", ValueError, r"is empty \(0 bytes\); check how it was written", file("x.txt", b"")),
    refused("nothing but blanks", ValueError, "holds no sentence", file("x.txt", " \n\t\n\u3000\n")),
    refused("a stream whose file is gone", FileNotFoundError, "is not there any more; put it back", gone),
    refused("no ending", ValueError, "ends in 'nothing'; read are .txt", file("sentences", "one\n")),
    refused("another ending", ValueError, "ends in '.xlsx'.*save the sheet as CSV", file("x.xlsx", "one\n")),
    refused(
        "a compressed table of another kind",
        ValueError,
        "ends in '.parquet'; read are .txt",
        file("x.parquet.gz", b"x"),
    ),
]

CONTENTS = [
    refused("Latin-1", ValueError, "is not UTF-8: byte 0xe9 .*iconv", file("x.txt", "un café\n".encode("latin-1"))),
    refused(
        "Latin-1 late",
        ValueError,
        "is not UTF-8: byte 0xe9 .*iconv",
        file("x.csv", b"sentence\n" + b"word\n" * 9999 + b"caf\xe9\n"),
    ),
    refused("UTF-16", ValueError, "UTF-16.*save it as UTF-8", file("x.txt", "one\n".encode("utf-16"))),
    refused(
        "UTF-16 without a mark", ValueError, "zero byte.*save it as UTF-8", file("x.txt", "one\n".encode("utf-16-le"))
    ),
    refused("UTF-32", ValueError, "UTF-16|zero byte", file("x.txt", "one\n".encode("utf-32"))),
    refused("surrogates in UTF-8", ValueError, "is not UTF-8: byte 0xed", file("x.txt", "a\ud83d\n")),
    refused("an early zero", ValueError, "binary data .a zero byte near its start", file("x.txt", b"a\0b\n")),
    refused(
        "a late zero",
        ValueError,
        "binary data .a zero byte in its (line|sentence) 3000.*save it as UTF-8",
        file("x.txt", b"word\n" * 2999 + b"a\0b\n"),
    ),
    refused(
        "a late zero in a table",
        ValueError,
        "line 3001 holds a zero character.*take it out",
        file("x.csv", b"sentence\n" + b"word\n" * 2999 + b"a\0b\n"),
    ),
    refused("an escaped zero", ValueError, "line 2 holds a zero character", jsonl('{"sentence": "a\\u0000b"}')),
    refused(
        "a lone surrogate",
        ValueError,
        "line 2 holds .*ud800.*half of a character.*repair",
        jsonl('{"sentence": "a\\ud800"}'),
    ),
    refused(
        "a lone surrogate in a label",
        ValueError,
        "label holds .*half of a character",
        file("x.jsonl", '{"sentence": "a", "label": "\\udfff"}\n'),
    ),
    refused(
        "cut gzip",
        ValueError,
        "damaged gzip data.*download it again",
        file("x.txt.gz", gzip.compress(b"word " * 9999)[:-9]),
    ),
    refused(
        "changed gzip",
        ValueError,
        "damaged gzip data",
        file("x.txt.gz", gzip.compress(os.urandom(999).hex().encode())[:200] + b"\0" * 99),
    ),
    refused("no gzip", ValueError, "ends in .gz but is not gzip", file("x.jsonl.gz", b'{"sentence": "a"}\n')),
    refused(
        "gzip in gzip",
        ValueError,
        "gzip data within gzip data.*unpack it once",
        file("x.txt.gz", gzip.compress(gzip.compress(b"one\n"))),
    ),
    refused("bzip2", ValueError, "a bzip2 archive.*unpack", file("x.txt", bz2.compress(b"one\n"))),
    refused("xz", ValueError, "an xz archive.*unpack", file("x.txt", lzma.compress(b"one\n"))),
    taken("a byte order mark", file("x.txt", b"\xef\xbb\xbfone\n"), lambda found: list(found) == ["one"]),
    taken(
        "a byte order mark before a header",
        file("x.csv", b"\xef\xbb\xbfsentence\none\n"),
        lambda found: list(found) == ["one"],
    ),
    taken("compressed without saying so", file("x.txt", gzip.compress(b"one\ntwo\n")), lambda found: len(found) == 2),
    taken("a stream that is moved from", moved, lambda found: found == (FEW, FEW)),
    taken("a link to a store", linked, lambda found: found == FEW),
]

TABLES = [
    refused(
        "a column twice in .csv",
        ValueError,
        "more than one column 'sentence' .*rename all but one",
        file("x.csv", "sentence,sentence\na,b\n"),
    ),
    refused(
        "a column twice in .tsv",
        ValueError,
        "more than one column 'label'",
        file("x.tsv", "sentence\tlabel\tlabel\na\tb\tc\n"),
    ),
    refused(
        "a column twice in .jsonl",
        ValueError,
        "line 2 is not JSON .the name 'sentence' comes twice.*rename",
        jsonl('{"sentence": "a", "sentence": "b"}'),
    ),
    refused(
        "a column twice in .parquet", ValueError, "more than one column 'sentence'", columns("sentence", "sentence")
    ),
    refused("no columns at all", ValueError, "is empty; its first line must name the columns", file("x.csv", "\n\n")),
    refused("a header of commas", ValueError, "its first line must name the columns", file("x.csv", ",,\na,b,c\n")),
    refused(
        "too many fields",
        ValueError,
        "line 2: 3 fields where the first line names 2.*double quotes",
        file("x.csv", "sentence,label\na,b,c\n"),
    ),
    refused(
        "too few fields",
        ValueError,
        "line 2: 1 field where the first line names 2",
        file("x.csv", "sentence,label\na\n"),
    ),
    refused(
        "a quotation mark left open",
        ValueError,
        "unexpected end of data; a field in double quotes must close",
        file("x.csv", 'sentence,label\n"a,b\nc,d\n'),
    ),
    refused(
        "a quotation mark closed in a word",
        ValueError,
        "line 2: .*a field in double quotes must close them before ','",
        file("x.csv", 'sentence,label\n"a" b,c\n'),
    ),
    refused("which column", ValueError, "which column .*'a', 'b'; choose with column=", file("x.csv", "a,b\nc,d\n")),
    refused(
        "numbers for sentences",
        ValueError,
        r"line 2: column 'sentence' holds int \(5\), not text",
        jsonl('{"sentence": 5}'),
    ),
    refused(
        "a number of 5,000 digits",
        ValueError,
        "line 2 is not JSON .*4300 digits",
        jsonl('{"sentence": ' + "9" * 5000 + "}"),
    ),
    refused("an object for a sentence", ValueError, "column 'sentence' holds dict", jsonl('{"sentence": {"a": 1}}')),
    refused("true for a sentence", ValueError, r"column 'sentence' holds bool \(True\)", jsonl('{"sentence": true}')),
    refused("NaN for a sentence", ValueError, r"column 'sentence' holds float \(nan\)", jsonl('{"sentence": NaN}')),
    refused("deep brackets", ValueError, "line 2 is not JSON .*recursion", jsonl(DEEP)),
    refused("cut in the middle of a line", ValueError, "line 2 is not JSON", jsonl('{"sentence": "a')),
    refused(
        "one JSON document",
        ValueError,
        "line 1 holds a list where an object",
        file("x.jsonl", json.dumps([{"sentence": "a"}])),
    ),
    refused(
        "an indented JSON document",
        ValueError,
        "line 1 is not JSON.*one object on each line",
        file("x.jsonl", json.dumps({"sentence": "a"}, indent=1)),
    ),
    refused("a line without the column", ValueError, "line 2: no 'sentence', only 'text'", jsonl('{"text": "a"}')),
    refused("an empty object", ValueError, "line 2: no 'sentence'", jsonl("{}")),
    taken(
        "an open field of 5,000 digits",
        file("x.csv", "sentence,label\n" + "9" * 5000 + ",a\n"),
        lambda found: len(found[0]) == 5000,
    ),
    taken(
        "a NaN label is missing",
        file("x.jsonl", '{"sentence": "a", "label": NaN}\n{"sentence": "b", "label": 1}\n'),
        lambda found: found.labels == ["", "1"],
    ),
    taken(
        "a label that is null is missing",
        file("x.jsonl", '{"sentence": "a", "label": null}\n'),
        lambda found: found.labels == [""],
    ),
    taken("columns without a name", file("x.csv", "sentence,,\na,b,c\n"), lambda found: list(found) == ["a"]),
    taken("rows without a sentence", file("x.csv", "sentence,label\n,a\nb,c\n"), lambda found: found.labels == ["c"]),
]

PARQUET = [
    refused(
        "cut",
        ValueError,
        "cannot be read as Parquet .*is it complete",
        damaged(lambda content: content.__delitem__(slice(-99, None))),
    ),
    refused("not Parquet", ValueError, "cannot be read as Parquet", file("x.parquet", b"PAR1" * 9)),
    refused("text", ValueError, "cannot be read as Parquet", file("x.parquet", b"one\ntwo\n" * 99)),
    refused("changed pages", ValueError, "cannot be read as Parquet|holds", damaged(zeros)),
    refused("changed footer", ValueError, "cannot be read as Parquet", damaged(footer)),
    refused("no rows", ValueError, "holds no sentence in its rows", written(TABLE.slice(0, 0))),
    refused("no text in it", ValueError, "column 'n' holds int", written(pd.DataFrame({"n": [1, 2]}))),
    refused("bytes in it", ValueError, "column 'sentence' holds bytes", written(pa.table({"sentence": [b"a", b"b"]}))),
    refused("lists in it", ValueError, "column 'sentence' holds list", written(pa.table({"sentence": [["a"], ["b"]]}))),
    taken(
        "NaN labels of pandas",
        written(pd.DataFrame({"sentence": ["a", "b"], "label": [float("nan"), 2.0]})),
        lambda found: found.labels == ["", "2.0"],
    ),
    taken(
        "categories of pandas",
        written(pd.DataFrame({"sentence": ["a", "b"], "label": pd.Categorical(["x", "y"])})),
        lambda found: found.labels == ["x", "y"],
    ),
    taken(
        "times beside them",
        written(pa.table({"sentence": ["a"], "at": pa.array([1], pa.timestamp("ns"))})),
        lambda found: list(found) == ["a"],
    ),
]


@table(*NO_FILES, *CONTENTS, *TABLES, *PARQUET)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)


@pytest.mark.parametrize("ending", ["parquet", "jsonl.gz", "csv"])
def test_a_file_damaged_anywhere_is_read_or_refused_by_us(tmp_path: Path, ending: str) -> None:
    """Every so many bytes one is changed, or the rest cut off: never a third party's error, never endless."""
    path = tmp_path / f"x.{ending}"
    frame = TABLE.to_pandas()
    writers = {"parquet": frame.to_parquet, "csv": frame.to_csv}
    if ending in writers:
        writers[ending](path)
    else:
        path.write_bytes(gzip.compress(frame.to_json(orient="records", lines=True).encode()))
    whole = path.read_bytes()
    refusals = 0
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        for content in (whole[:place], whole[:place] + bytes([whole[place] ^ 0xA5]) + whole[place + 1 :]):
            path.write_bytes(content)
            try:
                with within(10):
                    data.sentences(path)
            except ValueError as error:
                refusals += 1
                assert str(path) in str(error)
    assert refusals > 30, "the damage is seen at all"
