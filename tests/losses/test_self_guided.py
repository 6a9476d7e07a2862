"""SG-BERT's four forms against loops, closed forms, invariances and the released error."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from clwork.losses import parameter_distance, self_guided
from clwork.losses._self_guided import GuidedForm
from clwork.losses.checks import Variant

from .oracles import cosine, vectors

FORMS: tuple[GuidedForm, ...] = ("base", "opt1", "opt2", "opt3")


def guides(
    form: GuidedForm, batch: int = 5, layers: int = 3, dim: int = 4, seed: int = 1
) -> Tensor:
    return (
        vectors(batch, layers, dim, seed=seed) if form == "opt3" else vectors(batch, dim, seed=seed)
    )


def phi(a: Tensor, b: Tensor, temperature: float) -> float:
    return math.exp(cosine(a.tolist(), b.tolist()) / temperature)


def looped(
    c: Tensor, h: Tensor, form: GuidedForm, temperature: float, variant: Variant = "paper"
) -> tuple[float, set[int]]:
    """The mean loss, sum by sum as in §3, and the numbers of negatives in its denominators."""
    batch, losses, counts = len(c), [], set()

    def add(positive: float, negatives: list[float]) -> None:
        losses.append(-math.log(positive / (positive + sum(negatives))))
        counts.add(len(negatives))

    if form == "base":
        points = [*c, *h]
        for m in range(2 * batch):
            partner = m + batch if m < batch else m - batch
            others = [n for n in range(2 * batch) if n not in (m, partner)]
            add(
                phi(points[m], points[partner], temperature),
                [phi(points[m], points[n], temperature) for n in others],
            )
        return sum(losses) / len(losses), counts
    for i in range(batch):
        others = [j for j in range(batch) if j != i]
        if form == "opt3":
            negatives = [phi(c[i], h[m, n], temperature) for m in others for n in range(h.shape[1])]
            for k in range(h.shape[1]):
                add(phi(c[i], h[i, k], temperature), negatives)
            continue
        negatives = [phi(c[i], h[j], temperature) for j in others]
        if form == "opt2" and variant == "code":
            negatives = negatives[1:]
        if form == "opt1":
            negatives += [phi(c[i], c[j], temperature) for j in others]
        add(phi(c[i], h[i], temperature), negatives)
    return sum(losses) / len(losses), counts


@pytest.mark.parametrize(
    ("form", "batch", "temperature"), list(product(FORMS, (1, 2, 6), [0.01, 0.1, 1.0]))
)
def test_each_form_equals_the_papers_sums(form: Any, batch: Any, temperature: Any) -> None:
    c, h = vectors(batch, 4), guides(form, batch)
    expected, _ = looped(c, h, form, temperature)
    for variant in ("paper", "literal"):
        found = self_guided(c, h, form=form, temperature=temperature, variant=variant)
        assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    single = self_guided(c.float(), h.float(), form=form, temperature=temperature)
    assert single.dtype == torch.float32
    assert float(single) == pytest.approx(expected, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("batch", [2, 3, 7])
def test_the_released_opt2_loses_the_first_negative(batch: Any) -> None:
    c, h = vectors(batch, 4), vectors(batch, 4, seed=1)
    expected, counts = looped(c, h, "opt2", 0.2, variant="code")
    assert counts == {batch - 2}
    found = float(self_guided(c, h, form="opt2", temperature=0.2, variant="code"))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found < float(self_guided(c, h, form="opt2", temperature=0.2))


def pair(shift: float = 0.0) -> tuple[nn.Module, nn.Module]:
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)).double()
    frozen = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)).double()
    frozen.load_state_dict({name: p + shift for name, p in model.state_dict().items()})
    return model, frozen


def test_distance_is_the_sum_over_all_parameters() -> None:
    model, frozen = pair(shift=0.5)
    count = sum(p.numel() for p in model.parameters())
    assert count == 3 * 4 + 4 + 4 + 4
    assert float(parameter_distance(model, frozen).detach()) == pytest.approx(
        0.25 * count, rel=1e-12
    )
    assert float(parameter_distance(model, frozen, reduction="mean").detach()) == pytest.approx(
        0.25, rel=1e-12
    )
    assert float(parameter_distance(*pair()).detach()) == 0.0  # as at step 0


def test_its_gradient_goes_to_the_model_alone_and_leads_back() -> None:
    model, frozen = pair(shift=0.5)
    loss = parameter_distance(model, frozen)
    loss.backward()  # type: ignore[no-untyped-call]
    for (_, p), (_, fixed) in zip(model.named_parameters(), frozen.named_parameters(), strict=True):
        assert p.grad is not None
        torch.testing.assert_close(p.grad, 2 * (p - fixed).detach())
        assert fixed.grad is None
    model, frozen = pair()
    parameter_distance(model, frozen).backward()  # type: ignore[no-untyped-call]
    assert all(
        p.grad is not None and p.grad.abs().max() == 0 for p in model.parameters()
    )  # at step 0: no NaN


def test_half_precision_is_summed_in_float32() -> None:
    model, frozen = nn.Linear(300, 300).bfloat16(), nn.Linear(300, 300).bfloat16()
    expected = sum(
        (p.double() - q.double()).square().sum().item()
        for p, q in zip(model.parameters(), frozen.parameters(), strict=True)
    )
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = parameter_distance(model, frozen)
    assert found.dtype == torch.float32
    assert found.item() == pytest.approx(expected, rel=1e-5)
