"""A corpus as a file of vectors: equal to the encoder's, in constant memory, gone on with after a kill, never mixed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from filelock import FileLock

import clwork
from clwork.data import sentences
from clwork.data.corpus import StreamedSentences
from clwork.encoders import Encoder, encode_corpus, load_encoder
from clwork.encoders.disk.vector_file import HEADER, VectorFile

from ..refusals import not_refused
from .conftest import write_tiny

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "ran", "far")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tiny(folder: Path) -> Encoder:
    return load_encoder(folder, device="cpu")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    draw = np.random.default_rng(1)
    return [" ".join(draw.choice(WORDS, size=size)) for size in draw.integers(1, 16, size=300)]


@pytest.fixture
def file(tmp_path: Path, texts: list[str]) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def quiet(encoder: Encoder, source: Any, out: Path, **more: Any) -> np.memmap[Any, Any]:
    return encode_corpus(encoder, source, out, **{"window": 40, "progress": False, **more})


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of ``encode`` gets from now on."""
    calls: list[int] = []
    real = Encoder.encode

    def encode(self: Encoder, given: list[str], *more: Any) -> Any:
        calls.append(len(given))
        return real(self, given, *more)

    monkeypatch.setattr(Encoder, "encode", encode)
    return calls


def stopping(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """``encode`` is interrupted when it is called the next time after so many calls."""
    calls, real = [0], Encoder.encode

    def encode(self: Encoder, *given: Any) -> Any:
        calls[0] += 1
        if calls[0] > after:
            raise KeyboardInterrupt
        return real(self, *given)

    monkeypatch.setattr(Encoder, "encode", encode)


def test_rows_are_the_encoder_s_in_the_order_of_the_file(
    tiny: Encoder, texts: list[str], file: Path, tmp_path: Path
) -> None:
    found = clwork.encode_corpus(tiny, file, tmp_path / "x.npy", window=40, progress=False)
    assert isinstance(found, np.memmap) and found.dtype == np.float32 and not found.flags.writeable
    np.testing.assert_allclose(found, tiny.encode(texts), atol=1e-5)
    assert np.array_equal(np.load(tmp_path / "x.npy"), found), "any numpy reads it"
    about = json.loads((tmp_path / "x.npy.json").read_text())
    assert (about["rows"], about["encoder"]) == (len(texts), tiny.fingerprint())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sentences.txt", "x.npy", "x.npy.json"]


def test_whatever_gives_sentences_can_be_encoded(tiny: Encoder, texts: list[str], file: Path, tmp_path: Path) -> None:
    kinds: dict[str, Any] = {
        "list": texts,
        "stream": sentences(file, streaming=True),
        "name": str(file),
        "source": sentences(file)[:40].source,
        "own stream": StreamedSentences(lambda: iter(texts), {"source": "mine"}),
    }
    for kind, given in kinds.items():
        found = quiet(tiny, given, tmp_path / f"{kind}.npy", progress=True)
        count = 40 if kind == "source" else len(texts)
        np.testing.assert_allclose(found, tiny.encode(texts[:count]), atol=1e-5, err_msg=kind)


def test_half_precision_halves_the_file_and_bfloat16_is_near(
    tiny: Encoder, texts: list[str], file: Path, tmp_path: Path
) -> None:
    whole = quiet(tiny, file, tmp_path / "a.npy")
    half = quiet(tiny, file, tmp_path / "b.npy", dtype="float16")
    rough = quiet(tiny, file, tmp_path / "c.npy", precision="bfloat16")
    assert half.dtype == np.float16 and half.nbytes * 2 == whole.nbytes
    np.testing.assert_allclose(half, whole, rtol=1e-3, atol=1e-3)
    alike = torch.cosine_similarity(torch.tensor(rough), torch.tensor(whole))
    assert 1e-5 < np.abs(rough - whole).max() and alike.min() > 0.99
    assert json.loads((tmp_path / "c.npy.json").read_text())["precision"] == "bfloat16"


def test_an_interrupt_costs_a_window_and_the_next_call_ends_alike(
    tiny: Encoder, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = np.array(quiet(tiny, file, tmp_path / "whole.npy"))
    with monkeypatch.context() as patch:
        stopping(patch, after=3)
        with pytest.raises(KeyboardInterrupt):
            quiet(tiny, file, tmp_path / "x.npy")
    part = tmp_path / "x.npy.part"
    assert not (tmp_path / "x.npy").exists() and VectorFile(part, tiny.dim, "float32").rows == 120
    with open(part, "ab") as torn:
        torn.write(bytes(7 + 4 * tiny.dim))  # a kill in the middle of a write leaves a row and a half
    calls = counted(monkeypatch)
    assert np.array_equal(quiet(tiny, file, tmp_path / "x.npy"), whole), "to the bit"
    assert sum(calls) == len(whole) - 120 and not part.exists()
    calls.clear()
    assert np.array_equal(quiet(tiny, file, tmp_path / "x.npy"), whole) and calls == [], "a whole file is opened"


def test_one_window_is_in_memory(tiny: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a corpus that is made while it is read, no more sentences are drawn than a window before they are encoded."""
    drawn, ahead = [0], [0]

    def read() -> Iterator[str]:
        for number in range(500):
            drawn[0] += 1
            yield f"the cat {'sat ' * (number % 7)}"

    calls, real = counted(monkeypatch), Encoder.encode

    def encode(self: Encoder, *given: Any) -> Any:
        ahead[0] = max(ahead[0], drawn[0] - sum(calls))
        return real(self, *given)

    monkeypatch.setattr(Encoder, "encode", encode)
    found = quiet(tiny, StreamedSentences(read, {"source": "made"}), tmp_path / "x.npy", window=30)
    assert len(found) == 500 and ahead[0] == 30


def test_vectors_of_other_settings_are_not_mixed(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither into a complete file nor into one that was interrupted."""
    other = load_encoder(write_tiny(tmp_path / "other", seed=1))
    given = "begun with {0}='float32', and here it is '{1}'; give {0}='float32'"
    cases: list[Any] = []
    for part in ("whole", "part"):
        out = tmp_path / f"{part}.npy"
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt) if part == "part" else nullcontext():
            if part == "part":
                stopping(patch, after=3)
            quiet(tiny, texts, out, precision="float32")
        cases += [
            (f"encoder, {part}", partial(quiet, other, texts, out), ValueError, "vectors of another encoder"),
            (
                f"precision, {part}",
                partial(quiet, tiny, texts, out, precision="bfloat16"),
                ValueError,
                given.format("precision", "bfloat16"),
            ),
            (
                f"dtype, {part}",
                partial(quiet, tiny, texts, out, dtype="float16"),
                ValueError,
                given.format("dtype", "float16"),
            ),
            (
                f"source, {part}",
                partial(quiet, tiny, ["another one", *texts[1:]], out),
                ValueError,
                "does not begin with its",
            ),
            (f"shorter, {part}", partial(quiet, tiny, texts[:100], out), ValueError, "does not begin with its"),
        ]
    assert not_refused(cases) == []


def test_a_source_that_grew_is_refused_when_the_file_is_whole_and_taken_before(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet(tiny, texts, tmp_path / "x.npy")
    with pytest.raises(ValueError, match="more than its 300 sentences now"):
        quiet(tiny, [*texts, "a dog"], tmp_path / "x.npy")
    with monkeypatch.context() as patch:
        stopping(patch, after=2)
        with pytest.raises(KeyboardInterrupt):
            quiet(tiny, texts, tmp_path / "y.npy")
    longer = quiet(tiny, [*texts, "a dog"], tmp_path / "y.npy")
    np.testing.assert_allclose(longer, tiny.encode([*texts, "a dog"]), atol=1e-5)


def test_what_is_not_of_it_is_left_alone(tiny: Encoder, texts: list[str], tmp_path: Path) -> None:
    for name, words in (
        ("x.npy", "no x.npy.json says"),
        ("x.npy.part", "no x.npy.json says"),
        ("x.npy.json", "not written by"),
    ):
        own = tmp_path / name.replace(".", "-")
        own.mkdir()
        (own / name).write_text("mine")
        with pytest.raises(FileExistsError, match=words):
            quiet(tiny, texts, own / "x.npy")
        assert (own / name).read_text() == "mine" and len(list(own.iterdir())) == 1


def test_a_file_that_was_cut_is_named_and_a_lost_part_begun_anew(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = np.array(quiet(tiny, texts, tmp_path / "x.npy"))
    os.truncate(tmp_path / "x.npy", HEADER + 80)
    with pytest.raises(ValueError, match="damaged: it should have 300 rows; delete it"):
        quiet(tiny, texts, tmp_path / "x.npy")
    (tmp_path / "x.npy").unlink()
    assert np.array_equal(quiet(tiny, texts, tmp_path / "x.npy"), whole)
    with monkeypatch.context() as patch:
        stopping(patch, after=3)
        with pytest.raises(KeyboardInterrupt):
            quiet(tiny, texts, tmp_path / "y.npy")
    os.truncate(tmp_path / "y.npy.part", HEADER + 80)
    assert np.array_equal(quiet(tiny, texts, tmp_path / "y.npy"), whole)


def test_two_do_not_write_one_file(tiny: Encoder, texts: list[str], tmp_path: Path) -> None:
    with FileLock(tmp_path / "x.npy.lock"), pytest.raises(RuntimeError, match="being written by another process"):
        quiet(tiny, texts, tmp_path / "x.npy")


def test_vectors_that_no_file_should_hold_are_refused(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def huge(self: Encoder, given: list[str], *more: Any) -> Any:
        return np.full((len(given), self.dim), value, dtype=np.float32)

    monkeypatch.setattr(Encoder, "encode", huge)
    value = 1e6
    with pytest.raises(ValueError, match=r"hold 1e\+06, and float16 reaches only to 6.55e\+04; give dtype='float32'"):
        quiet(tiny, texts, tmp_path / "x.npy", dtype="float16")
    value = np.nan
    with pytest.raises(ValueError, match="gives NaN or infinity"):
        quiet(tiny, texts, tmp_path / "y.npy")


def test_precision_is_the_machine_s_own_where_nothing_is_said(
    tiny: Encoder, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clwork.precision.abilities", lambda: {"avx512_bf16"})
    quiet(tiny, file, tmp_path / "x.npy")
    assert json.loads((tmp_path / "x.npy.json").read_text())["precision"] == "bfloat16"
    rough = np.array(quiet(tiny, file, tmp_path / "rough.npy", precision="bfloat16"))
    with monkeypatch.context() as patch:
        stopping(patch, after=3)
        with pytest.raises(KeyboardInterrupt):
            quiet(tiny, file, tmp_path / "y.npy")
    monkeypatch.setattr("clwork.precision.abilities", set)  # another machine: it ends as it was begun
    assert np.array_equal(quiet(tiny, file, tmp_path / "y.npy"), rough)
