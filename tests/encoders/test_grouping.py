"""Rows of like length go together, and what comes out is as if they had all gone at once."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clwork.encoders import Encoder, load_encoder
from clwork.encoders import encoder as encoder_module
from clwork.encoders.tokens import by_length

from .conftest import TEXTS


@settings(max_examples=25)
@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 120))
def test_groups_hold_every_row_once_and_not_too_many_places(lengths: list[int], places: int) -> None:
    groups = list(by_length(lengths, places))
    assert sorted(i for group in groups for i in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[i] for i in group) <= places or not max(lengths)
    longest = [lengths[i] for group in groups for i in group]
    assert longest == sorted(lengths, reverse=True)


@pytest.fixture
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="cls", device="cpu").requires_grad_(True)


@pytest.mark.parametrize("limit", [None, 6])
def test_groups_give_the_vectors_and_gradients_of_one_forward(
    encoder: Encoder, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder_module, "PLACES_ON_CPU", 20)
    monkeypatch.setattr(encoder_module, "PLACES_PACKED", 20)
    rows = [tokens.ids for tokens in encoder.tokenize([*TEXTS, "cat " * 20, "a"])]
    sizes = []
    hook = encoder.backbone.register_forward_pre_hook(
        lambda _, __, batch: sizes.append(tuple(batch["input_ids"].shape)), with_kwargs=True
    )
    whole = encoder(encoder.collate(rows, limit))
    parts = encoder.forward_by_length(rows, limit)
    hook.remove()
    assert len(sizes) > 2 and all(n == 1 or n * length <= 20 for n, length in sizes[1:]), "guard: there were groups"
    torch.testing.assert_close(parts, whole, rtol=0, atol=2e-6)
    direction = torch.randn(whole.shape, generator=torch.Generator().manual_seed(0))
    weights = [p for p in encoder.parameters() if p.requires_grad]
    for one, other in zip(
        torch.autograd.grad((whole * direction).sum(), weights, allow_unused=True),
        torch.autograd.grad((parts * direction).sum(), weights, allow_unused=True),
        strict=True,
    ):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
