"""Audits are correct: settings reported as inert change no bit of a run; settings reported as live change it."""

from __future__ import annotations

import copy
import functools
from functools import partial
from typing import Any

import pytest
import torch

import clwork
from clwork import methods
from clwork.methods import Draws, MethodConfig, train_step
from clwork.methods.base import PreparationContext
from clwork.methods.hyperparameters import build
from clwork.precision import forward_pass, resolve
from clwork.training._audit import STEPS_BEFORE, Audit
from clwork.training.preparation import build_method, indexed_batches

STEPS = 4
SEED = 3
TINY: dict[str, dict[str, Any]] = {
    "simcse": {},
    "dclr": {"complementary_steps": 1},
    "gclsr": {"projector": 32, "predictor": 8, "group_dim": 8, "attention": "never"},
    "mocoutrl": {},
    "self_guided": {},
}
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *TINY.items(),
    ("simcse", {"augmentation": "crop", "weight_decay": 0.01}),
    ("simcse", {"fixed_mask": True, "schedule": "constant", "clip": 1e6}),
    ("dclr", {"weighting": "self", "phi": 1.0, "judge_noise": True}),
    ("dclr", {"weighting": "none", "noise_ratio": 0.0, "variant": "literal"}),
    ("dclr", {"weighting": "self", "beta_rel": 0.7, "phi_quantile": 0.5, "augmentation": "token_cutoff"}),
    ("self_guided", {"form": "opt2", "lam": 0.0, "head": False, "warmup": 0.0, "temperature": 0.2}),
    ("gclsr", {"augmented": 0.0, "predictor": 0, "projector": 32, "group_dim": 8, "attention": "never"}),
    ("mocoutrl", {"lam": 1.0, "aug_embedding": "encoder", "heads": False}),
]


@functools.cache
def loaded(place: str) -> clwork.Encoder:
    return clwork.load_encoder(place, device="cpu")


def sentences(tiny: dict[str, Any]) -> Any:
    return tiny["sentences"][:60]


def audited(name: str, config: dict[str, Any], tiny: dict[str, Any]) -> Audit:
    given = {"precision": "float32", **({"batch_size": 4} | config)}
    return clwork.audit(name, loaded(tiny["encoder"]), sentences=sentences(tiny), steps=STEPS, seed=SEED, **given)


def trained(name: str, config: MethodConfig, tiny: dict[str, Any]) -> list[torch.Tensor]:
    """The losses and final weights of a complete run, computed without code of the audit."""
    encoder = loaded(tiny["encoder"])
    method = build_method(name, copy.deepcopy(encoder), copy.copy(config), SEED)
    batches = indexed_batches(method, sentences(tiny), config.batch_size, SEED)
    method.begin(batches.batch, PreparationContext())
    optimizer, seen = method.optimizer(), []
    for step in range(STEPS):
        around = partial(forward_pass, encoder.device, resolve(config.precision, "cpu").name)
        draws = Draws.of(SEED, step, encoder.device)
        _, terms, _ = train_step(method, optimizer, batches.batch(step), draws, step, STEPS, around=around)
        method.after_step()
        seen.append(terms.loss.detach())
    return [*seen, *(tensor for key, tensor in method.state_dict().items() if not key.endswith("fingerprint"))]


def equal(some: list[torch.Tensor], others: list[torch.Tensor]) -> bool:
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(a.shape == b.shape and torch.equal(a, b) for a, b in pairs)


def changed(config: MethodConfig, name: str, value: Any) -> MethodConfig:
    return build(type(config), {**vars(config), name: value})


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "config"), SETTINGS, ids=lambda given: given if isinstance(given, str) else "")
def test_inert_settings_change_no_bit_of_a_run_and_live_ones_do(
    name: str, config: dict[str, Any], tiny: dict[str, Any]
) -> None:
    audit = audited(name, config, tiny)
    assert audit.effects.keys() == {field.name for field in methods.fields(audit.config)}
    usual = trained(name, audit.config, tiny)
    assert equal(usual, trained(name, audit.config, tiny)), "a guard: equal runs are equal"
    for effect in audit.effects.values():
        runs = [trained(name, changed(audit.config, effect.name, value), tiny) for value in effect.differences]
        if effect.acts == "nowhere":
            assert effect.inert and all(equal(usual, run) for run in runs), f"{effect.name} is not inert"
        elif any(any(each._replace(vectors=0)) for each in effect.differences.values()):
            assert not all(equal(usual, run) for run in runs), f"{effect.name} is not live: {effect}"


@pytest.fixture(scope="module")
def simcse(tiny: dict[str, Any]) -> Audit:
    return audited("simcse", {}, tiny)


def test_settings_that_act_between_steps_are_not_inert(simcse: Audit) -> None:
    """The loss of one batch does not depend on the learning rate."""
    for name in ("learning_rate", "schedule", "warmup", "weight_decay", "clip"):
        effect = simcse.effects[name]
        assert (effect.acts, effect.inert) == ("between steps", ""), effect
        assert not any(each.loss or each.gradient or each.vectors for each in effect.differences.values())
    assert simcse.effects["batch_size"].acts == "in the batch"


def test_the_audited_step_equals_the_step_of_training(simcse: Audit, tiny: dict[str, Any]) -> None:
    given: dict[str, Any] = {
        "sentences": tiny["sentences"],
        "steps": STEPS,
        "seed": SEED,
        "batch_size": 4,
        "precision": "float32",
    }
    run = clwork.train("simcse", encoder=tiny["encoder"], device="cpu", **given)
    row = run.history.set_index("step").loc[STEPS_BEFORE + 1]
    audit = simcse
    assert audit.step.loss == pytest.approx(row["loss"], rel=1e-6)
    assert audit.step.gradient_norm == pytest.approx(row["gradient_norm"], rel=1e-5)
