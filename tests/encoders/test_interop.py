"""A saved encoder gives the same vectors in sentence-transformers, and the same hidden states in transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from clwork.encoders import Encoder, ProjectionHead, load_encoder, textcnn
from clwork.encoders import pooling as poolings
from clwork.encoders.encoder import Vectors
from clwork.encoders.heads import ACTIVATIONS
from clwork.encoders.pooling import POOLINGS, Pooling
from clwork.encoders.saving import reason_against

from .conftest import TEXTS, write_tiny

LONG = [*TEXTS, "the cat sat on the mat, the dog ran far " * 8]  # the last is longer than the models' 24 places


def by_sentence_transformers(folder: Path, texts: list[str]) -> Vectors:
    from sentence_transformers import SentenceTransformer

    found: Vectors = SentenceTransformer(str(folder), device="cpu").encode(texts)
    return found


def agrees(encoder: Encoder, folder: Path, texts: list[str] = LONG) -> Vectors:
    """Save, load by sentence-transformers and compare; return the vectors."""
    encoder.save(folder)
    want = encoder.encode(texts)
    np.testing.assert_allclose(by_sentence_transformers(folder, texts), want, atol=1e-5, rtol=0)
    assert load_encoder(folder, device="cpu").encode(texts).tobytes() == want.tobytes()
    return want


@pytest.fixture(scope="module")
def with_pooler(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="cls", device="cpu")


def test_every_pooling(with_pooler: Encoder, tmp_path: Path) -> None:
    for pooling in POOLINGS:
        vectors = agrees(with_pooler.with_pooling(pooling), tmp_path / pooling)
        if pooling != "mean":  # the default of sentence-transformers
            assert np.abs(vectors - with_pooler.with_pooling("mean").encode(LONG)).max() > 0.1, pooling


def test_one_row_adds_a_pooling(with_pooler: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_position(states: Tensor, mask: Tensor) -> Tensor:
        weights = (mask * mask.cumsum(1)).unsqueeze(-1)
        return (states * weights).sum(1) / weights.sum(1)

    monkeypatch.setitem(poolings.KNOWN, "weighted", Pooling("weighted", by_position, "weightedmean_tokens"))
    monkeypatch.setattr(poolings, "POOLINGS", tuple(poolings.KNOWN))
    agrees(with_pooler.with_pooling("weighted"), tmp_path)
    (tmp_path / "clwork.json").unlink()
    assert load_encoder(tmp_path, device="cpu").pooling == "weighted"
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode": "weightedmean"}')
    assert load_encoder(tmp_path, device="cpu").pooling == "weighted"


def test_every_head(with_pooler: Encoder, tmp_path: Path) -> None:
    for activation, pooling in zip(ACTIVATIONS, ("cls", "mean", "first_last", "cls"), strict=True):
        head = ProjectionHead(16, 5, activation, generator=torch.Generator().manual_seed(0))
        torch.nn.init.normal_(head.dense.weight, std=0.5)
        torch.nn.init.normal_(head.dense.bias)
        parts = (with_pooler.backbone, with_pooler.tokenizer)
        vectors = agrees(Encoder(*parts, name="tiny", pooling=pooling, head=head), tmp_path / activation)
        assert vectors.shape == (len(LONG), 5), activation


def test_every_kind_of_model(any_folder: Path, tmp_path: Path) -> None:
    agrees(load_encoder(any_folder, pooling="cls_before_pooler", device="cpu"), tmp_path / "saved")


def test_the_mini_encoder(tmp_path: Path) -> None:
    mini = load_encoder("mini", device="cpu")
    texts = ["A cat sat on the mat.", "", "The stock market fell sharply on Monday.", "One dog. " * 80]
    vectors = agrees(mini.with_pooling("cls_before_pooler"), tmp_path / "saved", texts)
    assert np.abs(vectors - mini.encode(texts)).max() > 1.0


def test_hidden_states_of_transformers(with_pooler: Encoder, tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    with_pooler.with_pooling("first_last").save(tmp_path / "saved")
    model, tokenizer = AutoModel.from_pretrained(tmp_path / "saved"), AutoTokenizer.from_pretrained(tmp_path / "saved")
    batch = tokenizer(TEXTS, return_tensors="pt", padding=True, truncation=True, max_length=24)
    with torch.no_grad():
        theirs = model.eval()(**batch, output_hidden_states=True).hidden_states
        ours = with_pooler.eval().hidden_states(with_pooler.collate([row.ids for row in with_pooler.tokenize(TEXTS)]))
    assert len(theirs) == len(ours) == 3
    tokens = batch["attention_mask"].bool()
    for one, other in zip(theirs, ours, strict=True):
        torch.testing.assert_close(one[tokens], other[tokens], atol=1e-6, rtol=0)


def test_a_textcnn_is_saved_for_clwork_alone(tmp_path: Path) -> None:
    encoder = textcnn("mini", device="cpu")
    encoder.save(tmp_path / "saved")
    assert "cannot load this encoder: it is a TextCNN" in (tmp_path / "saved" / "README.md").read_text()
    assert not (tmp_path / "saved" / "modules.json").exists()
    with pytest.raises(ValueError, match="clwork-textcnn"):
        by_sentence_transformers(tmp_path / "saved", TEXTS)
    assert load_encoder(tmp_path / "saved", device="cpu").encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()


def test_a_tokenizer_that_pads_on_the_left_is_saved_for_clwork_alone(tmp_path: Path) -> None:
    for name in ("padding_side", "truncation_side"):
        encoder = load_encoder(write_tiny(tmp_path / "tiny"), pooling="mean", device="cpu")
        assert reason_against(encoder) is None
        setattr(encoder.tokenizer, name, "left")
        assert "pads or cuts on the left" in str(reason_against(encoder)), name
        encoder.save(tmp_path / name)
        assert "pads or cuts on the left" in (tmp_path / name / "README.md").read_text()
        assert not (tmp_path / name / "modules.json").exists()
