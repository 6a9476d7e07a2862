"""SG-BERT's wiring: frozen parameters, guides, gradients, and the content of a checkpoint."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clwork import methods
from clwork.encoders import load_encoder
from clwork.encoders.pooling import one_layer
from clwork.losses import self_guided
from clwork.methods import Draws

SENTENCES = [
    "the cat sat on the mat",
    "a dog ran far",
    "the cat ran",
    "a dog and a cat and the mat",
]
CPU = torch.device("cpu")


def make(folder: Path, **values: Any) -> Any:
    config = methods.config("self_guided", **({"batch_size": 4} | values))
    encoder = load_encoder(folder, pooling="mean", device="cpu")
    return methods.get("self_guided")(encoder, config, torch.Generator().manual_seed(0)).train()


def views(method: Any, step: int = 0) -> dict[str, torch.Tensor]:
    return dict(method.embed(method.tokenize(SENTENCES), Draws.of(0, step, CPU)))


def tokens(method: Any) -> dict[str, torch.Tensor]:
    return dict(method.encoder.collate([row.ids for row in method.tokenize(SENTENCES)]))


@pytest.mark.parametrize("pooling", ["max", "mean"])
def test_the_guides_are_all_layers_of_the_start_encoder(tiny: Path, pooling: Any) -> None:
    method = make(tiny, layer_pool=pooling)
    grid = load_encoder(tiny, pooling="mean", device="cpu").layer_grid(SENTENCES)
    with torch.no_grad():  # changes of the trained encoder do not change the frozen one
        for parameter in method.encoder.parameters():
            parameter.add_(0.1)
    found = method.guides(tokens(method), Draws.of(0, 0, CPU))
    assert found.shape == (4, 3, 16)
    assert not found.requires_grad
    for layer in range(3):
        np.testing.assert_allclose(found[:, layer], grid[layer, pooling], atol=1e-5)


@pytest.mark.parametrize(
    ("form", "shape"),
    [("opt3", (4, 3, 85)), ("opt2", (4, 85)), ("opt1", (4, 85)), ("base", (4, 85))],
)
def test_opt3_takes_every_layer_the_others_one_drawn_for_each_sentence(
    tiny: Path, form: Any, shape: Any
) -> None:
    method = make(tiny, form=form)
    z = views(method)
    assert z["c"].shape == (4, 85)
    assert z["h"].shape == shape
    if form != "opt3":
        layers = method.guides(tokens(method), Draws.of(0, 0, CPU))
        drawn = one_layer(layers, Draws.of(0, 0, CPU).data)
        torch.testing.assert_close(z["h"], method.head(drawn))
        steps = [views(method, step)["h"] for step in range(4)]
        assert any(
            not torch.allclose(steps[0], other) for other in steps[1:]
        )  # another layer at another step


def test_the_released_codes_dropout_in_the_frozen_copy(tiny: Path) -> None:
    """G2: by default the guides are the same at every step, although the loop calls ``train()``."""
    still, shaken = make(tiny), make(tiny, frozen_dropout=True)
    guides = [
        [m.guides(tokens(m), Draws.of(0, step, CPU)) for step in (0, 0, 1)] for m in (still, shaken)
    ]
    assert torch.equal(guides[0][0], guides[0][2])
    assert torch.equal(guides[1][0], guides[1][1])
    assert not torch.allclose(guides[1][0], guides[1][2])


@pytest.mark.parametrize("form", ["base", "opt1", "opt2", "opt3"])
def test_no_gradient_reaches_the_frozen_copy_and_the_head_learns_through_h(
    tiny: Path, form: Any
) -> None:
    method = make(tiny, form=form, temperature=0.5)
    z = views(method)
    alone = method.compare({"c": z["c"].detach(), "h": z["h"]}).loss  # through h only
    alone.backward()
    assert all(p.grad is None for p in method.frozen.module.parameters())
    assert method.head[0].dense.weight.grad.abs().max() > 0
    trained = [p.grad for p in method.encoder.parameters() if p.grad is not None]
    assert all(
        gradient.abs().max() == 0 for gradient in trained
    )  # from the distance only, 0 at the start


def test_frozen_embeddings_do_not_change_or_affect_the_next_method(tiny: Path) -> None:
    method = make(tiny)
    method.compare(views(method)).loss.backward()
    backbone = method.encoder.backbone
    assert all(p.grad is None for p in backbone.embeddings.parameters())
    assert all(p.grad is not None for p in backbone.encoder.parameters())
    handed_on = methods.get("simcse")(
        method.test_encoder(), methods.config("simcse"), torch.Generator()
    )
    assert all(p.requires_grad for p in handed_on.encoder.parameters())


@pytest.mark.parametrize(("reduction", "count"), [("sum", None), ("mean", 85_054_464)])
def test_the_loss_is_contrast_plus_lambda_times_distance(
    tiny: Path, reduction: Any, count: Any
) -> None:
    method = make(tiny, lam=0.3, reg_reduce=reduction, form="opt1", temperature=0.2)
    with torch.no_grad():
        for parameter in method.encoder.parameters():
            parameter.add_(0.01)  # also the embeddings, which are not trained
    z = views(method)
    terms = method.compare(z)
    distance = 0.01**2 * (count or method.parameter_count)
    contrast = self_guided(z["c"], z["h"], form="opt1", temperature=0.2)
    assert float(terms.parts["distance"]) == pytest.approx(distance, rel=1e-3)
    assert float(terms.parts["penalty"]) == pytest.approx(0.3 * distance, rel=1e-3)
    assert float(terms.loss.detach()) == pytest.approx(
        float(contrast.detach()) + 0.3 * distance, rel=1e-5
    )
    assert float(terms.parts["lam_times_parameters"]) == pytest.approx(
        0.3 * (count or method.parameter_count)
    )


def test_untrained_parameters_are_not_in_the_distance(tiny: Path) -> None:
    """λ·P counts trained parameters with a frozen copy: no frozen embeddings, no head."""
    method = make(tiny)
    whole = sum(p.numel() for p in method.encoder.parameters())
    frozen = sum(p.numel() for p in method.encoder.backbone.embeddings.parameters())
    assert method.parameter_count == whole - frozen > 0
    method.compare(views(method)).loss.backward()
    felt = {name for name, p in method.encoder.named_parameters() if p.grad is not None}
    assert felt == {name for name, p in method.encoder.named_parameters() if p.requires_grad}
    with torch.no_grad():
        method.encoder.backbone.embeddings.word_embeddings.weight += 1
    assert float(method.compare(views(method)).parts["distance"]) == 0.0


@pytest.mark.parametrize(
    ("values", "count"),
    [
        ({"form": "base"}, 7),
        ({"form": "opt1"}, 7),
        ({"form": "opt2"}, 4),
        ({"form": "opt2", "variant": "code"}, 3),
        ({"form": "opt3"}, 10),
    ],
)
def test_the_reference_is_the_contrast_of_equal_cosines(
    tiny: Path, values: Any, count: Any
) -> None:
    method = make(tiny, **values)
    assert method.references() == {f"log {count}": pytest.approx(math.log(count))}
    same = {
        "c": torch.ones(4, 8),
        "h": torch.ones(4, 3, 8) if method.config.form == "opt3" else torch.ones(4, 8),
    }
    assert float(method.compare(same).parts["contrast"]) == pytest.approx(math.log(count), rel=1e-5)


def test_at_test_time_it_is_the_raw_cls_of_the_trained_encoder(tiny: Path) -> None:
    method = make(tiny)
    raw = load_encoder(tiny, pooling="cls_before_pooler", device="cpu")
    np.testing.assert_allclose(
        method.test_encoder().encode(SENTENCES), raw.encode(SENTENCES), atol=1e-6
    )
    with torch.no_grad():
        next(method.encoder.backbone.encoder.parameters()).mul_(
            -1.0
        )  # a shift would cancel: inputs have mean 0
    assert not np.allclose(method.test_encoder().encode(SENTENCES), raw.encode(SENTENCES))
    assert method.test_encoder().head is None
