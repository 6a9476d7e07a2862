"""Every arm that claims compare trains: two steps of each distinct setting, on a few examples of the kind it reads."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import torch

import clwork
from clwork import claims, data
from clwork.claims.arm_runs import ArmRun
from clwork.claims.course import AVERAGED
from clwork.claims.plan import plan, run_of
from clwork.methods import Draws
from clwork.methods.base import PreparationContext
from clwork.methods.dclr_config import DCLRConfig
from clwork.methods.step import train_step
from clwork.training.false_negatives import agreement
from clwork.training.preparation import build_method, make_batches

FEW, BATCH = 40, 6


def setting(run: ArmRun) -> tuple[str, str, str, str]:
    """What two steps of a run depend on."""
    return run.method, run.config, run.data, run.encoder


RUNS = {
    setting(run): run
    for unit in plan([claims.get(name) for name in claims.names()], [0])
    if (run := unit.run) is not None
}
COLUMNS = {"positive_cosine", "noise_mass", "distance", "z_rank", "mask_f1", "mask_f1_by_chance"}
"""Of a method's own in its history, by which claims compare arms."""


def columns_of(run: ArmRun) -> set[str]:
    """Columns that claims want of a run."""
    each = [(claim, arm) for claim in map(claims.get, claims.names()) for arm in claim.arms.values() if arm.trained]
    named = (
        AVERAGED.get(metric, metric)
        for claim, arm in each
        if (metric := arm.judged or claim.metric.name) in COLUMNS | AVERAGED.keys()
        and (own := run_of(claim, arm, 0, None, None)) is not None
        and setting(own) == setting(run)
    )
    return set(named)


@cache
def examples(corpus: str) -> Sequence[Any]:
    """A few examples of the kind that a corpus of the ledger has."""
    texts = data.sentences("wikipedia-mini")[: 5 * FEW]
    if corpus in ("documents, next sentence", "documents, one of the next three", "nli, entailments alone"):
        return data.paraphrases()[:FEW]
    if corpus == "nli":
        return list(data.triplets()[:FEW])
    if "labels of" in corpus:
        return [(text, number % 7) for number, text in enumerate(texts)]
    if "with its grades" in corpus:
        return [(first, second, 4.0) for first, second in data.paraphrases()[:FEW]]
    if corpus == "wikipedia-mini, rated pairs":
        pairs = [text for pair in data.paraphrases()[:FEW] for text in pair]
        groups = [None] * len(texts) + [f"pair {i // 2}" for i in range(len(pairs))]
        return data.Sentences([*texts, *pairs], groups=groups)
    return list(texts)


@cache
def origin(name: str) -> clwork.Encoder:
    """The encoder that arms start from, read once."""
    return clwork.load_encoder(name)


@pytest.mark.nightly
@pytest.mark.parametrize("run", RUNS.values(), ids=lambda run: run.name)
def test_an_arm_trains(run: ArmRun) -> None:
    own = json.loads(run.config)
    size = min(own.get("batch_size", BATCH), BATCH)
    config = clwork.methods.config(run.method, encoder=run.encoder, **own | {"batch_size": size})
    if isinstance(config, DCLRConfig) and config.complementary_steps:
        config.complementary_steps = 2  # of the model that judges
    method = build_method(run.method, deepcopy(origin(run.encoder)), config, run.seed)
    batches, _, _ = make_batches(method, examples(run.data), size, run.seed)
    method.begin(batches.batch, PreparationContext())
    optimizer = method.optimizer()
    before = [parameter.detach().clone() for parameter in method.encoder.parameters() if parameter.requires_grad]
    losses = []
    for step in range(2):
        draws = Draws.of(run.seed, step, torch.device("cpu"))
        _, terms, _ = train_step(method, optimizer, batches.batch(step), draws, step, 2)
        losses.append(float(terms.loss.detach()))
        method.after_step()
    after = [parameter.detach() for parameter in method.encoder.parameters() if parameter.requires_grad]
    assert all(parameter.isfinite().all() for parameter in after)
    planted = {} if terms.masked is None or not batches.together else agreement(terms.masked, batches.together)
    assert columns_of(run) <= terms.parts.keys() | planted.keys(), "what claims compare is recorded"
    learns = any((old != new).any() for old, new in zip(before, after, strict=True))
    assert all(map(math.isfinite, losses)) and (learns or losses == [0.0, 0.0]), "masks that leave no negative teach 0"
