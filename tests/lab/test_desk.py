from __future__ import annotations

import _thread
import base64
import json
import shutil
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clwork
from clwork import lab
from clwork.data.sources import CorpusRef
from clwork.training import RunFolder
from clwork.training.disk.recipe import Recipe
from clwork.training.disk.schema import Parent

from .test_panel import until


def store(folder: Path, name: str, *, seed: int = 0, end: float = -2.0, steps: int = 20, **values: Any) -> Path:
    """A run as its folder keeps it, made up; the desk needs no method to read one."""
    place = folder / name
    place.mkdir(parents=True)
    method = values.pop("method", "simcse")
    recipe = Recipe(
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
    assert "<td>? unfinished</td>" in shown(desk) and "<td>✓ finished</td>" in shown(desk)


def test_what_differs_stands_beside_the_name(tmp_path: Path) -> None:
    for place in range(30):
        store(tmp_path, f"run-{place}", seed=place % 3, temperature=0.02 * (1 + place // 3), pooling="mean")
    desk = lab.desk(tmp_path)
    assert desk.rows is not None and list(desk.frame().columns)[:4] == ["temperature", "seed", "method", "status"]
    assert [head["name"] for head in desk.rows.feed.state["head"]][:3] == ["run", "temperature", "seed"]
    titles = [note.text for note in desk.figure().layout.annotations]
    assert len(titles) == 10 and {"τ = .02 (3 seeds)", "τ = .2 (3 seeds)"} < set(titles)


def test_the_page_never_holds_a_choice_that_is_not_among_its_options(folder: Path) -> None:
    """Each change of a trait is a message of its own, and ipywidgets' list fails on an index beyond its options."""
    desk = lab.desk(folder)
    told: list[tuple[int, int]] = []

    def hear(_: Any) -> None:
        told.append((max(desk.chosen.index, default=-1), len(desk.chosen._options_labels)))

    desk.chosen.observe(hear, names=["_options_labels", "index"])
    for text in ("temperature=0.5", "seed=1", "", "nothing like it", "own"):
        desk.tools.text.value = text
    assert told and all(most < count for most, count in told), told


def test_seeds_become_a_band(folder: Path) -> None:
    desk = lab.desk(folder)
    figure = desk.figure()
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert names[0] == "SimCSE, τ = .05 (3 seeds)" and len(names) == 3
    mean = next(t for t in figure.data if t.name == names[0] and len(t.y) and t.y[-1] < 0)
    assert mean.y[-1] == pytest.approx(-3.0)
    band = next(t for t in figure.data if t.fill == "toself" and min(t.y) < 0)
    assert min(band.y) == pytest.approx(-3.0 - np.std([-2, -3, -4], ddof=1))
    desk.band.value = False
    assert not [t for t in desk.figure().data if t.fill]


def test_choosing_runs_and_the_fourth_curve_redraws(folder: Path) -> None:
    desk = lab.desk(folder)
    assert desk.extra_column.value == "topic_knn" and set(desk.extra_column.options) == {
        ("–", "–"),
        ("topic k-NN accuracy (proxy) × 100", "topic_knn"),
        ("noise mass", "noise_mass"),
    }
    desk.chosen.value = ("hot",)
    desk.extra_column.value = "noise_mass"
    shown = desk.drawn.figure()
    assert {trace.name for trace in shown.data} == {"SimCSE"}
    assert [note.text for note in shown.layout.annotations][-1] == "noise mass"
    desk.extra_column.value = "–"
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


def shown(desk: lab.Desk) -> str:
    """The table on the page, with plain spaces."""
    return str(desk.table.value.replace("\N{NO-BREAK SPACE}", " "))


def recipes(desk: lab.Desk) -> list[str]:
    return [str(name) for name in desk.frame().index]


def test_the_table_is_sorted_by_any_column_and_what_has_no_value_comes_last(folder: Path) -> None:
    desk = lab.desk(folder)
    assert {"family", "run", "size", "step", "uniformity", "temperature"} <= {v for _, v in desk.tools.order.options}
    desk.tools.order.value = "uniformity"
    assert recipes(desk)[:2] == ["base-2", "base-1"]
    desk.tools.down.value = True
    assert recipes(desk)[-1] == "base-2" and recipes(desk)[0] == "hot"
    desk.tools.order.value, desk.tools.down.value = "step", False
    assert recipes(desk)[0] == "hot", "12 of 20 comes before 20 of 20"
    bare = store(folder, "bare", seed=9)
    (bare / "record.jsonl").write_text('{"step": 0}\n')
    desk.refresh()
    desk.tools.order.value = "loss"
    assert recipes(desk)[-1] == "bare"
    desk.tools.down.value = True
    assert recipes(desk)[-1] == "bare"
    assert desk.table.value.index(">hot<") < desk.table.value.index(">bare<")


def test_a_filter_leaves_the_runs_with_all_its_words(folder: Path) -> None:
    desk = lab.desk(folder)
    for text, left in (
        ("temperature=0.5", ["hot"]),
        ("SIMCSE seed=1", ["base-1"]),
        ("unfinished", ["hot"]),
        ("nothing like it", []),
        ("", ["base-0", "hot", "own", "base-1", "base-2"]),
    ):
        desk.tools.text.value = text
        assert recipes(desk) == left and list(desk.chosen.value) == left
        assert desk.tools.left.value == ("" if len(left) == 5 else f"{len(left)} of 5")


def test_the_table_on_the_page_sorts_chooses_and_draws(folder: Path) -> None:
    desk = lab.desk(folder)
    assert desk.rows is not None
    feed = desk.rows.feed
    number = iter(range(1, 99))

    def ask(**wish: Any) -> dict[str, Any]:
        feed.asked = {**wish, "number": next(number)}
        return dict(feed.state)

    heads = {head["name"]: head["sorted"] for head in ask(sort="uniformity")["head"]}
    assert heads["uniformity"] == "ascending" and set(heads.values()) == {"ascending", "none"}
    assert [run["name"] for run in feed.state["runs"]] == recipes(desk) and recipes(desk)[0] == "base-2"
    ask(sort="uniformity")
    assert desk.tools.down.value and recipes(desk)[-1] == "base-2"
    state = ask(draw="hot", on=False)
    assert "hot" not in desk.chosen.value and [run["name"] for run in state["runs"] if not run["drawn"]] == ["hot"]
    assert "hot" not in str(desk.drawn.figure().data) and all(run["drawn"] for run in ask(draw="hot", on=True)["runs"])
    assert ask(one=str(folder / "own"))["one"] == desk.actions.one.value == str(folder / "own")
    desk.actions.one.value = str(folder / "hot")
    assert feed.state["one"] == str(folder / "hot")
    assert set(feed.state["runs"][0]) == {"name", "folder", "label", "cells", "drawn"}
    assert all(len(run["cells"]) == len(feed.state["head"]) - 1 for run in feed.state["runs"])


def test_runs_that_were_taken_out_of_the_picture_stay_out_while_others_are_filtered(folder: Path) -> None:
    desk = lab.desk(folder)
    desk.chosen.value = ("base-0", "base-1")
    desk.tools.order.value = "run"
    assert desk.chosen.value == ("base-0", "base-1")


def test_copies_of_one_name_are_drawn_and_deleted_apart(folder: Path) -> None:
    shutil.copytree(folder / "hot", folder / "copy")
    desk = lab.desk(folder)
    assert {"hot", "hot in copy"} <= set(recipes(desk)) and desk.rows is not None
    rows = {row["name"]: row for row in desk.rows.feed.state["runs"]}
    assert rows["hot"]["label"] == "hot" and rows["copy"]["label"] == "hot in copy"
    desk.rows.feed.asked = {"draw": "copy", "on": False, "number": 1}
    drawn = {row["name"]: row["drawn"] for row in desk.rows.feed.state["runs"]}
    assert drawn["hot"] and not drawn["copy"], "one tick is one run"
    desk.chosen.value = ("copy", "own")
    assert [run.folder.name for group in desk.groups().values() for run in group] == ["copy", "own"]
    desk.actions.one.value = ""
    desk.actions.delete.click()
    assert "<b>hot in copy, own</b>" in desk.actions.question.value
    desk.actions.sure.click()
    assert (folder / "hot").exists() and not (folder / "copy").exists()
    desk.tools.text.value = "hot in copy"
    assert recipes(desk) == []


def test_the_table_as_text(folder: Path) -> None:
    import io

    import pandas as pd

    store(folder, "odd_name|50%", seed=8)
    desk = lab.desk(folder)
    desk.tools.text.value = "odd"
    lines = desk.copy().splitlines()
    assert lines[0].startswith("| run | method |") and set(lines[1]) <= set("|- ")
    assert len(lines) == 3 and lines[2].startswith(r"| odd_name\|50% | simcse | 8 | finished | 20 of 20 |")
    assert len({line.replace(r"\|", "").count("|") for line in lines}) == 1
    latex = desk.copy("LaTeX")
    assert r"odd\_name|50\% & simcse & 8 &" in latex and r"\midrule" in latex
    columns = latex.splitlines()[0].removeprefix(r"\begin{tabular}{").removesuffix("}")
    assert all(line.count(" & ") == len(columns) - 1 for line in latex.splitlines() if line.endswith(r"\\"))
    desk.tools.text.value = ""
    table = pd.read_csv(io.StringIO(desk.copy("CSV")), index_col="run")
    assert table.loc["base-1", "uniformity"] == -3.0 and list(table.index) == list(desk.frame().index)
    with pytest.raises(ValueError, match="'Markdown', 'LaTeX', 'CSV'"):
        desk.copy("word")


def test_the_text_to_copy_shows_on_demand(folder: Path) -> None:
    desk = lab.desk(folder)
    assert desk.tools.copied.layout.display == "none"
    desk.tools.form.value = "CSV"
    desk.tools.write.click()
    assert desk.tools.copied.layout.display == "flex" and desk.tools.copied.value == desk.copy("CSV")
    desk.tools.write.click()
    assert desk.tools.copied.layout.display == "none"


def test_more_than_five_recipes_are_drawn_one_beside_the_other(folder: Path) -> None:
    desk = lab.desk(folder)
    for place in range(4):
        store(folder, f"warm-{place}", temperature=1.0 + place, steps=10 + place)
    desk.refresh()
    figure = desk.figure()
    titles = [note.text for note in figure.layout.annotations]
    assert len(desk.groups()) == 7 == len(titles) and figure.layout.title.text.startswith("topic k-NN")
    desk.extra_column.value = "–"
    figure = desk.figure()
    assert figure.layout.title.text.startswith("loss") and desk.drawn.box.layout.height == f"{figure.layout.height}px"
    lines = [trace for trace in figure.data if trace.mode == "lines" and not trace.fill]
    assert [max(trace.x) for trace in lines] == [20, 12, 20, 10, 11, 12, 13]
    desk.chosen.value = desk.chosen.value[:5]
    assert len(desk.drawn.figure().layout.annotations) == 3
    for place in range(24):
        store(folder, f"hotter-{place}", temperature=10.0 + place)
    desk.refresh()
    assert len(desk.figure().layout.annotations) == 24, "more are not drawn"


def test_forks_stand_under_their_parent_with_what_was_changed(folder: Path) -> None:
    place = store(folder, "branch", seed=1, temperature=0.1)
    recipe = Recipe.read(RunFolder(place))
    recipe.parent = Parent(run="hot", step=10, changed={"temperature": [0.5, 0.1]})
    recipe.write(RunFolder(place))
    desk = lab.desk(folder)
    assert recipes(desk) == ["base-0", "hot", "branch", "own", "base-1", "base-2"]
    assert ">↳ branch<" in shown(desk)
    assert desk.frame().loc["branch", "fork"] == "from hot at step 10: temperature 0.5 → 0.1"
    assert desk.frame().loc["hot", "fork"] == ""


def test_a_run_is_deleted_only_when_asked_twice(folder: Path) -> None:
    desk = lab.desk(folder)
    acts = desk.actions
    assert acts.one.value == str(folder / "base-0"), "one is chosen from the start"
    acts.one.value = str(folder / "hot")
    size = RunFolder(folder / "hot").size()
    acts.delete.click()
    assert acts.asked.layout.display == "flex" and "<b>hot</b>" in acts.question.value
    assert f"frees {size / 1e6:.3g} MB" in acts.question.value and (folder / "hot").exists()
    acts.keep.click()
    assert acts.asked.layout.display == "none" and (folder / "hot").exists()
    acts.delete.click()
    acts.one.value = str(folder / "own")
    assert acts.asked.layout.display == "none", "the question was about another run"
    acts.sure.click()
    assert (folder / "hot").exists() and (folder / "own").exists()
    acts.delete.click()
    acts.sure.click()
    assert not (folder / "own").exists() and "own" not in recipes(desk) and "are free" in desk.state.value


def test_all_chosen_runs_are_deleted_at_once(folder: Path) -> None:
    desk = lab.desk(folder)
    desk.chosen.value = ("base-0", "base-1")
    desk.actions.one.value = ""
    assert desk.actions.one.label == "the 2 chosen below"
    desk.actions.delete.click()
    desk.actions.sure.click()
    assert sorted(path.name for path in folder.iterdir()) == ["base-2", "hot", "own"]


def test_a_run_is_renamed_on_the_desk(folder: Path) -> None:
    desk = lab.desk(folder)
    desk.actions.one.value, desk.actions.name.value = str(folder / "hot"), " warm "
    desk.actions.rename.click()
    assert "warm" in recipes(desk) and (folder / "warm" / "run.json").exists() and not (folder / "hot").exists()
    desk.actions.one.value, desk.actions.name.value = str(folder / "warm"), "own"
    desk.actions.rename.click()
    assert "is there already" in desk.state.value and (folder / "warm").exists()


def test_a_stopped_run_goes_on_from_the_desk(make_panel: Any) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    desk = lab.desk()
    acts, folder = desk.actions, str(panel.run.folder)
    acts.one.value = folder
    assert acts.go_on.disabled and acts.rename.disabled and acts.delete.disabled, "it is being trained"
    panel.stop()
    panel.wait(60)
    desk.wait(60)
    assert "<td>■ stopped</td>" in shown(desk) and not acts.go_on.disabled
    step = panel.run.step
    acts.go_on.click()
    assert "goes on" in desk.state.value or "runs in" in desk.state.value
    later = clwork.runs()[-1]
    try:
        assert str(later.folder) == folder and later is not panel.run
        until(lambda: later.step > step)
    finally:
        later.stop()
        desk.wait(60)
        desk.close()


@pytest.mark.parametrize("status", ["stopped", "failed", "killed", "finished", "paused"])
def test_states_are_told_apart(tmp_path: Path, status: str) -> None:
    place = store(tmp_path, "one")
    written = {"killed": "running", "paused": "paused"}.get(status, status)
    files = RunFolder(place)
    files.write_state(written, 20, "ValueError: too hot" if status == "failed" else None)
    if status == "paused":
        files.lock()  # somebody is at it
    try:
        table = shown(lab.desk(tmp_path))
    finally:
        if status == "paused":
            files.unlock()
    signs = {"stopped": "■ stopped", "failed": "✕ failed: ValueError: too hot", "killed": "† killed"}
    assert f"<td>{signs.get(status, {'finished': '✓ finished', 'paused': '‖ paused'}.get(status))}</td>" in table


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
    desk.wait(60)
    assert desk.frame().loc[panel.run.name, "status"] == "stopped"
    desk.close()


def test_waiting_ends_with_the_last_run_and_shows_how_far_all_are(
    make_panel: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    panels = [make_panel(steps=30), make_panel(steps=20)]
    for panel in panels:
        panel.start()
    until(lambda: all(panel.run is not None for panel in panels))
    desk = lab.desk()
    assert desk.wait() is desk
    assert [panel.run.status for panel in panels] == ["finished"] * 2
    table = desk.frame()
    assert [table.loc[panel.run.name, "step"] for panel in panels] == ["30 of 30", "20 of 20"]
    said = capsys.readouterr().err
    assert "2 runs: 100%" in said and "50/50" in said
    assert desk.wait() is desk and not capsys.readouterr().err, "nothing to wait for"
    desk.close()


def test_waiting_can_be_limited_and_interrupted(make_panel: Any) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    panel.pause()
    desk = lab.desk()
    assert desk.wait(0.3) is desk and panel.run.alive
    panel.run.resume()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        threading.Timer(0.5, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            desk.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    assert panel.run.alive
    panel.stop()
    desk.wait()
    assert desk.frame().loc[panel.run.name, "status"] == "stopped"
    desk.close()
