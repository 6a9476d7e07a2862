"""MoCoUTRL's losses against loops, counts and closed forms, and errors of the printed formulas."""

from __future__ import annotations

import math
from itertools import product
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from clwork.losses import info_nce, long_span, mocoutrl, token_level
from clwork.losses._mocoutrl import VARIANTS, LongForm, TokenForm

from .oracles import cosine, dot, vectors


def triplet(batch: int, width: int, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    first, second, third = (vectors(batch, width, seed=seed + k) for k in range(3))
    return first, second, third


def ntxent_looped(a: Tensor, p: Tensor, n: Tensor, tau: float) -> tuple[float, set[int]]:
    """The loss and the number of negatives of the anchors."""
    points, batch = [*a.tolist(), *p.tolist(), *n.tolist()], len(a)
    total, counts = 0.0, set()
    for i in range(2 * batch):
        partner = (i + batch) % (2 * batch)
        negatives = [j for j in range(3 * batch) if j not in (i, partner)]
        counts.add(len(negatives))
        right = math.exp(cosine(points[i], points[partner]) / tau)
        wrong = sum(math.exp(cosine(points[i], points[j]) / tau) for j in negatives)
        total -= math.log(right / (right + wrong))
    return total / (2 * batch), counts


def long_looped(form: LongForm, a: Tensor, p: Tensor, n: Tensor, tau: float) -> float:
    if form == "ntxent":
        return ntxent_looped(a, p, n, tau)[0]
    alike = dot if form == "literal" else cosine
    total = 0.0
    for i in range(len(a)):
        right = math.exp(alike(a[i].tolist(), p[i].tolist()) / tau)
        below = right if form == "antonym_only" else 0.0
        for j in range(len(n)):
            below += math.exp(alike(a[i].tolist(), n[j].tolist()) / tau)
        total -= math.log(right / below)
    return total / len(a)


def token_looped(form: TokenForm, e: Tensor, p: Tensor, n: Tensor) -> float:
    total = 0.0
    count, width = e.shape
    for i in range(count):
        rows = [e[i].tolist(), p[i].tolist(), n[i].tolist()]
        if form in ("sqdist", "mse_mean", "hinge"):
            rows = [[x / math.sqrt(dot(row, row)) for x in row] for row in rows]
        near = far = towards = 0.0
        for d in range(width):
            near += (rows[0][d] - rows[1][d]) ** 2
            far += (rows[0][d] - rows[2][d]) ** 2
            towards += (rows[0][d] + rows[2][d]) ** 2
        total += {
            "sqdist": near - far,
            "hinge": max(0.0, 1 + near - far),
            "mse_mean": (near - far) / width,
            "literal": (near - far) / width,
            "code": (near + towards) / 2 / width,
        }[form]
    return total / count


@pytest.mark.parametrize(
    ("form", "batch", "tau"), list(product(get_args(LongForm), (1, 2, 6), [0.07, 0.5, 2.0]))
)
def test_long_span_equals_the_loop(form: Any, batch: Any, tau: Any) -> None:
    views = triplet(batch, 5)
    found = long_span(*views, temperature=tau, form=form)
    assert float(found) == pytest.approx(long_looped(form, *views, tau), rel=1e-9, abs=1e-12)
    single = long_span(*(view.float() for view in views), temperature=tau, form=form)
    assert single.dtype == torch.float32
    assert float(single) == pytest.approx(float(found), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(
    ("form", "shape"), list(product(get_args(TokenForm), ((1, 3), (4, 7), (5, 1))))
)
def test_token_level_equals_the_loop(form: Any, shape: Any) -> None:
    rows = triplet(shape[0], shape[1], seed=5)
    assert float(token_level(*rows, form=form)) == pytest.approx(
        token_looped(form, *rows), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize(("variant", "lam"), list(product(VARIANTS, [0.0, 0.25, 1.0])))
def test_lambda_weights_the_two_losses(variant: Any, lam: Any) -> None:
    views, (e, p, n) = (
        triplet(3, 5),
        triplet(2, 4, seed=7),
    )  # fewer exchanged words, of another width
    both = mocoutrl(
        *views, token_label=e, token_positive=p, token_negative=n, lam=lam, variant=variant
    )
    long_form, token_form = VARIANTS[variant]
    expected = lam * long_span(*views, form=long_form) + (1 - lam) * token_level(
        e, p, n, form=token_form
    )
    assert float(both) == pytest.approx(float(expected), rel=1e-12)
    if lam == 1:
        assert float(mocoutrl(*views, lam=1, variant=variant)) == float(both)


@pytest.mark.parametrize("form", ["sqdist", "mse_mean"])
def test_a_label_that_is_not_normalised_scales_the_loss_by_its_length(form: Any) -> None:
    """M9: the loss is linear in the label, so a radial perturbation can only weight words."""
    label, positive, negative = (
        torch.randn(5, 8, generator=torch.Generator().manual_seed(n)) for n in range(3)
    )
    directions = torch.nn.functional.normalize(label)
    whole = token_level(label, positive, negative, form=form)
    for length in (1.0, 0.99, 0.5):
        unnormalised = token_level(
            length * directions, positive, negative, form=form, unit_label=False
        )
        assert float(unnormalised) == pytest.approx(length * float(whole), rel=1e-5)
        assert float(
            token_level(length * directions, positive, negative, form=form)
        ) == pytest.approx(float(whole))


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0, 30.0])
def test_the_weight_multiplies_the_term_of_the_own_antonym(weight: Any) -> None:
    a, p, n = triplet(4, 6)
    points = torch.cat([a, p, n])
    weights = torch.ones(8, 12).fill_diagonal_(0.0)
    for i in range(4):
        weights[i, 8 + i] = weights[4 + i, 8 + i] = weight
    want = info_nce(
        points[:8], points, torch.arange(8).roll(4), temperature=0.07, log_weights=weights.log()
    )
    torch.testing.assert_close(long_span(a, p, n, antonym_weight=weight), want)
    alone = torch.cat([torch.eye(4), torch.ones(4, 4).fill_diagonal_(weight)], dim=1).log()
    want = info_nce(a, torch.cat([p, n]), temperature=0.07, log_weights=alone)
    torch.testing.assert_close(long_span(a, p, n, form="antonym_only", antonym_weight=weight), want)
