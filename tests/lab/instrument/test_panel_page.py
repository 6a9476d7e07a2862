"""A panel over real short runs, as its page sees it: what comes, when, and how much of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork.lab import Panel
from clwork.lab.instrument.sources import CURVES
from clwork.training.loop.positions import Positions

from ...training.conftest import SHORT
from .client import Client, ended, values

Make = Callable[..., tuple[Panel, Client]]


def test_before_the_first_run_the_recorded_one_is_shown(make: Make) -> None:
    panel, page = make()
    news = page.ask()
    (shown,) = news["runs"]
    assert shown["id"] == "recorded:simcse" and len(shown["looks"]) > 5
    head = shown["head"]
    assert len(head["texts"]) * head["axes"] * 2 == len(shown["looks"][0]["at"])
    rows = values(shown["rows"])
    assert rows["step"][0] == 0 and np.isfinite(rows["loss"][1:]).all()
    assert news["pulse"]["status"] == "ready" and "Press Start" in news["pulse"]["sentence"]
    assert news["setup"]["controls"]["temperature"]["text"] == "0.05"
    assert page.ask().keys() <= {"runs", "pulse", "bands", "own"}, "asked again, it says what is new alone"
    bands = Client(panel, "fresh1").until(lambda news: "columns" in news.get("bands", {}))["bands"]
    assert len(bands["columns"]["loss"]["steps"]) == len(bands["columns"]["loss"]["low"])


def test_a_run_from_start_to_end(make: Make) -> None:
    shown, page = make()
    page.ask()
    assert page.ask("start")["pulse"]["status"] == "starting"
    looks: list[int] = []
    steps: list[float] = []
    losses: list[float] = []

    def take(news: dict[str, Any]) -> bool:
        for part in news["runs"]:
            if "rows" in part:
                rows = values(part["rows"])
                steps.extend(rows["step"])
                losses.extend(rows["loss"] if "loss" in rows else [np.nan] * len(rows["step"]))
            looks.extend(look["step"] for look in part.get("looks", []))
        return ended(news)

    news = page.until(take)
    assert news["pulse"]["status"] == "finished" and not news["pulse"]["alive"] and not news["pulse"]["trouble"]
    take(page.ask())
    history = shown.run.history
    assert steps == list(range(13)) == history["step"].tolist(), "every row came once"
    assert np.allclose(losses[1:], history["loss"][1:], rtol=1e-6)
    assert looks == [row["step"] for row in shown.run.positions.rows()] and looks[0] == 0
    assert news["setup"]["frozen"] is False


def test_a_moved_knob_is_marked_on_the_rows(make: Make) -> None:
    shown, page = make(steps=100_000)
    page.ask("start")
    page.until(lambda news: news["pulse"]["step"] >= 3)
    page.ask("set", setting="temperature", value=0.2)
    events = page.until(lambda news: any(part.get("rows", {}).get("events") for part in news["runs"]))["runs"][0][
        "rows"
    ]
    assert events["events"][0][1] == "temperature 0.05 → 0.2"
    assert shown.run.controls.temperature == 0.2
    assert "a run goes on" in page.refused("set", setting="batch_size", value="16")
    assert page.ask("pause")["pulse"]["alive"]
    page.until(lambda news: news["pulse"]["status"] == "paused")
    at = shown.run.step
    page.ask("step")
    page.until(lambda news: news["pulse"]["step"] == at + 1)
    page.ask("stop")
    news = page.until(ended)
    assert news["pulse"]["status"] == "stopped" and "was stopped at step" in news["pulse"]["sentence"]


def test_one_step_starts_a_run_that_waits(make: Make) -> None:
    shown, page = make()
    page.ask("step")
    page.until(lambda news: news["pulse"]["status"] == "paused" and news["pulse"]["step"] == 1)
    time.sleep(0.3)
    assert page.ask()["pulse"]["step"] == 1
    page.ask("speed", speed="slow")
    assert shown.run.pace > 0
    page.ask("speed", speed="full")
    page.ask("pause")
    assert page.until(ended)["pulse"]["status"] == "finished"


def test_the_run_before_stays_in_grey(make: Make) -> None:
    shown, page = make()
    page.ask()
    page.ask("start")
    news = page.until(lambda news: "ghost" in news)
    assert news["ghost"]["id"] == "recorded:simcse" and news["ghost"]["name"] == "recorded run"
    page.until(ended)
    first = shown.run
    page.ask("set", setting="temperature", value="0.3")
    page.ask("start")
    news = page.until(lambda news: "head" in news["runs"][0] and news["runs"][0]["id"] != str(first.folder))
    assert "temperature 0.05 → 0.3" in news["runs"][0]["head"]["changes"]
    assert page.known["ghost"] == str(first.folder)
    page.until(ended)


def test_a_page_that_was_reloaded_gets_all_of_it(make: Make) -> None:
    shown, page = make()
    page.ask("start")
    page.until(ended)
    page.ask()
    new = Client(shown, "reload1")
    (part,) = new.ask()["runs"]
    assert part["head"]["name"] == shown.run.name and len(values(part["rows"])["step"]) == 13
    assert len(part["looks"]) == len(shown.run.positions.rows()) and part["verdict"]["headline"]
    other = Client(shown, "second1")
    other.ask()
    other.ask("set", setting="seed", value="7")
    assert new.ask()["setup"]["seed"]["text"] == "7", "two pages of one panel are in step"


def test_a_row_costs_bytes(make: Make) -> None:
    """Of a run at work, an answer without a look is smaller than half a kilobyte, plus its rows' bytes."""
    _, page = make(steps=100_000, probe_every=None)
    page.ask("start")
    page.until(lambda news: news["pulse"]["step"] >= 3)
    for _ in range(4):
        page.ask()
    before = page.bytes
    news = page.ask()
    (part,) = news["runs"]
    if "looks" not in part and "verdict" not in part and set(news) == {"pulse", "runs"}:
        assert page.bytes - before < 700 + len(part.get("rows", {}).get("values", b""))
    page.ask("stop")
    page.until(ended)


