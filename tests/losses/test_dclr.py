"""DCLR's loss: three readings of it against loops, SimCSE as its limit, and what the printed formula does wrong."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from clwork.losses import Variant, dclr, distillation, instance_weights, simcse, softmax_mass

VARIANTS = ["paper", "code", "literal"]


def vectors(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def binary(size: int, seed: int = 5) -> Tensor:
    return (torch.rand(size, size, generator=torch.Generator().manual_seed(seed)) > 0.4).double()


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    return dot / math.sqrt(sum(p * p for p in a)) / math.sqrt(sum(q * q for q in b))


def looped(z1: Tensor, z2: Tensor, noise: Tensor, alpha: Tensor, temperature: float, variant: Variant) -> float:
    """The three formulas, number by number; ``noise`` is (B, K, D)."""
    a, b, n, weight = z1.tolist(), z2.tolist(), noise.tolist(), alpha.tolist()
    total, count = 0.0, len(a)
    for i in range(count):
        right = math.exp(cosine(a[i], b[i]) / temperature)
        if variant == "paper":
            below = right + sum(
                weight[i][j] * math.exp(cosine(a[i], b[j]) / temperature) for j in range(count) if j != i
            )
            below += sum(math.exp(cosine(a[i], x) / temperature) for x in n[i])
            total -= math.log(right / below) / count
        elif variant == "literal":
            below = sum(math.exp(cosine(a[i], b[j]) / temperature) for j in range(count) if j != i)
            below += sum(math.exp(cosine(a[i], x) / temperature) for x in n[i])
            total -= math.log(right / below) / count
        else:
            terms = [
                right if j == i else math.exp(weight[i][j] * cosine(a[i], b[j]) / temperature) for j in range(count)
            ]
            terms += [math.exp(cosine(a[i], x) / temperature) for x in n[i]]
            for j, term in enumerate(terms):
                p = term / sum(terms)
                total -= (math.log(p) if j == i else math.log(1 - p)) / (count * len(terms))
    return total


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("temperature", [0.1, 0.5, 2.0])
@pytest.mark.parametrize(("batch", "count"), [(1, 3), (2, 1), (5, 4), (6, 0)])
def test_every_variant_is_its_loop(variant: Variant, temperature: float, batch: int, count: int) -> None:
    z1, z2 = vectors(batch, 7), vectors(batch, 7, seed=1)
    own, alpha = vectors(batch, count, 7, seed=2), binary(batch)
    given = own if count else None
    found = dclr(z1, z2, noise=given, weights=alpha, temperature=temperature, variant=variant)
    assert float(found) == pytest.approx(looped(z1, z2, own, alpha, temperature, variant), rel=1e-9, abs=1e-12)
    shared = vectors(count, 7, seed=3)
    found = dclr(z1, z2, noise=shared if count else None, weights=alpha, temperature=temperature, variant=variant)
    every = shared.expand(batch, count, 7)
    assert float(found) == pytest.approx(looped(z1, z2, every, alpha, temperature, variant), rel=1e-9, abs=1e-12)


def test_weights_of_one_and_no_noise_are_simcse_exactly() -> None:
    for dtype in (torch.float32, torch.float64):
        z1, z2 = vectors(9, 6).to(dtype), vectors(9, 6, seed=1).to(dtype)
        for weights in (None, torch.ones(9, 9), torch.ones(9, 9, dtype=torch.bool)):
            assert torch.equal(dclr(z1, z2, weights=weights, temperature=0.07), simcse(z1, z2, temperature=0.07))
    assert float(dclr(z1, z2, noise=vectors(3, 6, seed=2))) != float(simcse(z1, z2))  # the guard


def test_noise_is_more_columns_of_info_nce_for_each_sentence() -> None:
    same = torch.ones(64, 8)
    assert float(dclr(same, same, noise=torch.ones(64, 8))) == pytest.approx(math.log(128))
    assert float(dclr(same, same, noise=torch.ones(64, 10, 8))) == pytest.approx(math.log(74))
    half = torch.full((64, 64), 0.5)
    assert float(dclr(same, same, weights=half)) == pytest.approx(math.log(1 + 63 / 2))
    assert float(dclr(same, same, weights=torch.zeros(64, 64))) == 0.0


def test_closed_forms_of_the_other_variants() -> None:
    same, noise = torch.ones(8, 4).double(), torch.ones(3, 4).double()
    columns = 11
    expected = -(math.log(1 / columns) + (columns - 1) * math.log(1 - 1 / columns)) / columns
    assert float(dclr(same, same, noise=noise, variant="code")) == pytest.approx(expected)
    assert float(dclr(same, same, noise=noise, variant="literal")) == pytest.approx(math.log(columns - 1))


def test_the_printed_formula_has_no_floor_of_zero() -> None:
    """D1: -2/τ + log(255 negatives) at τ = 0.05, which is -34.5; the repaired loss stays at or above 0."""
    sentence = torch.tensor([[1.0, 0.0]]).double()
    noise = -sentence.expand(255, 2)
    printed = dclr(sentence, sentence, noise=noise, variant="literal")
    assert float(printed) == pytest.approx(-2 / 0.05 + math.log(255), abs=1e-9) and float(printed) < -34.4
    assert 0 <= float(dclr(sentence, sentence, noise=noise)) < 1e-14


def test_the_printed_formula_keeps_pulling_at_what_is_right_already() -> None:
    """At a nearly solved batch the paper's gradient on the positives is gone; the printed formula's is as ever."""
    z1 = torch.eye(8).double()
    z2 = (z1 + 0.05 * vectors(8, 8)).requires_grad_()
    sizes = {}
    for variant in ("paper", "literal"):
        (gradient,) = torch.autograd.grad(dclr(z1, z2, variant=variant), z2)
        sizes[variant] = float(gradient.norm())
    assert sizes["literal"] > 1000 * sizes["paper"]


def test_the_printed_formula_knows_no_weights() -> None:
    z1, z2 = vectors(5, 4), vectors(5, 4, seed=1)
    unweighted = dclr(z1, z2, variant="literal")
    assert torch.equal(unweighted, dclr(z1, z2, weights=torch.zeros(5, 5), variant="literal"))
    with pytest.raises(ValueError, match="empty"):
        dclr(z1[:1], z2[:1], variant="literal")


def test_a_masked_negative_is_absent_in_the_paper_and_counts_one_in_the_code() -> None:
    z1, z2 = vectors(3, 4), vectors(3, 4, seed=1).requires_grad_()
    nobody = torch.zeros(3, 3)
    paper = dclr(z1, z2, weights=nobody, temperature=1.0)
    assert float(paper.detach()) == 0.0 and float(torch.autograd.grad(paper, z2)[0].abs().max()) == 0.0
    code = dclr(z1, z2, weights=nobody, temperature=1.0, variant="code")
    right = torch.nn.functional.cosine_similarity(z1, z2).exp()
    p, q = right / (right + 2), 1 / (right + 2)  # D6: a logit of 0 is a term of e^0 = 1
    assert float(code.detach()) == pytest.approx(float(-(p.log() + 2 * (1 - q).log()).mean().detach() / 3))


def test_the_released_loss_survives_certainty() -> None:
    """D10: one minus P rounds to 0 in float32 where P is e^-20 from 1, on either side, and the logarithm is finite."""
    axes = torch.eye(16)
    wrong = axes.roll(1, dims=0)  # the positive has cosine 0 and a negative cosine 1
    for z2, limit in ((axes, 1e-4), (wrong, 10.0)):
        z1 = axes.clone().requires_grad_()
        for temperature in (0.05, 0.01):
            loss = dclr(z1, z2, temperature=temperature, variant="code")
            (gradient,) = torch.autograd.grad(loss, z1)
            assert torch.isfinite(loss) and torch.isfinite(gradient).all()
        assert float(dclr(axes, z2, variant="code")) < limit
    double = dclr(axes.double(), wrong.double(), variant="code")
    assert float(dclr(axes, wrong, variant="code")) == pytest.approx(float(double), rel=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_order_and_length_do_not_matter(variant: Variant) -> None:
    z1, z2, noise, alpha = vectors(7, 5), vectors(7, 5, seed=1), vectors(4, 5, seed=2), binary(7)
    expected = float(dclr(z1, z2, noise=noise, weights=alpha, variant=variant))
    p = torch.randperm(7, generator=torch.Generator().manual_seed(3))
    moved = dclr(3 * z1[p], z2[p] / 7, noise=noise.flip(0) * 1e3, weights=alpha[p][:, p], variant=variant)
    assert float(moved) == pytest.approx(expected, rel=1e-12)
    wrong = dclr(z1[p], z2, noise=noise, weights=alpha, variant=variant)
    assert float(wrong) != pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_gradients_are_right_and_none_reaches_noise_or_weights(variant: Variant) -> None:
    z1, z2 = vectors(4, 3).requires_grad_(), vectors(4, 3, seed=1).requires_grad_()
    noise, alpha = vectors(2, 3, seed=2).requires_grad_(), binary(4).requires_grad_()

    def loss(a: Tensor, b: Tensor) -> Tensor:
        return dclr(a, b, noise=noise, weights=alpha, temperature=0.5, variant=variant)

    assert torch.autograd.gradcheck(loss, (z1, z2))
    loss(z1, z2).backward()  # type: ignore[no-untyped-call]
    assert noise.grad is None and alpha.grad is None and z1.grad is not None


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_float32_under_autocast(variant: Variant, dtype: torch.dtype) -> None:
    z1, z2, noise = (vectors(8, 16, seed=s).to(dtype) for s in range(3))
    for shape in ((8, 16), (8, 1, 16)):
        expected = dclr(z1.float(), z2.float(), noise=noise.float().view(shape), weights=binary(8), variant=variant)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = dclr(z1, z2, noise=noise.view(shape), weights=binary(8), variant=variant)
        assert found.dtype == torch.float32 and float(found) == float(expected)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("temperature", [1e-30, 1e-3, 1e4])
def test_extreme_temperatures_stay_finite(variant: Variant, temperature: float) -> None:
    z1 = vectors(6, 5).float().requires_grad_()
    loss = dclr(z1, vectors(6, 5, seed=1).float(), noise=vectors(3, 5), temperature=temperature, variant=variant)
    assert torch.isfinite(loss)


def test_the_masses_are_the_softmax_and_add_up() -> None:
    z1, z2, noise, alpha = vectors(6, 5), vectors(6, 5, seed=1), vectors(4, 5, seed=2), binary(6)
    found = softmax_mass(z1, z2, noise=noise, weights=alpha, temperature=0.3)
    a, b, n = z1.tolist(), z2.tolist(), noise.tolist()
    groups = [0.0, 0.0, 0.0]
    for i in range(6):
        right = math.exp(cosine(a[i], b[i]) / 0.3)
        batch = sum(float(alpha[i, j]) * math.exp(cosine(a[i], b[j]) / 0.3) for j in range(6) if j != i)
        far = sum(math.exp(cosine(a[i], x) / 0.3) for x in n)
        for place, mass in enumerate((right, batch, far)):
            groups[place] += mass / (right + batch + far) / 6
    assert [float(mass) for mass in found] == pytest.approx(groups, rel=1e-9)
    assert sum(float(mass) for mass in found) == pytest.approx(1.0)
    assert float(softmax_mass(z1, z2).noise) == 0.0


def test_released_settings_leave_the_noise_a_few_millionths() -> None:
    """Positives at .9, negatives at .3, 128 vectors of noise at exactly 0: 99.92 %, 7.8e-4, and two millionths."""
    batch = 128
    axes = torch.eye(2 * batch + 2, dtype=torch.float64)
    common, far, own, rest = axes[:1], axes[1:2], axes[2 : batch + 2], axes[batch + 2 :]
    z1 = math.sqrt(0.3) * common + math.sqrt(0.7) * own
    z2 = math.sqrt(0.3) * common + 0.6 / math.sqrt(0.7) * own + math.sqrt(0.7 - 0.36 / 0.7) * rest
    found = softmax_mass(z1, z2, noise=far.expand(batch, -1))
    assert [float(mass) for mass in found] == pytest.approx([0.9992, 7.8e-4, 1.95e-6], rel=0.01)


def test_weights_mask_at_phi_the_code_above_it() -> None:
    similar = torch.tensor([[1.0, 0.9, 0.89], [0.1, -1.0, 0.95], [0.9, 0.2, 0.0]])
    assert instance_weights(similar).tolist() == [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert instance_weights(similar, strict=True).tolist() == [[1, 1, 1], [1, 1, 0], [1, 1, 1]]
    assert instance_weights(similar, phi=-1).tolist() == torch.eye(3).tolist()


@pytest.mark.parametrize("quantile", [0.5, 0.9, 0.95, 0.99])
def test_a_quantile_masks_its_share_whatever_the_scale(quantile: float) -> None:
    similar = vectors(40, 40)
    for scaled in (similar, 0.9 + similar / 1000):
        masked = float((instance_weights(scaled, quantile=quantile) == 0).double().mean()) * 1600 / 1560
        assert masked == pytest.approx(1 - quantile, abs=1 / 1560)
    assert torch.equal(instance_weights(torch.ones(1, 1), quantile=0.5), torch.ones(1, 1))


def test_noise_is_judged_by_the_threshold_of_the_batch() -> None:
    """D16: the text lets the complementary model weigh noise as well."""
    similar, heard = torch.tensor([[1.0, 0.9], [0.3, 1.0]]), torch.tensor([[0.95, 0.1, -1.0], [0.9, 0.89, 1.0]])
    weights = instance_weights(similar, noise=heard)
    assert weights.tolist() == [[1, 0, 0, 1, 1], [1, 1, 0, 1, 0]]
    by_share = instance_weights(similar, quantile=0.5, noise=heard)  # the threshold is the batch's, 0.9
    assert torch.equal(by_share, weights)
    z1, z2, noise = vectors(2, 4), vectors(2, 4, seed=1), vectors(3, 4, seed=2)
    judged = dclr(z1, z2, noise=noise, weights=weights, temperature=0.5)
    rows = [
        dclr(z1[i : i + 1], z2[i : i + 1], noise=kept, temperature=0.5)
        for i, kept in enumerate((noise[1:], torch.cat([z2[:1], noise[1:2]])))
    ]
    assert float(judged) == pytest.approx(float(sum(rows) / 2), rel=1e-9)
    alone = torch.cat([torch.ones(2, 2), torch.zeros(2, 3)], dim=1)
    assert torch.equal(dclr(z1, z2, noise=noise, weights=alone), dclr(z1, z2))


def test_distillation_is_the_divergence_of_neighbourhoods() -> None:
    z1, z2, teacher = vectors(5, 6), vectors(5, 6, seed=1), vectors(5, 5, seed=2)
    a, b, t = z1.tolist(), z2.tolist(), teacher.tolist()
    expected = 0.0
    for i in range(5):
        others = [j for j in range(5) if j != i]
        mine = [math.exp(cosine(a[i], b[j]) / 0.5) for j in others]
        theirs = [math.exp(t[i][j] / 0.5) for j in others]
        for p, q in zip(theirs, mine, strict=True):
            expected += p / sum(theirs) * math.log(p / sum(theirs) / (q / sum(mine))) / 5
    assert float(distillation(z1, z2, teacher, temperature=0.5)) == pytest.approx(expected, rel=1e-9)
    own = torch.nn.functional.normalize(z1) @ torch.nn.functional.normalize(z2).T
    assert float(distillation(z1, z2, own)) == pytest.approx(0.0, abs=1e-12)
    inputs = (z1.requires_grad_(), z2.requires_grad_())
    assert torch.autograd.gradcheck(lambda x, y: distillation(x, y, teacher, temperature=0.5), inputs)


GOOD = torch.eye(3)


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"variant": "papers"}, ValueError, "'paper', 'code', 'literal'"),
        ({"temperature": 0.0}, ValueError, "above 0"),
        ({"noise": torch.ones(2, 4)}, ValueError, "widths differ"),
        ({"noise": torch.ones(3)}, ValueError, "noise has shape"),
        ({"noise": torch.ones(0, 3)}, ValueError, "noise is empty"),
        ({"noise": torch.ones(2, 5, 3)}, ValueError, "for 3 sentences"),
        ({"noise": torch.full((2, 3), math.nan)}, ValueError, "noise has NaN"),
        ({"noise": [[1.0, 2.0, 3.0]]}, TypeError, "noise is a list"),
        ({"weights": torch.ones(3, 2)}, ValueError, r"must be \(B, B\)"),
        ({"weights": torch.full((3, 3), 1.1)}, ValueError, "outside"),
        ({"weights": torch.full((3, 3), -0.1)}, ValueError, "outside"),
        ({"weights": torch.full((3, 3), math.nan)}, ValueError, "NaN"),
        ({"weights": 1.0}, TypeError, "weights is float"),
    ],
)
def test_what_is_refused(more: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        dclr(GOOD, GOOD, **more)


def test_views_are_checked_and_the_diagonal_is_ignored() -> None:
    with pytest.raises(ValueError, match="differ"):
        dclr(GOOD, torch.ones(2, 3))
    with pytest.raises(ValueError, match="z2 has NaN"):
        dclr(GOOD, GOOD * math.nan)
    weights = torch.ones(3, 3).fill_diagonal_(math.nan)
    assert torch.equal(dclr(GOOD, GOOD, weights=weights), dclr(GOOD, GOOD))
    assert weights.diagonal().isnan().all()  # the caller's tensor is not changed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"similarities": torch.ones(3, 2)}, r"\(B, B\)"),
        ({"similarities": torch.eye(3), "phi": 1.5}, "phi is 1.5"),
        ({"similarities": torch.eye(3), "phi": math.nan}, "phi is nan"),
        ({"similarities": torch.eye(3), "quantile": 1.0}, "quantile is 1.0"),
        ({"similarities": torch.eye(3), "quantile": 0.0}, "quantile is 0.0"),
    ],
)
def test_thresholds_out_of_range(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        instance_weights(**arguments)


def test_distillation_wants_a_square_and_two_sentences() -> None:
    for z, teacher in ((GOOD, torch.ones(3, 2)), (GOOD[:1], torch.ones(1, 1))):
        with pytest.raises(ValueError, match="at least 2"):
            distillation(z, z, teacher)
