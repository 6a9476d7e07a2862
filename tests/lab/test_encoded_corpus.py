"""Vectors of a corpus, kept on disk: equal to the encoder's, made once, stopped and gone on with."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from clwork.disk import cache_folder
from clwork.encoders import Encoder, load_encoder
from clwork.lab.playground import encoded_corpus
from clwork.lab.playground.compared_encoders import Side
from clwork.lab.playground.compared_sentences import Compared
from clwork.lab.playground.encoded_corpus import Corpus, encoded

from ..encoders.conftest import write_tiny

pytestmark = pytest.mark.nightly

WORDS = ("the", "cat", "sat", "on", "mat", "dog", "ran", "far")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return load_encoder(write_tiny(tmp_path_factory.mktemp("tiny")))


@pytest.fixture
def texts() -> list[str]:
    drawn = np.random.default_rng(1).choice(WORDS, size=(400, 6))
    return list(dict.fromkeys(" ".join(row) for row in drawn))


def counted(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of ``encode`` got, from now on."""
    calls: list[int] = []
    real = Encoder.encode

    def encode(self: Encoder, given: list[str], *more: object, **named: object) -> object:
        calls.append(len(given))
        return real(self, given, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Encoder, "encode", encode)
    return calls


def test_the_kept_vectors_are_the_encoder_s_at_length_one(tiny: Encoder, texts: list[str]) -> None:
    corpus = Corpus.of(texts, 1000)
    heard: list[tuple[int, int]] = []
    kept = encoded(tiny, corpus, lambda done, total: heard.append((done, total)))
    plain = tiny.encode(list(corpus.texts))
    np.testing.assert_allclose(kept, plain / np.linalg.norm(plain, axis=1, keepdims=True), atol=1e-3)
    assert heard == [(0, len(texts)), (256, len(texts)), (len(texts), len(texts))]
    assert isinstance(kept, np.memmap) and sorted(corpus.texts) == sorted(texts)
    (file,) = (cache_folder() / "vectors").glob("*.npy")
    assert np.array_equal(np.load(file, allow_pickle=False), kept), "any numpy reads it"


def test_the_second_time_nothing_is_encoded(
    tiny: Encoder, texts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = np.array(encoded(tiny, Corpus.of(texts, 1000)))
    calls = counted(tiny, monkeypatch)
    assert np.array_equal(encoded(tiny, Corpus.of(texts, 1000)), first) and calls == []
    other = load_encoder(write_tiny(tmp_path / "other", seed=1))
    calls.clear()
    assert not np.allclose(encoded(other, Corpus.of(texts, 1000)), first, atol=1e-2) and sum(calls) == len(texts)
    calls.clear()
    encoded(tiny, Corpus.of([*texts, "a dog"], 1000))
    assert sum(calls) == len(texts) + 1, "another corpus is another file"


def test_a_damaged_file_is_made_anew(tiny: Encoder, texts: list[str]) -> None:
    first = np.array(encoded(tiny, Corpus.of(texts, 1000)))
    (file,) = (cache_folder() / "vectors").glob("*.npy")
    file.write_bytes(file.read_bytes()[:-7])
    assert np.array_equal(encoded(tiny, Corpus.of(texts, 1000)), first)


def test_a_stop_keeps_what_is_done_and_the_next_call_goes_on(
    tiny: Encoder, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoded_corpus, "AT_ONCE", 50)
    corpus, over = Corpus.of(texts, 1000), threading.Event()

    def stop(done: int, total: int) -> None:
        if done == 100:
            over.set()

    begun = np.array(encoded(tiny, corpus, stop, over))
    assert len(begun) == 150, "the part in progress is finished"
    (part,) = (cache_folder() / "vectors").glob("*.part")
    with open(part, "ab") as file:
        file.write(b"abc")  # as a kill in the middle of a row leaves it
    calls = counted(tiny, monkeypatch)
    whole = encoded(tiny, corpus)
    assert sum(calls) == len(texts) - 150 and np.array_equal(whole[:150], begun)
    plain = tiny.encode(list(corpus.texts))
    np.testing.assert_allclose(whole, plain / np.linalg.norm(plain, axis=1, keepdims=True), atol=1e-3)
    assert not part.exists()


def test_stopped_before_the_first_there_are_no_vectors(tiny: Encoder, texts: list[str]) -> None:
    over = threading.Event()
    over.set()
    none = encoded(tiny, Corpus.of(texts, 1000), over=over)
    assert none.shape == (0, tiny.dim)
    side = Side("tiny", tiny)
    compared = Compared.of(["the cat", "a dog"], [side])
    assert "of 0 sentences" in compared.look_up(side, Corpus.of(texts, 1000), none).html()


def test_a_corpus_is_drawn_at_equal_distances_and_shuffled_the_same_each_time(texts: list[str]) -> None:
    corpus = Corpus.of(texts, 100)
    places = sorted(texts.index(text) for text in corpus.texts)
    assert len(places) == 100 and max(np.diff(places)) <= len(texts) // 100 + 1
    assert corpus.texts == Corpus.of(texts, 100).texts != sorted(corpus.texts)
    assert len(Corpus.of(["a", "b", "a"], 3).texts) == 2


def test_the_vectors_used_longest_ago_make_room(
    tiny: Encoder, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = cache_folder() / "vectors"
    encoded(tiny, Corpus.of(texts[:50], 1000))
    (first,) = kept.glob("*.npy")
    (kept / "of somebody else.npy").write_bytes(bytes(9000))
    monkeypatch.setattr(encoded_corpus, "MOST_BYTES", 2 * first.stat().st_size)
    encoded(tiny, Corpus.of(texts[50:100], 1000))
    encoded(tiny, Corpus.of(texts[:50], 1000))  # used again: the other one is older now
    second = next(path for path in kept.glob("?" * 65 + ".npy") if path != first)
    os.utime(second, (1, 1))
    encoded(tiny, Corpus.of(texts[100:150], 1000))
    assert first.exists() and not second.exists()
    assert (kept / "of somebody else.npy").exists()
