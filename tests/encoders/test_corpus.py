"""A corpus as a file of vectors: the encoder's vectors in the corpus's order, resumed after an interrupt."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork.data import sentences
from clwork.encoders import Encoder, corpus, load_encoder

from ..refusals import not_refused
from .conftest import write_tiny

WORDS = ("the", "cat", "sat", "on", "mat", "dog", "ran", "far")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return load_encoder(write_tiny(tmp_path_factory.mktemp("tiny")), device="cpu")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    draw = np.random.default_rng(1)
    return [" ".join(draw.choice(WORDS, size=size)) for size in draw.integers(1, 16, size=300)]


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "WINDOW", 40)


def encoded(encoder: Encoder, source: Any, out: Path, **more: Any) -> np.memmap[Any, Any]:
    return clwork.encode_corpus(encoder, source, out, **{"progress": False, "precision": "float32", **more})


def test_rows_are_the_vectors_in_the_order_of_the_corpus(tiny: Encoder, texts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(texts), encoding="utf-8")
    want = tiny.encode(texts)
    sources: list[Any] = [str(file), file, texts, sentences(file, streaming=True)]
    for number, source in enumerate(sources):
        out = tmp_path / f"{number}.npy"
        found = clwork.encode_corpus(tiny, source, out, precision="float32", progress=bool(number))
        assert isinstance(found, np.memmap) and found.dtype == np.float32 and not found.flags.writeable
        np.testing.assert_allclose(found, want, atol=1e-5)
        assert np.array_equal(np.load(out), found), "any numpy reads it"
    half = encoded(tiny, texts, tmp_path / "half.npy", dtype="float16")
    assert half.dtype == np.float16 and half.nbytes * 2 == found.nbytes
    np.testing.assert_allclose(half, want, rtol=1e-3, atol=1e-3)
    rough = encoded(tiny, texts[:50], tmp_path / "rough.npy", precision="bfloat16")
    alike = torch.cosine_similarity(torch.tensor(rough), torch.tensor(want[:50]))
    assert 1e-5 < np.abs(rough - want[:50]).max() and alike.min() > 0.99


def interrupted(encoder: Encoder, source: Any, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop before the fourth window."""
    calls, real = [0], Encoder.encode

    def encode(self: Encoder, *given: Any) -> Any:
        calls[0] += 1
        if calls[0] > 3:
            raise KeyboardInterrupt
        return real(self, *given)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Encoder, "encode", encode)
        encoded(encoder, source, out)


def test_an_interrupt_loses_at_most_one_window(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = np.array(encoded(tiny, texts, tmp_path / "whole.npy"))
    interrupted(tiny, texts, tmp_path / "x.npy", monkeypatch)
    assert not (tmp_path / "x.npy").exists()
    counts: list[int] = []
    real = Encoder.encode

    def counted(self: Encoder, given: list[str]) -> Any:
        counts.append(len(given))
        return real(self, given)

    monkeypatch.setattr(Encoder, "encode", counted)
    assert np.array_equal(encoded(tiny, texts, tmp_path / "x.npy"), whole), "bit for bit"
    assert sum(counts) == len(whole) - 120
    counts.clear()
    assert np.array_equal(encoded(tiny, texts, tmp_path / "x.npy"), whole) and counts == [], "it is only opened"
    assert sorted(path.name for path in tmp_path.glob("x*")) == ["x.npy", "x.npy.json"]


def test_vectors_of_other_settings_are_not_mixed(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = load_encoder(write_tiny(tmp_path / "other", seed=1), device="cpu")
    interrupted(tiny, texts, tmp_path / "part.npy", monkeypatch)
    encoded(tiny, texts, tmp_path / "whole.npy")
    (tmp_path / "mine.npy").write_text("mine")
    cases: list[Any] = [("foreign", partial(encoded, tiny, texts, tmp_path / "mine.npy"), ValueError, "another path")]
    for out in (tmp_path / "part.npy", tmp_path / "whole.npy"):
        changes: list[Any] = [
            (other, texts, {}),
            (tiny, ["another one", *texts[1:]], {}),
            (tiny, texts[:100], {}),
            (tiny, texts, {"precision": "bfloat16"}),
            (tiny, texts, {"dtype": "float16"}),
        ]
        for encoder, source, settings in changes:
            call = partial(encoded, encoder, source, out, **settings)
            cases.append((f"{out.name} {settings}", call, ValueError, "another encoder, corpus or setting"))
    assert not_refused(cases) == [] and (tmp_path / "mine.npy").read_text() == "mine"


def test_vectors_that_are_not_finite_are_refused(
    tiny: Encoder, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for value, dtype in ((1e6, "float16"), (np.nan, "float32")):
        monkeypatch.setattr(Encoder, "encode", lambda self, given, v=value: np.full((len(given), self.dim), v, "f4"))
        with pytest.raises(ValueError, match=f"not finite in {dtype}"):
            encoded(tiny, texts, tmp_path / f"{dtype}.npy", dtype=dtype)
