"""Curves of runs: running mean, thinning, the mean over seeds with its shade, and the plane."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clwork import views
from clwork.columns import History
from clwork.views.history import (
    MeanCurve,
    band_of,
    downsample,
    groups_of,
    half_width,
    mean_curve,
    plotted,
    smooth,
)

from ..strategies import HOLD


@HOLD
@given(st.lists(st.floats(-1e6, 1e6), max_size=3000), st.integers(4, 600))
def test_thinning_keeps_ends_and_extremes_within_the_limit(values: list[float], limit: int) -> None:
    y = np.array(values)
    drawn = downsample(y, limit)
    assert len(drawn) <= limit
    assert (np.diff(drawn) > 0).all()
    if len(y):
        assert drawn[0] == 0
        assert drawn[-1] == len(y) - 1
        if len(y) <= limit or limit > 5:
            assert y[drawn].max() == y.max()
            assert y[drawn].min() == y.min()


def test_the_running_mean_is_not_biased_towards_zero() -> None:
    assert np.allclose(smooth(np.full(50, 7.0)), 7.0)
    by_hand = (0.9 * 0.1 * 1.0 + 0.1 * 3.0) / (0.9 * 0.1 + 0.1)
    assert smooth(np.array([1.0, 3.0]))[1] == pytest.approx(by_hand)


def test_appended_rows_equal_rows_read_at_once(records: list[dict[str, Any]]) -> None:
    grown = History(records[:500])
    for row in records[500:]:
        grown.append(row)
    whole = History(records)
    assert np.array_equal(grown.xy("loss")[1], whole.xy("loss")[1])
    assert grown.last_step == 1200
    assert grown.last("loss") == whole.last("loss")
    assert grown.last("stsb") is None


def seeds(*ends: float) -> list[list[dict[str, Any]]]:
    """Histories of two steps with the given final uniformity."""
    return [
        [{"step": 0, "uniformity": -1.0}, {"step": 10, "uniformity": end, "silver": 50.0}]
        for end in ends
    ]


def mean_of(runs: list[Any], column: str) -> MeanCurve:
    return mean_curve([plotted(history, column) for history in groups_of({"runs": runs})["runs"]])


def test_mean_and_sample_deviation_are_of_what_all_seeds_measured() -> None:
    longer = [*seeds(-4.0)[0], {"step": 20, "uniformity": 0.0}]
    curve = mean_of([*seeds(-2.0, -3.0), longer], "uniformity")
    assert curve.steps.tolist() == [0, 10]
    assert curve.mean.tolist() == [-1.0, -3.0]
    assert curve.deviation.tolist() == [0.0, np.std([-2.0, -3.0, -4.0], ddof=1)]
    assert mean_of(seeds(-2.0), "uniformity").deviation.tolist() == [0.0, 0.0]
    assert [len(part) for part in mean_of(seeds(-2.0), "never measured")] == [0, 0, 0]
    assert [len(part) for part in mean_of([], "loss")] == [0, 0, 0]


def test_runs_probed_at_different_steps_are_interpolated() -> None:
    one = [{"step": s, "uniformity": v} for s, v in ((0, 0.0), (4, -4.0), (10, -10.0))]
    other = [{"step": s, "uniformity": v} for s, v in ((0, 0.0), (6, -12.0), (8, -16.0))]
    curve = mean_of([one, other], "uniformity")
    assert curve.steps.tolist() == [0, 4, 6, 8], "no further than both reach"
    assert curve.mean.tolist() == [0.0, -6.0, -9.0, -12.0]
    by_hand = [0.0, *(np.std(pair, ddof=1) for pair in ([-4, -8], [-6, -12], [-8, -16]))]
    assert curve.deviation == pytest.approx(by_hand)


def test_several_seeds_are_a_line_with_a_shade() -> None:
    figure = views.overlay(
        {"one": seeds(-2.0, -3.0), "other": seeds(-2.0)}, ("uniformity", "silver")
    )
    assert [(t.name, t.fill) for t in figure.data[:3]] == [
        (None, "toself"),
        ("one", None),
        ("other", None),
    ]
    assert [t.name for t in figure.data if t.showlegend] == ["one", "other"], "each name once"
    assert figure.data[-1].y.tolist() == [50.0]


def test_runs_are_given_as_they_are_found(tmp_path: Path) -> None:
    """A run, a list of runs, runs by name, folders, recordings, rows and DataFrames."""
    (history,) = seeds(-2.0)
    run = SimpleNamespace(name="first", records=lambda: history)
    recording = {"name": "second", "rows": history}
    folder = tmp_path / "third"
    folder.mkdir()
    (folder / "record.jsonl").write_text("\n".join(map(json.dumps, history)) + "\n")
    for runs, names in [
        (run, ["first"]),
        ([run, recording, str(folder)], ["first", "second", "third"]),
        ({"a": run, "b": [recording, folder]}, ["a", "b"]),
        (recording, ["second"]),
        ({"a": history, "b": pd.DataFrame(history)}, ["a", "b"]),
        (history, ["run 1"]),
    ]:
        figure = views.overlay(runs, ["uniformity"])
        assert [line.name for line in figure.data if line.showlegend] == names
        assert list(figure.data[-1].y) == [-1.0, -2.0]
    with pytest.raises(FileNotFoundError, match=r"holds no run: it has no record\.jsonl"):
        views.overlay(str(tmp_path), ["loss"])
    with pytest.raises(TypeError, match=r"3 is not a run; give a run, its folder"):
        views.overlay([run, 3], ["loss"])


def test_a_spike_is_not_thinned_away(records: list[dict[str, Any]]) -> None:
    heavy = [*records, *({"step": 1200 + k, "uniformity": -1.0} for k in range(1, 3000))]
    heavy[2000]["uniformity"] = -9.0
    (line,) = views.overlay(heavy, ["uniformity"]).data
    assert len(line.x) <= 500 < len(heavy)
    assert min(line.y) == -9.0


def test_a_path_in_the_plane_has_marked_ends(records: list[dict[str, Any]]) -> None:
    ours, other = views.plane({"ours": records, "other": records[:400]}).data
    assert (ours.x[0], ours.y[0]) == (-1.0, 0.2)
    assert ours.x[-1] == pytest.approx(-2.2)
    assert ours.marker.symbol[0].endswith("-open")
    assert not ours.marker.symbol[-1].endswith("-open")
    assert np.argmax(ours.marker.size) == len(ours.x) - 1
    assert ours.line.dash != other.line.dash
    assert ours.line.color != other.line.color


def test_the_plane_shows_every_seed_and_the_mean() -> None:
    def run(offset: float) -> list[dict[str, Any]]:
        return [
            {"step": s, "alignment": 0.1 * s + offset, "uniformity": -s - offset} for s in range(3)
        ]

    figure = views.plane({"one": [run(0.0), run(0.2)], "two": [run(1.0)]})
    *faint, mean, other = figure.data
    assert len(faint) == 2
    assert mean.y[-1] == pytest.approx(0.3)
    assert mean.x[-1] == pytest.approx(-2.1)
    assert [trace.showlegend for trace in faint] == [False, False]
    assert faint[0].line.color == mean.line.color != other.line.color
    with pytest.raises(ValueError, match="runs of 'empty' have no step"):
        views.plane({"empty": [[{"step": 1, "loss": 2.0}]] * 2})


def test_the_band_holds_95_of_100_further_seeds() -> None:
    """Guard: the range of five seeds would hold only 67 of 100."""
    random = np.random.default_rng(1)
    tries, seeds = 4000, 5
    drawn = random.standard_normal((seeds + 1, tries))
    stored = []
    for losses in drawn[:-1]:
        stored.append([{"step": step, "loss": loss} for step, loss in enumerate(losses)])
    band = band_of(stored, "loss")
    inside = (band.low <= drawn[-1]) & (drawn[-1] <= band.high)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)
    extremes = (drawn[:-1].min(axis=0) <= drawn[-1]) & (drawn[-1] <= drawn[:-1].max(axis=0))
    assert extremes.mean() == pytest.approx(4 / 6, abs=0.03)
    assert half_width(5) > half_width(50) > 1.96
