"""The shipped thresholds equal those computed from the calibration runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clwork.metrics import diagnosis
from scripts.blocks import collapse as blocks

pytestmark = pytest.mark.nightly

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "collapse_calibration.json"
FOUND: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
RUNS = blocks.plain(FOUND)
HELD_OUT = [run for run in RUNS if not blocks.chooses(FOUND, run)]
# Their settings are harmful, but their clouds open, or change by less than healthy ones.
NOT_SEEN = {
    ("simcse", "rate 1e-2 from half"),
    ("self_guided", "rate 1e-2 from half"),
    ("self_guided", "λ 10"),
    ("gclsr", "no predictor"),
    ("gclsr", "rate 1e-4"),
    ("mocoutrl", "sentences' loss as printed"),
    ("mocoutrl", "words alone"),
}


def test_the_thresholds_are_those_of_the_choosing_seeds(subtests: pytest.Subtests) -> None:
    for threshold, value in blocks.thresholds(FOUND).items():
        with subtests.test(threshold=threshold, value=value):
            assert getattr(diagnosis, threshold) == pytest.approx(value, rel=0.1)


def test_no_healthy_run_has_a_warning_at_any_step() -> None:
    healthy = [run for run in RUNS if run["kind"] == "healthy"] + blocks.recordings()
    for run in healthy:
        for upto in range(1, 101):
            assert not blocks.diagnosis(run, upto / 100).warns, (run["method"], upto)
    assert len(healthy) >= 20


def test_collapsing_runs_are_found_except_for_those_that_the_page_names() -> None:
    sick = [run for run in HELD_OUT if run["kind"] == "sick"]
    missed = {(run["method"], run["variant"]) for run in sick if not blocks.diagnosis(run).warns}
    assert missed == NOT_SEEN
    assert len(sick) > 2 * len(missed)
