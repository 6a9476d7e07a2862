"""Rows packed into one sequence have the vectors and gradients of padded rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.augmenters import Dropout
from clwork.augmenters._cutoff import at_embeddings
from clwork.encoders import Encoder, load_encoder
from clwork.encoders import packed as packed_module
from clwork.encoders.packed import ATTENTION, layout_of, packs

from .conftest import TEXTS

MORE = [*TEXTS, "cat " * 20, "a", "the the the"]


@pytest.fixture
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu").requires_grad_(True)


def padded(encoder: Encoder) -> Encoder:
    """The same encoder with the default attention of transformers."""
    backbone: Any = encoder.backbone
    backbone.set_attn_implementation("sdpa")
    assert not packs(backbone)
    return encoder


def config(encoder: Encoder) -> Any:
    backbone: Any = encoder.backbone
    return backbone.config


def rows_of(encoder: Encoder) -> list[list[int]]:
    return [tokens.ids for tokens in encoder.tokenize(MORE)]


@pytest.mark.parametrize(
    ("places", "pooling"), [(8, "first_last"), (60, "mean"), (60, "max"), (1024, "cls_before_pooler")]
)
def test_vectors_and_gradients_are_those_of_padded_rows(
    encoder: Encoder, pooling: str, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_module, "POSITIONS_ON_CPU", places)
    encoder = encoder.with_pooling(pooling).eval().double()
    batch = encoder.collate(rows_of(encoder))
    layout = layout_of(batch)
    assert layout is not None and (len(layout.groups) > 1) == (places < 1024), "guard: there were groups"
    seen: list[tuple[int, ...]] = []
    hook = encoder.backbone.register_forward_pre_hook(
        lambda _, __, given: seen.append(tuple(given["input_ids"].shape)), with_kwargs=True
    )
    vectors = encoder(batch)
    hook.remove()
    assert seen == [(1, int(batch["attention_mask"].sum()))], "guard: the rows were laid end to end"
    expected = padded(encoder)(batch)
    torch.testing.assert_close(vectors, expected, rtol=0, atol=1e-12)
    direction = torch.randn(vectors.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    weights = [weight for weight in encoder.backbone.parameters() if weight.requires_grad]
    for one, other in zip(
        *(torch.autograd.grad((out * direction).sum(), weights, allow_unused=True) for out in (vectors, expected)),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("end_to_end", [True, False])
def test_short_rows_at_bfloat16_use_matrix_products(
    encoder: Encoder, end_to_end: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close to the fused kernel, also for a row without a token; a row of 49 tokens takes that kernel."""
    if not end_to_end:
        monkeypatch.setattr(packed_module, "WASTE", float("inf"))
    calls: list[int] = []
    own = packed_module._products

    def counted(*given: Any) -> torch.Tensor:
        calls.append(1)
        return own(*given)

    monkeypatch.setattr(packed_module, "_products", counted)
    batch = encoder.eval().collate([*rows_of(encoder), []])
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        vectors = encoder(batch)
        assert len(calls) == config(encoder).num_hidden_layers
        monkeypatch.setattr(packed_module, "SHORT", 4)
        fused = encoder(batch)
        assert len(calls) == config(encoder).num_hidden_layers, "guard: another way"
    assert vectors.isfinite().all()
    torch.testing.assert_close(vectors[:-1], fused[:-1], rtol=0, atol=0.03)
    with torch.autocast("cpu", torch.bfloat16):
        encoder(batch)
    assert len(calls) == config(encoder).num_hidden_layers, "with gradients, the fused kernel"


def test_dropout_reaches_every_layer_and_the_attention(encoder: Encoder) -> None:
    batch = encoder.train().collate(rows_of(encoder))
    for rates in ({"hidden": 0.5, "attention": 0.0}, {"hidden": 0.0, "attention": 0.5}):
        views = []
        for seed in (0, 0, 1):
            with Dropout(torch.Generator().manual_seed(seed), **rates) as dropout:
                views.append(encoder(batch))
            assert dropout.calls >= config(encoder).num_hidden_layers
        assert torch.equal(views[0], views[1]) and not torch.allclose(views[0], views[2], atol=1e-3)


def test_inputs_that_cannot_be_packed_are_padded(encoder: Encoder) -> None:
    """Not packed: rows of one length, padding in front (it shifts positions), and word vectors (they have a shape)."""
    batch = encoder.eval().collate(rows_of(encoder))
    assert layout_of(batch) is not None
    mask = batch["attention_mask"]
    for other in (torch.ones_like(mask), torch.zeros_like(mask), mask.flip(1)):
        assert layout_of(batch | {"attention_mask": other}) is None
    assert layout_of(encoder.collate([[2, 7, 3]] * 30 + [[2, 7, 8, 3]])) is not None
    assert layout_of(encoder.collate([[2, 7, 8, 3]] * 30 + [[2, 7, 3]])) is None, "little padding"
    assert layout_of(batch | {"token_type_ids": torch.zeros_like(batch["input_ids"])}) is None
    with at_embeddings(encoder.backbone, lambda words: words * 1.0):
        assert not packs(encoder.backbone)
        torch.testing.assert_close(encoder(batch), padded(encoder)(batch), rtol=0, atol=2e-6)


def test_a_saved_encoder_does_not_name_the_attention(encoder: Encoder, tmp_path: Path) -> None:
    encoder.save(tmp_path / "saved")
    assert ATTENTION not in (tmp_path / "saved" / "config.json").read_text()
    assert config(encoder)._attn_implementation == ATTENTION
