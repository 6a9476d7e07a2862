"""Bands of stored runs: their width against a simulation, the text for values outside, and the figure."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.reference import band_of, half_width, ranges

LENGTH = 40


@dataclass
class Stored:
    """A run of a reference, of a few columns."""

    losses: list[float]
    score: float | None = None
    name: str = ""
    steps: int = LENGTH

    def records(self) -> list[dict[str, Any]]:
        """Rows with a loss at every step, and uniformity at every tenth."""
        probed = {step: {"uniformity": -step / 10} for step in range(0, self.steps + 1, 10)}
        losses = {step: {"loss": loss} for step, loss in enumerate(self.losses, start=1)}
        steps = sorted(probed.keys() | losses.keys())
        return [{"step": step, **probed.get(step, {}), **losses.get(step, {})} for step in steps]


@pytest.fixture
def reference() -> Any:
    """A reference of three arms, and one without a stored run."""
    random = np.random.default_rng(0)

    def runs(level: float, name: str) -> list[Stored]:
        return [
            Stored(
                (level + 0.1 * random.standard_normal(LENGTH)).tolist(),
                60 + level + seed,
                f"{name}{seed}",
            )
            for seed in range(5)
        ]

    stored = {"low": runs(1.0, "l"), "high": runs(2.0, "h"), "one seed": runs(3.0, "o")[:1]}
    claim = SimpleNamespace(name="a/b", metric=SimpleNamespace(name="stsb", better=""))
    return SimpleNamespace(
        claim=claim, variants=list(stored), absent=["not yet"], runs=stored.__getitem__
    )


def title_of(reference: Any, yours: dict[str, Any]) -> str:
    title = views.against(reference, yours, ["loss", "uniformity"]).layout.title.text
    return str(title).replace("<br>", " ")


def test_the_band_holds_95_of_100_further_seeds() -> None:
    """Guard: the range of five seeds would hold only 67 of 100."""
    random = np.random.default_rng(1)
    tries, seeds = 4000, 5
    drawn = random.standard_normal((seeds + 1, tries))
    stored = [Stored(row.tolist(), steps=0) for row in drawn[:-1]]
    band = band_of(stored, "loss")
    inside = (band.low <= drawn[-1]) & (drawn[-1] <= band.high)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)
    extremes = (drawn[:-1].min(axis=0) <= drawn[-1]) & (drawn[-1] <= drawn[:-1].max(axis=0))
    assert extremes.mean() == pytest.approx(4 / 6, abs=0.03)
    assert half_width(5) > half_width(50) > 1.96


def test_a_run_outside_the_band_is_reported_with_its_steps(reference: Any) -> None:
    mine = [{"step": 0, "uniformity": 0.0}, *({"step": step, "loss": 1.0} for step in range(1, 11))]
    assert "Yours: inside the band at all 11 measured values." in title_of(reference, {"low": mine})
    mine[3]["loss"] = mine[4]["loss"] = 9.0
    mine[7]["loss"] = -9.0
    words = "low: loss is outside the band of 5 seeds at 3 of 10 measured steps (3 to 4, 7), on both sides"
    assert words in title_of(reference, {"low": mine})
    assert "outside" not in title_of(reference, {"one seed": mine}) and "1 to 5 seeds" in title_of(
        reference, {}
    )
    assert ranges(range(1, 20, 2)) == "1, 3, 5, 7 …"


def test_the_figure_draws_bands_and_marks_and_a_log_axis_for_short_runs(reference: Any) -> None:
    mine = [{"step": step, "loss": 1.0} for step in range(1, 11)]
    whole = views.against(reference)
    assert whole.layout.xaxis.type != "log" and not any(
        trace.name == "yours" for trace in whole.data
    )
    assert sum(trace.fill == "toself" for trace in whole.data) == 4, (
        "two arms with five seeds, loss and uniformity"
    )
    short = views.against(reference, {"low": mine}, ["loss"])
    assert short.layout.xaxis.type == "log" and short.layout.xaxis.ticktext[0] == "0"
    (marks,) = (trace for trace in short.data if trace.name == "yours")
    assert list(marks.x) == list(range(2, 12)), "a log axis has no 0: all steps are one further"
    assert sum(trace.fill == "toself" for trace in short.data) == 1, "the arm that yours names"
    assert "inside the band at all 10 measured values" in short.layout.title.text
    long = [{"step": step, "loss": 1.0, "stsb": 61.5} for step in range(1, LENGTH + 1)]
    both = views.against(reference, {"low": [mine, long]}, ["loss", "score"])
    ends = [trace for trace in both.data if trace.name == "yours" and trace.xaxis == "x2"]
    assert [list(trace.y) for trace in ends] == [[61.5]], (
        "a score counts at the reference's length only"
    )
