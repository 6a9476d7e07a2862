"""The probe: what is measured, when, and without an effect on the training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import clwork
from clwork import metrics
from clwork.training import scores
from clwork.training.probe import PAIRS, ProbeSchedule, make_probe
from clwork.training.run import RUNS

from ..runs import same
from .conftest import SHORT


def test_a_measurement_is_of_the_vectors_that_encode_returns(corpus: clwork.data.Sentences) -> None:
    encoder = clwork.load_encoder(SHORT["encoder"], device="cpu")
    probe = make_probe(corpus, None)
    found = probe.measure(encoder, 7)
    assert (len(probe.texts), len(probe.pairs), probe.vectors_step) == (len(corpus), PAIRS, 7)
    assert probe.vectors is not None
    assert np.allclose(probe.vectors, encoder.encode(probe.texts), atol=1e-5)
    assert found["uniformity"] == metrics.uniformity(probe.vectors)


def simulate(
    total: int, step_seconds: float, cost: float, every: int | None = None
) -> tuple[list[int], float]:
    """Steps with a measurement, and the share of time of those between the first and the last."""
    schedule, measured = ProbeSchedule(total, every), []
    for step in range(total + 1):
        if schedule.due(step, step * step_seconds):
            measured.append(step)
            schedule.record(step, step * step_seconds, cost)
    between = (len(measured) - 2) * cost
    return measured, between / (between + total * step_seconds)


def test_fixed_steps_depend_on_the_step_alone() -> None:
    for step_seconds in (1.0, 0.01):
        assert simulate(10, step_seconds, 5.0, every=4)[0] == [0, 4, 8, 10]


def test_on_a_slow_machine_a_picture_moves_about_every_10_seconds() -> None:
    slow, _ = simulate(300, step_seconds=3.0, cost=2.0)
    assert max(np.diff(slow)) * 3.0 <= 12.0


def test_the_untrained_encoder_is_drawn_before_it_is_scored_once(
    tiny: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, measure = list[int](), scores.Validation.measure

    def scored(task: scores.Validation, encoder: clwork.encoders.Encoder) -> dict[str, float]:
        drawn.append(len(RUNS[-1].positions.rows()))
        return measure(task, encoder)

    monkeypatch.setattr(scores.Validation, "measure", scored)
    monkeypatch.setattr(scores, "UNTRAINED", {})
    one, other = (clwork.train("simcse", **tiny | {"steps": 1, "seed": seed}) for seed in (0, 1))
    assert drawn == [1, 2, 2], "once before training, and at the end of each run"
    assert one.records()[0]["silver"] == other.records()[0]["silver"]


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("simcse", {"head": "both", "pooling": "mean"}),
        pytest.param("self_guided", {}, marks=pytest.mark.nightly),
        pytest.param("mocoutrl", {}, marks=pytest.mark.nightly),
    ],
)
def test_measurements_change_neither_weights_nor_random_numbers(
    method: str, values: dict[str, Any], corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("SENTENCES", 8), ("PAIRS", 4)):
        monkeypatch.setattr(f"clwork.training.probe.{name}", size)
    short = {**SHORT, **values, "sentences": corpus[:24], "steps": 4, "seed": 5}
    torch.manual_seed(0)
    before = torch.get_rng_state()
    runs = [clwork.train(method, **short | {"probe_every": every}) for every in (99, 1, None)]
    rare, often, timed = runs
    assert torch.equal(torch.get_rng_state(), before), "the global generator was used"
    counts = [int(run.history["uniformity"].notna().sum()) for run in runs]
    assert counts[:2] == [2, 5]
    assert timed.run_config.probe_every is None
    assert same(rare, often)
    assert same(rare, timed)
