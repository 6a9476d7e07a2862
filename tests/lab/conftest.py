"""Panels over short real runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab.panel.panel import Panel

from ..encoders.conftest import small_encoder

SHORT: dict[str, Any] = {"encoder": small_encoder(), "steps": 12, "batch_size": 8}
# threads that end with a run
OF_RUNS = ("clwork drawing", "clwork push")


@pytest.fixture(scope="session")
def corpus() -> data.Sentences:
    """A few sentences with topics and articles."""
    return clwork.data.sentences("wikipedia-mini")[:64]


@pytest.fixture(scope="session")
def trained(corpus: data.Sentences, tmp_path_factory: pytest.TempPathFactory) -> clwork.Run:
    """One finished run of 12 steps, for all tests that only read a run."""
    folder = tmp_path_factory.mktemp("trained") / "run-1"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("clwork.training.scores.SILVER_PAIRS", 20)
        settings = {
            **SHORT,
            "learning_rate": 0.01,
            "probe_every": 1,
            "precision": "float32",
            "device": "cpu",
        }
        return clwork.train("simcse", sentences=corpus, folder=folder, **settings)


@pytest.fixture
def make_panel(corpus: data.Sentences) -> Iterator[Callable[..., Panel]]:
    """Create panels over short runs; stop runs that still train at the end."""
    made: list[Panel] = []

    def make(**settings: Any) -> Panel:
        made.append(lab.panel(**{"sentences": corpus, **SHORT, **settings}))
        return made[-1]

    yield make
    for panel in made:
        panel.stop()
        panel.wait(60)
        panel.close()
    of_runs = [thread for thread in threading.enumerate() if thread.name in OF_RUNS]
    for thread in of_runs:
        # the last figure may take a moment on a busy machine
        thread.join(30)
    assert not any(thread.is_alive() for thread in of_runs), (
        "a thread outlived the run that it was for"
    )
