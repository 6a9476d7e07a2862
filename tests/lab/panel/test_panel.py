"""What a panel does and shows for real short runs, on request of its page or of code."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab.panel.panel import Panel
from clwork.lab.panel.run_control import MEASURED
from clwork.run_folder.folder import RunFolder
from clwork.training.run import RUNS
from clwork.training.starting import watch

from ...runs import stop_at
from ..conftest import SHORT
from .client import PATIENCE, Client, all_of, at_step, values

Make = Callable[..., tuple[Panel, Client]]
ROOT = Path(__file__).resolve().parents[3]


def test_a_run_gets_the_values_of_the_settings(make: Make) -> None:
    panel, page = make(temperature=0.2, seed=5)
    page.request("set", setting="dropout_hidden", value=0.2)
    page.request("set", setting="max_length", value="16")
    page.request("set", setting="steps", value="3")
    page.trained()
    config = panel.run.config
    assert (config.temperature, config.dropout_hidden, config.max_length) == (0.2, 0.2, 16)
    assert panel.run.total_steps == 3
    assert panel.config()["temperature"] == 0.2
    assert panel.run.run_config.seed == 5


def test_pause_in_a_panel_blocks_training_until_resume(make: Make) -> None:
    panel, page = make(steps=5000)
    page.request("start")
    at_step(page, 1)
    page.request("pause")
    status = page.until(lambda news: news["state"]["status"] == "paused")["state"]
    held = panel.run.step
    time.sleep(0.5)
    assert panel.run.step == held
    assert "paused" in status["sentence"]
    assert status["left"] == "paused"
    page.request("pause")
    status = at_step(page, max(held + 1, MEASURED))["state"]
    assert status["status"] == "running"
    assert status["left"].endswith(" left")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt, also where a shell started the tests in the background
    and ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_wait_leaves_a_correct_panel(make: Make) -> None:
    panel, page = make(steps=5000)
    page.request("start")
    page.until(
        lambda news: news["state"]["step"] >= 2 and "is training" in news["state"]["sentence"],
        PATIENCE,
    )

    def interrupt() -> None:  # the signal of the notebook's stop button
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    for waiting in (panel.run, panel):
        interrupt()
        with pytest.raises(KeyboardInterrupt):
            waiting.wait(PATIENCE)
        status = at_step(page, panel.run.step + 1)["state"]
        assert panel.run.alive
        assert status["alive"]
        assert "is training" in status["sentence"]
    interrupt()
    assert watch(panel.run).status == "stopped", "as train does: the stop button stops the run"
    panel.wait(60)
    news, _ = all_of(panel)
    assert panel.run.status == "stopped"
    assert "was stopped" in news["state"]["sentence"]
    assert not news["state"]["alive"]
    assert not news["settings"]["controls"]["max_length"]["off"]


def test_a_lost_panel_is_replaced_by_attaching_to_the_run(make: Make) -> None:
    lost, first = make(steps=5000, temperature=0.07)
    first.request("start")
    at_step(first, 2)
    lost.close()
    found = lab.panel(run=lost.run)
    page = Client(found)
    news = page.until(
        lambda news: "head" in news["runs"][0] and len(values(news["runs"][0]["rows"])["loss"]) > 2
    )
    assert news["settings"]["controls"]["steps"]["text"] == "5000"
    assert found.config()["temperature"] == 0.07
    page.request("set", setting="temperature", value=0.5)
    assert lost.run.controls.temperature == 0.5
    assert "a run is active" in page.refused(
        "encoder", choice="elsewhere", place="bert-base-uncased"
    )
    with pytest.raises(ValueError, match="is active, so its settings are fixed"):
        lab.panel(run=lost.run, temperature=0.3)
    page.request("stop")
    found.wait(60)
    assert "stopped" in page.request()["state"]["sentence"]
    found.close()
    with pytest.raises(ValueError, match="leave the method out"):
        lab.panel("no_such_method", run=lost.run)


def check_shown_completely(panel: Panel, run: clwork.Run) -> str:
    """Check that a page gets every loss, the reference level, all points and a verdict; return the
    status sentence."""
    assert run.probe is not None
    news, part = all_of(panel)
    levels = part["head"]["levels"]
    assert levels["loss"] == {"log N": pytest.approx(run.references["log N"])}
    assert levels["silver"] == {
        "untrained, as loaded": run.references["silver: untrained, as loaded"]
    }
    assert len(values(part["rows"])["loss"]) == run.step + 1
    assert part["head"]["texts"] == run.probe.texts
    assert part["verdict"]["step"] == run.probe.vectors_step
    assert part["probes"][-1]["step"] == run.probe.vectors_step
    assert not news["state"]["alive"]
    return str(news["state"]["sentence"])


def test_a_run_opened_from_its_folder_is_shown_completely(trained: clwork.Run) -> None:
    for opened in (clwork.resume(trained.folder), clwork.open_run(trained.folder)):
        panel = lab.panel(run=opened)
        assert "finished" in check_shown_completely(panel, trained)
        assert panel.config()["batch_size"] == 8
        assert panel.settings.values["steps"] == 12
        panel.close()


def test_a_run_trained_by_another_process_is_shown_without_control(corpus: data.Sentences) -> None:
    run = stop_at(clwork.start("simcse", sentences=corpus, **SHORT), 3)
    RUNS.remove(run)
    killed = RunFolder(run.folder)
    killed.lock()
    killed.write_state("running")
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert "another process" in check_shown_completely(panel, run)
    assert all_of(panel)[0]["state"]["left"] == ""
    panel.close()
    killed.unlock()
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert "was interrupted" in check_shown_completely(panel, run)
    panel.close()


def test_without_widgets_a_text_is_shown(trained: clwork.Run) -> None:
    bundle, _ = lab.panel("simcse")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "SimCSE" in bundle["text/html"]
    assert 'data-clwork-recording="simcse"' in bundle["text/html"]
    assert "<code>panel.start()</code>" in bundle["text/html"], "what works without controls"
    text = lab.panel(run=trained)._repr_mimebundle_()[0]["text/html"]
    assert f"{trained.name} is finished" in text
    assert trained.diagnosis().headline in text
    assert "data-clwork-recording" not in text


def test_a_failing_figure_leaves_buttons_and_settings_correct(
    trained: clwork.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = lab.panel(run=trained)

    def fail(after: int) -> list[Any]:
        raise RuntimeError("out of <paint>")

    monkeypatch.setattr(panel.sources[0], "probes", fail)
    news = Client(panel, "fresh1").request()
    assert "out of <paint>" in news["state"]["sentence"]
    assert news["state"]["trouble"]
    assert (news["state"]["status"], news["state"]["alive"]) == (
        "finished",
        False,
    )
    assert "settings" in news
    monkeypatch.undo()
    assert "is finished" in Client(panel, "fresh2").request()["state"]["sentence"]
