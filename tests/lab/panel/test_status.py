"""What an instrument says of a run, and what it has measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from clwork.lab.panel import status
from clwork.lab.panel.status import measurements


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


def test_measurements_are_those_that_were_made() -> None:
    rows = [{"step": 0, "alignment": 0.5, "stsb": 25.0, "probe_share": 0.021}]
    found = measurements(run(records=lambda since=0: rows[since:]))
    assert found["values"] == [["alignment", "0.5"], ["STS-B Spearman × 100", "25"]]
    assert found["about"] == "Probes take 2.1 % of the time. Arithmetic in float32: as asked for."
