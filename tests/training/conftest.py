"""Short runs on a small corpus."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data
from clwork.disk import runs_folder

from ..encoders.conftest import WIDTH as WIDTH
from ..encoders.conftest import small_encoder, write_tiny

SHORT: dict[str, Any] = {"encoder": small_encoder(), "batch_size": 8, "device": "cpu"}
SHORT |= {"probe_every": 4, "eval_every": 1000}


@pytest.fixture(scope="session")
def corpus() -> data.Sentences:
    """A few sentences with topics and articles, stored as plain texts in the run's folder."""
    return clwork.data.sentences("wikipedia-mini")[:64]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Arguments of a run whose steps take milliseconds: an encoder of 16 numbers, 60 sentences."""
    sentences = clwork.data.sentences("wikipedia-mini")[:60]
    encoder = str(write_tiny(tmp_path_factory.mktemp("tiny")))
    short = {"encoder": encoder, "sentences": sentences, "batch_size": 4}
    return {**SHORT, **short, "probe_every": 2, "steps": 8}


@pytest.fixture(scope="session")
def trained(tiny: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """A finished run of 8 steps with checkpoints of steps 3 and 6, to be read or forked."""
    place = tmp_path_factory.mktemp("trained")
    # Patched here, since a session fixture is set up before the fixtures of its first test.
    with pytest.MonkeyPatch.context() as patch:
        for name in ("runs", "home"):
            patch.setenv(f"CLWORK_{name.upper()}", str(place / name))
        patch.delenv("CLWORK_STS", raising=False)
        patch.setattr("clwork.precision.abilities", set)
        patch.setattr("clwork.training.scores.SILVER_PAIRS", 20)
        return clwork.train("simcse", **tiny, keep_every=3)


@pytest.fixture
def copied(trained: clwork.Run, runs_in_tmp: None) -> Path:
    """The folder of a copy of ``trained``, among this test's runs."""
    return Path(shutil.copytree(trained.folder, runs_folder() / trained.name))


@pytest.fixture(autouse=True)
def runs_in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("CLWORK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLWORK_STS", raising=False)
