"""GCLSR's wiring: views, trained parameters and their rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import methods, metrics
from clwork.encoders import Encoder, load_encoder, textcnn, word_attention
from clwork.losses import gclsr
from clwork.methods import Draws

SENTENCES = [
    "The river is long.",
    "A band plays on the square.",
    "He was born in Paris.",
    "Two cats sleep. 42!",
]
SMALL: dict[str, Any] = {
    "batch_size": 8,
    "max_length": 16,
    "projector": 32,
    "predictor": 8,
    "group_dim": 8,
}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def corpus() -> Any:
    return clwork.data.sentences("wikipedia-mini")[:160]


@pytest.fixture
def encoder() -> Encoder:
    return textcnn(regions=(1, 1, 3), filters=6, device="cpu")


def make(encoder: Encoder, **values: Any) -> Any:
    config = methods.config("gclsr", encoder=encoder, **(SMALL | values))
    return methods.get("gclsr")(encoder, config, torch.Generator().manual_seed(0)).train()


def views(method: Any, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(SENTENCES), Draws.of(0, step, CPU)))


def test_the_loss_equals_the_library_function_on_the_views(encoder: Encoder) -> None:
    for stop in (True, False):
        method = make(encoder, group_dim=4, stop_gradient=stop)
        z = views(method)
        terms = method.compare(z)
        want = gclsr(z["p1"], z["z2"], z["p2"], z["z1"], group_dim=4, stop_gradient=stop)
        assert terms.loss == want
        assert set(terms.parts) == {"positive_cosine", "z_std_sqrt_d", "z_rank"}
        one_line = method.compare({name: torch.ones(4, 32) for name in z})
        assert float(one_line.parts["z_rank"]) == pytest.approx(1.0)
        assert float(one_line.parts["z_std_sqrt_d"]) < 1e-6
        axes = method.compare({name: torch.eye(4, 32) for name in z})
        assert float(axes.parts["z_rank"]) == pytest.approx(4.0)
        assert float(terms.parts["z_std_sqrt_d"]) == pytest.approx(
            metrics.std_sqrt_d(z["z1"].detach()), rel=1e-4
        )


def test_attention_is_for_training_only_unless_always(encoder: Encoder) -> None:
    words = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0))
    mask = torch.ones(2, 5)
    at = {
        kind: make(encoder, attention=kind, augmented=0.0) for kind in ("train", "never", "always")
    }
    draw = torch.Generator()
    torch.testing.assert_close(at["train"].augment(words, mask, draw), word_attention(words, mask))
    torch.testing.assert_close(at["never"].augment(words, mask, draw), words)
    torch.testing.assert_close(
        at["always"].augment(words, mask, draw), words
    )  # the TextCNN does it itself
    raw = encoder.encode(SENTENCES)
    assert np.array_equal(at["train"].test_encoder().encode(SENTENCES), raw)
    assert np.array_equal(at["never"].test_encoder().encode(SENTENCES), raw)
    assert np.abs(at["always"].test_encoder().encode(SENTENCES) - raw).max() > 1e-2
    torch.testing.assert_close(views(at["train"])["z1"], views(at["always"])["z1"])


def test_word_vectors_are_never_trained_and_all_else_is(encoder: Encoder) -> None:
    method = make(encoder)
    terms = method.compare(views(method))
    terms.loss.backward()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in method.parameters())
    assert not any("table" in name for name in method.state_dict())
    assert not method.encoder.backbone.vectors.table.requires_grad


def test_rates_and_momentum_follow_the_paper(encoder: Encoder) -> None:
    """Warm-up over a quarter, cosine to 0; the predictor's rate constant; momentum .9, then .8."""
    method = make(encoder, batch_size=512, learning_rate=0.03)
    optimizer = method.optimizer()
    assert isinstance(optimizer, torch.optim.SGD)
    assert all(group["nesterov"] for group in optimizer.param_groups)
    seen = []
    for step in range(100):
        method.before_step(step, 100, optimizer)
        main, follower = optimizer.param_groups
        seen.append(main["lr"])
        assert follower["lr"] == 1.0
        assert main["momentum"] == follower["momentum"] == (0.9 if step < 25 else 0.8)
        assert main["weight_decay"] == 1e-3
    assert max(seen) == seen[25] == pytest.approx(0.03 * 512 / 128)  # 0.12
    assert seen[0] == pytest.approx(0.12 / 26)
    assert seen[62] == pytest.approx(0.06, rel=0.05)
    assert seen[-1] < 1e-3
    assert seen[:26] == sorted(seen[:26])
    assert seen[25:] == sorted(seen[25:], reverse=True)


def test_works_on_a_transformer_too() -> None:
    """The augmentation acts on any encoder's token embeddings; the encoder's dropout is off."""
    method = make(load_encoder("mini", device="cpu"))
    method.tokenize(SENTENCES)
    same = views(make(load_encoder("mini", device="cpu"), augmented=0.0))
    torch.testing.assert_close(same["z1"], same["z2"], atol=1e-4, rtol=1e-3)
    before = torch.get_rng_state()
    z = views(method)
    assert torch.equal(before, torch.get_rng_state())
    assert not torch.allclose(z["z1"], z["z2"], atol=1e-2)
    method.compare(z).loss.backward()
    assert method.encoder.backbone.get_input_embeddings().weight.grad.abs().max() > 0


BIG = [
    "A big dog ran home.",
    "The happy cat sat on a small mat.",
    "He had a cold supper.",
    "Two cats sleep. 42!",
]


def test_eda_changes_the_text_of_each_view_by_itself(encoder: Encoder) -> None:
    method = make(encoder, text_augmentation="eda", augmented=0.0)
    batch = method.tokenize(BIG)
    draws = [Draws.of(0, step, CPU) for step in (0, 0, 1)]
    first, again, later = (method.texts(batch, each) for each in draws)
    assert first == again != later
    assert first[0] != first[1]
    assert all(texts != BIG for texts in first)
    assert method.view_texts(BIG, batch, Draws.of(0, 0, CPU)) == dict(
        zip(("z1", "z2"), first, strict=True)
    )
    z = dict(method.embed(batch, Draws.of(0, 0, CPU)))
    plain = make(encoder, augmented=0.0, changed_views="both", text_augmentation="none")
    for name, texts in zip(("z1", "z2"), first, strict=True):
        torch.testing.assert_close(
            z[name], plain.embed(plain.tokenize(texts), Draws.of(0, 0, CPU))[name]
        )


@pytest.mark.parametrize("values", [{"unknown_words": "resampled"}, {"attention": "always"}])
def test_settings_of_a_textcnn_are_refused_with_a_transformer(values: Any) -> None:
    with pytest.raises(ValueError, match=r"needs? a TextCNN, .*'mini'"):
        make(load_encoder("mini", device="cpu"), **values)
