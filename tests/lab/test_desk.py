from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clwork import lab
from clwork.training import RunFolder
from clwork.training.recipe import Recipe

from .test_panel import until


def store(folder: Path, name: str, *, seed: int = 0, end: float = -2.0, steps: int = 20, **values: Any) -> Path:
    """A run as its folder keeps it, made up; the desk needs no method to read one."""
    place = folder / name
    place.mkdir(parents=True)
    method = values.pop("method", "simcse")
    recipe = Recipe(
        name=name, method=method, encoder="mini", sentences={"source": {"source": "wikipedia-mini"}},
        config={"temperature": 0.05, **values}, steps=20, seed=seed, sts=None, probe_every=10, eval_every=10,
        checkpoint_every=10, device="cpu", created=f"2000-01-01T00:00:0{seed}",
    )  # fmt: skip
    recipe.write(RunFolder(place))
    rows = [{"step": s, "loss": 3.0 - s / 20, "uniformity": end * s / 20, "noise_mass": 0.1} for s in range(steps + 1)]
    rows[-1]["topic_knn"] = 0.5
    (place / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, end in enumerate((-2.0, -3.0, -4.0)):
        store(tmp_path, f"base-{seed}", seed=seed, end=end)
    store(tmp_path, "hot", temperature=0.5, steps=12)
    store(tmp_path, "own", method="a method that nobody knows", weight=2.0)
    return tmp_path


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    desk = lab.desk(tmp_path / "none")
    assert "No run in" in desk.state.value and desk.frame().empty


def test_the_table_names_what_differs_and_where_runs_ended(folder: Path) -> None:
    desk = lab.desk(folder)
    table = desk.frame()
    assert list(table.index) == ["base-0", "hot", "own", "base-1", "base-2"], "in the order they were begun"
    assert table.loc["hot", "status"] == "unfinished" and table.loc["hot", "step"] == "12 of 20"
    assert table["temperature"].tolist() == [0.05, 0.5, 0.05, 0.05, 0.05]
    assert "weight" not in table.columns, "a setting of one run alone tells no difference"
    assert table.loc["base-2", "uniformity"] == -4.0
    assert desk.table.value.count("<tr>") == 6 and "scope='row'>own" in desk.table.value


def test_seeds_become_a_band(folder: Path) -> None:
    desk = lab.desk(folder)
    figure = desk.figure()
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert names[0] == "simcse, temperature=0.05 (3 seeds)" and len(names) == 3
    mean = next(t for t in figure.data if t.name == names[0] and len(t.y) and t.y[-1] < 0)
    assert mean.y[-1] == pytest.approx(-3.0)
    band = next(t for t in figure.data if t.fill == "toself" and min(t.y) < 0)
    assert min(band.y) == pytest.approx(-3.0 - np.std([-2, -3, -4], ddof=1))
    desk.band.value = False
    assert not [t for t in desk.figure().data if t.fill]


def test_choosing_runs_and_the_fourth_curve_redraws(folder: Path) -> None:
    desk = lab.desk(folder)
    assert desk.also.value == "topic_knn" and set(desk.also.options) == {"–", "topic_knn", "noise_mass"}
    desk.chosen.value = ("hot",)
    desk.also.value = "noise_mass"
    shown = desk.drawn.figure()
    assert {trace.name for trace in shown.data} == {"simcse"}
    assert [note.text for note in shown.layout.annotations][-1] == "noise mass"
    desk.also.value = "–"
    assert len(desk.drawn.figure().layout.annotations) == 3


def test_refresh_finds_new_runs_and_keeps_the_choice(folder: Path) -> None:
    desk = lab.desk(folder)
    desk.chosen.value = ("hot",)
    store(folder, "later", seed=7)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.json").write_text("{")
    desk.again.click()
    assert desk.chosen.value == ("hot", "later")
    assert "6 runs" in desk.state.value and "broken cannot be read" in desk.state.value


def test_a_page_without_widgets_shows_table_and_picture(folder: Path) -> None:
    html = lab.desk(folder)._repr_mimebundle_()["text/html"]
    assert "<table" in html and '<img alt="The curves of the chosen runs" src="data:image/svg+xml' in html
    assert "<polygon" in base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()


def test_it_follows_a_run_of_this_kernel(make_panel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    desk = lab.desk()
    before = max(int(text.split()[0]) for text in desk.frame()["step"])
    until(lambda: int(desk.frame().loc[panel.run.name, "step"].split()[0]) > before)
    panel.stop()
    panel.wait(60)
    until(lambda: desk.frame().loc[panel.run.name, "status"] == "stopped")
    desk.close()
    if desk._drawing is not None:
        desk._drawing.join(30)
