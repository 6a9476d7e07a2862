"""The weight update: gradients are clipped; it is skipped if one is not finite."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch
from torch import nn

from clwork.methods import Draws, config, get
from clwork.methods.step import apply_update, train_step

OPTIMIZERS: dict[str, Any] = {
    "fused AdamW": lambda p: torch.optim.AdamW(p, lr=0.1, fused=True),
    "fused SGD": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, fused=True),
    "plain AdamW": lambda p: torch.optim.AdamW(p, lr=0.1),
}


def parameters() -> list[nn.Parameter]:
    made = [nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(2, 2))]
    for parameter in made:
        parameter.grad = torch.full_like(parameter, 2.0)
    return made


@pytest.mark.parametrize(("spoilt", "kind"), list(product(["loss", "gradient"], OPTIMIZERS)))
def test_values_that_are_not_finite_never_reach_weights_or_moments(spoilt: Any, kind: Any) -> None:
    weights = parameters()
    optimizer = OPTIMIZERS[kind](weights)
    assert apply_update(optimizer, weights, 1.0, torch.tensor(0.5)).item() == pytest.approx(
        2 * 7**0.5
    )
    before = [weight.detach().clone() for weight in weights]
    assert not torch.equal(before[0], torch.ones(3)), "guard: a good update is applied"
    moments = [value.clone() for state in optimizer.state.values() for value in state.values()]
    if spoilt == "gradient":
        weights[1].grad = torch.full((2, 2), float("inf"))
    apply_update(optimizer, weights, 1.0, torch.tensor(float("nan") if spoilt == "loss" else 0.5))
    assert all(torch.equal(old, new) for old, new in zip(before, weights, strict=True))
    after = [value for state in optimizer.state.values() for value in state.values()]
    assert all(torch.equal(old, new) for old, new in zip(moments, after, strict=True))
    for weight in weights:
        weight.grad = torch.ones_like(weight)
    apply_update(optimizer, weights, 1.0, torch.tensor(0.5))
    assert not torch.equal(before[0], weights[0])
    assert all(weight.isfinite().all() for weight in weights)


def test_a_step_equals_its_written_out_definition() -> None:
    """Bit for bit: views, loss, gradients clipped, update; the rate is set first."""
    import clwork

    ends = []
    for by_hand in (False, True):
        encoder = clwork.load_encoder("mini", device="cpu")
        values = config("simcse", "mini", batch_size=4, learning_rate=1e-3, clip=0.5)
        method = get("simcse")(encoder, values, torch.Generator().manual_seed(0))
        optimizer = method.optimizer()
        batch = method.tokenize(
            ["A river.", "The band plays.", "Two cats sleep.", "He was born in Paris."]
        )
        for step in range(2):
            draws = Draws.of(0, step, encoder.device)
            if not by_hand:
                train_step(method.eval(), optimizer, batch, draws, step, 4)
                continue
            method.train()
            method.before_step(step, 4, optimizer)
            loss = method.compare(method.embed(batch, draws)).loss
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(method.parameters(), 0.5)
            optimizer.step()
        ends.append(method.state_dict())
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[1])
    start = clwork.load_encoder("mini", device="cpu").backbone.state_dict()
    assert not torch.equal(
        *(
            found["embeddings.word_embeddings.weight"]
            for found in (start, encoder.backbone.state_dict())
        )
    )
