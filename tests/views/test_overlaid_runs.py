from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clwork import views
from clwork.views._curves import seed_band


def seeds(*ends: float) -> list[list[dict[str, Any]]]:
    """Histories of two steps with the given final uniformity."""
    return [
        [{"step": 0, "uniformity": -1.0}, {"step": 10, "uniformity": end, "topic_knn": 0.5}]
        for end in ends
    ]


def test_the_band_is_mean_and_sample_deviation_of_what_all_seeds_measured() -> None:
    steps, mean, spread = seed_band(
        [*seeds(-2.0, -3.0), [*seeds(-4.0)[0], {"step": 20, "uniformity": 0.0}]], "uniformity"
    )
    assert steps.tolist() == [0, 10] and mean.tolist() == [-1.0, -3.0]
    assert spread.tolist() == [0.0, np.std([-2.0, -3.0, -4.0], ddof=1)]
    assert seed_band(seeds(-2.0), "uniformity")[2].tolist() == [0.0, 0.0]
    assert [len(part) for part in seed_band(seeds(-2.0), "never measured")] == [0, 0, 0]
    assert [len(part) for part in seed_band([], "loss")] == [0, 0, 0]


def test_runs_probed_at_different_steps_are_interpolated() -> None:
    one = [{"step": s, "uniformity": v} for s, v in ((0, 0.0), (4, -4.0), (10, -10.0))]
    other = [{"step": s, "uniformity": v} for s, v in ((0, 0.0), (6, -12.0), (8, -16.0))]
    steps, mean, spread = seed_band([one, other], "uniformity")
    assert steps.tolist() == [0, 4, 6, 8], "no further than both reach"
    assert mean.tolist() == [0.0, -6.0, -9.0, -12.0]
    assert spread == pytest.approx(
        [0.0, *(np.std(two, ddof=1) for two in ([-4, -8], [-6, -12], [-8, -16]))]
    )


def test_a_recipe_is_a_line_with_a_band() -> None:
    groups = {"one": seeds(-2.0, -3.0), "other": seeds(-2.0)}
    banded = views.overlay(groups, ("uniformity", "topic_knn"))
    assert [(t.name, t.fill) for t in banded.data[:3]] == [
        ("± sd", "toself"),
        ("one", None),
        ("other", None),
    ]
    assert [t.name for t in banded.data if t.showlegend] == ["one", "other"], (
        "each recipe is named once"
    )
    assert banded.data[-1].y.tolist() == [50.0], "proxies are shown × 100"


def test_runs_are_given_as_they_are_found(tmp_path: Path) -> None:
    """A run, a list of runs, runs by name, folders and recordings; a run that is stored has records as well."""
    (history,) = seeds(-2.0)
    run = SimpleNamespace(name="first", records=lambda: history)
    recording = {"name": "second", "rows": history}
    (tmp_path / "third").mkdir()
    (tmp_path / "third" / "record.jsonl").write_text("\n".join(map(json.dumps, history)) + "\n")
    folder = str(tmp_path / "third")
    for given, names in [
        (run, ["first"]),
        ([run, recording, folder], ["first", "second", "third"]),
        ({"a": run, "b": [recording, folder]}, ["a", "b"]),
        (recording, ["second"]),
        ({"a": history, "b": pd.DataFrame(history)}, ["a", "b"]),
    ]:
        figure = views.overlay(given, ["uniformity"])
        assert [line.name for line in figure.data if line.showlegend] == names
        assert list(figure.data[-1].y) == [-1.0, -2.0]
    with pytest.raises(FileNotFoundError, match=r"holds no run: it has no record\.jsonl"):
        views.overlay(str(tmp_path), ["loss"])
