"""Vectors of random tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from clwork.encoders import evaluating, load_encoder, token_sample

from .conftest import TEXTS


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_it_takes_each_tokens_of_every_text_and_no_special_ones(bert_folder: Path) -> None:
    encoder = load_encoder(bert_folder, device="cpu")
    found = token_sample(encoder, TEXTS, each=3, generator=seeded())
    words = [sum(word >= 0 for word in tokens.words) for tokens in encoder.tokenize(TEXTS)]
    assert found.shape == (sum(min(3, count) for count in words), encoder.hidden_dim)
    (tokens,) = encoder.tokenize(TEXTS[:1])
    with evaluating(encoder):
        states = encoder.hidden_states(encoder.collate([tokens.ids]))[-1][0].numpy()
    everything = token_sample(encoder, TEXTS[:1], each=100, generator=seeded())
    assert np.allclose(np.sort(everything, axis=0), np.sort(states[1:-1], axis=0), atol=1e-6)


def test_the_seed_decides(bert_folder: Path) -> None:
    encoder = load_encoder(bert_folder, device="cpu")
    one, same, other = (token_sample(encoder, TEXTS, each=2, generator=seeded(seed)) for seed in (0, 0, 1))
    assert np.array_equal(one, same) and not np.array_equal(one, other)
