"""SG-BERT's four forms against loops as the paper writes them, closed forms, invariances and the released slip."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from clwork.losses import GuidedForm, Variant, parameter_distance, self_guided

FORMS: tuple[GuidedForm, ...] = ("base", "opt1", "opt2", "opt3")


def vectors(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def guides(form: GuidedForm, batch: int = 5, layers: int = 3, dim: int = 4, seed: int = 1) -> Tensor:
    return vectors(batch, layers, dim, seed=seed) if form == "opt3" else vectors(batch, dim, seed=seed)


def phi(a: Tensor, b: Tensor, temperature: float) -> float:
    dot = sum(p * q for p, q in zip(a.tolist(), b.tolist(), strict=True))
    length = math.sqrt(sum(p * p for p in a.tolist())) * math.sqrt(sum(q * q for q in b.tolist()))
    return math.exp(dot / length / temperature)


def looped(
    c: Tensor, h: Tensor, form: GuidedForm, temperature: float, variant: Variant = "paper"
) -> tuple[float, set[int]]:
    """The mean loss, sum by sum as in §3, and the numbers of negatives that its denominators were seen to have."""
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


@pytest.mark.parametrize("temperature", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("batch", [1, 2, 6])
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_the_papers_sums(form: GuidedForm, batch: int, temperature: float) -> None:
    c, h = vectors(batch, 4), guides(form, batch)
    expected, _ = looped(c, h, form, temperature)
    for variant in ("paper", "literal"):
        found = self_guided(c, h, form=form, temperature=temperature, variant=variant)
        assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    single = self_guided(c.float(), h.float(), form=form, temperature=temperature)
    assert single.dtype == torch.float32
    assert float(single) == pytest.approx(expected, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("batch", [2, 3, 7])
def test_the_released_opt2_loses_the_first_negative(batch: int) -> None:
    c, h = vectors(batch, 4), vectors(batch, 4, seed=1)
    expected, counts = looped(c, h, "opt2", 0.2, variant="code")
    assert counts == {batch - 2}
    found = float(self_guided(c, h, form="opt2", temperature=0.2, variant="code"))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found < float(self_guided(c, h, form="opt2", temperature=0.2))


def test_in_the_released_opt2_guide_0_repels_nobody() -> None:
    """It is every other anchor's first negative, so its gradient comes from its own anchor alone."""
    c = vectors(4, 5)
    variants: list[tuple[Variant, bool]] = [("paper", False), ("code", True)]
    for variant, alone in variants:
        h = vectors(4, 5, seed=1).requires_grad_()
        full = torch.autograd.grad(self_guided(c, h, form="opt2", temperature=0.5, variant=variant), h)[0][0]
        own = vectors(4, 5, seed=1).requires_grad_()
        logits = torch.cosine_similarity(c[:1, None], own[None], dim=-1) / 0.5  # (1, 4)
        if variant == "code":
            logits = logits[:, [0, 2, 3]]
        loss = nn.functional.cross_entropy(logits, torch.zeros(1, dtype=torch.long)) / 4
        first = torch.autograd.grad(loss, own)[0][0]
        assert torch.allclose(full, first, rtol=1e-9) is alone


@pytest.mark.parametrize("form", ["base", "opt1", "opt3"])
def test_code_differs_from_the_paper_in_opt2_only(form: GuidedForm) -> None:
    c, h = vectors(5, 4), guides(form)
    assert float(self_guided(c, h, form=form, variant="code")) == float(self_guided(c, h, form=form))


@pytest.mark.parametrize(
    ("form", "variant", "negatives"),
    [
        ("base", "paper", 2 * 16 - 2),
        ("opt1", "paper", 2 * 16 - 2),
        ("opt2", "paper", 16 - 1),
        ("opt2", "code", 16 - 2),
        ("opt3", "paper", 15 * 13),
    ],
)
def test_equal_cosines_count_the_negatives(form: GuidedForm, variant: Variant, negatives: int) -> None:
    """The paper's batch and BERT-base: b = 16, l = 12, so that SG-OPT has 195 negatives."""
    c = torch.ones(16, 8)
    h = torch.ones(16, 13, 8) if form == "opt3" else torch.ones(16, 8)
    for temperature in (0.01, 1.0):
        found = self_guided(c, h, form=form, temperature=temperature, variant=variant)
        assert float(found) == pytest.approx(math.log(1 + negatives))
    assert looped(c, h, form, 1.0, variant)[1] == {negatives}
    assert negatives == 195 or form != "opt3"


def test_opt2_is_opt1_without_its_c_terms() -> None:
    c, h = vectors(5, 4), vectors(5, 4, seed=1)
    difference = 0.0
    for i in range(5):
        guides = sum(phi(c[i], h[j], 0.3) for j in range(5))
        sentences = sum(phi(c[i], c[j], 0.3) for j in range(5) if j != i)
        difference += math.log((guides + sentences) / guides) / 5
    one, two = (float(self_guided(c, h, form=form, temperature=0.3)) for form in ("opt1", "opt2"))
    assert one - two == pytest.approx(difference, rel=1e-9)
    assert difference > 0.01


