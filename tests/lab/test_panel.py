from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ipywidgets as widgets
import pytest

import clwork
from clwork import data, lab
from clwork.lab import Panel
from clwork.training import RunFolder, watch
from clwork.training.run.run import RUNS

from ..runs import stop_at
from .conftest import SHORT

Make = Callable[..., Panel]
PATIENCE = 400.0  # seconds; a busy two-core machine needs a good part of them


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def loss_of(figure: Any) -> Any:
    """The curve of the run that is shown."""
    return next(trace for trace in figure.data if trace.name == "loss")


def test_a_run_from_start_to_finish_is_shown(make_panel: Make) -> None:
    panel = make_panel()
    nothing: Any = panel.run
    assert nothing is None and panel.frame.stop.disabled and not panel.frame.start.disabled
    panel.frame.start.click()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    assert "finished" in panel.frame.state.value and "step 12 of 12" in panel.frame.left.value
    assert panel.frame.bar.value == panel.frame.bar.max == 12
    figure = panel.figure()
    assert list(figure.data[1].x) == list(range(1, 13)), "every loss is on the curve, the last one too"
    assert loss_of(panel.pictures.curves.drawn.figure()).y[-1] == pytest.approx(
        panel.run.records()[-1]["loss"], rel=1e-5
    )
    assert panel.run.diagnosis().verdict in panel.frame.verdict.value and "step 12" in panel.frame.verdict.value
    cloud = panel.pictures.sentences.drawn.figure()
    assert sum(len(trace.x) for trace in cloud.data) == len(panel.run.probe.texts)
    assert {trace.name for trace in cloud.data} == set(panel.run.probe.labels)


