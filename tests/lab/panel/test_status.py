"""What an instrument says of a run, and what it has measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from clwork.lab.panel import status
from clwork.lab.panel.run_sources import sign
from clwork.lab.panel.status import measured_on, measurements
from clwork.metrics import Diagnosis, trend
from clwork.training.preparation import Progress
from clwork.views.history import RunColumns


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
        "probe": None,
        "recipe": SimpleNamespace(precision="float32", precision_why="float32: as asked for"),
    }
    about |= {"records": lambda since=0: [{"step": 0, "seconds": 100.0}], **changes}
    return SimpleNamespace(**{"alive": about["status"] in ("waiting", "running", "paused"), **about})


def test_time_left_follows_the_pace_so_far() -> None:
    assert status.time_left(run()) == "5 min 0 s left"
    assert status.time_left(run(status="finished", step=200)) == ""
    assert status.time_left(run(step=0)) == ""
    assert status.time_left(run(status="paused")) == "paused"
    assert status.time_left(run(step=200, busy_with="last look")) == "last look"
    assert status.time_left(run(busy_with="validation")) == "validation"
    assert status.time_left(run(step=200)) == "", "between two of them"


BEST = {"step": 40, "rule": "highest <stsb>"}
# What each state must say: what is going on, and what can be done or had next.
SAID: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"status": "waiting"}, ("is reading its encoder and corpus", "some seconds")),
    (
        {"status": "waiting", "preparing": Progress("training a <judge>", 12, 60, 30.0)},
        ("training a <judge>: 12 of 60", "about 2 min 0 s left", "Stop ends this too"),
    ),
    ({"status": "stopped", "step": 0, "records": lambda since=0: []}, ("before its first step", "press Start")),
    ({"status": "running"}, ("is training", "Move a control", "watch the curves")),
    ({"status": "running", "step": 0, "busy_with": "first look"}, ("first look comes before the first step",)),
    (
        {"status": "running", "step": 200, "busy_with": "saving"},
        ("has done all its steps", "What is left is its saving"),
    ),
    ({"status": "paused"}, ("is paused at step 50",)),
    ({"status": "stopped"}, ("was stopped at step 50", "All settings stay", "press Start")),
    ({"status": "finished"}, ("is finished", "never validated", "no checkpoint")),
    ({"status": "finished", "best": BEST}, ("step 40 (highest <stsb>)",)),
    ({"status": "failed"}, ("failed", "ValueError: 1 < 2\nand so on", "All settings stay", "press Start")),
    ({"status": "killed"}, ("did not end", "step 50")),
]


def test_every_state_says_what_goes_on_and_what_to_do() -> None:
    assert status.state(None).startswith("Ready. Press Start")
    for changes, expected in SAID:
        sentence = status.state(run(error="ValueError: 1 < 2\nand so on", **changes))
        assert "r<1>" in sentence, "plain text: the page writes it as text"
        for part in expected:
            assert part in sentence, changes
    elsewhere = status.state(run(alive=False))
    assert "another process" in elsewhere and "step 50" in elsewhere and "Move a control" not in elsewhere


def test_a_diagnosis_is_too_early_good_or_bad_by_its_trend_alone() -> None:
    looks = [{"step": 0, "mean_cosine": 0.96}, {"step": 4, "mean_cosine": 0.9}, {"step": 40, "mean_cosine": 0.61}]
    told = []
    for upto in (1, 2, 3):
        found = Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(trend(looks[:upto], 80), {"learning_rate": 1e-4})
        told.append((sign(found), found.headline, found.text))
    assert told[0][:2] == ("early", "cone") and "mean cosine 0.96 (step 0 of 80)" in told[0][2]
    assert told[1][:2] == ("early", "cone") and "mean cosine 0.96 → 0.90 (step 0 to 4 of 80)" in told[1][2]
    assert told[2][:2] == ("good", "cone, opening") and "mean cosine 0.96 → 0.61 (step 0 to 40 of 80)" in told[2][2]
    assert not any("learning rate" in text or "longer" in text for _, _, text in told)
    stuck = trend([*looks[:1], {"step": 40, "mean_cosine": 0.96}], 80)
    found = Diagnosis("cone", {"mean_cosine": 0.9}, "").of_run(stuck, {"learning_rate": 1e-7}, {"learning_rate": 1e-4})
    assert (sign(found), found.headline) == ("bad", "cone, not opening")
    assert "raise the learning rate" in found.text


def test_measurements_are_those_that_were_made() -> None:
    rows = [{"step": 0, "alignment": 0.5, "stsb": 25.0, "probe_share": 0.021}]
    found = measurements(run(records=lambda since=0: rows[since:]))
    assert found["values"] == [["alignment", "0.5"], ["STS-B Spearman × 100", "25"]]
    assert found["about"] == "Probes take 2.1 % of the time. Arithmetic in float32: as asked for."


def test_it_says_on_how_many_the_geometry_is_measured() -> None:
    probe = SimpleNamespace(about="alignment of 20 pairs (<own>), uniformity of 72 sentences")
    assert measured_on(None, RunColumns()) == ""
    usual = measured_on(probe, RunColumns([{"step": 0, "alignment": 1.0}]))
    assert "20 pairs (<own>), uniformity of 72 sentences." in usual and "at the start" not in usual
    many = {"pairs_all": 120, "sentences_all": 500}
    rows = [{"step": s, "alignment_all": a, "uniformity_all": -a, **many} for s, a in ((0, 0.25), (300, 0.5))]
    said = measured_on(probe, RunColumns(rows))
    assert "On 120 pairs and 500 sentences" in said and "alignment 0.25 → 0.5, uniformity -0.25 → -0.5" in said
