"""Rows packed into one sequence have the vectors and gradients of padded rows."""

from __future__ import annotations

import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.augmenters import Dropout
from clwork.augmenters.word_vectors import at_embeddings
from clwork.encoders import Encoder, load_encoder
from clwork.encoders import packed as packed_module
from clwork.encoders.packed import ATTENTION, can_pack, layout_of

from .conftest import TEXTS, write_tiny

CLS, LAYERS = "cls_before_pooler", 2
MORE = [*TEXTS, "cat " * 20, "a", "the the the"]


@pytest.fixture
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu").requires_grad_(True)


def padded(encoder: Encoder) -> Encoder:
    """The same encoder with the default attention of transformers."""
    backbone: Any = encoder.backbone
    backbone.set_attn_implementation("sdpa")
    assert not can_pack(backbone)
    return encoder


def rows_of(encoder: Encoder) -> list[list[int]]:
    return [tokens.ids for tokens in encoder.tokenize(MORE)]


@pytest.mark.parametrize("way", ["packed", "padded"])
@pytest.mark.parametrize(
    ("places", "pooling"), [(8, "first_last"), (60, "max"), (8, CLS), (1024, CLS)]
)
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_vectors_and_gradients_are_those_of_all_positions_padded(
    kind: str, places: int, pooling: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In double precision; at [CLS] pooling the last feed-forward part has one position a row."""
    monkeypatch.setattr(packed_module, "POSITIONS_ON_CPU", places)
    if way == "padded":
        monkeypatch.setattr(packed_module, "WASTE", float("inf"))
    encoder = load_encoder(
        write_tiny(tmp_path, kind), pooling=pooling, device="cpu"
    ).requires_grad_(True)
    encoder = deepcopy(encoder).double()  # guard: a copy uses its own last layer
    backbone: Any = encoder.backbone
    batch = encoder.collate(rows_of(encoder))
    layout = layout_of(batch["attention_mask"])
    assert (layout is None) == (way == "padded")
    assert layout is None or (len(layout.groups) > 1) == (places < 1024), "guard: there were groups"
    given, last = list[int](), list[int]()
    for part, seen in (
        (backbone.embeddings, given),
        (backbone.encoder.layer[-1].intermediate, last),
    ):
        part.register_forward_hook(lambda _, __, out, seen=seen: seen.append(out.shape[:2].numel()))
    vectors = encoder(batch)
    lengths = batch["attention_mask"].sum(1)
    positions = batch["input_ids"].numel() if way == "padded" else int(lengths.sum())
    assert given == [positions]
    assert sum(last) == (len(MORE) if pooling == CLS else positions)
    expected = padded(encoder)(batch)
    torch.testing.assert_close(vectors, expected, rtol=0, atol=1e-12)
    direction = torch.randn(
        vectors.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64
    )
    weights = list(backbone.parameters())
    for one, other in zip(
        *(torch.autograd.grad((out * direction).sum(), weights) for out in (vectors, expected)),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-10)


def test_dropout_reaches_every_layer_and_the_attention(encoder: Encoder) -> None:
    batch = encoder.train().collate(rows_of(encoder))
    for rates in ({"hidden": 0.5, "attention": 0.0}, {"hidden": 0.0, "attention": 0.5}):
        views = []
        for seed in (0, 0, 1):
            with Dropout(torch.Generator().manual_seed(seed), **rates) as dropout:
                views.append(encoder(batch))
            assert dropout.calls >= LAYERS
        assert torch.equal(views[0], views[1])
        assert not torch.allclose(views[0], views[2], atol=1e-3)


def is_packed(encoder: Encoder, rows: list[list[int]]) -> bool:
    return layout_of(encoder.collate(rows)["attention_mask"]) is not None


def test_inputs_that_cannot_be_packed_are_padded(encoder: Encoder) -> None:
    """Rows of one length or nearly so, an empty row, and word vectors, which have a shape."""
    rows = rows_of(encoder.eval())
    assert is_packed(encoder, rows)
    assert not is_packed(encoder, [*rows, []])
    assert is_packed(encoder, [[2, 7, 3]] * 30 + [[2, 7, 8, 3]])
    assert not is_packed(encoder, [[2, 7, 8, 3]] * 30)
    assert not is_packed(encoder, [[2, 7, 8, 3]] * 30 + [[2, 7, 3]]), "little padding"
    batch = encoder.collate(rows)
    with at_embeddings(encoder.backbone, lambda words: words * 1.0):
        assert not can_pack(encoder.backbone)
        torch.testing.assert_close(encoder(batch), padded(encoder)(batch), rtol=0, atol=2e-6)


def test_a_saved_encoder_does_not_name_the_attention(encoder: Encoder, tmp_path: Path) -> None:
    encoder.save(tmp_path / "saved")
    assert ATTENTION not in (tmp_path / "saved" / "config.json").read_text()
    assert can_pack(encoder.backbone), "guard"


def test_no_forward_is_replaced_and_a_copy_computes_first_tokens_alone(encoder: Encoder) -> None:
    """Also after pickling, and with the class of the layer that transformers made as its base."""
    raw = encoder.with_pooling(CLS).eval()
    for made in (raw, deepcopy(raw), pickle.loads(pickle.dumps(raw))):
        backbone: Any = made.backbone
        assert not any("forward" in vars(part) for part in made.modules())
        assert isinstance(backbone.encoder.layer[-1], type(backbone.encoder.layer[0]))
        positions = list[int]()
        backbone.encoder.layer[-1].intermediate.register_forward_hook(
            lambda _, __, out, seen=positions: seen.append(out.shape[:2].numel())
        )
        made(made.collate(rows_of(made)))
        assert positions == [len(MORE)]
