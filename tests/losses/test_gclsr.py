"""GCLSR's grouped loss against loops, SimSiam and the released code, and its gradient."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from clwork.losses import gclsr

from .oracles import vectors


def four(rows: int, width: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    p1, z2, p2, z1 = (vectors(rows, width, seed=seed) for seed in range(4))
    return p1, z2, p2, z1


def looped(p1: Tensor, z2: Tensor, p2: Tensor, z1: Tensor, group_dim: int) -> float:
    """The paper's §3.3, number by number."""
    total, count = 0.0, 0
    for p, z in ((p1, z2), (p2, z1)):
        for a, b in zip(p.tolist(), z.tolist(), strict=True):
            for start in range(0, len(a), group_dim):
                dot = lengths_p = lengths_z = 0.0
                for k in range(start, start + group_dim):
                    dot += a[k] * b[k]
                    lengths_p += a[k] ** 2
                    lengths_z += b[k] ** 2
                total += dot / math.sqrt(lengths_p * lengths_z)
                count += 1
    return -total / count


@pytest.mark.parametrize(
    ("rows", "width", "group_dim"), [(1, 2, 2), (3, 12, 4), (5, 8, 1), (4, 12, 12)]
)
def test_the_loss_equals_the_triple_loop(rows: Any, width: Any, group_dim: Any) -> None:
    views = four(rows, width)
    expected = looped(*views, group_dim)
    assert float(gclsr(*views, group_dim=group_dim)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    single = gclsr(*(view.float() for view in views), group_dim=group_dim)
    assert float(single) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_one_group_is_simsiam() -> None:
    p1, z2, p2, z1 = four(7, 32)
    simsiam = -(cosine_similarity(p1, z2).mean() + cosine_similarity(p2, z1).mean()) / 2
    assert float(gclsr(p1, z2, p2, z1, group_dim=32)) == pytest.approx(float(simsiam), rel=1e-12)
    assert float(gclsr(p1, z2, p2, z1, group_dim=4)) != pytest.approx(float(simsiam), rel=1e-2)


def test_gradient_reaches_the_predictions_and_never_the_targets() -> None:
    views = [view.requires_grad_() for view in four(4, 6)]
    gclsr(*views, group_dim=3).backward()  # type: ignore[no-untyped-call]
    p1, z2, p2, z1 = views
    assert z1.grad is None
    assert z2.grad is None
    assert p1.grad is not None
    assert p2.grad is not None
    assert p1.grad.abs().min() > 0
    assert p2.grad.abs().min() > 0
    assert gclsr(*views, group_dim=3) == gclsr(*views, group_dim=3, stop_gradient=False)
    gclsr(*views, group_dim=3, stop_gradient=False).backward()  # type: ignore[no-untyped-call]
    assert z1.grad is not None
    assert z2.grad is not None
    assert z1.grad.abs().min() > 0


def test_gradients_are_right() -> None:
    p1, z2, p2, z1 = four(3, 4)
    inputs = [p1.requires_grad_(), p2.requires_grad_()]
    assert torch.autograd.gradcheck(lambda a, b: gclsr(a, z2, b, z1, group_dim=2), inputs)
    every = [view.detach().requires_grad_() for view in (p1, z2, p2, z1)]
    assert torch.autograd.gradcheck(lambda *v: gclsr(*v, group_dim=2, stop_gradient=False), every)
