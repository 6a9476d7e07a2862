"""MoCoUTRL's losses against loops, counts, closed forms, and what is wrong with the formulas as printed."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from clwork.losses import LongForm, TokenForm, Variant, info_nce, long_span, long_span_scores, mocoutrl, token_level
from clwork.losses.mocoutrl_loss import VARIANTS


def vectors(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def triplet(batch: int, width: int, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    first, second, third = (vectors(batch, width, seed=seed + k) for k in range(3))
    return first, second, third


def dot(a: list[float], b: list[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def cosine(a: list[float], b: list[float]) -> float:
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))


def ntxent_looped(a: Tensor, p: Tensor, n: Tensor, tau: float) -> tuple[float, set[int]]:
    """The loss, and how many negatives the anchors had."""
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


@pytest.mark.parametrize("tau", [0.07, 0.5, 2.0])
@pytest.mark.parametrize("batch", [1, 2, 6])
@pytest.mark.parametrize("form", get_args(LongForm))
def test_long_span_is_the_loop(form: LongForm, batch: int, tau: float) -> None:
    views = triplet(batch, 5)
    found = long_span(*views, temperature=tau, form=form)
    assert float(found) == pytest.approx(long_looped(form, *views, tau), rel=1e-9, abs=1e-12)
    single = long_span(*(view.float() for view in views), temperature=tau, form=form)
    assert single.dtype == torch.float32 and float(single) == pytest.approx(float(found), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("shape", [(1, 3), (4, 7), (5, 1)])
@pytest.mark.parametrize("form", get_args(TokenForm))
def test_token_level_is_the_loop(form: TokenForm, shape: tuple[int, int]) -> None:
    rows = triplet(*shape, seed=5)
    assert float(token_level(*rows, form=form)) == pytest.approx(token_looped(form, *rows), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("batch", [1, 4, 32])
def test_every_anchor_has_3b_minus_2_negatives(batch: int) -> None:
    views = triplet(batch, 4)
    expected, counts = ntxent_looped(*views, 0.3)
    assert counts == {3 * batch - 2}  # 94 at the paper's batch of 32
    assert float(long_span(*views, temperature=0.3)) == pytest.approx(expected, rel=1e-9)
    same = torch.ones(batch, 4)
    assert float(long_span(same, same, same)) == pytest.approx(math.log(3 * batch - 1), rel=1e-6)
    assert float(long_span(same, same, same, form="antonym_only")) == pytest.approx(math.log(batch + 1), rel=1e-6)


def test_every_sentence_but_the_anchor_itself_is_seen() -> None:
    """With orthogonal sentences, turning one towards an anchor raises that anchor's loss, whichever it is."""
    batch = 3
    points = torch.eye(3 * batch, dtype=torch.float64)
    before = float(long_span(*points.chunk(3), temperature=1.0))
    for i in range(2 * batch):
        partner = (i + batch) % (2 * batch)
        for j in range(3 * batch):
            moved = points.clone()
            moved[j] = points[j] + 0.5 * points[i]
            change = float(long_span(*moved.chunk(3), temperature=1.0)) - before
            assert (change < -1e-3) if j == partner else (abs(change) < 1e-12) if j == i else (change > 1e-3)


