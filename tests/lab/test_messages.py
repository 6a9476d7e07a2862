from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from clwork.lab.page import messages
from clwork.metrics import Diagnosis, trend
from clwork.training.loop.preparation import Progress
from clwork.views import RunColumns


def run(**changes: Any) -> Any:
    about = {
        "name": "r<1>",
        "status": "running",
        "step": 50,
        "total_steps": 200,
        "error": None,
        "best": {},
        "preparing": None,
        "busy_with": "",
    }
    about |= {"records": lambda since=0: [{"step": 0, "seconds": 100.0}], **changes}
    return SimpleNamespace(**{"alive": about["status"] in ("waiting", "running", "paused"), **about})


def test_time_left_follows_the_pace_so_far() -> None:
    assert messages.time_left(run()) == "step 50 of 200, about 5 min 0 s left"
    assert messages.time_left(run(status="finished", step=200)) == "step 200 of 200"
    assert messages.time_left(run(step=0)) == "step 0 of 200"


def test_no_time_is_left_where_no_step_is_done() -> None:
    assert messages.time_left(run(status="paused")) == "step 50 of 200, paused"
    assert messages.time_left(run(step=200, busy_with="last look")) == "step 200 of 200, last look"
    assert messages.time_left(run(busy_with="validation")) == "step 50 of 200, validation"
    assert messages.time_left(run(step=200)) == "step 200 of 200", "between two of them"


BEST = {"step": 40, "rule": "highest <stsb>"}
# What each state must say: what is going on, and what can be done or had next.
SAID: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"status": "waiting"}, ("is reading its encoder and corpus", "some seconds")),
    (
        {"status": "waiting", "preparing": Progress("training a <judge>", 12, 60, 30.0)},
        ("training a &lt;judge&gt;: 12 of 60", "about 2 min 0 s left", "Stop ends this too"),
    ),
    ({"status": "stopped", "step": 0, "records": lambda since=0: []}, ("before its first step", "press Start")),
    ({"status": "running"}, ("is training", "Move a slider", "watch the curves")),
    ({"status": "running", "step": 0, "busy_with": "first look"}, ("first look comes before the first step",)),
    (
        {"status": "running", "step": 200, "busy_with": "saving"},
        ("has done all its steps", "What is left is its saving"),
    ),
    ({"status": "paused"}, ("is paused", "Press Resume")),
    ({"status": "stopped"}, ("was stopped at step 50", "settings are kept", "press Start")),
    ({"status": "finished"}, ("is finished", "never validated", "no checkpoint")),
    ({"status": "finished", "best": BEST}, ("step 40 (highest &lt;stsb&gt;)", "<code>panel.run.best_encoder()</code>")),
    ({"status": "failed"}, ("failed", "ValueError: 1 &lt; 2<br>and so on", "settings are kept", "press Start")),
    ({"status": "killed"}, ("did not come to its end", "step 50")),
]


@pytest.mark.parametrize(("changes", "expected"), SAID, ids=lambda value: str(value)[:30])
def test_every_state_says_what_goes_on_and_what_to_do(changes: dict[str, Any], expected: tuple[str, ...]) -> None:
    sentence = messages.state(run(error="ValueError: 1 < 2\nand so on", **changes))
    assert "r&lt;1&gt;" in sentence and "r<1>" not in sentence
    for part in expected:
        assert part in sentence


def test_without_a_run_it_says_how_to_begin() -> None:
    assert messages.state(None).startswith("Ready. Press Start")


def test_a_run_that_another_process_trains_is_not_said_to_answer() -> None:
    assert "Move a slider" in messages.state(run())
    elsewhere = messages.state(run(alive=False))
    assert "another process" in elsewhere and "step 50" in elsewhere and "Move a slider" not in elsewhere


def test_the_verdict_gives_name_advice_and_signals() -> None:
    diagnosis = Diagnosis("cone", {"mean_cosine": 0.91}, "Train longer & see.")
    text = messages.verdict(diagnosis, 40)
    for expected in ("cone", "step 40", "Train longer &amp; see.", "mean cosine 0.91"):
        assert expected in text


def test_the_verdict_on_a_run_tells_its_trend_and_warns_by_it_alone() -> None:
    looks = [{"step": 0, "mean_cosine": 0.96}, {"step": 4, "mean_cosine": 0.9}, {"step": 40, "mean_cosine": 0.61}]
    told = []
    for upto in (1, 2, 3):
        found = Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(trend(looks[:upto], 80), {"learning_rate": 1e-4})
        told.append(messages.verdict(found, 40))
    assert "… cone</b>" in told[0] and "mean cosine 0.96 (step 0 of 80)" in told[0]
    assert "… cone</b>" in told[1] and "mean cosine 0.96 → 0.90 (step 0 to 4 of 80)" in told[1]
    assert "✓ cone, opening</b>" in told[2] and "mean cosine 0.96 → 0.61 (step 0 to 40 of 80)" in told[2]
    assert not any("learning rate" in text or "longer" in text for text in told)
    stuck = trend([*looks[:1], {"step": 40, "mean_cosine": 0.96}], 80)
    found = Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(stuck, {"learning_rate": 1e-7}, {"learning_rate": 1e-4})
    assert "! cone, not opening</b>" in messages.verdict(found, 40)
    assert "raise the learning rate" in messages.verdict(found, 40)


def test_numbers_leave_out_what_was_not_measured() -> None:
    assert messages.numbers({"loss": 0.25, "stsb": None}) == "loss <b>0.25</b>"


def test_it_says_on_how_many_the_geometry_is_measured() -> None:
    probe = SimpleNamespace(about="alignment of 20 pairs (<own>), uniformity of 72 sentences")
    assert messages.measured_on(None, RunColumns()) == ""
    usual = messages.measured_on(probe, RunColumns([{"step": 0, "alignment": 1.0}]))
    assert "20 pairs (&lt;own&gt;), uniformity of 72 sentences." in usual and "at the start" not in usual
    many = {"pairs_all": 120, "sentences_all": 500}
    rows = [{"step": s, "alignment_all": a, "uniformity_all": -a, **many} for s, a in ((0, 0.25), (300, 0.5))]
    said = messages.measured_on(probe, RunColumns(rows))
    assert "On 120 pairs and 500 sentences" in said and "alignment 0.25 → 0.5, uniformity -0.25 → -0.5" in said
