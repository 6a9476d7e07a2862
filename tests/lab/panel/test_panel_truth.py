"""The panel shows the true state: each test is of a state that a panel once showed wrongly."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab.panel.panel import Panel
from clwork.training.run import RUNS

from ..conftest import SHORT
from .client import PATIENCE, Client, all_of

Make = Callable[..., tuple[Panel, Client]]


def test_a_run_that_fails_before_its_first_step_leaves_the_earlier_one_shown(make: Make) -> None:
    panel, page = make(steps=2)
    page.trained()
    first = panel.run
    page.request("encoder", choice="elsewhere", place="no/such-encoder")
    sentence = page.trained()["state"]["sentence"]
    assert panel.run.status == "failed", sentence
    assert panel.run is not first
    news, part = all_of(panel)
    assert part["head"]["name"] == first.name
    assert part["verdict"]["step"] == 2
    assert f"{panel.run.name} failed" in news["state"]["sentence"]
    assert news["state"]["trouble"]
    assert "no/such-encoder" in news["state"]["sentence"]
    assert "Traceback" not in news["state"]["sentence"]
    assert f"The picture shows {first.name}, an earlier run." in news["state"]["sentence"]
    page.request("encoder", choice="mini")
    page.trained()
    news, part = all_of(panel)
    assert part["head"]["name"] == panel.run.name
    assert "earlier" not in news["state"]["sentence"]
    assert news["previous"]["id"] == str(first.folder), "the run before that did a step"


def test_a_panel_of_a_run_shows_its_settings_and_start_repeats_it(corpus: data.Sentences) -> None:
    run = clwork.train(
        "simcse",
        sentences=corpus,
        seed=7,
        temperature=0.2,
        **{**SHORT, "encoder": "mini", "steps": 2},
    )
    RUNS.remove(run)
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert (panel.settings.values["seed"], panel.settings.values["steps"]) == (7, 2)
    assert panel.config()["temperature"] == 0.2
    news, part = all_of(panel)
    chosen = news["settings"]["corpus"]["choice"]
    labels = {option["value"]: option["label"] for option in news["settings"]["corpus"]["options"]}
    assert labels[chosen] == f"as in {run.name}"
    assert news["settings"]["encoder"]["choice"] == "mini"
    assert part["head"]["seed"] == 7
    Client(panel).trained()
    assert panel.run.status == "finished", panel.run.error
    assert panel.run.name != run.name
    assert panel.run.run_config.seed == 7
    assert panel.run.run_config.config == run.run_config.config
    assert panel.run.run_config.fingerprints == run.run_config.fingerprints
    assert [row["loss"] for row in panel.run.records()[1:]] == [
        row["loss"] for row in run.records()[1:]
    ]
    panel.close()


def test_stop_during_the_preparation_of_a_run_takes_effect(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    (panel, page), reading, go_on = make(steps=5000), threading.Event(), threading.Event()
    read = panel.settings.corpus.read

    def slow() -> Any:
        reading.set()
        assert go_on.wait(PATIENCE)
        return read()

    monkeypatch.setattr(panel.settings.corpus, "read", slow)
    page.request("start")
    assert reading.wait(PATIENCE)
    assert page.request()["state"]["alive"]
    page.request("stop")
    go_on.set()
    panel.wait(PATIENCE)
    assert panel.run.status == "stopped"
