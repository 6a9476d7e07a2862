"""The panel never lies: each test is of something that a panel once said, or did, and that was not so."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import clwork
from clwork import data, lab, methods, metrics
from clwork.lab import Panel
from clwork.lab.instrument import sentences as words
from clwork.metrics.collapse_diagnosis import REMEDIES, advice
from clwork.metrics.collapse_trend import Look
from clwork.training.loop.probe import trend_of
from clwork.training.run.run import RUNS
from clwork.training.run.training_thread import StoppedEarlyError
from clwork.views import curves

from ..conftest import SHORT
from .client import PATIENCE, Client, all_of, at_step

Make = Callable[..., tuple[Panel, Client]]


def test_another_encoder_leaves_the_running_run_alone(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    rate = panel.run.config.learning_rate
    elsewhere = {"choice": "elsewhere", "place": "bert-base-uncased"}
    assert "a run goes on" in page.refused("encoder", **elsewhere), "as a page asks that has not heard yet"
    assert "a run goes on" in page.refused("corpus", choice="own text", text="a\nb")
    at_step(page, panel.run.step + 2)
    assert panel.run.config.learning_rate == rate
    assert not [row for row in panel.run.records() if row.get("events")], "no control of the run was touched"
    page.ask("stop")
    panel.wait(60)
    assert page.refused("encoder", **elsewhere) == ""
    assert panel.config()["learning_rate"] == methods.config("simcse", "bert-base-uncased").learning_rate


def test_what_code_sets_twice_in_a_row_is_not_undone_by_the_page(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    for value in (0.1, 0.2, 0.3, 0.4):
        panel.run.controls.temperature = value
        page.ask()
    assert panel.config()["temperature"] == panel.run.controls.temperature == 0.4


def test_a_failed_start_says_whose_curves_are_drawn(make: Make) -> None:
    panel, page = make(steps=2)
    page.trained()
    first = panel.run
    assert "seed 0" in all_of(panel)[1]["head"]["settings"]
    page.ask("corpus", choice="elsewhere", place="nowhere/to-be-found.txt")
    page.trained()
    news, part = all_of(panel)
    sentence = news["pulse"]["sentence"]
    assert "did not start" in sentence and f"What is drawn is {first.name}, an earlier run" in sentence
    assert part["head"]["name"] == first.name and part["verdict"], "what is shown is still all of one run"
    assert panel.figure().data[1].x is not None and len(panel.figure().data[1].x) == 2


def test_a_run_that_fails_before_its_first_step_does_not_pass_for_the_one_before(make: Make) -> None:
    panel, page = make(steps=2)
    page.trained()
    first = panel.run
    page.ask("encoder", choice="elsewhere", place="no/such-encoder")
    page.trained()
    assert panel.run.status == "failed" and panel.run is not first
    news, part = all_of(panel)
    assert part["head"]["name"] == first.name and part["verdict"]["step"] == 2
    assert f"{panel.run.name} failed" in news["pulse"]["sentence"]
    assert f"What is drawn is {first.name}, an earlier run." in news["pulse"]["sentence"]
    page.ask("encoder", choice="mini")
    page.trained()
    news, part = all_of(panel)
    assert part["head"]["name"] == panel.run.name and "earlier" not in news["pulse"]["sentence"]
    assert news["ghost"]["id"] == str(first.folder), "the run before that did a step"


def test_a_panel_of_a_run_shows_its_settings_and_start_begins_it_again(corpus: data.Sentences) -> None:
    run = clwork.train("simcse", sentences=corpus, seed=7, temperature=0.2, **{**SHORT, "encoder": "mini", "steps": 2})
    RUNS.remove(run)
    panel = lab.panel(run=clwork.open_run(run.folder))
    assert (panel.inputs.seed.value, panel.inputs.steps.value) == (7, 2)
    assert panel.config()["temperature"] == 0.2
    news, part = all_of(panel)
    chosen = news["setup"]["corpus"]["choice"]
    labels = {option["value"]: option["label"] for option in news["setup"]["corpus"]["options"]}
    assert labels[chosen] == f"as in {run.name}"
    assert news["setup"]["encoder"]["choice"] == "mini" and "seed 7" in part["head"]["settings"]
    Client(panel).trained()
    assert panel.run.status == "finished", panel.run.error
    assert panel.run.name != run.name and panel.run.recipe.seed == 7
    assert panel.run.recipe.config == run.recipe.config and panel.run.recipe.fingerprints == run.recipe.fingerprints
    assert [row["loss"] for row in panel.run.records()[1:]] == [row["loss"] for row in run.records()[1:]]
    panel.close()


def test_an_encoder_given_as_an_object_is_found_in_the_folder_of_its_run(corpus: data.Sentences) -> None:
    own = clwork.load_encoder("mini", device="cpu")
    run = clwork.train("simcse", sentences=corpus, **{**SHORT, "steps": 1, "encoder": own})
    panel = lab.panel(run=run)
    assert panel.inputs.encoder.read() == str(run.folder / "start")
    assert panel.config() == vars(run.config), "the defaults are those for what it descends from"
    Client(panel).trained()
    assert [row["loss"] for row in panel.run.records()[1:]] == [row["loss"] for row in run.records()[1:]]
    panel.close()


def test_a_name_of_a_corpus_stays_a_name() -> None:
    run = clwork.start("simcse", steps=1, batch_size=8, eval_every=1, seed=3)
    run.stop()
    run.wait(PATIENCE)
    panel = lab.panel(run=run)
    assert panel.inputs.corpus.read() == "wikipedia-mini"
    assert panel._steering.sources()["sts"] == run.recipe.sts
    panel.inputs.seed.value = 5
    assert lab.panel(run=run, seed=6).inputs.seed.value == 6, "what the call says beside the run is for the next one"
    panel.close()


def test_settings_beside_a_run_at_work_are_refused(make: Make) -> None:
    panel, page = make(steps=5000)
    page.ask("start")
    at_step(page, 1)
    with pytest.raises(ValueError, match="goes on with its own settings"):
        lab.panel(run=panel.run, temperature=0.3)
    with pytest.raises(RuntimeError, match="stop it"):
        panel.apply_settings("simcse temperature=0.3")
    assert "stop it" in page.refused("apply", text="simcse temperature=0.3")


DCLR = {"method": "dclr", "encoder": None, "steps": 3}


def test_training_the_judge_is_told_and_can_be_stopped(make: Make) -> None:
    panel, page = make(**DCLR, complementary_steps=5000)
    page.ask("start")
    pulse = page.until(lambda news: "training the model that judges negatives" in news["pulse"]["sentence"])["pulse"]
    assert "of 5000" in pulse["sentence"] and "reading" not in pulse["sentence"] and pulse["alive"]
    page.ask("stop")
    panel.wait(PATIENCE)
    pulse = page.ask()["pulse"]
    assert panel.run.status == "stopped" and panel.run.error is None and panel.run.records() == []
    assert "before its first step" in pulse["sentence"] and not pulse["alive"]
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


def test_stop_before_there_is_a_run_is_not_forgotten(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    (panel, page), reading, go_on = make(steps=5000), threading.Event(), threading.Event()
    read = panel.inputs.corpus.read

    def slow() -> Any:
        reading.set()
        assert go_on.wait(PATIENCE)
        return read()

    monkeypatch.setattr(panel.inputs.corpus, "read", slow)
    page.ask("start")
    assert reading.wait(PATIENCE) and page.ask()["pulse"]["alive"]
    page.ask("stop")
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
            for knob, remedy in knobs.items():
                assert knob in usual or remedy not in told, (name, course, told)


@pytest.mark.parametrize("name", methods.names())
def test_no_default_run_is_warned_of_at_any_look(name: str) -> None:
    recorded = clwork.recording(name)
    looks = [row for row in recorded["rows"] if "mean_cosine" in row]
    courses = []
    for upto in range(1, len(looks) + 1):
        trend = trend_of(looks[:upto], recorded["total_steps"], name)
        assert trend is not None
        diagnosis = metrics.Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(trend, {})
        told = f"{diagnosis.headline}. {diagnosis.text}"
        assert not trend.warns and words.sign(diagnosis) == ("early" if trend.course == "too early" else "good")
        assert "longer" not in told and "temperature" not in told
        courses.append(trend.course)
    assert courses[:2] == ["too early"] * 2 and set(courses[2:]) == {"steady" if name == "gclsr" else "opening"}
    assert ("0.96 → 0.73" in told) == (name == "simcse")


def test_only_scores_that_were_measured_are_named() -> None:
    rows = [{"step": 1, "loss": 1.0, "topic_knn": 0.5}]
    named = [trace.name for trace in curves(rows).data if trace.showlegend]
    assert len(named) == 1 and "topic" in named[0]


def test_what_was_typed_wrong_keeps_a_run_from_starting(make: Make) -> None:
    panel, page = make(steps=2)
    before = len(clwork.runs())
    page.ask("set", setting="steps", value="0")
    page.ask("set", setting="temperature", value="0,1")
    pulse = page.ask("start")["pulse"]
    panel.wait(5)
    assert len(clwork.runs()) == before and "did not start" in pulse["sentence"]
    assert "0 is out of range" in pulse["sentence"] and "write a point" in pulse["sentence"]
    with pytest.raises(ValueError, match="steps=0"):
        lab.panel("simcse", steps=0)


@pytest.mark.filterwarnings("error")
def test_a_panel_that_was_refused_leaves_nothing_behind() -> None:
    for _ in range(3):
        with pytest.raises(ValueError, match="out of range"):
            lab.panel("simcse", temperature=-1.0)
        gc.collect()  # as it comes, at any moment: what it closes was never made


def test_the_symbols_of_the_formula_have_the_settings_present_values() -> None:
    panel = lab.panel("simcse", temperature=0.07)
    page = Client(panel)
    shown = page.ask()["setup"]["controls"]
    assert {"temperature", "batch_size"} <= set(panel.about["method"]["symbols"])
    assert (shown["temperature"]["text"], shown["batch_size"]["text"]) == ("0.07", "64")
    panel.inputs.settings.controls["temperature"].value = 0.1 + 0.2
    assert page.ask()["setup"]["controls"]["temperature"]["text"] == "0.3"


@pytest.mark.parametrize("name", methods.names())
def test_every_method_says_its_formula_with_signs_of_its_settings(name: str) -> None:
    about = methods.get(name)
    shown = lab.panel(name).about["method"]
    assert about.formula.count("{") == about.formula.count("}") and shown["symbols"]
    assert shown["formula"].startswith("<math") and (shown["title"], shown["paper"]) == (about.title, about.paper)


def test_a_part_of_a_corpus_is_not_called_by_the_name_of_all_of_it(make: Make, corpus: data.Sentences) -> None:
    panel, page = make(steps=1)
    page.trained()
    assert "64 sentences of wikipedia-mini" in all_of(panel)[1]["head"]["settings"]
    opened: Any = clwork.open_run(panel.run.folder)
    assert opened.recipe.sentences.label == "64 sentences of wikipedia-mini"
    given = clwork.train("simcse", sentences=list(corpus), **{**SHORT, "steps": 1})
    assert given.recipe.sentences.label == "64 examples of its own"


def test_the_page_knows_where_the_run_is_kept(make: Make) -> None:
    """So that it can name the folder once the kernel is gone."""
    panel, page = make(steps=2)
    page.trained()
    assert all_of(panel)[1]["id"] == str(panel.run.folder)


def test_a_corrected_value_takes_its_error_away(make: Make) -> None:
    _, page = make(steps=2)
    before = page.ask()["setup"]["controls"]["temperature"]["text"]
    page.ask("set", setting="temperature", value="0,1")
    assert "did not start" in page.ask("start")["pulse"]["sentence"]
    assert "Ready. Press Start" in page.ask("set", setting="temperature", value=before)["pulse"]["sentence"]
    page.ask("corpus", choice="elsewhere", place="nowhere/to-be-found.txt")
    assert "did not start" in page.trained()["pulse"]["sentence"]
    assert "Ready. Press Start" in page.ask("corpus", place="somewhere/else.txt")["pulse"]["sentence"]


def test_no_progress_stands_beside_what_did_not_start(make: Make) -> None:
    panel, page = make(steps=2)
    pulse = page.trained()["pulse"]
    assert (pulse["status"], pulse["step"], pulse["total"], pulse["left"]) == ("finished", 2, 2, "")
    page.ask("set", setting="steps", value="60")
    page.ask("encoder", choice="elsewhere", place="no/such-encoder")
    pulse = page.trained()["pulse"]
    assert (panel.run.status, pulse["status"], pulse["step"], pulse["total"]) == ("failed", "failed", 0, 60)
    page.ask("encoder", place="")
    pulse = page.trained()["pulse"]
    assert "did not start" in pulse["sentence"] and pulse["trouble"]
    assert (pulse["status"], pulse["step"], pulse["left"]) == ("ready", 0, "")


def test_the_run_before_stays_until_the_next_has_anything_to_show(make: Make) -> None:
    panel, page = make(steps=2)
    page.trained()
    first, waiting = panel.run, list[str]()
    page.ask("set", setting="steps", value="5000")
    page.ask("start")

    def turned(news: dict[str, Any]) -> bool:
        (part,) = news["runs"]
        if part["id"] == str(first.folder) and news["pulse"]["status"] != "starting":
            waiting.append(news["pulse"]["sentence"])
        return "head" in part

    news = page.until(turned)
    assert all(f"What is drawn is {first.name}, an earlier run." in sentence for sentence in waiting)
    assert news["runs"][0]["id"] == str(panel.run.folder) and "earlier run" not in page.ask()["pulse"]["sentence"]
    assert news["runs"][0]["head"]["texts"]  # these come before the first row
    page.until(lambda news: news["pulse"]["step"] >= 1)
