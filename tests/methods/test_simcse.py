"""SimCSE's wiring: what its two views are, where the head is, and what the test-time representation is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import methods
from clwork.methods import Draws

SENTENCES = ["The river is long.", "A band plays on the square.", "He was born in Paris.", "Two cats sleep."]
TRIPLETS = [(s, s.replace("is", "was"), "No " + s) for s in SENTENCES]


def make(examples: Any = SENTENCES, **values: Any) -> Any:
    config = methods.config("simcse", batch_size=4, **values)
    method = methods.get("simcse")(clwork.load_encoder("mini"), config, torch.Generator().manual_seed(0))
    method.kind = method.check_examples(examples)
    return method.train()


def views(method: Any, examples: Any = SENTENCES, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(examples), Draws.of(0, step, torch.device("cpu"))))


def test_dropout_makes_the_two_views_differ_and_the_step_repeats_them() -> None:
    method = make()
    first, again, later = views(method), views(method), views(method, step=1)
    assert set(first) == {"z1", "z2"} and first["z1"].shape == (4, 256)
    assert not torch.equal(first["z1"], first["z2"])
    assert torch.equal(first["z1"], again["z1"]) and torch.equal(first["z2"], again["z2"])
    assert not torch.equal(first["z1"], later["z1"])


def test_without_dropout_the_views_agree() -> None:
    z = views(make(dropout_hidden=0.0, dropout_attention=0.0))
    torch.testing.assert_close(z["z1"], z["z2"])


def test_a_fixed_mask_is_dropout_with_equal_views() -> None:
    fixed, none = views(make(fixed_mask=True)), views(make(dropout_hidden=0.0, dropout_attention=0.0))
    assert torch.equal(fixed["z1"], fixed["z2"])
    assert not torch.allclose(fixed["z1"], none["z1"])


@pytest.mark.parametrize("augmentation", ["delete", "delete_one", "crop"])
def test_word_augmentations_change_view_2_only(augmentation: str) -> None:
    rate: dict[str, Any] = {} if augmentation == "delete_one" else {"augmentation_rate": 0.5}
    method = make(augmentation=augmentation, **rate)
    tokens = method.tokenize(SENTENCES)
    first, second = method.rows(tokens, Draws.of(0, 0, torch.device("cpu")))
    assert first == [t.ids for t in tokens]
    assert all(len(b) < len(a) for a, b in zip(first, second, strict=True))


def test_triplets_give_hard_negatives() -> None:
    z = views(make(TRIPLETS), TRIPLETS)
    assert set(z) == {"z1", "z2", "hard_negatives"}


def test_the_loss_is_the_librarys_on_the_views() -> None:
    method = make(temperature=0.1)
    z = views(method)
    assert method.compare(z).loss == clwork.losses.simcse(z["z1"], z["z2"], temperature=0.1)


@pytest.mark.parametrize(
    ("head", "examples", "kept"),
    [("auto", SENTENCES, False), ("auto", TRIPLETS, True), ("train_only", TRIPLETS, False), ("both", SENTENCES, True)],
)
def test_where_the_head_is_kept(head: str, examples: Any, kept: bool) -> None:
    method = make(examples, head=head)
    raw = clwork.load_encoder("mini", pooling="cls_before_pooler").encode(SENTENCES)
    assert np.allclose(method.test_encoder().encode(SENTENCES), raw, atol=1e-6) is not kept
    assert any(p is method.head.dense.weight for p in method.parameters())


def test_no_head_has_no_parameters_of_its_own() -> None:
    method = make(head="none")
    assert method.head is None
    assert sum(p.numel() for p in method.parameters()) == sum(p.numel() for p in method.encoder.parameters())


@pytest.mark.parametrize("examples", [[1, 2], [("a", "b")], [["a", "b", "c", "d"]]])
def test_other_examples_are_refused(examples: Any) -> None:
    with pytest.raises(TypeError, match="triplets"):
        make(examples)


def test_padding_does_not_change_a_sentence() -> None:
    method = make(dropout_hidden=0.0, dropout_attention=0.0, head="none").eval()
    alone = views(method, SENTENCES[:1])["z1"]
    padded = views(method, [SENTENCES[0], " ".join(SENTENCES)])["z1"][:1]
    torch.testing.assert_close(alone, padded, atol=1e-5, rtol=1e-4)


def test_layers_that_are_computed_again_give_the_same_gradient() -> None:
    """Gradient checkpointing of the encoder, as a user may have switched it on, changes memory and nothing else."""

    def gradients(checkpointing: bool) -> torch.Tensor:
        encoder: Any = clwork.load_encoder("mini", device="cpu")
        if checkpointing:
            encoder.backbone.train().activation_checkpointing_enable()
        method = methods.get("simcse")(
            encoder, methods.config("simcse", batch_size=4), torch.Generator().manual_seed(0)
        )
        method.train().compare(views(method)).loss.backward()  # type: ignore[no-untyped-call]
        return torch.cat([p.grad.flatten() for p in method.parameters() if p.grad is not None])

    plain = gradients(False)
    assert plain.abs().sum() > 0 and torch.equal(gradients(True), plain)


def test_an_encoder_without_dropout_is_refused() -> None:
    values: dict[str, Any] = {"batch_size": 4, "pooling": "max"}
    encoder = clwork.load_encoder("textcnn:mini", device="cpu")
    method = methods.get("simcse")(encoder, methods.config("simcse", **values), torch.Generator().manual_seed(0))
    with pytest.raises(ValueError, match=r"nothing was dropped .*\(a TextCNN\).*set both rates to 0"):
        views(method.train())
