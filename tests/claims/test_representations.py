"""Every representation that the ledger names, against the pooling, layer or grid that computes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import claims
from clwork.claims.representations import representation
from clwork.encoders import Encoder, ProjectionHead, textcnn, wk_pool
from clwork.methods import get

TEXTS = ["the cat sat on the mat", "a dog ran", "the dog ran further than the cat, the mat and me!", "dog"]
USED = {arm.represent for name in claims.names() for arm in claims.get(name).arms.values()}


@pytest.fixture(scope="module")
def mini() -> Encoder:
    return clwork.load_encoder("mini", device="cpu")


def equal(vectors: torch.Tensor, expected: object) -> bool:
    return torch.allclose(vectors, torch.as_tensor(np.asarray(expected)), atol=1e-5)


def test_every_name_of_the_ledger_gives_a_vector_for_each_sentence(mini: Encoder) -> None:
    head = ProjectionHead(mini.hidden_dim, generator=torch.Generator().manual_seed(0))
    for name in USED:
        vectors = representation(mini, name, TEXTS, score=lambda cell: float(cell.std()), head=head)
        assert vectors.shape == (len(TEXTS), mini.hidden_dim) and vectors.dtype == torch.float32, name
        assert vectors.isfinite().all() and not vectors.requires_grad, name


def test_names_of_poolings_leave_a_head_aside_and_none_applies_it(mini: Encoder) -> None:
    head = ProjectionHead(mini.hidden_dim, generator=torch.Generator().manual_seed(0))
    trained = Encoder(mini.backbone, mini.tokenizer, name="trained", pooling="cls", head=head)
    assert equal(representation(trained, None, TEXTS), trained.encode(TEXTS))
    assert equal(representation(trained, "cls", TEXTS), trained.encode(TEXTS))
    for pooling in ("cls_before_pooler", "mean", "first_last", "last2", "max"):
        assert equal(representation(trained, pooling, TEXTS), mini.without_head(pooling).encode(TEXTS))


def test_layers_are_those_of_the_grid_and_first_layer_0_averages_the_embeddings_in(mini: Encoder) -> None:
    grid = mini.layer_grid(TEXTS)
    assert equal(representation(mini, "layer 3, cls_before_pooler", TEXTS), grid[3, "cls_before_pooler"])
    assert equal(representation(mini, "word average", TEXTS), grid[0, "mean"])
    both = (grid[0, "mean"] + grid[4, "mean"]) / 2
    assert equal(representation(mini, "first_last, first_layer 0", TEXTS), both)


def test_the_word_average_of_a_textcnn_is_the_mean_of_its_words() -> None:
    network = textcnn("mini", filters=3, device="cpu")
    backbone: Any = network.backbone
    words = network.collate([network.tokenize(TEXTS[:1])[0].ids])["input_ids"]
    vectors = backbone.get_input_embeddings()(words)  # (1, T, d)
    assert equal(representation(network, "word average", TEXTS[:1]), vectors.mean(dim=1))
    assert equal(representation(network, "max", TEXTS), network.encode(TEXTS))


def test_wk_reads_all_layers_in_the_sentences_order(mini: Encoder) -> None:
    batch = mini.collate([tokens.ids for tokens in mini.tokenize(TEXTS[::-1])])
    with torch.no_grad():
        want = wk_pool(mini.hidden_states(batch), batch["attention_mask"])
    assert equal(representation(mini, "wk", TEXTS), want.flip(0))
    assert representation(mini, "wk", []).shape == (0, mini.hidden_dim)
    with pytest.raises(ValueError, match="three or more layers of one width"):
        representation(textcnn("mini", filters=3, device="cpu"), "wk", TEXTS)


def test_the_judge_decides_between_the_cells_of_the_grid(mini: Encoder) -> None:
    def score(vectors: torch.Tensor) -> float:
        return float(vectors.norm())

    norms = {cell: float(np.linalg.norm(vectors)) for cell, vectors in mini.layer_grid(TEXTS).items()}
    best = representation(mini, "best of layer_grid", TEXTS, score=score)
    worst = representation(mini, "worst of layer_grid from layer 1 on", TEXTS, score=score)
    assert score(best) == pytest.approx(max(norms.values()), rel=1e-5)
    assert score(worst) == pytest.approx(min(norm for (layer, _), norm in norms.items() if layer), rel=1e-5)


def test_behind_a_training_head_is_what_the_loss_saw_without_dropout(mini: Encoder) -> None:
    method_class = get("mocoutrl")
    method = method_class(mini, method_class.Config(max_length=32), torch.Generator().manual_seed(0))
    head = method.sentence_head
    assert equal(
        representation(method.test_encoder(), "sentence head", TEXTS, head=head),
        head(torch.from_numpy(mini.encode(TEXTS))).detach(),
    )


def test_bad_names_and_texts_are_refused_with_a_remedy(mini: Encoder) -> None:
    for name, message in [
        ("meen", "is not known"),
        ("layer 9, mean", "go from 0 to 4"),
        ("layer 1, first_last", "pooling of one layer"),
        ("first_last, first_layer 9", "first_layer=9"),
        ("best of layer_grid", "give score="),
        ("sentence head", "give it as head="),
        ("cls", "has none"),
        ("worst of layer_grid from layer 5 on", "no layer 5"),
    ]:
        with pytest.raises(ValueError, match=message):
            representation(mini, name, TEXTS, score=None if name.startswith("best") else len)
    for texts in ("one text", {"a", "b"}, [1]):
        for own in (None, "mean", "layer 1, mean"):
            with pytest.raises(TypeError, match=r"encode takes|encode gives|sentence 0"):
                representation(mini, own, texts)  # type: ignore[arg-type]
