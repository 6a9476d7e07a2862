"""What a panel does and says of real short runs, asked for by its page or by code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data, lab
from clwork.lab import Panel
from clwork.training import RunFolder, watch
from clwork.training.run.run import RUNS

from ...runs import stop_at
from ..conftest import SHORT
from .client import PATIENCE, Client, all_of, at_step, values

Make = Callable[..., tuple[Panel, Client]]
ROOT = Path(__file__).resolve().parents[3]


def test_a_run_from_start_to_finish_is_shown(make: Make) -> None:
    panel, page = make()
    nothing: Any = panel.run
    assert nothing is None and not page.ask()["pulse"]["alive"]
    page.trained()
    assert panel.run.status == "finished", panel.run.error
    news, part = all_of(panel)
    assert "finished" in news["pulse"]["sentence"] and news["pulse"]["step"] == news["pulse"]["total"] == 12
    assert list(panel.figure().data[1].x) == list(range(1, 13)), "every loss is on the curve, the last one too"
    assert values(part["rows"])["loss"][-1] == pytest.approx(panel.run.records()[-1]["loss"], rel=1e-5)
    diagnosis = panel.run.diagnosis()
    assert part["verdict"]["step"] == 12 and part["verdict"]["headline"] == diagnosis.headline
    assert part["head"]["texts"] == panel.run.probe.texts and part["head"]["labels"] == panel.run.probe.labels


def test_a_short_run_is_looked_at_as_often_as_asked(make: Make) -> None:
    panel, page = make(steps=20, probe_every=1)
    page.trained()
    assert panel.run.history["uniformity"].notna().sum() == 21 == len(all_of(panel)[1]["looks"])


class Watched(Sequence[str]):
    """Sentences that note which thread reads them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts, self.readers = texts, set[str]()

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: Any) -> Any:
        self.readers.add(threading.current_thread().name)
        return self.texts[place]


def test_start_is_answered_at_once(make: Make, corpus: data.Sentences) -> None:
    """Reading a corpus may take minutes: the thread that the question came from never does it."""
    texts = Watched(list(corpus))
    panel, page = make(sentences=texts, steps=1)
    texts.readers.clear()
    page.trained()
    assert panel.run.status == "finished", panel.run.error
    assert texts.readers and threading.current_thread().name not in texts.readers


def test_the_run_gets_what_the_settings_say(make: Make) -> None:
    panel, page = make(temperature=0.2, seed=5)
    page.ask("set", setting="dropout_hidden", value=0.2)
    page.ask("set", setting="max_length", value="16")
    page.ask("set", setting="steps", value="3")
    page.trained()
    config = panel.run.config
    assert (config.temperature, config.dropout_hidden, config.max_length) == (0.2, 0.2, 16)
    assert panel.run.total_steps == 3 and panel.config()["temperature"] == 0.2 and panel.run.recipe.seed == 5


def test_a_hot_setting_moved_while_it_trains_is_applied_and_kept(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 2)
    controls = all_of(panel)[0]["setup"]["controls"]
    assert controls["max_length"]["off"] and not controls["temperature"]["off"]
    page.ask("set", setting="temperature", value=0.3)
    page.until(lambda news: any(part.get("rows", {}).get("events") for part in news["runs"]), PATIENCE)
    assert panel.run.config.temperature == 0.3
    page.ask("stop")
    panel.wait(60)
    news, part = all_of(panel)
    assert panel.run.status == "stopped" and "stopped" in news["pulse"]["sentence"]
    assert "temperature 0.05 → 0.3" in [words for _, words in part["rows"]["events"]]
    assert panel.config()["temperature"] == 0.3, "Stop must not reset a setting"
    assert not news["setup"]["controls"]["max_length"]["off"] and not news["pulse"]["alive"]


