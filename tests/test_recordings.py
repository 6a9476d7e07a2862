"""The shipped recorded runs are small, complete and readable without torch, and state the licence
of their texts."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clwork
from clwork.recordings import ENDING, coordinates, recorded_forces, recorded_methods
from scripts import recorded_runs

ROOT = Path(__file__).resolve().parents[1]
METHODS = ["simcse", "dclr", "self_guided", "gclsr", "mocoutrl"]


def test_every_method_has_one_and_together_they_are_small() -> None:
    assert recorded_methods() == sorted(clwork.methods.names()) == sorted(METHODS)
    sizes = [
        path.stat().st_size for path in recorded_runs.PLACE.iterdir() if path.name.endswith(ENDING)
    ]
    assert len(sizes) == len(METHODS)
    assert sum(sizes) <= recorded_runs.MOST == 1_000_000


@pytest.mark.parametrize("method", METHODS)
def test_each_recording_is_complete(method: str) -> None:
    recording = clwork.recording(method)
    assert recording["method"] == method
    assert recording["status"] == "finished"
    assert recording["seed"] == 0
    assert recording["title"] == clwork.methods.get(method).title

    assert len(recording["texts"]) == len(recording["labels"]) == 200
    assert len(set(recording["labels"])) > 5
    assert len(recording["share"]) == recording["axes"]
    measurements = recording["measurements"]
    assert coordinates(recording).shape == (len(measurements), 200, recording["axes"])
    for measurement in measurements:
        assert len(base64.b64decode(measurement["near"])) == 200 * 5 * 2
    assert len({measurement["at"] for measurement in measurements}) == len(measurements)

    steps = [measurement["step"] for measurement in measurements]
    assert len(steps) >= 11
    assert steps[0] == 0
    assert steps[-1] == recording["total_steps"] == recording["rows"][-1]["step"]

    default_encoder = clwork.methods.get(method).default_encoder
    defaults = vars(clwork.methods.config(method, encoder=default_encoder))
    assert recording["settings"].items() <= defaults.items(), "run `make recorded` again"


def test_the_runs_with_other_seeds_have_five_neighbours_of_each_sentence() -> None:
    stored = json.loads((recorded_runs.PLACE / recorded_runs.SEEDS).read_bytes())
    seeds = {method: [int(seed) for seed in by_seed] for method, by_seed in stored.items()}
    assert seeds == {method: list(seeds) for method, seeds in recorded_runs.OTHER_SEEDS.items()}
    for by_seed in stored.values():
        for near in by_seed.values():
            rows = np.frombuffer(base64.b64decode(near), "<u2").reshape(200, 5)
            assert rows.max() < 200
            assert all(len({*row, own}) == 6 for own, row in enumerate(rows.tolist()))


@pytest.mark.parametrize("method", sorted({*METHODS} - {"gclsr"}))
def test_the_forces_of_each_step_are_shares_of_a_softmax(method: str) -> None:
    defaults = clwork.methods.config(method)
    recorded = recorded_forces(method)
    assert recorded is not None
    assert recorded["batch_size"] == defaults.batch_size
    assert len(recorded["steps"]) == recorded_runs.STEPS
    for forces in recorded["steps"]:
        assert next(iter(forces)) == "positive"
        pull, *pushes = forces.values()
        assert pull == pytest.approx(sum(pushes), rel=2e-3)
        assert 0 < pull < 1 / defaults.temperature
    first, last = recorded["steps"][0], recorded["steps"][-1]
    assert last["positive"] < first["positive"], "the negatives lose their share by acting"


def test_the_forces_are_those_of_runs_like_the_recorded_ones() -> None:
    rows = clwork.recording("dclr")["rows"][1:]
    recorded = recorded_forces("dclr")
    assert recorded is not None
    temperature = clwork.methods.config("dclr").temperature
    for kind, column in (("in-batch negative", "in_batch_mass"), ("noise", "noise_mass")):
        shares = [forces[kind] * temperature for forces in recorded["steps"]]
        apart = [abs(share - row[column]) for share, row in zip(shares, rows, strict=True)]
        assert sum(apart) / len(apart) < 0.05


def test_no_torch_is_needed() -> None:
    program = "import sys, clwork; clwork.recording('simcse'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_texts_are_those_of_the_offline_corpus() -> None:
    corpus = set(clwork.data.sentences("wikipedia-mini"))
    assert set(clwork.recording("simcse")["texts"]) <= {text[:500] for text in corpus}