def test_base_is_the_mean_of_opt1_and_its_mirror() -> None:
    c, h = vectors(5, 4), vectors(5, 4, seed=1)
    both = [float(self_guided(x, y, form="opt1", temperature=0.3)) for x, y in ((c, h), (h, c))]
    assert float(self_guided(c, h, form="base", temperature=0.3)) == pytest.approx(sum(both) / 2, rel=1e-9)
    assert abs(both[0] - both[1]) > 1e-3


def test_one_layer_makes_opt3_opt2() -> None:
    c, h = vectors(5, 4), vectors(5, 4, seed=1)
    three, two = self_guided(c, h[:, None], temperature=0.1), self_guided(c, h, form="opt2", temperature=0.1)
    assert float(three) == pytest.approx(float(two), rel=1e-9)


def test_a_sentences_other_layers_are_no_negatives() -> None:
    """Moving h_01 changes the question about h_01 and everybody else's, and not the question about h_00."""
    c, h = vectors(2, 4), vectors(2, 2, 4, seed=1).requires_grad_()
    terms = [phi(c[0], h[0, 0], 0.5), phi(c[0], h[1, 0], 0.5), phi(c[0], h[1, 1], 0.5)]
    first = -math.log(terms[0] / sum(terms))
    whole, _ = looped(c, h, "opt3", 0.5)
    moved = h.detach().clone()
    moved[0, 1] = 3 * c[1]
    terms_after = [phi(c[0], moved[0, 0], 0.5), phi(c[0], moved[1, 0], 0.5), phi(c[0], moved[1, 1], 0.5)]
    assert first == -math.log(terms_after[0] / sum(terms_after))
    assert float(self_guided(c, moved, temperature=0.5)) == pytest.approx(looped(c, moved, "opt3", 0.5)[0], rel=1e-9)
    assert float(self_guided(c, moved, temperature=0.5)) != pytest.approx(whole, rel=1e-3)


@pytest.mark.parametrize("form", FORMS)
def test_order_and_length_do_not_matter(form: GuidedForm) -> None:
    c, h = vectors(7, 4), guides(form, 7)
    expected = float(self_guided(c, h, form=form, temperature=0.2))
    order = torch.randperm(7, generator=torch.Generator().manual_seed(3))
    assert float(self_guided(c[order], h[order], form=form, temperature=0.2)) == pytest.approx(expected, rel=1e-9)
    assert float(self_guided(5 * c, h / 7, form=form, temperature=0.2)) == pytest.approx(expected, rel=1e-9)
    if form == "opt3":
        assert float(self_guided(c, h.flip(1), form=form, temperature=0.2)) == pytest.approx(expected, rel=1e-9)
    assert float(self_guided(c[order], h, form=form, temperature=0.2)) != pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("variant", ["paper", "code"])
@pytest.mark.parametrize("form", FORMS)
def test_gradients_are_right(form: GuidedForm, variant: Variant) -> None:
    inputs = (vectors(4, 3).requires_grad_(), guides(form, 4, 2, 3).requires_grad_())

    def loss(c: Tensor, h: Tensor) -> Tensor:
        return self_guided(c, h, form=form, temperature=0.5, variant=variant)

    assert torch.autograd.gradcheck(loss, inputs)


@pytest.mark.parametrize("form", FORMS)
def test_a_lonely_sentence_has_nothing_to_learn(form: GuidedForm) -> None:
    c, h = vectors(1, 4).requires_grad_(), guides(form, 1)
    loss = self_guided(c, h, form=form)
    (gradient,) = torch.autograd.grad(loss, c)
    assert float(loss.detach()) == 0 and gradient.abs().max() == 0


@pytest.mark.parametrize("form", FORMS)
def test_float32_under_autocast_and_at_the_papers_temperature(form: GuidedForm) -> None:
    c, h = vectors(16, 32).bfloat16(), guides(form, 16, 5, 32).bfloat16()
    expected = self_guided(c.float(), h.float(), form=form)
    c.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = self_guided(c, h, form=form)
    assert found.dtype == torch.float32 and found.dim() == 0
    assert float(found.detach()) == float(expected)
    (gradient,) = torch.autograd.grad(found, c)
    assert torch.isfinite(gradient).all() and gradient.abs().max() > 0