class Watched(Sequence[str]):
    """Sentences that note which thread reads them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts, self.readers = texts, set[str]()

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: Any) -> Any:
        self.readers.add(threading.current_thread().name)
        return self.texts[place]


def test_the_button_answers_at_once(make_panel: Make, corpus: data.Sentences) -> None:
    """Reading a corpus may take minutes: the thread that the click came from never does it."""
    texts = Watched(list(corpus))
    panel = make_panel(sentences=texts, steps=1)
    texts.readers.clear()
    panel.frame.start.click()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    assert texts.readers and threading.current_thread().name not in texts.readers


def test_the_run_gets_what_the_widgets_say(make_panel: Make) -> None:
    panel = make_panel(temperature=0.2, seed=5)
    panel.settings.widgets["dropout_hidden"].value = 0.2
    panel.settings.widgets["max_length"].value = 16
    panel.frame.steps.value = 3
    panel.start()
    panel.wait(PATIENCE)
    config = panel.run.config
    assert (config.temperature, config.dropout_hidden, config.max_length) == (0.2, 0.2, 16)
    assert panel.run.total_steps == 3 and panel.config()["temperature"] == 0.2


def test_a_hot_slider_moved_while_it_trains_is_applied_and_marked(make_panel: Make) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 2)
    assert panel.settings.widgets["max_length"].disabled and not panel.settings.widgets["temperature"].disabled
    panel.settings.widgets["temperature"].value = 0.3
    until(lambda: panel.pictures.tracks.events)
    assert panel.run.config.temperature == 0.3
    assert "temperature 0.05 → 0.3" in panel.pictures.tracks.events[0][1]
    curves = panel.pictures.curves.drawn  # drawn a moment later
    until(lambda: any("temperature 0.05 → 0.3" in note.text for note in curves.figure().layout.annotations))
    panel.frame.stop.click()
    panel.wait(60)
    assert panel.run.status == "stopped" and "stopped" in panel.frame.state.value
    assert panel.config()["temperature"] == 0.3, "Stop must not reset a slider"
    assert not panel.settings.widgets["max_length"].disabled and not panel.frame.start.disabled


def test_a_control_set_in_code_moves_the_slider(make_panel: Make) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    panel.run.controls.temperature = 0.4
    until(lambda: panel.config()["temperature"] == 0.4)


def test_pause_holds_and_lets_go(make_panel: Make) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    panel.frame.pause.click()
    until(lambda: panel.frame.pause.description == "Resume")
    held = panel.run.step
    time.sleep(0.5)
    assert panel.run.step == held and "paused" in panel.frame.state.value
    panel.frame.pause.click()
    until(lambda: panel.run.step > held)
    until(lambda: panel.frame.pause.description == "Pause")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where a shell has begun the tests in the background, deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("waiting", ["run.wait()", "panel.wait()", "watch(run)"])
def test_an_interrupted_wait_leaves_a_panel_that_tells_the_truth(waiting: str, make_panel: Make) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 2 and "is training" in panel.frame.state.value)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()  # what the notebook's stop button sends
    if waiting == "watch(run)":  # as train does: the stop button stops the run
        assert watch(panel.run).status == "stopped"
    else:
        with pytest.raises(KeyboardInterrupt):
            (panel.run if waiting == "run.wait()" else panel).wait(PATIENCE)
        at = panel.run.step
        until(lambda: panel.run.step > at)
        assert panel.run.alive and "is training" in panel.frame.state.value and not panel.frame.stop.disabled
        panel.frame.stop.click()
    panel.wait(60)
    assert panel.run.status == "stopped" and "was stopped" in panel.frame.state.value
    assert panel.frame.stop.disabled and not panel.frame.start.disabled
    assert not panel.settings.widgets["max_length"].disabled


def test_start_twice_is_one_run(make_panel: Make) -> None:
    panel = make_panel()
    before = len(clwork.runs())
    panel.start()
    panel.start()
    panel.wait(PATIENCE)
    assert len(clwork.runs()) == before + 1


def test_what_cannot_start_is_said_in_words_and_settings_stay(make_panel: Make) -> None:
    panel = make_panel(sentences="nowhere/to-be-found.txt", temperature=0.2)
    panel.start()
    panel.wait(PATIENCE)
    text = panel.frame.state.value
    assert "nowhere/to-be-found.txt" in text and "Traceback" not in text
    assert panel.config()["temperature"] == 0.2
    assert not panel.frame.start.disabled and panel.frame.stop.disabled


def test_a_run_that_fails_is_explained_and_can_be_tried_again(make_panel: Make) -> None:
    panel = make_panel(temperature=0.2, steps=2)
    panel.encoder.choice.value = "elsewhere"
    panel.encoder.place.value = "no/such-encoder"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "failed"
    text = panel.frame.state.value
    assert "failed" in text and "no/such-encoder" in text and "Traceback" not in text
    assert panel.config()["temperature"] == 0.2 and panel.encoder.place.value == "no/such-encoder"
    panel.encoder.choice.value = "mini"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished"


def test_a_lost_panel_is_replaced_by_attaching_to_the_run(make_panel: Make) -> None:
    lost = make_panel(steps=5000, temperature=0.07)
    lost.start()
    until(lambda: lost.run is not None and lost.run.step >= 2)
    lost.close()
    found = lab.panel(run=lost.run)
    until(lambda: len(found.pictures.tracks.xy("loss")[0]) >= 2)
    assert found.config()["temperature"] == 0.07 and found.frame.steps.value == 5000
    found.settings.widgets["temperature"].value = 0.5
    until(lambda: lost.run.config.temperature == 0.5)
    found.frame.stop.click()
    found.wait(60)
    assert "stopped" in found.frame.state.value
    found.close()
    with pytest.raises(ValueError, match="leave the method out"):
        lab.panel("no_such_method", run=lost.run)


def shows_all(panel: Panel, run: clwork.Run) -> bool:
    """Whether the live figures have every loss, the reference level and all of the cloud, with a verdict below."""
    panel.wait(PATIENCE)
    assert run.probe is not None
    curves, cloud = panel.pictures.curves.drawn.figure(), panel.pictures.sentences.drawn.figure()
    level = next(trace for trace in curves.data if trace.name == "reference")
    assert float(level.y[0]) == pytest.approx(run.references["log N"]) and "log N" in "".join(level.text)
    assert len(loss_of(curves).x) == run.step and sum(len(trace.x) for trace in cloud.data) == len(run.probe.texts)
    return (
        f"at step {run.probe.vectors_step}" in panel.frame.verdict.value and not panel.pictures.sentences.umap.disabled
    )


def test_a_run_opened_from_its_folder_is_shown_whole(corpus: data.Sentences) -> None:
    run = clwork.train("simcse", sentences=corpus, **SHORT)
    RUNS.remove(run)  # as another kernel sees it
    for opened in (clwork.resume(run.folder), clwork.open_run(run.folder)):
        panel = lab.panel(run=opened)
        assert shows_all(panel, run) and "finished" in panel.frame.state.value
        assert panel.frame.stop.disabled and panel.frame.pause.disabled and not panel.frame.start.disabled
        assert panel.config()["batch_size"] == 8 and panel.frame.steps.value == 12
        panel.close()


def test_a_run_that_others_train_is_shown_and_not_said_to_obey(corpus: data.Sentences) -> None:
    run = stop_at(clwork.start("simcse", sentences=corpus, **SHORT), 3)
    RUNS.remove(run)
    killed = RunFolder(run.folder)
    killed.lock()
    killed.write_state("running", 3)
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert shows_all(panel, run) and "another process" in panel.frame.state.value
    assert panel.frame.stop.disabled and "left" not in panel.frame.left.value
    panel.close()
    killed.unlock()
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert shows_all(panel, run) and "did not come to its end" in panel.frame.state.value
    panel.close()


def test_earlier_runs_can_be_started_from(make_panel: Make) -> None:
    panel = make_panel()
    panel.start()
    panel.wait(PATIENCE)
    label, value = panel.encoder.choice.options[-2]
    assert label == f"best of {panel.run.name}"
    panel.encoder.choice.value = value
    assert panel.encoder.read().dim == panel.run.encoder.dim


def test_another_encoder_brings_its_own_defaults_but_not_over_what_was_set(make_panel: Make) -> None:
    panel = make_panel(encoder=None)
    mini = panel.config()["learning_rate"]
    panel.encoder.choice.value = "elsewhere"
    assert panel.config()["learning_rate"] != mini, "the preset of mini is for mini"
    panel.encoder.choice.value = "mini"
    panel.settings.widgets["learning_rate"].value = 5e-4
    panel.encoder.choice.value = "elsewhere"
    assert panel.config()["learning_rate"] == 5e-4


def test_readers_without_widgets_get_text_and_a_picture(make_panel: Make) -> None:
    bundle = make_panel()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'src="data:image/svg+xml' in bundle["text/html"] and "SimCSE" in bundle["text/html"]
    assert len(bundle["text/html"]) < 50_000, "a saved notebook must stay small"


def test_a_page_made_without_a_kernel_shows_them(make_panel: Make) -> None:
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    output = nbformat.v4.new_output("display_data", make_panel()._repr_mimebundle_())
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("panel", outputs=[output])])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(book)
    assert "a live panel" in page and 'src="data:image/svg+xml' in page


def test_a_picture_that_fails_leaves_the_buttons_right(make_panel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = make_panel(steps=2)

    def fail(run: Any) -> bool:
        raise RuntimeError("out of <paint>")

    monkeypatch.setattr(panel.pictures, "draw", fail)
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished" and "out of &lt;paint&gt;" in panel.frame.numbers.value
    assert not panel.frame.start.disabled and panel.frame.stop.disabled


def test_buttons_have_words_and_tooltips_and_stable_classes(make_panel: Make) -> None:
    panel = make_panel()
    for name in ("start", "pause", "stop", "umap"):
        button: widgets.Button = getattr(panel.pictures.sentences if name == "umap" else panel.frame, name)
        assert button.description and button.tooltip and f"clwork-{name}" in button._dom_classes
    assert "clwork-temperature" in panel.settings.widgets["temperature"]._dom_classes


def test_wrong_overrides_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="temprature"):
        lab.panel("simcse", temprature=1.0)
    with pytest.raises(ValueError, match="out of range"):
        lab.panel("simcse", temperature=-1.0)
