"""Weights of a given encoder that are frozen stay frozen, also in a resumed run and in a fork."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import clwork
from clwork.encoders import Encoder

from ..runs import stop_at

FROZEN = "backbone.embeddings."


def moved(encoder: Encoder, start: Encoder) -> set[str]:
    """Names of the parameters that differ."""
    before = dict(start.named_parameters())
    return {name for name, now in encoder.named_parameters() if not torch.equal(now, before[name])}


@pytest.mark.parametrize("method", ["simcse", "dclr", "mocoutrl"])
def test_frozen_weights_stay(method: str, tiny: dict[str, Any]) -> None:
    start = clwork.load_encoder(tiny["encoder"], device="cpu").without_head("cls")
    start.backbone.embeddings.requires_grad_(False)
    own = {"complementary_steps": 2} if method == "dclr" else {}
    values = {**tiny, "encoder": start, "steps": 4, "batch_size": 2, "learning_rate": 0.01, **own}
    run = stop_at(clwork.start(method, **values, checkpoint_every=1), 2)
    names = moved(run.encoder, start)
    assert names
    assert not any(name.startswith(FROZEN) for name in names)
    assert all(parameter.requires_grad for parameter in run.encoder.parameters()), (
        "another run may train them"
    )
    resumed = clwork.resume(run.folder)
    assert resumed.step == 4
    assert moved(resumed.encoder, start) == names
    assert moved(run.fork(0, steps=2).wait().encoder, start) == names
    if method == "dclr":
        helper = clwork.load_encoder(run.folder / "complementary", device="cpu")
        names = moved(helper, start)
        assert names
        assert not any(name.startswith(FROZEN) for name in names)


def test_the_last_layers_do_not_unfreeze_a_part_and_all_frozen_is_an_error(
    tiny: dict[str, Any],
) -> None:
    start = clwork.load_encoder(tiny["encoder"], device="cpu").without_head("cls")
    bias: Any = start.layers[-1]
    bias.output.dense.bias.requires_grad_(False)
    run = clwork.train(
        "simcse", **{**tiny, "encoder": start, "steps": 2, "learning_rate": 0.01}, trained_layers=1
    )
    names = moved(run.encoder, start)
    assert names
    assert all(".layer.1." in name for name in names)
    assert not any(name.endswith("layer.1.output.dense.bias") for name in names)
    with pytest.raises(
        ValueError, match=r"all weights of the encoder .* are frozen .*trained_layers"
    ):
        clwork.start("simcse", **{**tiny, "encoder": start.requires_grad_(False)})


def test_an_encoder_of_a_method_that_freezes_is_trained_whole_by_the_next(
    tiny: dict[str, Any],
) -> None:
    first = clwork.train("self_guided", **{**tiny, "steps": 1})
    start = first.encoder
    run = clwork.train("simcse", **{**tiny, "encoder": start, "steps": 2, "learning_rate": 0.01})
    assert any(name.startswith(FROZEN) for name in moved(run.encoder, start))
