"""The shared core and SimCSE against a triple loop, closed forms and invariances."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from clwork.losses import info_nce, simcse
from clwork.losses.infonce import cosines

from .oracles import cosine, vectors


def looped(
    z1: Tensor, z2: Tensor, negatives: Tensor | None, temperature: float, alpha: float
) -> float:
    """SimCSE as the paper writes it, number by number."""
    a, b = z1.tolist(), z2.tolist()
    c = [] if negatives is None else negatives.tolist()
    total = 0.0
    for i in range(len(a)):
        below = 0.0
        for j in range(len(b)):
            below += math.exp(cosine(a[i], b[j]) / temperature)
            if c:
                below += (alpha if i == j else 1.0) * math.exp(cosine(a[i], c[j]) / temperature)
        total -= math.log(math.exp(cosine(a[i], b[i]) / temperature) / below)
    return total / len(a)


def test_simcse_is_the_triple_loop(subtests: pytest.Subtests) -> None:
    alphas, temperatures = (
        [None, 0.0, 0.5, 1.0, 50.0],
        [0.05, 0.3, 5.0],
    )  # None: without hard negatives
    for batch, alpha, temperature in product((1, 2, 6), alphas, temperatures):
        with subtests.test(batch=batch, alpha=alpha, temperature=temperature):
            z1, z2 = vectors(batch, 4), vectors(batch, 4, seed=1)
            n, weight = (None, 1.0) if alpha is None else (vectors(batch, 4, seed=2), alpha)
            expected = looped(z1, z2, n, temperature, weight)
            found = simcse(z1, z2, n, temperature=temperature, hard_negative_weight=weight)
            assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-12)
            single = simcse(
                z1.float(), z2.float(), n, temperature=temperature, hard_negative_weight=weight
            )
            assert float(single) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 2.0])
def test_a_second_hard_negative_of_each_sentence_counts_as_the_first(alpha: Any) -> None:
    z1, z2, first, second = (vectors(4, 3, seed=seed) for seed in range(4))
    found = simcse(z1, z2, torch.cat([first, second]), temperature=0.2, hard_negative_weight=alpha)
    total = 0.0
    for i in range(4):
        own, others = (
            torch.cosine_similarity(z1[i : i + 1], z, dim=1).div(0.2).exp()
            for z in (z2, torch.cat([first, second]))
        )
        weights = torch.tensor(
            [alpha if j % 4 == i else 1.0 for j in range(8)], dtype=torch.float64
        )
        total -= math.log(float(own[i]) / float(own.sum() + (weights * others).sum()))
    assert float(found) == pytest.approx(total / 4, rel=1e-9)


@pytest.mark.parametrize("columns", [[8, 0, 3, 3], [5, 2, 3, 3]])
def test_targets_choose_the_columns(columns: Any) -> None:
    anchors, candidates = vectors(4, 5), vectors(9, 5, seed=1)
    targets = torch.tensor(columns)
    logits = cosines(anchors, candidates) / 0.2
    expected = torch.nn.functional.cross_entropy(logits, targets)
    assert float(info_nce(anchors, candidates, targets, temperature=0.2)) == pytest.approx(
        float(expected), rel=1e-12
    )
    first = info_nce(anchors, candidates, temperature=0.2)  # extra candidates are extra negatives
    assert float(first) == pytest.approx(
        float(info_nce(anchors, candidates, torch.arange(4), temperature=0.2))
    )
    assert float(first) > float(info_nce(anchors, candidates[:4], temperature=0.2))


def test_a_weight_multiplies_its_term_and_minus_infinity_removes_it() -> None:
    anchors, candidates = vectors(3, 4), vectors(5, 4, seed=1)
    weights = torch.rand(3, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    weights[0, 4] = weights[1, 0] = 0.0
    terms = weights * torch.exp(cosines(anchors, candidates) / 0.5)
    expected = -torch.log(terms.diagonal() / terms.sum(dim=1)).mean()
    found = info_nce(anchors, candidates, temperature=0.5, log_weights=weights.log())
    assert float(found) == pytest.approx(float(expected), rel=1e-12)
    candidates.requires_grad_()
    only = torch.full((3, 5), -math.inf, dtype=torch.float64)
    only[:, :3] = 0.0
    loss = info_nce(anchors, candidates, temperature=0.5, log_weights=only)
    (gradient,) = torch.autograd.grad(loss, candidates)
    assert gradient[3:].abs().max() == 0
    assert torch.isfinite(gradient).all()
    assert float(loss.detach()) == pytest.approx(
        float(info_nce(anchors, candidates[:3].detach(), temperature=0.5))
    )