@pytest.mark.parametrize("temperature", [1e-30, 1e-4, 1e4])
@pytest.mark.parametrize("form", FORMS)
def test_extreme_temperatures_and_zero_rows_stay_finite(form: GuidedForm, temperature: float) -> None:
    c, h = vectors(5, 4).float(), guides(form).float()
    c[0], h[1] = 0.0, 0.0
    c.requires_grad_()
    loss = self_guided(c, h, form=form, temperature=temperature)
    assert torch.isfinite(loss) and float(loss.detach()) >= 0
    if temperature > 1e-10:
        assert torch.isfinite(torch.autograd.grad(loss, c)[0]).all()


@pytest.mark.parametrize(
    ("c", "h", "options", "words"),
    [
        ((3, 4), (3, 4), {"form": "opt4"}, "'base', 'opt1', 'opt2', 'opt3'"),
        ((3, 4), (3, 4), {"form": "base", "variant": "papre"}, "'paper', 'code', 'literal'"),
        ((3, 4), (3, 4), {}, r"form 'opt3' takes all layers"),
        ((3, 4), (3, 2, 2, 4), {}, r"form 'opt3' takes all layers"),
        ((3, 4), (3, 2, 4), {"form": "opt2"}, r"h has shape \(3, 2, 4\)"),
        ((3, 4), (2, 2, 4), {}, "3 sentences and h 2"),
        ((3, 4), (2, 4), {"form": "base"}, "shapes differ"),
        ((3, 4), (3, 2, 5), {}, "widths differ"),
        ((3, 4), (3, 0, 4), {}, "empty"),
        ((0, 4), (0, 2, 4), {}, "empty"),
        ((3, 4), (3, 2, 4), {"temperature": 0.0}, "temperature is 0.0"),
    ],
)
def test_what_does_not_fit_is_refused(c: Any, h: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        self_guided(torch.ones(c), torch.ones(h), **options)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_refused_by_name(bad: float) -> None:
    good, layers = torch.ones(3, 4), torch.ones(3, 2, 4)
    layers[1, 1, 0] = bad
    with pytest.raises(ValueError, match="h has NaN or infinity in 1 of 6"):
        self_guided(good, layers)
    with pytest.raises(ValueError, match="c has NaN"):
        self_guided(layers[:, 1], good, form="opt1")


def test_what_is_no_tensor_is_refused() -> None:
    nothing: Any = None
    for form in FORMS:
        with pytest.raises(TypeError, match=r"torch\.Tensor"):
            self_guided(torch.ones(3, 4), nothing, form=form)
    with pytest.raises(TypeError, match="dtype"):
        self_guided(torch.ones(3, 4), torch.ones(3, 2, 4, dtype=torch.long))


# --- the regulariser ------------------------------------------------------------------------------------------------


def pair(shift: float = 0.0) -> tuple[nn.Module, nn.Module]:
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)).double()
    frozen = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)).double()
    frozen.load_state_dict({name: p + shift for name, p in model.state_dict().items()})
    return model, frozen


def test_distance_is_the_sum_over_all_parameters() -> None:
    model, frozen = pair(shift=0.5)
    count = sum(p.numel() for p in model.parameters())
    assert count == 3 * 4 + 4 + 4 + 4
    assert float(parameter_distance(model, frozen).detach()) == pytest.approx(0.25 * count, rel=1e-12)
    assert float(parameter_distance(model, frozen, reduction="mean").detach()) == pytest.approx(0.25, rel=1e-12)
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
    assert all(p.grad is not None and p.grad.abs().max() == 0 for p in model.parameters())  # at step 0: no NaN


def test_half_precision_is_summed_in_float32() -> None:
    model, frozen = nn.Linear(300, 300).bfloat16(), nn.Linear(300, 300).bfloat16()
    expected = sum(
        float((p.double() - q.double()).square().sum())
        for p, q in zip(model.parameters(), frozen.parameters(), strict=True)
    )
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = parameter_distance(model, frozen)
    assert found.dtype == torch.float32 and float(found) == pytest.approx(expected, rel=1e-5)


def test_modules_that_are_no_copies_are_refused() -> None:
    model, frozen = pair()
    with pytest.raises(ValueError, match=r"2 parameters, such as '1\.bias'"):
        parameter_distance(model, nn.Sequential(frozen[0]))  # type: ignore[index]
    with pytest.raises(ValueError, match="differ in name or shape"):
        parameter_distance(nn.Linear(2, 3), nn.Linear(3, 3))
    with pytest.raises(ValueError, match="no parameters"):
        parameter_distance(nn.Identity(), nn.Identity())
    misspelt: Any = "max"
    with pytest.raises(ValueError, match="'sum', 'mean'"):
        parameter_distance(model, frozen, reduction=misspelt)
    wrong: Any = model.state_dict()
    with pytest.raises(TypeError, match="frozen is a OrderedDict"):
        parameter_distance(model, wrong)
    with torch.no_grad():
        next(model.parameters())[0, 0] = math.nan
    with pytest.raises(ValueError, match=r"0\.weight has NaN"):
        parameter_distance(model, frozen)
