from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from clwork.encoders import POOLINGS, Encoder, ProjectionHead, load_encoder

from .conftest import TEXTS, write_tiny


@pytest.fixture(scope="module")
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="cls", device="cpu")


def test_encodes_each_kind_of_model(any_folder: Path) -> None:
    encoder = load_encoder(any_folder, pooling="mean", device="cpu")
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (5, 16) == (5, encoder.dim) and vectors.dtype == np.float32
    assert len(encoder.hidden_states(encoder.collate([[2, 5, 3]]))) == 3  # embeddings and two layers


def test_order_and_batching_do_not_matter(encoder: Encoder) -> None:
    for pooling in POOLINGS:
        one = encoder.with_pooling(pooling)
        together = one.encode(TEXTS, batch_size=2)
        alone = np.concatenate([one.encode([text]) for text in TEXTS])
        np.testing.assert_allclose(together, alone, atol=2e-5, err_msg=pooling)
        assert np.abs(together[0] - together[1]).max() > 1e-2  # not vacuous: sentences differ


def test_agrees_with_transformers(bert_folder: Path, encoder: Encoder) -> None:
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(bert_folder).eval(), AutoTokenizer.from_pretrained(bert_folder)
    for text in TEXTS:
        out = model(**tokenizer(text, return_tensors="pt", max_length=24, truncation=True))
        np.testing.assert_allclose(encoder.encode([text]), out.pooler_output.detach().numpy(), atol=1e-5)
        raw = encoder.with_pooling("cls_before_pooler").encode([text])
        np.testing.assert_allclose(raw, out.last_hidden_state[:, 0].detach().numpy(), atol=1e-5)


def test_tokens_agree_with_transformers(encoder: Encoder) -> None:
    for text, tokens in zip(TEXTS, encoder.tokenize(TEXTS), strict=True):
        assert tokens.ids == encoder.tokenizer(text, truncation=True, max_length=24)["input_ids"]
        assert len(tokens.words) == len(tokens.ids) and tokens.words[0] == tokens.words[-1] == -1


def test_words_number_whole_words(encoder: Encoder) -> None:
    tokens = encoder.tokenize(["The farther dog!"])[0]
    pieces = [encoder.tokenizer.convert_ids_to_tokens(i) for i in tokens.ids]
    assert pieces == ["[CLS]", "the", "far", "##ther", "dog", "!", "[SEP]"]
    assert tokens.words == [-1, 0, 1, 1, 2, 3, -1]


def test_truncation(encoder: Encoder) -> None:
    """At the model's positions in encode, at max_length in training; [SEP] stays in both."""
    long = encoder.tokenize(["cat " * 100])[0]
    assert encoder.max_length == len(long.ids) == 24 and long.ids[-1] == 3 and long.words[-1] == -1
    batch = encoder.collate([long.ids, [2, 5, 3]], max_length=8)
    assert batch["input_ids"].shape == (2, 8) and batch["input_ids"][0, -1] == 3
    assert batch["attention_mask"].sum(1).tolist() == [8, 3] and not batch["input_ids"][1, 3:].any()


def test_roberta_has_fewer_positions_than_rows(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny(tmp_path, "roberta"), pooling="mean", device="cpu")
    assert encoder.max_length == 23  # padding is 0 here: positions 1 to 23
    assert np.isfinite(encoder.encode(["cat " * 100])).all()


def test_eval_mode_inside_and_the_found_mode_after(encoder: Encoder) -> None:
    encoder.train()
    encoder.backbone.encoder.layer[0].eval()  # type: ignore[union-attr,index]
    try:
        found = [part.training for part in encoder.modules()]
        assert encoder.encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()
        assert [part.training for part in encoder.modules()] == found
        with pytest.raises(TypeError):
            encoder.encode([1])  # type: ignore[list-item]
        batch = encoder.collate([[2, 5, 6, 3]])
        assert not torch.equal(encoder(batch), encoder(batch))  # not vacuous: there is dropout to switch off
        assert encoder(batch).requires_grad
    finally:
        encoder.eval()


def test_with_pooling_shares_weights_and_leaves_the_head_where_it_does_not_belong(encoder: Encoder) -> None:
    mean = encoder.with_pooling("mean")
    assert mean.backbone is encoder.backbone and mean.head is None and encoder.pooling == "cls"
    raw = encoder.with_pooling("cls_before_pooler")
    assert np.abs(raw.encode(TEXTS) - encoder.encode(TEXTS)).max() > 1e-2
    assert raw.with_pooling("cls").encode(TEXTS).tobytes() == encoder.encode(TEXTS).tobytes()
    with pytest.raises(ValueError, match="has none; use 'cls_before_pooler'"):
        mean.with_pooling("cls")
    with pytest.raises(ValueError, match="'average' is not known"):
        encoder.with_pooling("average")


def test_a_head_follows_the_pooling_it_was_made_with(encoder: Encoder) -> None:
    head = ProjectionHead(16, 5, generator=torch.Generator().manual_seed(0))
    small = Encoder(encoder.backbone, encoder.tokenizer, name="x", pooling="mean", head=head)
    assert small.dim == 5 and small.hidden_dim == 16
    want = head(torch.from_numpy(encoder.with_pooling("mean").encode(TEXTS))).detach().numpy()
    np.testing.assert_allclose(small.encode(TEXTS), want, atol=1e-6)
    wrong = ProjectionHead(9, generator=torch.Generator())
    with pytest.raises(ValueError, match="width 9, the encoder gives 16"):
        Encoder(encoder.backbone, encoder.tokenizer, name="x", pooling="mean", head=wrong)


@pytest.mark.nightly
def test_two_threads_may_tokenize_and_encode_at_once(encoder: Encoder) -> None:
    want = encoder.encode(TEXTS).tobytes()
    wrong: list[str] = []

    def work() -> None:
        for _ in range(20):
            try:
                if encoder.encode(TEXTS).tobytes() != want:
                    wrong.append("other vectors")
            except Exception as error:
                wrong.append(repr(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
