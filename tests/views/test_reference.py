"""Bands of stored runs: their width, the text on values outside, and the figure."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from clwork import views
from clwork.views.reference import band_of, half_width

LENGTH = 40


@dataclass
class Stored:
    """A run of a reference, of a few columns."""

    losses: list[float]
    score: float | None = None
    steps: int = LENGTH

    def records(self) -> list[dict[str, Any]]:
        """Rows with a loss at every step, and uniformity at every tenth."""
        rows: list[dict[str, Any]] = [{"step": step} for step in range(self.steps + 1)]
        for row in rows[::10]:
            row["uniformity"] = -row["step"] / 10
        for row, loss in zip(rows[1:] or rows, self.losses, strict=True):
            row["loss"] = loss
        return rows


@pytest.fixture
def reference() -> Any:
    """A reference of three variants, and one without a stored run."""
    random = np.random.default_rng(0)

    def runs(level: float, seeds: int) -> list[Stored]:
        losses = level + 0.1 * random.standard_normal((seeds, LENGTH))
        return [Stored(row.tolist(), 60 + level + seed) for seed, row in enumerate(losses)]

    stored = {"low": runs(1.0, 5), "high": runs(2.0, 5), "one seed": runs(3.0, 1)}
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
    stored = [Stored(row.tolist(), steps=tries) for row in drawn[:-1]]
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
    assert (
        "low: loss is outside the band of 5 seeds at 3 of 10 measured steps; "
        "chance alone gives about 0.5."
    ) in title_of(reference, {"low": mine})
    assert "outside" not in title_of(reference, {"one seed": mine})
    assert "1 to 5 seeds" in title_of(reference, {})
    assert "Yours" not in title_of(reference, {"not yet": mine}), "no run of it is stored"


def test_an_unknown_variant_is_refused_with_the_nearest(reference: Any) -> None:
    with pytest.raises(ValueError, match=r"'hihg'.*did you mean 'high'"):
        views.against(reference, variants=["hihg"])


def test_the_figure_draws_bands_and_marks(reference: Any) -> None:
    mine = [{"step": step, "loss": 1.0} for step in range(1, 11)]
    whole = views.against(reference)
    assert all(trace.name != "yours" for trace in whole.data)
    bands = [trace for trace in whole.data if trace.fill == "toself"]
    assert len(bands) == 4, "two variants with five seeds, loss and uniformity"
    short = views.against(reference, {"low": mine}, ["loss"])
    (marks,) = (trace for trace in short.data if trace.name == "yours")
    assert list(marks.x) == list(range(1, 11))
    bands = [trace for trace in short.data if trace.fill == "toself"]
    assert len(bands) == 1, "the variant that yours names"
    assert "inside the band at all 10 measured values" in short.layout.title.text


def test_a_score_counts_at_the_length_of_the_reference_only(reference: Any) -> None:
    short = [{"step": step, "stsb": 60.0} for step in range(1, 11)]
    whole = [{"step": step, "stsb": 61.5} for step in range(1, LENGTH + 1)]
    figure = views.against(reference, {"low": [short, whole]}, ["loss", "score"])
    scores = [trace for trace in figure.data if trace.name == "yours" and trace.xaxis == "x2"]
    assert [list(trace.y) for trace in scores] == [[61.5]]
