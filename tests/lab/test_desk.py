from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.data.sources import CorpusRef
from clwork.lab.desk_view import DeskRun
from clwork.lab.page.labels import titles
from clwork.run_folder.config import RunConfig
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.schema import Parent
from clwork.training.stored import Stored

from .panel.client import Client, until


def store(folder: Path, name: str, *, seed: int = 0, end: float = -2.0, steps: int = 20, **values: Any) -> Path:
    """Write a synthetic run folder; the desk needs no method to read one."""
    place = folder / name
    place.mkdir(parents=True)
    method = values.pop("method", "simcse")
    recipe = RunConfig(
        name=name,
        method=method,
        encoder="mini",
        sentences=CorpusRef({"source": "wikipedia-mini"}),
        config={"temperature": 0.05, **values},
        steps=20,
        seed=seed,
        sts=None,
        probe_every=10,
        eval_every=10,
        checkpoint_every=10,
        device="cpu",
        created=f"2000-01-01T00:00:0{seed}",
    )
    recipe.write(RunFolder(place))
    rows = [{"step": s, "loss": 3.0 - s / 20, "uniformity": end * s / 20, "noise_mass": 0.1} for s in range(steps + 1)]
    rows[-1]["topic_knn"] = 0.5
    (place / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


class Page(Client):
    """A page of the desk that has received all runs."""

    def __init__(self, desk: lab.Desk) -> None:
        super().__init__(desk)
        self.news, self.rows = dict[str, Any](), dict[str, dict[str, Any]]()
        desk._reader.wait_until_read()
        self.request()

    def request(self, command: str | None = None, **more: Any) -> dict[str, Any]:
        """Request as :class:`Client` does, and store the newest version of each part and row."""
        news = super().request(command, **more)
        self.news |= news
        self.rows |= {row["id"]: row for row in news.get("runs", {}).get("rows", ())}
        return news

    def show(self, *draw: str, order: tuple[str, ...] = (), hidden: tuple[str, ...] = (), **view: Any) -> None:
        """Draw only these runs (all runs if none is given), with the given settings of the view."""
        left_out = [run.folder.name for run in self.widget.runs if draw and run.folder.name not in draw]
        self.request("show", view={"left_out": left_out, **view}, order=order, hidden=hidden)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, end in enumerate((-2.0, -3.0, -4.0)):
        store(tmp_path, f"base-{seed}", seed=seed, end=end)
    store(tmp_path, "hot", temperature=0.5, steps=12)
    store(tmp_path, "own", method="a method that nobody knows", weight=2.0)
    return tmp_path


def recipes(desk: lab.Desk) -> list[str]:
    return [str(name) for name in desk.frame().index]


def test_the_table_shows_differing_settings_and_last_values(folder: Path) -> None:
    empty = lab.desk(folder / "none")
    assert empty.frame().empty and "No run in" in empty.sentence
    desk = lab.desk(folder)
    table = desk.frame()
    assert list(table.index) == ["base-0", "hot", "own", "base-1", "base-2"], "in the order they were started"
    assert table.loc["hot", "status"] == "unfinished" and table.loc["hot", "step"] == "12 of 20"
    assert table["temperature"].tolist() == [0.05, 0.5, 0.05, 0.05, 0.05]
    assert "weight" not in table.columns, "a setting of one run alone is no difference"
    assert table.loc["base-2", "uniformity"] == -4.0
    html = desk._repr_mimebundle_()[0]["text/html"]
    assert html.count("<tr") == 6 + 1 and "own" in html  # pandas gives the index a row for its name


def test_runs_that_differ_in_the_seed_form_a_band(folder: Path) -> None:
    page = Page(lab.desk(folder))
    curves = page.news["curves"]
    group = curves["groups"][0]
    assert group["title"] == "SimCSE, τ = .05" and group["seeds"] == 3 and len(curves["groups"]) == 3
    (line,) = group["lines"]["uniformity"]
    steps, mean, spread = (np.frombuffer(line[part], "<f4") for part in ("steps", "values", "spread"))
    assert steps[-1] == 20 and mean[-1] == pytest.approx(-3.0) and spread[-1] == pytest.approx(1.0)
    page.show(band=False)
    assert [len(group["lines"]["uniformity"]) for group in page.news["curves"]["groups"]] == [3, 1, 1]
    assert not any("spread" in line for group in page.news["curves"]["groups"] for line in group["lines"]["uniformity"])


def test_titles_name_differences_and_a_failed_run_its_reason(folder: Path) -> None:
    why = "the loss is NaN after step 9; lower the learning rate to a tenth, or clip the gradients at a length of 1"
    RunFolder(store(folder, "broken", temperature=0.9)).write_state("failed", 9, f"FloatingPointError: {why}")
    page = Page(lab.desk(folder))
    assert page.rows["broken"]["state"] == f"✕ failed: {why}"
    names = [group["title"] for group in page.news["curves"]["groups"]]
    assert names == ["τ = .05", "τ = .9", "τ = .5", "a method that nobody knows, temperature = .05"]
    for name, digest in (("wikipedia-mini", ""), ("given", " 4567abcd")):
        both = [{"method": "simcse", "sentences": f"{text} 4567abcd"} for text in ("given", name)]
        both[0]["sentences"] = "given 0123abcd"
        assert titles(both)[1] == f"sentences = {name}{digest}"


def test_new_runs_are_found_and_the_selection_stays(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    page.show("hot")
    store(folder, "later", seed=7)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.json").write_text("{")
    page.request("refresh")
    until(lambda: len(desk.runs) == 6)
    assert desk.chosen == ["hot", "later"]
    assert "6 runs" in desk.sentence and "broken cannot be read" in desk.sentence
    page.request()
    assert set(page.rows) == {"base-0", "base-1", "base-2", "hot", "own", "later"}
    store(folder, "latest", seed=8)
    page.request()
    until(lambda: len(desk.runs) == 7)  # read again without a refresh


def test_the_page_receives_every_run_once_and_then_only_changes(folder: Path) -> None:
    page = Page(lab.desk(folder))
    assert set(page.rows) == {"base-0", "base-1", "base-2", "hot", "own"}
    hot = page.rows["hot"]
    assert hot["settings"]["temperature"] == [0.5, "0.5"] and hot["settings"]["method"] == "simcse"
    assert hot["state"] == "? unfinished" and page.rows["base-2"]["last"]["uniformity"] == -4.0
    assert set(page.request()) == {"status"}, "nothing has changed"
    store(folder, "later", seed=7)
    page.widget.refresh()
    news = page.request()
    assert [row["id"] for row in news["runs"]["rows"]] == ["later"] and len(news["runs"]["order"]) == 6
    groups = {group["title"]: "lines" in group for group in news["curves"]["groups"]}
    assert sum(groups.values()) == 1, "the page has the curves of the other groups"


def test_copies_with_one_name_are_drawn_and_deleted_separately(folder: Path) -> None:
    shutil.copytree(folder / "hot", folder / "copy")
    desk = lab.desk(folder)
    page = Page(desk)
    assert page.rows["hot"]["label"] == "hot" and page.rows["copy"]["label"] == "hot in copy"
    page.show("copy", "own")
    assert sorted(desk.chosen) == ["copy", "own"]
    page.request("delete", names=desk.chosen)
    assert (folder / "hot").exists() and not (folder / "copy").exists() and not (folder / "own").exists()
    assert "are free" in desk.sentence
    page.request("delete", names=["no such run"])
    assert "no run is chosen" in page.heard[-1]["refused"]


def test_forks_follow_their_parent_with_their_changed_settings(folder: Path) -> None:
    place = store(folder, "branch", seed=1, temperature=0.1)
    parent = Parent(run="hot", step=10, changed={"temperature": [0.5, 0.1]})
    replace(RunConfig.read(RunFolder(place)), parent=parent).write(RunFolder(place))
    desk = lab.desk(folder)
    assert recipes(desk) == ["base-0", "hot", "branch", "own", "base-1", "base-2"]
    assert desk.frame().loc["branch", "fork"] == "from hot at step 10: temperature 0.5 → 0.1"
    assert Page(desk).rows["branch"]["parent"] == ["hot", 10]


def test_a_stopped_run_resumes_from_the_desk(make_panel: Any) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    desk = lab.desk()
    page, name = Page(desk), panel.run.folder.name
    assert page.rows[name]["active"], "it is being trained"
    page.request("delete", names=[name])
    assert "all of these are being trained" in page.heard[-1]["refused"]
    page.request("rename", run=name, new="another")
    assert "is being trained" in desk.sentence and panel.run.folder.exists()
    step = panel.run.step
    until(lambda: int(desk.frame().loc[name, "step"].split()[0]) > step)  # the table follows the run
    panel.stop()
    panel.wait(60)
    until(lambda: page.request() and page.rows[name]["state"] == "■ stopped" and not page.rows[name]["active"])
    step = panel.run.step
    page.request("resume", run=name)
    later = clwork.runs()[-1]
    try:
        assert later.folder == panel.run.folder and later is not panel.run and "resumes" in desk.sentence
        until(lambda: later.step > step)
    finally:
        later.stop()
        later.wait(60)
        desk.close()


def test_a_request_during_a_read_does_not_lose_the_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = lab.desk(folder)
    page, new = Page(desk), DeskRun.of

    def requested(run: Stored, version: int) -> DeskRun:
        page.request()
        return new(run, version)

    monkeypatch.setattr(DeskRun, "of", staticmethod(requested))
    with (folder / "hot" / "record.jsonl").open("a") as history:
        history.write(json.dumps({"step": 21, "loss": 1.0}) + "\n")
    desk._reader.read()
    page.request()
    assert page.rows["hot"]["step"] == 21