@pytest.mark.parametrize("lam", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_two_are_weighed_by_lambda(variant: Variant, lam: float) -> None:
    views, (e, p, n) = triplet(3, 5), triplet(2, 4, seed=7)  # fewer exchanged words, of another width
    both = mocoutrl(*views, token_label=e, token_positive=p, token_negative=n, lam=lam, variant=variant)
    long_form, token_form = VARIANTS[variant]
    expected = lam * long_span(*views, form=long_form) + (1 - lam) * token_level(e, p, n, form=token_form)
    assert float(both) == pytest.approx(float(expected), rel=1e-12)
    if lam == 1:
        assert float(mocoutrl(*views, lam=1, variant=variant)) == float(both)


def test_the_code_is_one_mean_squared_error() -> None:
    h_ori, h_syn, h_ant = triplet(3, 4)
    d_ori, d_syn, d_ant = triplet(3, 4, seed=9)
    found = token_level(d_ori, h_syn, h_ant, form="code", anchor=h_ori, positive_label=d_syn, negative_label=d_ant)
    whole = torch.cat([h_ori, h_syn, -h_ant]), torch.cat([d_ori, d_syn, d_ant])
    assert float(found) == pytest.approx(float(torch.nn.functional.mse_loss(*whole)), rel=1e-12)
    assert float(token_level(d_ori, d_ori, -d_ori, form="code")) == 0  # bounded, and best where -h_ant is the entry
    with pytest.raises(ValueError, match=r"positive_label given.*only form='code'"):
        token_level(d_ori, h_syn, h_ant, positive_label=d_syn)


def test_closed_forms() -> None:
    e = torch.eye(4, dtype=torch.float64)
    assert float(token_level(e, e, -e)) == pytest.approx(-4)  # the floor, and
    assert float(token_level(e, -e, e)) == pytest.approx(4)  # the ceiling
    assert float(token_level(e, e, e.roll(1, 0))) == pytest.approx(-2)  # -(2 - 2 cos) at cos = 0
    assert float(token_level(e, e, -e, form="hinge")) == 0  # nothing left to do
    assert float(token_level(e, e, e, form="hinge")) == 1
    solved = torch.eye(12, dtype=torch.float64)
    found = float(long_span(solved[:4], solved[:4], solved[4:8], temperature=0.5))
    assert found == pytest.approx(math.log(1 + 10 * math.exp(-2)))
    assert float(long_span(solved[:4], solved[:4], solved[4:8], form="antonym_only")) < 1e-5


def test_averaging_over_the_width_shrinks_the_token_term_by_the_width() -> None:
    """M4: unit vectors of width 768 are at most 4/768 apart, and the term no larger than .0052."""
    label, positive, negative = triplet(8, 768)
    summed, averaged = (float(token_level(label, positive, negative, form=form)) for form in ("sqdist", "mse_mean"))
    assert averaged == pytest.approx(summed / 768, rel=1e-9)
    assert abs(float(token_level(label, label, -label, form="mse_mean"))) == pytest.approx(4 / 768)
    assert 4 / 768 < 0.0053


def test_only_directions_count_where_it_is_meant_so() -> None:
    views, rows = triplet(4, 6), triplet(4, 6, seed=5)
    long_forms: tuple[LongForm, ...] = ("ntxent", "antonym_only")
    for form in long_forms:
        stretched = (3 * views[0], 0.1 * views[1], 7 * views[2])
        assert float(long_span(*stretched, form=form)) == pytest.approx(float(long_span(*views, form=form)), rel=1e-9)
    token_forms: tuple[TokenForm, ...] = ("sqdist", "mse_mean", "hinge")
    for token_form in token_forms:
        stretched = (3 * rows[0], 0.1 * rows[1], 7 * rows[2])
        assert float(token_level(*stretched, form=token_form)) == pytest.approx(
            float(token_level(*rows, form=token_form))
        )


def test_literal_long_span_is_unbounded_below() -> None:
    """M2: a dot product grows with the vectors, and no positive in the denominator holds it."""
    z = torch.eye(4, dtype=torch.float64)
    losses = [float(long_span(s * z, s * z, -s * z, form="literal")) for s in (1, 10, 100)]
    assert losses[0] > losses[1] > losses[2] and losses[2] < -1e4
    assert all(float(long_span(s * z, s * z, -s * z)) >= 0 for s in (1, 10, 100))


@pytest.mark.parametrize("batch", [1, 32])
def test_literal_long_span_on_unit_vectors_ends_at_its_floor(batch: int) -> None:
    """-2/τ + log B: -25.1 at the paper's τ and batch."""
    one = torch.zeros(batch, 3, dtype=torch.float64)
    one[:, 0] = 1
    found = float(long_span(one, one, -one, form="literal"))
    assert found == pytest.approx(-2 / 0.07 + math.log(batch))
    assert batch == 1 or round(found, 1) == -25.1


def test_literal_token_term_is_unbounded_below_and_the_code_is_not() -> None:
    """M3: nothing in eq. (10) stops the antonym from running away."""
    e, p, n = triplet(4, 6)
    literal = [float(token_level(e, p, s * n, form="literal")) for s in (1, 10, 100)]
    assert literal[0] > literal[1] > literal[2] and literal[2] < -1e3
    assert all(float(token_level(e, p, s * n, form="code")) >= 0 for s in (1, 10, 100))
    assert all(-4 <= float(token_level(e, p, s * n)) <= 4 for s in (1, 10, 100))


def test_a_training_by_the_literal_formulas_runs_away_and_by_the_repaired_ones_does_not() -> None:
    ends = {}
    for variant in ("literal", "paper"):
        points = [view.clone().requires_grad_() for view in (*triplet(4, 5), *triplet(4, 5, seed=5)[1:])]
        label = vectors(4, 5, seed=3)
        optimizer = torch.optim.SGD(points, lr=0.2)
        for _ in range(100):
            a, p, n, w_p, w_n = points
            tokens: dict[str, Any] = {"token_label": label, "token_positive": w_p, "token_negative": w_n}
            loss = mocoutrl(a, p, n, **tokens, temperature=1.0, variant=variant)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        ends[variant] = float(loss.detach()), max(float(point.detach().norm(dim=1).max()) for point in points)
    assert ends["literal"][0] < -1e3 and ends["literal"][1] > 40
    assert ends["paper"][0] > -2 and ends["paper"][1] < 20


@pytest.mark.parametrize("form", get_args(LongForm))
def test_long_span_gradients(form: LongForm) -> None:
    views = tuple(view.requires_grad_() for view in triplet(3, 4))
    assert torch.autograd.gradcheck(lambda *v: long_span(*v, temperature=0.5, form=form), views)


@pytest.mark.parametrize("form", get_args(TokenForm))
def test_token_level_gradients(form: TokenForm) -> None:
    rows = tuple(row.requires_grad_() for row in triplet(3, 4, seed=2))
    assert torch.autograd.gradcheck(lambda *r: token_level(*r, form=form), rows)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_order_of_the_batch_does_not_matter(variant: Variant) -> None:
    views, (e, p, n) = triplet(5, 4), triplet(5, 4, seed=5)
    order = torch.tensor([3, 1, 4, 0, 2])
    one = mocoutrl(*views, token_label=e, token_positive=p, token_negative=n, variant=variant)
    shuffled = [view[order] for view in views]
    other = mocoutrl(*shuffled, token_label=e[order], token_positive=p[order], token_negative=n[order], variant=variant)
    assert float(one) == pytest.approx(float(other), rel=1e-12)


def test_half_precision_is_computed_in_float32() -> None:
    views, (e, p, n) = triplet(4, 6), triplet(4, 6, seed=5)
    for variant in VARIANTS:
        tokens: dict[str, Any] = {"token_label": e, "token_positive": p, "token_negative": n}
        single = mocoutrl(*(v.float() for v in views), **{k: t.float() for k, t in tokens.items()}, variant=variant)
        with torch.autocast("cpu", torch.bfloat16):
            inside = mocoutrl(*(v.float() for v in views), **{k: t.float() for k, t in tokens.items()}, variant=variant)
        half = mocoutrl(*(v.bfloat16() for v in views), **{k: t.bfloat16() for k, t in tokens.items()}, variant=variant)
        assert inside.dtype == half.dtype == torch.float32
        assert float(inside) == float(single)
        assert float(half) == pytest.approx(float(single), rel=0.05, abs=0.05)


GOOD = torch.eye(3)
TOKENS: dict[str, Any] = {"token_label": GOOD, "token_positive": GOOD, "token_negative": GOOD}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"temperature": 0.0}, r"temperature is 0.0.*above 0"),
        ({"lam": 1.5}, r"lam is 1.5.*in \[0, 1\]"),
        ({"lam": math.nan}, r"lam is nan"),
        ({"variant": "typed"}, r"'typed'.*'paper', 'code', 'literal'"),
        ({"token_negative": None}, r"lam is 0.5.*or lam=1.0"),
        ({"token_label": torch.ones(2, 3)}, "shapes differ"),
        ({"token_positive": torch.full((3, 3), math.nan)}, "^token_positive has NaN"),
        ({"token_label": torch.zeros(0, 3)}, "^token_label is empty"),
    ],
)
def test_bad_values_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mocoutrl(GOOD, GOOD, GOOD, **(TOKENS | values))


