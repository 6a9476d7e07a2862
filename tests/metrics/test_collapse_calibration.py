"""The thresholds and the advice that ship are those that the runs of the calibration bear out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.collapse_calibration import ARMS, TRIED
from clwork.metrics import collapse_trend
from clwork.metrics.collapse_diagnosis import REMEDIES
from scripts.blocks import collapse as blocks

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "collapse_calibration.json"
FOUND: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
RUNS = blocks.plain(FOUND)
HELD_OUT = [run for run in RUNS if not blocks.chooses(FOUND, run)]
# Sick by what they are given, but their clouds open, or move by less than healthy ones of the method do.
NOT_SEEN = {
    ("simcse", "rate 1e-2 from half"),
    ("self_guided", "rate 1e-2 from half"),
    ("self_guided", "λ 10"),
    ("gclsr", "no predictor"),
    ("gclsr", "rate 1e-4"),
    ("mocoutrl", "sentences' loss as printed"),
    ("mocoutrl", "words alone"),
}


def name(run: dict[str, Any]) -> tuple[str, str]:
    return run["method"], run["arm"]


@pytest.mark.parametrize(("threshold", "value"), blocks.thresholds(FOUND).items())
def test_the_thresholds_are_what_the_choosing_seeds_say(threshold: str, value: float) -> None:
    assert getattr(collapse_trend, threshold) == pytest.approx(value, rel=0.1)


def test_every_arm_is_held_out_too() -> None:
    arms = {(method, arm) for method in ARMS for arm in ARMS[method]}
    assert {name(run) for run in HELD_OUT} == {name(run) for run in RUNS} == arms


def test_no_healthy_run_is_warned_of_at_any_look() -> None:
    healthy = [run for run in RUNS if run["kind"] == "healthy"] + blocks.recordings()
    for run in healthy:
        for upto in range(1, 101):
            assert not blocks.diagnosis(run, upto / 100).warns, (run["method"], upto)
    assert len(healthy) >= 20


def test_sick_runs_are_found_but_for_those_that_the_page_names() -> None:
    sick = [run for run in HELD_OUT if run["kind"] == "sick"]
    missed = {name(run) for run in sick if not blocks.diagnosis(run).warns}
    assert missed == NOT_SEEN and len(sick) > 2 * len(missed)


def test_advice_is_what_helped_on_every_seed_and_run_of_its_course() -> None:
    for course, remedies in REMEDIES.items():
        for remedy in remedies:
            tried = [
                (without, treated)
                for without, treated in blocks.trials(FOUND)
                if treated["remedy"] in remedy.words and _course(without) == course and _away(without, treated)
            ]
            assert len(tried) >= 2 and all(blocks.helped(*pair) for pair in tried), remedy.words


def test_what_was_advised_before_did_not_help() -> None:
    found = [pair for pair in blocks.trials(FOUND) if pair[1]["remedy"] == "lower the temperature"]
    assert len(found) >= 2 and not any(blocks.helped(*pair) for pair in found)
    assert not any("temperature" in remedy.words for remedies in REMEDIES.values() for remedy in remedies)


def _course(run: dict[str, Any]) -> str:
    trend = blocks.diagnosis(run).trend
    assert trend is not None
    return trend.course


def _away(without: dict[str, Any], treated: dict[str, Any]) -> bool:
    """Whether the arm itself moved the setting that the remedy moves: advice is given of no other."""
    assert treated["remedy"] in TRIED[without["arm"]]
    moved = ARMS[without["method"]][without["arm"]][1]
    knobs = {remedy.knob for remedies in REMEDIES.values() for remedy in remedies if treated["remedy"] in remedy.words}
    return bool(knobs & set(moved))
