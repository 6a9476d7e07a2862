"""The panel never lies: each test is of something that a panel once said, or did, and that was not so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import clwork
from clwork import data, lab, methods, metrics
from clwork.lab import Panel
from clwork.lab.page import messages
from clwork.lab.panel.frame import place
from clwork.metrics.collapse_diagnosis import REMEDIES, advice
from clwork.metrics.collapse_trend import Look
from clwork.training.loop.probe import trend_of
from clwork.training.run.run import RUNS
from clwork.training.run.training_thread import StoppedEarlyError
from clwork.views import curves

from .conftest import SHORT
from .test_panel import PATIENCE, until

Make = Callable[..., Panel]


def started(panel: Panel, step: int = 1) -> Panel:
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= step)
    return panel


def test_another_encoder_in_the_drop_down_leaves_the_running_run_alone(make_panel: Make) -> None:
    panel = started(make_panel(steps=5000))
    until(lambda: panel.encoder.choice.disabled and panel.corpus.choice.disabled)
    rate = panel.run.config.learning_rate
    panel.encoder.choice.value = "elsewhere"  # as a page does that has not heard yet
    panel.encoder.place.value = "bert-base-uncased"
    at = panel.run.step
    until(lambda: panel.run.step > at + 2)
    assert panel.run.config.learning_rate == rate
    assert not [row for row in panel.run.records() if row.get("events")], "no control of the run was touched"
    panel.stop()
    panel.wait(60)
    assert not panel.encoder.choice.disabled
    assert panel.config()["learning_rate"] == methods.config("simcse", "bert-base-uncased").learning_rate


def test_what_code_sets_twice_in_a_row_is_not_undone_by_the_slider(make_panel: Make) -> None:
    panel = started(make_panel(steps=5000))
    for value in (0.1, 0.2, 0.3, 0.4):
        panel.run.controls.temperature = value
    until(lambda: panel.config()["temperature"] == 0.4)
    assert panel.run.controls.temperature == 0.4


def test_a_failed_start_says_whose_curves_are_below(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    panel.start()
    panel.wait(PATIENCE)
    first = panel.run
    shown = panel.inputs.head.shown
    assert first.name in shown.value and "seed 0" in shown.value
    panel.corpus.choice.value = "elsewhere"
    panel.corpus.place.value = "nowhere/to-be-found.txt"
    panel.start()
    panel.wait(PATIENCE)
    state = panel.frame.state.value
    assert "did not start" in state and f"drawn below is {first.name}, an earlier run" in state
    assert first.name in shown.value and panel.frame.verdict.value, "what is shown is still all of one run"
    assert panel.figure().data[1].x is not None and len(panel.figure().data[1].x) == 2


def test_a_run_that_fails_before_its_first_step_does_not_pass_for_the_one_before(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    panel.start()
    panel.wait(PATIENCE)
    first = panel.run
    panel.encoder.choice.value = "elsewhere"
    panel.encoder.place.value = "no/such-encoder"
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "failed" and panel.run is not first
    told = panel.inputs.head.shown.value
    assert (
        first.name in told
        and "an earlier run" in told
        and f"{panel.run.name} failed before it had anything to show" in told
    )
    assert panel.frame.verdict.value == "", "the verdict was on the run before"


def same(run: Any, other: Any) -> None:
    for what in ("method", "encoder", "sentences", "config", "steps", "seed", "sts", "eval_every", "probe_every"):
        assert getattr(run.recipe, what) == getattr(other.recipe, what), what


def test_a_panel_of_a_run_shows_its_settings_and_start_begins_it_again(corpus: data.Sentences) -> None:
    run = clwork.train("simcse", sentences=corpus, seed=7, temperature=0.2, **{**SHORT, "encoder": "mini", "steps": 2})
    RUNS.remove(run)
    panel = lab.panel(run=clwork.open_run(run.folder))
    panel.wait(PATIENCE)
    assert (panel.frame.seed.value, panel.frame.steps.value) == (7, 2)
    assert panel.config()["temperature"] == 0.2 and panel.corpus.choice.label == f"as in {run.name}"
    assert panel.encoder.choice.value == "mini" and "seed 7" in panel.inputs.head.shown.value
    panel.start()
    panel.wait(PATIENCE)
    assert panel.run.status == "finished", panel.run.error
    assert panel.run.name != run.name and panel.run.recipe.seed == 7
    assert panel.run.recipe.config == run.recipe.config and panel.run.recipe.fingerprints == run.recipe.fingerprints
    assert [row["loss"] for row in panel.run.records()[1:]] == [row["loss"] for row in run.records()[1:]]
    panel.close()


def test_an_encoder_given_as_an_object_is_found_in_the_folder_of_its_run(corpus: data.Sentences) -> None:
    own = clwork.load_encoder("mini", device="cpu")
    run = clwork.train("simcse", sentences=corpus, **{**SHORT, "steps": 1, "encoder": own})
    panel = lab.panel(run=run)
    panel.wait(PATIENCE)
    assert panel.encoder.read() == str(run.folder / "start")
    assert panel.config() == vars(run.config), "the defaults are those for what it descends from"
    panel.start()
    panel.wait(PATIENCE)
    assert [row["loss"] for row in panel.run.records()[1:]] == [row["loss"] for row in run.records()[1:]]
    panel.close()


def test_a_name_of_a_corpus_stays_a_name() -> None:
    run = clwork.start("simcse", steps=1, batch_size=8, eval_every=1, seed=3)
    run.stop()
    run.wait(PATIENCE)
    panel = lab.panel(run=run)
    panel.wait(PATIENCE)
    assert panel.corpus.read() == "wikipedia-mini" and panel._more["sts"] == run.recipe.sts
    panel.frame.seed.value = 5
    assert lab.panel(run=run, seed=6).frame.seed.value == 6, "what the call says beside the run is for the next one"
    panel.close()


def test_settings_beside_a_run_at_work_are_refused(make_panel: Make) -> None:
    panel = started(make_panel(steps=5000))
    with pytest.raises(ValueError, match="goes on with its own settings"):
        lab.panel(run=panel.run, temperature=0.3)
    with pytest.raises(RuntimeError, match="stop it"):
        panel.apply_settings("simcse temperature=0.3")


DCLR = {"method": "dclr", "encoder": None, "steps": 3}


def test_training_the_judge_is_told_and_can_be_stopped(make_panel: Make) -> None:
    panel = make_panel(**DCLR, complementary_steps=5000)
    panel.start()
    until(lambda: "training the model that judges negatives" in panel.frame.state.value)
    assert "of 5000" in panel.frame.state.value and "reading" not in panel.frame.state.value
    assert not panel.frame.stop.disabled
    panel.frame.stop.click()
    panel.wait(PATIENCE)
    assert panel.run.status == "stopped" and panel.run.error is None and panel.run.records() == []
    assert "before its first step" in panel.frame.state.value and not panel.frame.start.disabled
    assert panel.run.wait(1) is panel.run, "a wish is no failure"


def test_being_watched_changes_no_bit_of_the_judge(corpus: data.Sentences) -> None:
    from clwork.methods.dclr import train_complementary
    from clwork.methods.dclr_config import DCLRConfig

    def vectors(report: Any) -> Any:
        import torch

        encoder = clwork.load_encoder("mini", device="cpu")
        tokens = encoder.tokenize(list(corpus[:16]))
        generator = torch.Generator().manual_seed(0)
        judge = train_complementary(encoder, DCLRConfig(batch_size=8), lambda step: tokens[:8], 2, generator, **report)
        return judge.encode(list(corpus[:4]))

    seen: list[tuple[int, int]] = []
    watched = vectors({"report": lambda done, total: seen.append((done, total))})
    assert (watched == vectors({})).all() and seen == [(0, 2), (1, 2), (2, 2)]

    def refuse(done: int, total: int) -> None:
        raise StoppedEarlyError

    with pytest.raises(StoppedEarlyError):
        vectors({"report": refuse})


def test_stop_before_there_is_a_run_is_not_forgotten(make_panel: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, reading, go_on = make_panel(steps=5000), threading.Event(), threading.Event()
    read = panel.corpus.read

    def slow() -> Any:
        reading.set()
        assert go_on.wait(PATIENCE)
        return read()

    monkeypatch.setattr(panel.corpus, "read", slow)
    panel.start()
    assert reading.wait(PATIENCE) and not panel.frame.stop.disabled
    panel.frame.stop.click()
    go_on.set()
    panel.wait(PATIENCE)
    assert panel.run.status == "stopped"


def test_advice_names_only_knobs_that_there_are() -> None:
    knobs = {remedy.knob: remedy.words for remedies in REMEDIES.values() for remedy in remedies}
    for name in methods.names():
        usual = vars(methods.config(name))
        away = {
            key: value / 100 if key == "learning_rate" else -1.0 if key in ("lam", "phi") else value
            for key, value in usual.items()
        }
        for course in REMEDIES:
            trend = metrics.Trend(course, Look(0, 0.9), Look(0, 0.9), Look(10, 0.9), 20)
            told = advice("cone", {"mean_cosine": 0.9}, trend, away, usual)
            assert ("raise the learning rate" in told) == (course == "not opening")
            for knob, words in knobs.items():
                assert knob in usual or words not in told, (name, course, told)


@pytest.mark.parametrize("name", methods.names())
def test_no_default_run_is_warned_of_at_any_look(name: str) -> None:
    recorded = clwork.recording(name)
    looks = [row for row in recorded["rows"] if "mean_cosine" in row]
    courses = []
    for upto in range(1, len(looks) + 1):
        trend = trend_of(looks[:upto], recorded["total_steps"], name)
        assert trend is not None
        told = messages.verdict(
            metrics.Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(trend, {}), looks[upto - 1]["step"]
        )
        assert not trend.warns and "! cone" not in told and "longer" not in told and "temperature" not in told
        courses.append(trend.course)
    assert courses[:2] == ["too early"] * 2 and set(courses[2:]) == {"steady" if name == "gclsr" else "opening"}
    assert ("0.96 → 0.73" in told) == (name == "simcse")


def test_only_scores_that_were_measured_are_named() -> None:
    rows = [{"step": 1, "loss": 1.0, "topic_knn": 0.5}]
    named = [trace.name for trace in curves(rows).data if trace.showlegend]
    assert len(named) == 1 and "topic" in named[0]


def test_what_was_typed_wrong_keeps_a_run_from_starting(make_panel: Make) -> None:
    panel = make_panel(steps=2)
    before = len(clwork.runs())
    panel.frame.steps.box.value = "0"
    panel.settings.widgets["temperature"].box.value = "0,1"
    panel.frame.start.click()
    panel.wait(5)
    assert len(clwork.runs()) == before and "did not start" in panel.frame.state.value
    assert "0 is out of range" in panel.frame.state.value and "write a point" in panel.frame.state.value
    with pytest.raises(ValueError, match="steps=0"):
        lab.panel("simcse", steps=0)


def test_the_formula_has_the_knobs_present_values() -> None:
    panel = lab.panel("simcse", temperature=0.07)
    head = panel.inputs.head
    assert r"\tau = 0.07" in head.values.value and "N = 64" in head.values.value
    panel.settings.widgets["temperature"].value = 0.1 + 0.2
    assert r"\tau = 0.3$" in head.values.value


@pytest.mark.parametrize("name", methods.names())
def test_every_method_says_its_formula_with_signs_of_its_knobs(name: str) -> None:
    about = methods.get(name)
    signs = [field.symbol for field in methods.fields(about.Config) if field.symbol]
    found = [sign for sign in signs if place(sign, about.formula) >= 0]
    assert about.formula.count("{") == about.formula.count("}") and found
    head = lab.panel(name).inputs.head
    assert head.formula.value == f"${about.formula}$" and about.title in head.title.value
