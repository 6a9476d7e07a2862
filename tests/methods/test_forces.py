"""What methods report of their loss: the same number and gradient in every form."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import clwork
from clwork import methods
from clwork.methods import Draws, Forces

B, D, K, L = 5, 8, 3, 3
SENTENCES = [
    "the cat sat on the mat",
    "a dog ran far",
    "the cat ran",
    "a dog and a cat",
    "the mat and the dog",
]


def make(tiny: Path, name: str, **values: Any) -> Any:
    config = methods.config(name, "bert", batch_size=B, **values)
    encoder = clwork.load_encoder(tiny, pooling="mean", device="cpu")
    return methods.get(name)(encoder, config, torch.Generator().manual_seed(0)).train()


def vectors(*shape: int, seed: int, trained: bool = True) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).requires_grad_(
        trained
    )


def views_of(name: str, values: dict[str, Any]) -> dict[str, Tensor]:
    """Random vectors in the form that ``embed`` returns."""
    if name == "simcse":
        names = ["z1", "z2", "hard_negatives"] if values.pop("triplets", False) else ["z1", "z2"]
        return {view: vectors(B, D, seed=k) for k, view in enumerate(names)}
    if name == "dclr":
        own = (B,) if values.get("noise_scope") == "sentence" else ()
        found = {"z1": vectors(B, D, seed=0), "z2": vectors(B, D, seed=1)}
        if values.get("noise_ratio", 1.0):
            found["noise"] = vectors(*own, K, D, seed=2, trained=False)
        judged = values.get("weighting", "complementary") == "complementary"
        return found | ({"complementary": vectors(B, D, seed=3, trained=False)} if judged else {})
    if name == "self_guided":
        layers = (L,) if values.get("form", "opt3") == "opt3" else ()
        return {"c": vectors(B, D, seed=0), "h": vectors(B, *layers, D, seed=1)}
    if name == "gclsr":
        return {view: vectors(B, D, seed=k) for k, view in enumerate(("p1", "z2", "p2", "z1"))}
    parts = ["anchor", "positive", "negative", "token_positive", "token_negative"]
    found = {view: vectors(B, D, seed=k) for k, view in enumerate(parts)} | {
        "token_label": vectors(B, D, seed=9, trained=False)
    }
    return found


QUIET = {"temperature": 0.5}  # so that no softmax is all or nothing
PHI = {"phi": 0.1, "weighting": "self"}
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("simcse", QUIET),
    ("simcse", {"triplets": True, **QUIET}),
    ("simcse", {"triplets": True, "hard_negative_weight": 3.0, **QUIET}),
    ("dclr", {"noise_ratio": 0.0, "weighting": "none", **QUIET}),
    ("dclr", {**PHI, **QUIET}),
    ("dclr", {**PHI, "noise_scope": "sentence", **QUIET}),
    ("dclr", {**PHI, "variant": "code", **QUIET}),
    ("dclr", {"weighting": "none", "variant": "literal", **QUIET}),
    ("dclr", {"weighting": "complementary", "phi": 0.0, **QUIET}),
    ("self_guided", {"form": "base", **QUIET}),
    ("self_guided", {"form": "opt2", **QUIET}),
    ("self_guided", {"form": "opt2", "variant": "code", **QUIET}),
    ("self_guided", {"form": "opt3", **QUIET}),
    ("self_guided", {"reg_reduce": "mean", "lam": 2.0, **QUIET}),
    ("gclsr", {"projector": D, "predictor": 4, "group_dim": 2}),
    ("gclsr", {"projector": D, "predictor": 4, "group_dim": D, "stop_gradient": False}),
    ("mocoutrl", {"lam": 0.3, **QUIET}),
    *(("mocoutrl", {"token_loss": form, **QUIET}) for form in ("mse_mean", "hinge", "literal")),
    ("mocoutrl", {"lam": 1.0, **QUIET}),
]


def forces_of(
    tiny: Path, name: str, values: dict[str, Any]
) -> tuple[Any, dict[str, Tensor], Forces]:
    values = dict(values)
    views = views_of(name, values)
    method = make(tiny, name, **values)
    if name == "self_guided":
        with torch.no_grad():  # otherwise the distance from the frozen copy is 0
            for parameter in method.encoder.parameters():
                parameter.add_(0.01)
    found = method.forces(views)
    assert isinstance(found, Forces)
    return method, views, found


def total_of(found: Forces) -> Tensor:
    return torch.stack(list(found.terms.values())).sum()


@pytest.mark.parametrize(("name", "values"), FORMS)
def test_terms_add_up_to_the_loss_and_to_its_gradient(tiny: Path, name: Any, values: Any) -> None:
    method, views, found = forces_of(tiny, name, values)
    loss, total = method.compare(views).loss, total_of(found)
    assert total.item() == pytest.approx(loss.item(), rel=1e-5, abs=1e-5)
    trained = [view for view in views.values() if view.requires_grad]
    ours, theirs = (
        torch.autograd.grad(of, trained, allow_unused=True, retain_graph=True)
        for of in (total, loss)
    )
    for one, other in zip(ours, theirs, strict=True):
        assert (one is None) == (other is None)
        assert one is None or torch.allclose(one, other, rtol=1e-4, atol=1e-6)
    assert any(part is not None and part.abs().max() > 0 for part in theirs), (
        "the guard: there is a gradient"
    )


def test_simcse_against_an_oracle_of_loops(tiny: Path) -> None:
    _, views, found = forces_of(tiny, "simcse", QUIET)
    (table,), tau = found.tables, QUIET["temperature"]
    z1, z2 = (views[name].detach().double() for name in ("z1", "z2"))
    (gradient,) = torch.autograd.grad(found.terms["contrast"], table.scores)
    for i in range(B):
        cosines = [float(z1[i] @ z2[j] / (z1[i].norm() * z2[j].norm())) for j in range(B)]
        total = sum(math.exp(cosine / tau) for cosine in cosines)
        for j in range(B):
            p = math.exp(cosines[j] / tau) / total
            assert table.scores[i, j].item() == pytest.approx(cosines[j], abs=1e-6)
            assert table.weights is not None
            assert float(table.weights[i, j]) == pytest.approx(p, abs=1e-6)
            assert float(gradient[i, j]) == pytest.approx((p - (i == j)) / tau / B, abs=1e-6)


def test_gclsr_only_attracts(tiny: Path) -> None:
    _, _, found = forces_of(tiny, "gclsr", {"projector": D, "predictor": 4, "group_dim": 2})
    assert len(found.tables) == 2
    for table in found.tables:
        (gradient,) = torch.autograd.grad(total_of(found), table.scores, retain_graph=True)
        assert torch.allclose(gradient, -torch.eye(B) / (2 * B)), (
            "half of the mean over sentences, and nothing else"
        )
        assert table.weights is None
        assert torch.equal(table.counts, torch.eye(B, dtype=torch.bool))


def test_masked_negatives_of_dclr_do_not_count(tiny: Path) -> None:
    _, _, found = forces_of(tiny, "dclr", {**PHI, **QUIET})
    (table,) = found.tables
    counts = table.counts[:, table.columns(0)]
    assert counts.diagonal().all()
    assert not counts.all(), "the guard: φ = 0.1 masks some of these"
    assert table.counts[:, table.columns(1)].all(), "noise always counts"


def test_view_texts_are_the_texts_that_embed_reads(tiny: Path) -> None:
    draws = Draws.of(0, 3, torch.device("cpu"))
    same = make(tiny, "simcse")
    assert same.view_texts(SENTENCES, same.tokenize(SENTENCES), draws) == {}
    shorter = make(tiny, "simcse", augmentation="delete_one")
    batch = shorter.tokenize(SENTENCES)
    texts = shorter.view_texts(SENTENCES, batch, draws)["z2"]
    drawn = shorter.rows(batch, Draws.of(0, 3, torch.device("cpu")))[1]
    decode = shorter.encoder.tokenizer.decode
    assert texts == [decode(ids, skip_special_tokens=True) for ids in drawn], (
        "other draws than embed's"
    )
    assert [len(ids) for ids in drawn] != [len(tokens.ids) for tokens in batch], (
        "the guard: words are gone"
    )
    triplets = [(text, f"{text} far", "a mat") for text in SENTENCES]
    supervised = make(tiny, "simcse")
    supervised.kind = supervised.check_examples(triplets)
    columns = supervised.view_texts(triplets, supervised.tokenize(triplets), draws)
    assert columns["z2"][0] == "the cat sat on the mat far"
    assert columns["hard_negatives"] == ["a mat"] * B
