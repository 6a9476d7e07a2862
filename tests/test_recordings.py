"""The shipped recorded runs are small, complete and readable without torch, and state the licence
of their texts."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import clwork
from clwork.recordings import ENDING, recorded_methods
from scripts import recorded_runs

ROOT = Path(__file__).resolve().parents[1]
METHODS = ["simcse", "dclr", "self_guided", "gclsr", "mocoutrl"]


def test_every_method_has_one_and_together_they_are_small() -> None:
    assert recorded_methods() == sorted(clwork.methods.names()) == sorted(METHODS)
    sizes = [
        path.stat().st_size for path in recorded_runs.PLACE.iterdir() if path.name.endswith(ENDING)
    ]
    assert len(sizes) == len(METHODS) and sum(sizes) <= recorded_runs.MOST == 1_000_000


def test_each_recording_is_complete() -> None:
    for method in METHODS:
        check(method)


def check(method: str) -> None:
    found = clwork.recording(method)
    assert (found["method"], found["status"], found["seed"]) == (method, "finished", 0)
    assert found["title"] == clwork.methods.get(method).title
    count = len(found["texts"])
    assert count == len(found["labels"]) == 300
    assert len(set(found["labels"])) > 5
    assert len(found["share"]) == found["axes"]
    for probe in found["measurements"]:
        assert len(base64.b64decode(probe["at"])) == count * found["axes"] * 2
        assert len(base64.b64decode(probe["near"])) == count * 5 * 2
    steps = [probe["step"] for probe in found["measurements"]]
    assert (
        steps[0] == 0
        and steps[-1] == found["total_steps"] == found["rows"][-1]["step"]
        and len(steps) >= 11
    )
    assert len({probe["at"] for probe in found["measurements"]}) == len(steps), "something moves"
    usual = clwork.methods.config(method, encoder=clwork.methods.get(method).default_encoder)
    assert found["settings"].items() <= vars(usual).items(), (
        "of another default: run `make recorded`"
    )


def test_no_torch_is_needed() -> None:
    program = "import sys, clwork; clwork.recording('simcse'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_texts_are_those_of_the_offline_corpus() -> None:
    corpus = set(clwork.data.sentences("wikipedia-mini"))
    assert set(clwork.recording("simcse")["texts"]) <= {text[:500] for text in corpus}