def test_what_cannot_start_says_why_until_it_is_mended(make: Make) -> None:
    shown, page = make()
    page.ask("set", setting="temperature", value="-1")
    news = page.ask("start")
    assert news["pulse"]["status"] == "ready" and news["pulse"]["trouble"]
    assert news["pulse"]["sentence"].startswith("It did not start. temperature")
    news = page.ask("set", setting="temperature", value="0.1")
    assert not news["pulse"]["trouble"] and "Press Start" in news["pulse"]["sentence"]
    page.ask("encoder", choice="elsewhere", place="/nowhere/at/all")
    page.ask("start")
    news = page.until(lambda news: news["pulse"]["trouble"])
    assert "/nowhere/at/all" in news["pulse"]["sentence"]
    assert Client(shown, "fresh1").ask()["setup"]["frozen"] is False


def test_own_sentences_have_places_and_dots_have_forces(make: Make) -> None:
    shown, page = make()
    assert "no weights" in page.refused("forces", row=0)
    page.ask("start")
    page.until(ended)

    def placed(news: dict[str, Any]) -> bool:
        return any(one["at"] for one in news.get("own", {}).get("sentences", []))

    at_once = page.ask("own", texts=["  a  river  ", "a river", "", "a war"])
    news = at_once if placed(at_once) else page.until(placed)
    assert [one["text"] for one in news["own"]["sentences"]] == ["a river", "a war"]
    assert all(len(one["at"]) == 2 * shown.run.positions.about["axes"] for one in news["own"]["sentences"])
    page.ask("forces", row=3)
    forces = page.until(lambda news: "pairs" in news.get("forces", {}))["forces"]
    assert forces["row"] == 3 and any(pair["pull"] > 0 for pair in forces["pairs"])
    assert all(pair["row"] < len(shown.run.positions.about["texts"]) for pair in forces["pairs"])


