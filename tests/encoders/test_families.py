"""Families of transformers' encoders have the vectors that transformers computes for each text
alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from clwork import methods
from clwork.encoders import load_encoder
from clwork.encoders.encoder import Vectors
from clwork.training.divergence import explain

from .conftest import TEXTS, write_tiny
from .test_interop import by_sentence_transformers

# In a RoBERTa, a token with the padding id has no position.
LONG = [*TEXTS, "the [PAD] cat [PAD] sat", "cat " * 50]
KINDS = ["bert", "roberta", "distilbert", "mpnet", "electra", "modernbert"]
SKIPPED_POSITIONS = {"roberta": 1, "mpnet": 2}  # those up to the padding id


def alone(folder: Path, texts: list[str], length: int) -> Vectors:
    """By transformers: the mean of each text's last hidden state, computed without padding."""
    model: Any = transformers.AutoModel.from_pretrained(folder)
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    found = []
    for text in texts:
        ids = tokenizer(text, truncation=True, max_length=length, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            found.append(model.eval()(ids).last_hidden_state.mean(1).numpy())
    return np.concatenate(found)


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_are_those_of_transformers(kind: str, tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "model", kind)
    encoder = load_encoder(folder, pooling="mean", device="cpu")
    assert encoder.max_length == 24 - SKIPPED_POSITIONS.get(kind, 0)
    want = alone(folder, LONG, encoder.max_length)
    close: dict[str, Any] = {"rtol": 0, "atol": 1e-5 * np.abs(want).max()}
    np.testing.assert_allclose(encoder.encode(LONG), want, **close)
    encoder.save(tmp_path / "saved")
    np.testing.assert_allclose(by_sentence_transformers(tmp_path / "saved", LONG), want, **close)


def test_a_gradient_that_is_not_finite_is_not_blamed_on_the_learning_rate(
    bert_folder: Path,
) -> None:
    encoder = load_encoder(bert_folder, device="cpu")
    method = methods.get("simcse")(encoder, methods.config("simcse"), torch.Generator())
    weight = next(method.parameters())
    weight.grad = torch.full_like(weight, float("nan"))
    message = explain(2, ["gradient_norm is nan"], method, None)
    assert "loss and weights are finite" in message
    assert "learning_rate" not in message
    assert "lower learning_rate" in explain(2, ["loss is nan"], method, None)
