"""Families of transformers' encoders: the vectors that transformers computes for each text alone, or a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import clwork
from clwork import methods
from clwork.encoders import load_encoder
from clwork.encoders.encoder import Vectors
from clwork.training.loop import explain

from .conftest import SIZES, TEXTS, WORDS, _spread, write_tiny, write_tokenizer
from .test_interop import by_sentence_transformers

LONG = [
    *TEXTS,
    "the [PAD] cat [PAD] sat",
    "cat " * 50,
]  # in a RoBERTa, a token with the padding id has no position
SENTENCES = [
    f"a good day {end}" + " and a hot day" * (number % 4) for number, end in enumerate("abcdefgh")
]
FAMILIES: dict[str, dict[str, Any]] = {  # settings in addition to BERT's
    "roberta": {},
    "xmod": {"languages": ["en_XX"], "default_language": "en_XX"},
    "luke": {"entity_vocab_size": 9, "entity_emb_size": 8},
    "fnet": {},
    "mobilebert": {"embedding_size": 8, "intra_bottleneck_size": 8, "num_feedforward_networks": 1},
    "convbert": {"embedding_size": 16, "conv_kernel_size": 3},
    "deberta-v2": {"conv_kernel_size": 3, "conv_act": "gelu", "relative_attention": True},
    "squeezebert": {
        "embedding_size": 16,
        **{f"{x}_groups": 2 for x in ("q", "k", "v", "intermediate", "output")},
    },
    "layoutlm": {},
    "modernbert": {
        "local_attention": 4,
        **{f"{name}_token_id": 2 for name in ("cls", "sep", "bos", "eos")},
    },
    "longformer": {"attention_window": [8, 8]},
}
METHODS = dict(
    zip(("xmod", "modernbert", "mobilebert", "fnet", "longformer"), methods.names(), strict=True)
)
SEE_PADDING = ("convbert", "fnet", "mobilebert")
SKIP_A_POSITION = ("longformer", "luke", "roberta", "xmod")  # that of the padding id


def write_family(folder: Path, kind: str, given: dict[str, Any]) -> Path:
    torch.manual_seed(0)
    shared = {"vocab_size": len(WORDS), "pad_token_id": 0, "max_position_embeddings": 24}
    config = transformers.AutoConfig.for_model(kind, **{**SIZES, **shared, **given})
    auto: Any = transformers.AutoModel
    _spread(auto.from_config(config)).save_pretrained(folder)
    write_tokenizer(folder)
    return folder


def alone(folder: Path, texts: list[str], length: int) -> Vectors:
    """By transformers: the mean of each text's last hidden state, computed without padding."""
    model: Any = transformers.AutoModel.from_pretrained(folder)
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    rows = [
        tokenizer(text, truncation=True, max_length=length, return_tensors="pt")["input_ids"]
        for text in texts
    ]
    with torch.no_grad():
        return np.concatenate([model.eval()(row).last_hidden_state.mean(1).numpy() for row in rows])


@pytest.mark.parametrize("kind", FAMILIES)
def test_vectors_are_those_of_transformers_and_every_kind_trains(kind: str, tmp_path: Path) -> None:
    folder = write_family(tmp_path / "model", kind, FAMILIES[kind])
    encoder = load_encoder(folder, pooling="mean", device="cpu")
    assert encoder.max_length == 24 - (kind in SKIP_A_POSITION)
    want = alone(folder, LONG, encoder.max_length)
    close: dict[str, Any] = {"rtol": 0, "atol": 1e-5 * np.abs(want).max()}
    np.testing.assert_allclose(encoder.encode(LONG), want, **close)
    encoder.save(tmp_path / "saved")
    assert (tmp_path / "saved" / "modules.json").exists() == (kind not in SEE_PADDING)
    if kind not in SEE_PADDING:
        np.testing.assert_allclose(
            by_sentence_transformers(tmp_path / "saved", LONG), want, **close
        )
    if (method := METHODS.get(kind)) is not None:
        given: dict[str, Any] = {"projector": 16, "group_dim": 8} if method == "gclsr" else {}
        about: dict[str, Any] = {
            "encoder": str(folder),
            "sentences": SENTENCES,
            "steps": 3,
            "batch_size": 4,
        }
        assert np.isfinite(
            clwork.train(method, device="cpu", **about, **given).history["loss"][1:]
        ).all()


REFUSED = {  # and the cause
    "ibert": "has no table of word vectors",
    "dpr": "cannot encode a word or an empty text: config.json is damaged, or DPRQuestionEncoder refuses it",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_family_that_cannot_be_used_is_refused_with_the_cause(kind: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"{REFUSED[kind]}.*use"):
        load_encoder(write_family(tmp_path, kind, {}), device="cpu")


def test_a_padding_id_that_the_config_lacks_is_the_tokenizers(tmp_path: Path) -> None:
    want = load_encoder(write_tiny(tmp_path, "roberta"), pooling="mean", device="cpu").encode(LONG)
    settings = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**settings, "pad_token_id": None}))
    assert (
        load_encoder(tmp_path, pooling="mean", device="cpu").encode(LONG).tobytes()
        == want.tobytes()
    )


def test_sparse_attention_does_not_depend_on_earlier_texts(tmp_path: Path) -> None:
    folder = write_family(tmp_path / "model", "big_bird", {"block_size": 2, "num_random_blocks": 1})
    encoder = load_encoder(folder, pooling="mean", device="cpu")
    encoder.save(tmp_path / "saved")
    np.testing.assert_allclose(
        by_sentence_transformers(tmp_path / "saved", LONG), encoder.encode(LONG), atol=1e-5
    )


def test_a_gradient_that_is_not_finite_is_not_blamed_on_the_learning_rate(
    bert_folder: Path,
) -> None:
    encoder = load_encoder(bert_folder, device="cpu")
    method = methods.get("simcse")(encoder, methods.config("simcse"), torch.Generator())
    weight = next(method.parameters())
    weight.grad = torch.full_like(weight, float("nan"))
    message = explain(2, ["gradient_norm is nan"], method, [], [], None)
    assert "loss and weights are finite" in message and "learning_rate" not in message
    assert "lower learning_rate" in explain(2, ["loss is nan"], method, [], [], None)
