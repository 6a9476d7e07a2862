"""SimCSE's wiring: its two views, the position of the head, and the test-time representation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import methods
from clwork.methods import Draws

SENTENCES = [
    "The river is long.",
    "A band plays on the square.",
    "He was born in Paris.",
    "Two cats sleep.",
]
TRIPLETS = [(s, s.replace("is", "was"), "No " + s) for s in SENTENCES]


def make(examples: Any = SENTENCES, **values: Any) -> Any:
    config = methods.config("simcse", batch_size=4, **values)
    method = methods.get("simcse")(
        clwork.load_encoder("mini"), config, torch.Generator().manual_seed(0)
    )
    method.kind = method.check_examples(examples)
    return method.train()


def views(method: Any, examples: Any = SENTENCES, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(examples), Draws.of(0, step, torch.device("cpu"))))


def test_a_fixed_mask_is_dropout_with_equal_views() -> None:
    fixed, none = (
        views(make(fixed_mask=True)),
        views(make(dropout_hidden=0.0, dropout_attention=0.0)),
    )
    assert torch.equal(fixed["z1"], fixed["z2"])
    assert not torch.allclose(fixed["z1"], none["z1"])


def test_only_the_last_layers_are_trained() -> None:
    method = make(trained_layers=1)
    method.compare(views(method)).loss.backward()
    last = {id(weights) for weights in method.encoder.layers[-1].parameters()}
    assert last
    assert {id(w) for w in method.encoder.parameters() if w.grad is not None} == last
    assert all(weights.requires_grad for weights in make().encoder.backbone.parameters())
    with pytest.raises(ValueError, match=r"trained_layers=9, but .* has 4"):
        make(trained_layers=9)


@pytest.mark.parametrize("augmentation", ["delete", "delete_one", "crop"])
def test_word_augmentations_change_view_2_only(augmentation: Any) -> None:
    rate: dict[str, Any] = {} if augmentation == "delete_one" else {"augmentation_rate": 0.5}
    method = make(augmentation=augmentation, **rate)
    tokens = method.tokenize(SENTENCES)
    first, second = method.rows(tokens, Draws.of(0, 0, torch.device("cpu")))
    assert first == [t.ids for t in tokens]
    assert all(len(b) < len(a) for a, b in zip(first, second, strict=True))


PAIRS = [triplet[:2] for triplet in TRIPLETS]


def test_pairs_give_positives_and_no_hard_negative() -> None:
    z, triplets = (
        views(make(PAIRS, head="none"), PAIRS),
        views(make(TRIPLETS, head="none"), TRIPLETS),
    )
    assert set(z) == {"z1", "z2"}
    assert not torch.equal(z["z1"], z["z2"])
    method = make(PAIRS)
    assert method.kind == "pairs"
    assert method.supervised
    assert method.references() == {"log N": pytest.approx(math.log(4))}
    alone = method.compare(z).loss
    assert alone == clwork.losses.simcse(z["z1"], z["z2"])
    assert alone < make(TRIPLETS).compare(triplets).loss
    assert method.view_texts(PAIRS, method.tokenize(PAIRS), Draws.of(0, 0, torch.device("cpu")))[
        "z2"
    ] == [b for _, b in PAIRS]


@pytest.mark.parametrize(
    ("examples", "values", "reason"),
    [
        (
            TRIPLETS,
            {"augmentation": "delete"},
            "augmentation='delete' has no effect: pairs and triplets contain",
        ),
        (PAIRS, {"hard_negative_weight": 2.0}, "only triplets have hard negatives"),
    ],
)
def test_a_switch_without_effect_is_refused(examples: Any, values: Any, reason: Any) -> None:
    with pytest.raises(ValueError, match=reason):
        make(examples, **values)


def test_the_loss_equals_the_library_function_on_the_views() -> None:
    method = make(temperature=0.1)
    z = views(method)
    assert method.compare(z).loss == clwork.losses.simcse(z["z1"], z["z2"], temperature=0.1)


@pytest.mark.parametrize(
    ("head", "examples", "has_head"),
    [
        ("auto", SENTENCES, False),
        ("auto", TRIPLETS, True),
        ("train_only", TRIPLETS, False),
        ("both", SENTENCES, True),
    ],
)
def test_the_head_setting_decides_whether_the_test_encoder_has_it(
    head: Any, examples: Any, has_head: Any
) -> None:
    method = make(examples, head=head)
    raw = clwork.load_encoder("mini", pooling="cls_before_pooler").encode(SENTENCES)
    assert np.allclose(method.test_encoder().encode(SENTENCES), raw, atol=1e-6) is not has_head
    assert any(p is method.head.dense.weight for p in method.parameters())


@pytest.mark.parametrize("examples", [[1, 2], [("a",)], [["a", "b", "c", "d"]]])
def test_other_examples_are_refused(examples: Any) -> None:
    with pytest.raises(TypeError, match="triplets"):
        make(examples)