@pytest.mark.parametrize("more", [["effective_rank"], ["no_such_column"], [3]])
def test_a_curve_that_is_asked_for_comes_with_the_rows(make: Make, more: list[Any]) -> None:
    _, page = make()
    page.known = {"runs": [{"id": "", "look": -1, "row": 0, "verdict": -1, "columns": more}]}
    (part,) = page.ask()["runs"]
    assert set(part["rows"]["columns"]) <= {*CURVES, *map(str, more)}
    page.ask("start")
    page.until(ended)


def test_a_fork_goes_on_with_the_knobs_as_they_are(make: Make) -> None:
    shown, page = make()
    assert "press Start" in page.refused("fork", step=3)
    page.ask("start")
    page.until(ended)
    parent = shown.run
    page.ask("set", setting="temperature", value="0.3")
    page.ask("fork", step=12)
    news = page.until(lambda news: news["runs"][0]["id"] != str(parent.folder) and "head" in news["runs"][0])
    assert "temperature 0.05 → 0.3" in news["runs"][0]["head"]["changes"]
    page.until(ended)
    assert shown.run.recipe.parent.run == parent.name and shown.run.config.temperature == 0.3


def test_a_fork_is_of_the_run_that_is_drawn(make: Make, tmp_path: Path) -> None:
    """Of the earlier run, where a later one failed before it had anything to show."""
    shown, page = make()
    page.ask("start")
    page.until(ended)
    parent = shown.run
    (tmp_path / "empty").mkdir()
    texts = [f"word {k}" for k in range(40)]
    failed = clwork.start("simcse", sentences=texts, steps=2, sts=tmp_path / "empty", **SHORT)
    with pytest.raises(FileNotFoundError):
        failed.wait()
    shown._show(failed)
    page.ask("fork", step=12)
    page.until(ended)
    assert shown.run.recipe.parent.run == parent.name


def test_what_was_asked_for_last_is_what_stays(make: Make) -> None:
    """Of two computations under way the later one counts, whichever ends first."""
    shown, page = make()
    slow, fast = threading.Event(), threading.Event()
    shown._make("forces", lambda: {"row": 1} if slow.wait(60) else {})
    shown._make("forces", lambda: {"row": 2} if fast.wait(60) else {})
    fast.set()
    assert page.until(lambda news: "row" in news.get("forces", {}))["forces"]["row"] == 2
    slow.set()
    for thread in [one for one in threading.enumerate() if one.name == "clwork forces"]:
        thread.join(60)
    assert "forces" not in page.ask()


def test_nothing_is_sent_before_a_page_has_asked(make: Make) -> None:
    shown, page = make()
    while "columns" not in shown._made["bands"]:
        time.sleep(0.05)
    assert page.sent == []
    assert "columns" in page.ask()["bands"]


def test_positions_of_a_run_read_back_are_read_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, page = make()
    page.ask("start")
    page.until(ended)
    _, page = make(run=clwork.open_run(shown.run.folder), encoder=None, sentences=None, steps=None, batch_size=8)
    reads: list[object] = []
    real = Positions.open

    def counted(files: Any) -> Positions:
        reads.append(files)
        return real(files)

    monkeypatch.setattr(Positions, "open", counted)
    for _ in range(4):
        page.ask()
    assert len(reads) <= 1 and page.known["runs"][0]["look"] == 12, "a page asks four times a second"


def test_a_watched_run_is_slow_and_can_be_taken_where_it_is(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, _ = make(steps=40)
    with pytest.raises(RuntimeError, match="press Start in the panel"):
        panel.current_run()
    panel.start(slowly=True)
    run = panel.current_run()
    assert run is panel.run and run.alive and run.pace > 0, "it goes on while cells below run"
    panel.stop()
    panel.wait()
    monkeypatch.setenv("CLWORK_PANEL_STEPS", "5")
    panel.start(slowly=True)
    assert panel.current_run().status == "finished" and panel.run.step == 5


def test_a_run_that_did_not_start_says_why(make: Make) -> None:
    panel, _ = make(steps=3)
    panel.inputs.set("temperature", "never")
    panel.start(slowly=True)
    with pytest.raises(RuntimeError, match="temperature"):
        panel.current_run()
