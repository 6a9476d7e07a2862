"""Bad word vectors: first lines that lie, files that are none, and files that change."""

from __future__ import annotations

import gzip
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import clwork
from clwork.data import WordVectors, word_vectors

from .table import Case, hold, refused, table, taken

read: Any = word_vectors
THREE = "the 1 2\ncat 3 4\ndog 5 6\n"


def text(content: str | bytes, name: str = "x.vec", **more: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(folder / name, **more)

    return call


def packed(header: str, *words: bytes, width: int = 2, end: bytes = b"", **more: Any) -> Callable[[Path], Any]:
    """Reads a binary file of these words."""
    rows = b"".join(word + b" " + struct.pack(f"<{width}f", *range(width)) + b"\n" for word in words)
    return text(header.encode() + b"\n" + rows + end, "x.bin", **more)


def made(name: str, make: Callable[[Path], Any]) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        make(folder / name)
        return read(folder / name)

    return call


def changed(folder: Path) -> Any:
    """The same size, the same moment of the clock: read again all the same."""
    path = folder / "x.vec"
    path.write_text("1 2\nthe 1 2\n")
    first = read(path)
    told = path.stat()
    path.write_text("1 2\nthe 7 2\n")
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    again = read(path)
    return first.table[0, 0], again.table[0, 0], first.fingerprint() == again.fingerprint()


def elsewhere(folder: Path) -> Any:
    """One relative name in two working directories is two files."""
    before = Path.cwd()
    found = []
    try:
        for number in (1, 2):
            (folder / str(number)).mkdir()
            os.chdir(folder / str(number))
            Path("x.vec").write_text(f"1 2\nthe {number} 0\n")
            found.append(read("x.vec"))
    finally:
        os.chdir(before)
    return [float(one.table[0, 0]) for one in found], Path(found[0].source).is_absolute()


def since_saved(folder: Path) -> Any:
    """An encoder whose word vectors were changed since they were fingerprinted."""
    path = folder / "x.vec"
    path.write_text("3 2\n" + THREE)
    clwork.load_encoder(f"textcnn:{path}", device="cpu").save(folder / "saved")
    path.write_text("3 2\n" + THREE.replace("6", "7"))
    return clwork.load_encoder(folder / "saved", device="cpu")


NAMES = [
    refused("None", TypeError, "vectors are NoneType .*; give 'glove-6b-50d' or a file", lambda _: read(None)),
    refused("a number", TypeError, "vectors are int", lambda _: read(5)),
    refused("a list", TypeError, "vectors are list", lambda _: read(["x.vec"])),
    refused("an array", TypeError, "vectors are ndarray", lambda _: read(np.ones((2, 3)))),
    refused(
        "blank",
        ValueError,
        "is no file of word vectors: give 'glove-6b-50d', or a file in .txt, .vec, .bin",
        lambda _: read(""),
    ),
    refused("no ending", ValueError, "glove-6b-300d is no file of word vectors", lambda _: read("glove-6b-300d")),
    refused("compressed", ValueError, "is no file of word vectors.*unpack it first", lambda _: read("x.vec.gz")),
    refused(
        "not there",
        FileNotFoundError,
        "there is no file .*nowhere.vec; give 'glove-6b-50d', a file, or",
        lambda f: read(f / "nowhere.vec"),
    ),
    refused("a folder", ValueError, "is a folder; name a file in it", made("x.vec", Path.mkdir)),
    refused("a pipe", ValueError, "is a pipe, a socket or a device", made("x.bin", os.mkfifo)),
    refused(
        "an endless device",
        ValueError,
        "is a pipe, a socket or a device",
        made("x.txt", lambda path: path.symlink_to("/dev/zero")),
    ),
    refused("links in a loop", ValueError, "cannot be looked up", made("x.vec", lambda path: path.symlink_to(path))),
    refused(
        "a link to nothing",
        FileNotFoundError,
        "is a link to nowhere.vec",
        made("x.vec", lambda path: path.symlink_to("nowhere.vec")),
    ),
    refused(
        "half a row", TypeError, "limit=1.5 is float; give an int of at least 1", text("2 2\na 1 2\nb 1 2\n", limit=1.5)
    ),
    refused("a limit in words", TypeError, "limit='2' is str", text(THREE, limit="2")),
    refused("a limit true", TypeError, "limit=True is bool", text(THREE, limit=True)),
    refused("no limit", TypeError, "limit=None is NoneType", text(THREE, limit=None)),
    refused(
        "a limit below 1", ValueError, "limit=-5 is out of range; give an int of at least 1", text(THREE, limit=-5)
    ),
    refused(
        "by hand, of float64",
        TypeError,
        "own: the table is array of float64; give a float32 array",
        lambda _: WordVectors(("a",), np.ones((1, 2)), "own"),  # type: ignore[arg-type]
    ),
    refused(
        "by hand, in a list",
        TypeError,
        "own: the table is list; give a float32 array",
        lambda _: WordVectors(("a",), [[1.0]], "own"),  # type: ignore[arg-type]
    ),
    refused(
        "by hand, without words",
        TypeError,
        "own: the words are .1, 2.; give a tuple of str",
        lambda _: WordVectors((1, 2), np.ones((2, 2), np.float32), "own"),  # type: ignore[arg-type]
    ),
    taken("numpy's limit", text("3 2\n" + THREE, limit=np.int64(2)), lambda found: len(found.words) == 2),
]

LIES = [
    refused(
        "cut off",
        ValueError,
        "promises 5 words in its first line, and ends after 3; copy or download",
        text("5 2\n" + THREE),
    ),
    refused(
        "cut off within the limit",
        ValueError,
        "promises 9 words in its first line, and ends after 3",
        text("9 2\n" + THREE, limit=5),
    ),
    refused(
        "more than promised",
        ValueError,
        "promises 2 words in its first line, and goes on after them",
        text("2 2\n" + THREE),
    ),
    refused(
        "narrower than it is",
        ValueError,
        "line 2: more than the 1 numbers that the first line promises",
        text("3 1\n" + THREE),
    ),
    refused(
        "wider than it is",
        ValueError,
        "line 2: 'the 1 2.*' is not a word and 3 numbers|line 2: 2 numbers, where",
        text("3 3\n" + THREE),
    ),
    refused("of no width", ValueError, "line 2: 0 numbers, where the first line promises 0", text("3 0\n" + THREE)),
    refused("of no words", ValueError, "promises 0 words in its first line, and goes on", text("0 2\n" + THREE)),
    refused("of no words, truly", ValueError, "holds no word vectors; check how it was written", text("0 2\n")),
    refused(
        "5,000 digits",
        ValueError,
        "line 2: more than the 1 numbers that the first line has",
        text("9" * 5000 + " 2\n" + THREE),
    ),
    refused("digits that are none", ValueError, "line 1: .* is not a word and 1 numbers", text("³ ²\n" + THREE)),
    refused(
        "two lines become one",
        ValueError,
        "line 2: more than the 2 numbers that the first line has",
        text("the 1 2\ncat 3 4 dog 5 6\n", "x.txt"),
    ),
    refused(
        "a line torn",
        ValueError,
        "line 3: 1 numbers, where the first line promises 2",
        text("3 2\nthe 1 2\ncat 3\ndog 5 6\n"),
    ),
    refused(
        "a word for a number",
        ValueError,
        "line 3: 'cat 3 four.*' is not a word and 2 numbers",
        text("3 2\nthe 1 2\ncat 3 four\ndog 5 6\n"),
    ),
    refused("NaN", ValueError, "holds NaN or infinity among its vectors; it is damaged", text("1 2\nthe nan 2\n")),
    refused("too large for float32", ValueError, "NaN or infinity", text("1 2\nthe 1e400 2\n")),
    refused("a number of 5,000 digits", ValueError, "NaN or infinity", text("1 2\nthe " + "9" * 5000 + " 2\n")),
    refused(
        "Latin-1",
        ValueError,
        "is not UTF-8: 1 of 3 words cannot be read, such as 'caf.'; convert it",
        text("3 2\nthe 1 2\ncafé 3 4\ndog 5 6\n".encode("latin-1")),
    ),
    refused("UTF-16", ValueError, "text in UTF-16.*save it as UTF-8", text(("3 2\n" + THREE).encode("utf-16"))),
    refused(
        "binary under a name for text",
        ValueError,
        "binary data|is not a word and",
        text(b"3 2\nthe " + struct.pack("<2f", 1, 2) * 3),
    ),
    refused(
        "text under a name for binary",
        ValueError,
        "begin like word2vec's binary|ends within word",
        text(THREE, "x.bin"),
    ),
    refused(
        "a pointer to a large file",
        ValueError,
        "git lfs pull",
        text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
    ),
    refused("empty", ValueError, "holds no word vectors", text(b"")),
    refused(
        "binary, cut off",
        ValueError,
        "ends within word 3 of the 5 that it promises; copy",
        packed("5 2", b"the", b"cat"),
    ),
    refused(
        "binary, more than promised",
        ValueError,
        "promises 1 word in its first line, and goes on",
        packed("1 2", b"the", b"cat"),
    ),
    refused(
        "binary, wider than the file",
        ValueError,
        "promises words of 99999999999 numbers, each longer than the whole",
        packed("2 99999999999", b"the", b"cat"),
    ),
    refused(
        "binary, narrower than it is",
        ValueError,
        "goes on after them|ends within|NaN|not UTF-8",
        packed("2 1", b"the", b"cat"),
    ),
    refused("binary without a blank", ValueError, "word 1 has no end within 1000 bytes", packed("1 2", b"x" * 5000)),
    refused("binary in Latin-1", ValueError, "is not UTF-8: 1 of 2 words", packed("2 2", b"caf\xe9", b"the")),
    refused(
        "binary header of 5,000 digits", ValueError, "does not begin like word2vec's", packed("9" * 5000 + " 2", b"the")
    ),
    refused(
        "an encoder's vectors changed on disk",
        ValueError,
        "was trained on other word vectors than .* now holds",
        since_saved,
    ),
    taken("changed on disk", changed, lambda found: found == (1.0, 7.0, False)),
    taken("the same name elsewhere", elsewhere, lambda found: found == ([1.0, 2.0], True)),
    taken(
        "a byte order mark in the first word", text("\ufeff" + THREE, "x.txt"), lambda found: found.words[0] == "the"
    ),
    taken(
        "a byte order mark before the first line",
        text("\ufeff3 2\n" + THREE),
        lambda found: found.words == ("the", "cat", "dog"),
    ),
    taken(
        "compressed without saying so",
        text(gzip.compress(THREE.encode()), "x.txt"),
        lambda found: len(found.words) == 3,
    ),
    taken("a word with blanks", text("2 2\n. . . 1 2\nthe 3 4\n"), lambda found: found.words[0] == ". . ."),
    taken(
        "one broken word in two hundred",
        text(b"caf\xe9 1 2\n" + b"the 1 2\n" * 199, "x.txt"),
        lambda found: len(found.words) == 200,
    ),
    taken("fewer than promised, within the limit", text("9 2\n" + THREE, limit=2), lambda found: len(found.words) == 2),
    taken("blank lines", text("3 2\n\n" + THREE + "\n\n"), lambda found: len(found.words) == 3),
]


@table(*NAMES, *LIES)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)


def test_a_tensor_of_what_was_read_is_that_of_the_file(tmp_path: Path) -> None:
    """A guard on the table above: the plain file is read as it is written."""
    found = text("3 2\n" + THREE)(tmp_path)
    assert torch.from_numpy(found.table).tolist() == [[1, 2], [3, 4], [5, 6]] and found.words == ("the", "cat", "dog")
