"""Score tables: their mean is the loss, their shares are the logits' gradient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.memory import PeakMemory
from clwork import losses
from clwork.losses import infonce
from clwork.losses._dclr import dclr_scores
from clwork.losses._mocoutrl import long_span_scores
from clwork.losses._self_guided import self_guided_scores
from clwork.losses._simcse import simcse_scores
from clwork.losses.infonce import Scores

from .oracles import vectors

B, D, K, L = 6, 5, 4, 3


Z1, Z2, Z3, NOISE = (
    vectors(B, D),
    vectors(B, D, seed=1),
    vectors(B, D, seed=2),
    vectors(K, D, seed=3),
)
WEIGHTS = (vectors(B, B, seed=4) > 0).double()
DCLR: dict[str, Any] = {"noise": NOISE, "weights": WEIGHTS, "temperature": 0.5}
GUIDED: dict[str, Any] = {"temperature": 0.01, "variant": "paper"}
SPAN: dict[str, Any] = {"temperature": 0.07, "antonym_weight": 1.0}
H = vectors(B, L, D, seed=5)
PAIRS: dict[
    str, tuple[Callable[..., Tensor], Callable[..., Scores], tuple[Tensor, ...], dict[str, Any]]
] = {
    "info_nce": (losses.info_nce, losses.info_nce_scores, (Z1, Z2), {}),
    "simcse": (
        losses.simcse,
        simcse_scores,
        (Z1, Z2, Z3),
        {"temperature": 0.05, "hard_negative_weight": 0.0},
    ),
    "dclr": (losses.dclr, dclr_scores, (Z1, Z2), {**DCLR, "variant": "paper"}),
    "dclr code": (losses.dclr, dclr_scores, (Z1, Z2), {**DCLR, "variant": "code"}),
    "dclr literal": (losses.dclr, dclr_scores, (Z1, Z2), {**DCLR, "variant": "literal"}),
    "base": (losses.self_guided, self_guided_scores, (Z1, Z2), {"form": "base", **GUIDED}),
    "opt1": (losses.self_guided, self_guided_scores, (Z1, Z2), {"form": "opt1", **GUIDED}),
    "opt2": (losses.self_guided, self_guided_scores, (Z1, Z2), {"form": "opt2", **GUIDED}),
    "opt3": (
        losses.self_guided,
        self_guided_scores,
        (Z1, H),
        {"form": "opt3", **GUIDED, "temperature": 0.5},
    ),
    "ntxent": (losses.long_span, long_span_scores, (Z1, Z2, Z3), {"form": "ntxent", **SPAN}),
    "antonyms": (
        losses.long_span,
        long_span_scores,
        (Z1, Z2, Z3),
        {"form": "antonym_only", **SPAN},
    ),
}


def test_a_loss_is_the_mean_of_its_scores_losses(subtests: pytest.Subtests) -> None:
    for name, (loss, make, views, options) in PAIRS.items():
        with subtests.test(name=name):
            scores, whole = make(*views, **options), loss(*views, **options)
            assert torch.equal(scores.loss(), whole)
            assert scores.losses().shape == (len(scores.values),)
            assert float(scores.losses().mean()) == pytest.approx(float(whole), rel=1e-12)


def value_and_gradients(views: tuple[Tensor, ...], compute: Callable[..., Tensor]) -> list[Tensor]:
    leaves = [view.detach().clone().requires_grad_() for view in views]
    value = compute(*leaves)
    return [value.detach(), *torch.autograd.grad(value, leaves)]


def test_a_loss_in_blocks_of_rows_has_the_same_value_and_gradient(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    shifted = partial(losses.info_nce, targets=torch.arange(B).roll(1), temperature=0.5)
    cases: dict[str, tuple[Callable[..., Tensor], tuple[Tensor, ...]]] = {
        "targets": (shifted, (Z1, torch.cat([Z2, NOISE]))),
        "simcse": (losses.simcse, (Z1, Z2)),
        "hard negatives": (losses.simcse, (Z1, Z2, Z3)),
        "opt2": (partial(losses.self_guided, form="opt2"), (Z1, Z2)),
    }
    for name, (compute, views) in cases.items():
        with subtests.test(name=name), monkeypatch.context() as patch:
            whole = value_and_gradients(views, compute)
            patch.setattr(infonce, "MOST_SCORES", 1)
            patch.setattr(infonce, "BLOCK_SCORES", 4 * 2 * B)  # 2 or 4 of the 6 rows
            patch.setattr(
                infonce, "cosines", lambda *_: pytest.fail("the matrix of all pairs was built")
            )
            torch.testing.assert_close(
                value_and_gradients(views, compute), whole, rtol=1e-12, atol=1e-12
            )
    matrix = simcse_scores(Z1, Z2, None, 0.05, 1.0)
    monkeypatch.setattr(infonce, "MOST_SCORES", 1)
    blocks = simcse_scores(Z1, Z2, None, 0.05, 1.0)
    assert torch.equal(blocks.detached().shares, matrix.shares)  # what needs the matrix builds it


@pytest.mark.nightly
def test_a_loss_of_32768_rows_needs_less_than_1_gib() -> None:
    """The matrix of all cosines would have 4 GiB; value and gradients are those of float64."""
    z1 = vectors(2**15, 64).float()
    views = (z1, z1 + vectors(2**15, 64, seed=1).float())
    with PeakMemory() as peak:
        found = value_and_gradients(views, losses.simcse)
    assert peak.mib < 1024
    left, right = (functional.normalize(view.double(), dim=1) for view in views)
    parts = [
        functional.cross_entropy(left[rows] @ right.T / 0.05, rows)
        for rows in torch.arange(2**15).view(-1, 1024)
    ]
    assert float(found[0]) == pytest.approx(float(torch.stack(parts).mean()), rel=1e-7)  # 1e-9
    anchors = z1[:99].double().requires_grad_()  # the share of the loss that depends on them
    logits = functional.normalize(anchors, dim=1) @ right.T / 0.05
    (exact,) = torch.autograd.grad(
        functional.cross_entropy(logits, torch.arange(99), reduction="sum") / 2**15, anchors
    )
    assert float((found[1][:99] - exact).norm() / exact.norm()) < 2e-6  # 9e-7


def test_masks_and_shares_fit_the_gradient(subtests: pytest.Subtests) -> None:
    for name, (_, make, views, options) in PAIRS.items():
        with subtests.test(name=name):
            made = make(*views, **options)
            scores = replace(made, values=made.values.detach().requires_grad_())
            assert torch.allclose(
                scores.shares.sum(dim=1), torch.ones(len(scores.values), dtype=torch.float64)
            )
            assert scores.positive.sum() == scores.targets.numel()
            assert scores.counted[scores.positive].all()
            if scores.reduction != "softmax":
                continue
            assert torch.equal(scores.counted, scores.shares > 0)
            (gradient,) = torch.autograd.grad(scores.loss(), scores.values)
            expected = (
                (scores.shares - scores.positive.double()) / scores.temperature / len(scores.values)
            )
            assert torch.allclose(gradient, expected, atol=1e-12)
