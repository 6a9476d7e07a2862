"""Short runs on a small corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data

SHORT: dict[str, Any] = {"encoder": "mini", "batch_size": 8, "probe_every": 4, "eval_every": 1000, "device": "cpu"}


@pytest.fixture(scope="session")
def corpus() -> data.Sentences:
    """A few sentences with topics and articles, kept as plain texts in the run's folder."""
    return clwork.data.sentences("wikipedia-mini")[:160]


@pytest.fixture(autouse=True)
def runs_in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLWORK_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("CLWORK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLWORK_STS", raising=False)