def test_what_is_typed_wrong_beside_a_run_stays_with_its_error(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    told = page.ask("set", setting="temperature", value="0,1")["setup"]["controls"]["temperature"]
    assert told["text"] == "0,1" and "write a point" in told["wrong"]
    at_step(page, panel.run.step + 2)
    assert "write a point" in all_of(panel)[0]["setup"]["controls"]["temperature"]["wrong"]
    assert panel.run.controls.temperature == 0.05


def test_a_control_set_in_code_moves_the_setting(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    panel.run.controls.temperature = 0.4
    assert page.ask()["setup"]["controls"]["temperature"]["text"] == "0.4" and panel.config()["temperature"] == 0.4


def test_pause_holds_and_lets_go(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    page.ask("pause")
    pulse = page.until(lambda news: news["pulse"]["status"] == "paused")["pulse"]
    held = panel.run.step
    time.sleep(0.5)
    assert panel.run.step == held and "paused" in pulse["sentence"] and pulse["left"] == "paused"
    page.ask("pause")
    pulse = at_step(page, held + 1)["pulse"]
    assert pulse["status"] == "running" and pulse["left"].endswith(" left")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where a shell has begun the tests in the background, deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("waiting", ["run.wait()", "panel.wait()", "watch(run)"])
def test_an_interrupted_wait_leaves_a_panel_that_tells_the_truth(waiting: str, make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    page.until(lambda news: news["pulse"]["step"] >= 2 and "is training" in news["pulse"]["sentence"], PATIENCE)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()  # what the notebook's stop button sends
    if waiting == "watch(run)":  # as train does: the stop button stops the run
        assert watch(panel.run).status == "stopped"
    else:
        with pytest.raises(KeyboardInterrupt):
            (panel.run if waiting == "run.wait()" else panel).wait(PATIENCE)
        at = panel.run.step
        pulse = at_step(page, at + 1)["pulse"]
        assert panel.run.alive and pulse["alive"] and "is training" in pulse["sentence"]
        page.ask("stop")
    panel.wait(60)
    news, _ = all_of(panel)
    assert panel.run.status == "stopped" and "was stopped" in news["pulse"]["sentence"]
    assert not news["pulse"]["alive"] and not news["setup"]["controls"]["max_length"]["off"]


def test_start_twice_is_one_run(make: Make) -> None:
    panel, page = make()
    before = len(clwork.runs())
    panel.start()
    panel.start()
    page.ask("start")
    panel.wait(PATIENCE)
    assert len(clwork.runs()) == before + 1


def test_what_cannot_start_is_said_in_words_and_settings_stay(make: Make) -> None:
    panel, page = make(sentences="nowhere/to-be-found.txt", temperature=0.2)
    pulse = page.trained()["pulse"]
    assert "nowhere/to-be-found.txt" in pulse["sentence"] and "Traceback" not in pulse["sentence"]
    assert pulse["trouble"] and not pulse["alive"] and panel.config()["temperature"] == 0.2


def test_a_run_that_fails_is_explained_and_can_be_tried_again(make: Make) -> None:
    panel, page = make(temperature=0.2, steps=2)
    page.ask("encoder", choice="elsewhere", place="no/such-encoder")
    pulse = page.trained()["pulse"]
    assert panel.run.status == pulse["status"] == "failed"
    assert "no/such-encoder" in pulse["sentence"] and "Traceback" not in pulse["sentence"] and pulse["trouble"]
    assert panel.config()["temperature"] == 0.2 and panel.inputs.encoder.place == "no/such-encoder"
    page.ask("encoder", choice="mini")
    page.trained()
    assert panel.run.status == "finished"


def test_a_lost_panel_is_replaced_by_attaching_to_the_run(make: Make) -> None:
    lost, first = make(steps=5000, temperature=0.07)
    first.ask("start")
    at_step(first, 2)
    lost.close()
    found = lab.panel(run=lost.run)
    page = Client(found)
    news = page.until(lambda news: "head" in news["runs"][0] and len(values(news["runs"][0]["rows"])["loss"]) > 2)
    assert news["setup"]["steps"]["text"] == "5000" and found.config()["temperature"] == 0.07
    page.ask("set", setting="temperature", value=0.5)
    assert lost.run.controls.temperature == 0.5
    page.ask("stop")
    found.wait(60)
    assert "stopped" in page.ask()["pulse"]["sentence"]
    found.close()
    with pytest.raises(ValueError, match="leave the method out"):
        lab.panel("no_such_method", run=lost.run)


def shown_whole(panel: Panel, run: clwork.Run) -> str:
    """Check that a page gets every loss, the reference level, all of the cloud and a verdict; the sentence."""
    assert run.probe is not None
    news, part = all_of(panel)
    assert part["head"]["levels"]["loss"]["log N"] == pytest.approx(run.references["log N"])
    assert len(values(part["rows"])["loss"]) == run.step + 1 and part["head"]["texts"] == run.probe.texts
    assert part["verdict"]["step"] == run.probe.vectors_step and part["looks"][-1]["step"] == run.probe.vectors_step
    assert not news["pulse"]["alive"]
    return str(news["pulse"]["sentence"])


def test_a_run_opened_from_its_folder_is_shown_whole(corpus: data.Sentences) -> None:
    run = clwork.train("simcse", sentences=corpus, **SHORT)
    RUNS.remove(run)  # as another kernel sees it
    for opened in (clwork.resume(run.folder), clwork.open_run(run.folder)):
        panel = lab.panel(run=opened)
        assert "finished" in shown_whole(panel, run)
        assert panel.config()["batch_size"] == 8 and panel.inputs.steps.value == 12
        panel.close()


def test_a_run_that_others_train_is_shown_and_not_said_to_obey(corpus: data.Sentences) -> None:
    run = stop_at(clwork.start("simcse", sentences=corpus, **SHORT), 3)
    RUNS.remove(run)
    killed = RunFolder(run.folder)
    killed.lock()
    killed.write_state("running", 3)
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert "another process" in shown_whole(panel, run) and all_of(panel)[0]["pulse"]["left"] == ""
    panel.close()
    killed.unlock()
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert "did not come to its end" in shown_whole(panel, run)
    panel.close()


def test_earlier_runs_can_be_started_from(make: Make) -> None:
    panel, page = make()
    page.trained()
    option = page.ask("encoder", choice="mini")["setup"]["encoder"]["options"][-2]
    assert option["label"] == f"best of {panel.run.name}"
    page.ask("encoder", choice=option["value"])
    assert panel.inputs.encoder.read().dim == panel.run.encoder.dim


def test_a_line_of_settings_makes_the_same_panel_again() -> None:
    panel = lab.panel("simcse", settings="simcse seed=7 steps=12 temperature=0.2")
    text = panel.settings_text()
    assert "seed=7 steps=12" in text and panel.config()["temperature"] == 0.2
    again = lab.panel("simcse")
    page = Client(again)
    assert "did you mean 'temperature'" in page.refused("apply", text="simcse temprature=0.1")
    assert page.refused("apply", text=text) == "" and page.ask().get("setup", {}) == {}
    assert again.config() == panel.config() and again.settings_text() == text


def test_a_queue_and_a_run_do_not_begin_beside_each_other(make: Make) -> None:
    panel, page = make(steps=100_000)
    page.ask("queue", values="temperature = 0.1", seeds=1)
    pulse = page.ask("start")["pulse"]
    assert "A queue of runs is at work" in pulse["sentence"] and panel.run is None
    page.ask("queue_stop")
    panel.queue.wait(PATIENCE)
    page.ask("set", setting="seed", value="1")
    page.ask("start")
    at_step(page, 1)
    page.ask("queue", values="temperature = 0.1", seeds=1)
    assert "A run goes on" in panel.queue.error and not panel.queue.alive


def test_readers_without_widgets_get_text_and_a_picture(make: Make) -> None:
    bundle, _ = make()[0]._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'src="data:image/svg+xml' in bundle["text/html"] and "SimCSE" in bundle["text/html"]
    assert len(bundle["text/html"]) < 50_000, "a saved notebook must stay small"


def test_after_a_run_they_get_that_run_and_its_verdict(make: Make) -> None:
    panel, page = make(steps=2)
    page.trained()
    text = panel._repr_mimebundle_()[0]["text/html"]
    assert f"{panel.run.name} is finished" in text and panel.run.diagnosis().headline in text
    assert "recorded run" not in text and 'src="data:image/svg+xml' in text


def test_a_page_made_without_a_kernel_shows_them(make: Make) -> None:
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    output = nbformat.v4.new_output("display_data", make()[0]._repr_mimebundle_()[0])
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("panel", outputs=[output])])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(book)
    assert "<code>panel.start()</code>" in page, "what works without controls"
    assert "a live panel" in page and 'src="data:image/svg+xml' in page


WITHOUT = """
import sys
sys.modules["anywidget"] = None  # as where it is not installed
from clwork import data, lab
panel = lab.panel("simcse", sentences=data.sentences("wikipedia-mini")[:64], steps=2, batch_size=8)
before, metadata = panel._repr_mimebundle_()
assert list(before) == ["text/html"] and metadata == {}, "no page could draw the widget"
panel.start()
panel.wait()
print(panel.run.status, "anywidget" in before["text/html"], before["text/html"].count("<img"))
print(panel._repr_mimebundle_()[0]["text/html"].count("is finished"))
"""


def test_without_anywidget_there_are_a_text_and_a_picture_and_training_goes_on(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CLWORK_RUNS": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", WITHOUT], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-2:] == ["finished True 1", "1"]


def test_a_picture_that_fails_leaves_buttons_and_settings_right(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, page = make(steps=2)
    page.trained()

    def fail(after: int) -> list[Any]:
        raise RuntimeError("out of <paint>")

    monkeypatch.setattr(panel.sources[0], "looks", fail)
    news = Client(panel, "fresh1").ask()
    assert "out of <paint>" in news["pulse"]["sentence"] and news["pulse"]["trouble"]
    assert (news["pulse"]["status"], news["pulse"]["alive"]) == ("finished", False) and "setup" in news
    monkeypatch.undo()
    assert "is finished" in Client(panel, "fresh2").ask()["pulse"]["sentence"]


def test_wrong_overrides_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="temprature"):
        lab.panel("simcse", temprature=1.0)
    with pytest.raises(ValueError, match="out of range"):
        lab.panel("simcse", temperature=-1.0)