@pytest.mark.parametrize("bad", [torch.ones(2, 3), torch.ones(3, 4), torch.ones(3), torch.full((3, 3), math.inf)])
def test_bad_sentences_are_refused(bad: torch.Tensor) -> None:
    for arguments in ((bad, GOOD, GOOD), (GOOD, bad, GOOD), (GOOD, GOOD, bad)):
        with pytest.raises(ValueError, match=r"shape|widths|NaN or infinity"):
            mocoutrl(*arguments, lam=1.0)


def test_things_of_another_kind_are_refused() -> None:
    unknown: Any = "0.5"
    with pytest.raises(TypeError, match=r"lam is '0\.5'"):
        mocoutrl(GOOD, GOOD, GOOD, lam=unknown)
    with pytest.raises(TypeError, match="negative has dtype"):
        mocoutrl(GOOD, GOOD, GOOD.long(), lam=1.0)
    misspelt: Any
    for misspelt in ("nt-xent", ""):
        with pytest.raises(ValueError, match="ntxent"):
            long_span(GOOD, GOOD, GOOD, form=misspelt)
        with pytest.raises(ValueError, match="sqdist"):
            token_level(GOOD, GOOD, GOOD, form=misspelt)


@pytest.mark.parametrize("form", ["sqdist", "mse_mean"])
def test_a_label_kept_as_it_is_counts_by_its_length(form: TokenForm) -> None:
    """M9: the difference of distances is linear in the label, so that a shell can only weigh words."""
    label, positive, negative = (torch.randn(5, 8, generator=torch.Generator().manual_seed(n)) for n in range(3))
    directions = torch.nn.functional.normalize(label)
    whole = token_level(label, positive, negative, form=form)
    for length in (1.0, 0.99, 0.5):
        kept = token_level(length * directions, positive, negative, form=form, unit_label=False)
        assert float(kept) == pytest.approx(length * float(whole), rel=1e-5)
        assert float(token_level(length * directions, positive, negative, form=form)) == pytest.approx(float(whole))


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0, 30.0])
def test_the_own_antonym_counts_as_often_as_its_weight_says(weight: float) -> None:
    a, p, n = triplet(4, 6)
    points = torch.cat([a, p, n])
    weights = torch.ones(8, 12).fill_diagonal_(0.0)
    for i in range(4):
        weights[i, 8 + i] = weights[4 + i, 8 + i] = weight
    want = info_nce(points[:8], points, torch.arange(8).roll(4), temperature=0.07, log_weights=weights.log())
    torch.testing.assert_close(long_span(a, p, n, antonym_weight=weight), want)
    alone = torch.cat([torch.eye(4), torch.ones(4, 4).fill_diagonal_(weight)], dim=1).log()
    want = info_nce(a, torch.cat([p, n]), temperature=0.07, log_weights=alone)
    torch.testing.assert_close(long_span(a, p, n, form="antonym_only", antonym_weight=weight), want)


def test_weight_one_is_the_papers_loss_to_the_bit_and_more_weight_is_a_larger_share() -> None:
    a, p, n = (part.float() for part in triplet(5, 8))
    assert torch.equal(long_span(a, p, n, antonym_weight=1.0), long_span(a, p, n))
    shares = [long_span_scores(a, p, n, antonym_weight=w).shares[:5, 10:].diagonal() for w in (1.0, 10.0)]
    assert (shares[1] > shares[0]).all()


def test_an_antonym_weight_that_cannot_be_is_refused() -> None:
    a, p, n = triplet(2, 3)
    for bad in (-1.0, float("nan"), "ten"):
        with pytest.raises((TypeError, ValueError), match="antonym_weight"):
            long_span(a, p, n, antonym_weight=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has no weights"):
        long_span(a, p, n, form="literal", antonym_weight=2.0)
