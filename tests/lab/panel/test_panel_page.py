"""A panel over real short runs: which data its page receives, when, and how much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import clwork
from clwork import lab
from clwork.lab.panel.panel import Panel

from .client import Client, all_of, at_step, ended, values

Make = Callable[..., tuple[Panel, Client]]


def test_before_the_first_run_the_recorded_one_is_shown(make: Make) -> None:
    _, page = make()
    assert page.sent == [], "nothing is sent before a request"
    news = page.request()
    (shown,) = news["runs"]
    assert shown["id"] == "recorded:simcse"
    assert len(shown["probes"]) > 5
    head = shown["head"]
    assert len(head["texts"]) * head["axes"] * 2 == len(shown["probes"][0]["at"])
    rows = values(shown["rows"])
    assert rows["step"][0] == 0
    assert np.isfinite(rows["loss"][1:]).all()
    assert news["state"]["status"] == "ready"
    assert "Press Start" in news["state"]["sentence"]
    assert news["settings"]["controls"]["temperature"]["text"] == "0.05"
    assert page.request().keys() <= {"runs", "state", "typed"}, (
        "the second reply holds only new values"
    )


def test_a_run_from_start_to_end(make: Make) -> None:
    shown, page = make(probe_every=1)
    page.request()
    assert page.request("start")["state"]["status"] == "starting"
    probed: list[int] = []
    steps: list[float] = []
    losses: list[float] = []

    def take(news: dict[str, Any]) -> bool:
        for part in news["runs"]:
            if "rows" in part:
                rows = values(part["rows"])
                steps.extend(rows["step"])
                losses.extend(rows["loss"] if "loss" in rows else [np.nan] * len(rows["step"]))
            probed.extend(probe["step"] for probe in part.get("probes", []))
        return ended(news)

    news = page.until(take)
    assert news["state"]["status"] == "finished"
    assert not news["state"]["alive"]
    assert not news["state"]["trouble"]
    take(page.request())
    history = shown.run.history
    assert steps == list(range(13)) == history["step"].tolist(), "every row came once"
    assert np.allclose(losses[1:], history["loss"][1:], rtol=1e-6)
    assert probed == [row["step"] for row in shown.run.positions.rows()] == list(range(13))
    assert history["uniformity"].notna().sum() == 13, "probed at every step"
    assert news["settings"]["frozen"] is False
    reloaded = Client(shown, "reload1")
    (part,) = reloaded.request()["runs"]
    assert part["id"] == str(shown.run.folder)
    assert part["head"]["name"] == shown.run.name
    assert values(part["rows"])["step"].tolist() == steps
    assert len(part["probes"]) == 13
    assert part["head"]["texts"] == shown.run.probe.texts
    assert part["head"]["labels"] == shown.run.probe.labels
    assert part["verdict"]["step"] == 12
    assert part["verdict"]["headline"] == shown.run.diagnosis().headline
    page.request("set", setting="seed", value="7")
    assert reloaded.request()["settings"]["controls"]["seed"]["text"] == "7", (
        "two pages of one panel are in step"
    )


def test_a_changed_control_is_applied_marked_and_saved(make: Make) -> None:
    shown, page = make(steps=100_000)
    page.request("step")
    page.until(lambda news: news["state"]["status"] == "paused" and news["state"]["step"] == 1)
    page.request("speed", speed="slow")
    assert shown.run.pace > 0
    page.request("speed", speed="full")
    page.request("pause")  # resumes
    at_step(page, 3)
    controls = all_of(shown)[0]["settings"]["controls"]
    assert controls["max_length"]["off"]
    assert not controls["temperature"]["off"]
    page.request("set", setting="temperature", value=0.2)
    news = page.until(lambda news: any(part.get("rows", {}).get("events") for part in news["runs"]))
    assert news["runs"][0]["rows"]["events"][0][1] == "temperature 0.05 → 0.2"
    assert shown.run.controls.temperature == shown.run.config.temperature == 0.2
    shown.run.controls.temperature = 0.3
    controls = page.request()["settings"]["controls"]
    assert controls["temperature"]["text"] == "0.3", "a control that a cell has moved"
    assert page.request("pause")["state"]["alive"]
    page.until(lambda news: news["state"]["status"] == "paused")
    at = shown.run.step
    page.request("step")
    page.until(lambda news: news["state"]["step"] == at + 1)
    page.request("stop")
    news = page.until(ended)
    assert news["state"]["status"] == "stopped"
    assert "was stopped at step" in news["state"]["sentence"]
    assert shown.config()["temperature"] == 0.3, "Stop must not reset a setting"
    assert not all_of(shown)[0]["settings"]["controls"]["max_length"]["off"]


def test_a_fork_uses_the_current_controls(make: Make, trained: clwork.Run) -> None:
    assert "press Start" in make()[1].refused("fork", step=3)
    shown = lab.panel(run=trained)
    page = Client(shown)
    page.request("set", setting="temperature", value="0.3")
    page.request("fork", step=12)
    news = page.until(lambda news: any("head" in part for part in news["runs"]))
    assert news["runs"][0]["head"]["name"] == shown.run.name != trained.name
    assert "temperature 0.05 → 0.3" in news["runs"][0]["changes"]
    page.until(ended)
    assert shown.run.run_config.parent.run == trained.name
    assert shown.run.config.temperature == 0.3
    shown.close()


def test_a_fork_begins_at_the_last_checkpoint_before_the_shown_step(make: Make) -> None:
    panel, page = make(steps=30, probe_every=2, keep_every=4)
    for step in range(1, 10):
        if step in (3, 8):
            page.request("set", setting="temperature", value={3: 0.2, 8: 0.4}[step])
        page.request("step")
        at_step(page, step)
    parent = panel.run
    assert "is active, and a fork would end it" in page.refused("fork", step=5)
    assert panel.run is parent
    assert parent.alive, "it is not ended without being asked"
    page.request("set", setting="temperature", value=0.3)
    news = page.request("fork", step=5, stop=True)
    fork = panel.run
    assert (fork.run_config.parent.run, fork.run_config.parent.step) == (parent.name, 4)
    assert fork.run_config.parent.changed == {"temperature": [0.2, 0.3]}, (
        "compared with the value in force at step 4"
    )
    assert [probe["step"] for probe in news["runs"][0]["probes"]] == [0, 2, 4], (
        "none of its parent's later ones"
    )
    page.until(ended)
    assert [row["loss"] for row in fork.records()[1:5]] == [
        row["loss"] for row in parent.records()[1:5]
    ]
    assert not parent.alive
    assert fork.step == 30
    assert fork.config.temperature == 0.3
    changes = page.request()["runs"][0]["changes"]
    assert changes.startswith(
        "temperature 0.05 → 0.3; the previous one moved temperature 0.05 → 0.2 at step 3, "
    )


def test_the_same_settings_with_a_moved_control_are_not_called_the_same(make: Make) -> None:
    _, page = make(steps=4)
    page.trained()
    page.request("step")
    at_step(page, 1)
    assert page.request()["runs"][0]["changes"] == "the same settings"
    page.request("set", setting="temperature", value=0.2)
    page.request("step")
    at_step(page, 2)
    assert page.request()["runs"][0]["changes"] == (
        "the same settings at first; this run moved temperature 0.05 → 0.2 at step 2"
    )
