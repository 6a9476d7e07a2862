"""Small float64 methods for the tests of parts and of processes: each loss with all its options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import torch
from torch import Tensor

import clwork
from clwork import methods
from clwork.methods import Draws, Method
from clwork.methods.base import PreparationContext

CPU = torch.device("cpu")
NO_DROPOUT: dict[str, Any] = {"dropout_hidden": 0.0, "dropout_attention": 0.0}
GLOVE: dict[str, Any] = {"projector": 32, "predictor": 8, "group_dim": 8}
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "simcse": ("simcse", {}),
    "simcse, words deleted": ("simcse", {"augmentation": "delete"}),
    "simcse, triplets": ("simcse", {"hard_negative_weight": 2.0}),
    "dclr": ("dclr", {"beta_rel": 0.7, "phi_quantile": 0.8, "complementary_steps": 1}),
    "dclr, noise of each sentence": (
        "dclr",
        {"noise_scope": "sentence", "weighting": "self", "beta_rel": 0.7},
    ),
    "dclr, cut-off": ("dclr", {"augmentation": "token_cutoff", "weighting": "none"}),
    "sg-opt": ("self_guided", {}),
    "sg, base": ("self_guided", {"form": "base", "frozen_dropout": True}),
    "gclsr": ("gclsr", GLOVE),
    "gclsr, no stop-gradient": ("gclsr", {**GLOVE, "stop_gradient": False}),
    "mocoutrl": ("mocoutrl", {}),
    "mocoutrl, released": (
        "mocoutrl",
        {"token_loss": "code", "heads": False, "aug_embedding": "encoder"},
    ),
}

ONE_OF_EACH = ("simcse", "dclr", "sg-opt", "gclsr", "mocoutrl")


def cases(settings: Iterable[str]) -> list[Any]:
    """Settings as parameters of a test; all but one of each method are ``nightly``."""
    return [
        pytest.param(name, marks=() if name in ONE_OF_EACH else pytest.mark.nightly)
        for name in settings
    ]


def examples(setting: str, count: int) -> list[Any]:
    """Sentences, or triplets of them; those for MoCoUTRL have a word to exchange."""
    sentences = [
        s for s in clwork.data.sentences("wikipedia-mini").at_most(14)[:900] if len(s) > 20
    ]
    if setting == "simcse, triplets":
        return list(
            zip(
                sentences[:count],
                sentences[count : 2 * count],
                sentences[2 * count : 3 * count],
                strict=True,
            )
        )
    return sentences


def built(setting: str, encoder: str, count: int, **values: Any) -> tuple[Method[Any], list[Any]]:
    """A method in float64, prepared for training, and a tokenised batch of ``count`` examples."""
    name, own = SETTINGS[setting]
    start = clwork.load_encoder(
        "textcnn:glove-6b-50d" if name == "gclsr" else encoder, device="cpu", seed=0
    )
    config = methods.config(
        name, encoder=start, **{"max_length": 20, "batch_size": count} | own | values
    )
    method = methods.get(name)(start, config, torch.Generator().manual_seed(0))
    raw = examples(setting, count)
    method.kind = method.check_examples(raw)
    usable = method.usable() or (lambda example: True)
    batch = [tokens for tokens in method.tokenize(raw) if usable(tokens)][:count]
    assert len(batch) == count
    method.begin(lambda step: batch, PreparationContext())
    return method.double().train(), batch


def without_dropout(setting: str) -> dict[str, Any]:
    """Settings that make the rows of a batch deterministic, if a method has such settings."""
    name, own = SETTINGS[setting]
    if name == "gclsr":
        return {"augmented": 0.0}
    off = {**NO_DROPOUT, **({"frozen_dropout": False} if "frozen_dropout" in own else {})}
    return off | ({"perturb": "none"} if name == "mocoutrl" and "released" not in setting else {})


def gradients(method: Method[Any]) -> dict[str, Tensor]:
    """Each parameter's gradient; zeros for a parameter without one."""
    return {
        name: torch.zeros_like(p) if p.grad is None else p.grad.clone()
        for name, p in method.named_parameters()
        if p.requires_grad
    }


def draws(step: int = 0) -> Draws:
    return Draws.of(0, step, CPU)
