from __future__ import annotations

import _thread
import base64
import json
import shutil
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import validate

import clwork
from clwork import lab
from clwork.data.sources import CorpusRef
from clwork.lab.page import asking_page
from clwork.training import RunFolder
from clwork.training.disk.recipe import Recipe
from clwork.training.disk.schema import Parent

from .instrument.client import until

SCHEMA = json.loads((Path(asking_page.__file__).parent / "messages.schema.json").read_text())["$defs"]


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


class Page:
    """Stands for the page: asks the desk, keeps what it answers, and sends commands."""

    def __init__(self, desk: lab.Desk) -> None:
        self.desk, self.known, self.number = desk, dict[str, Any](), 0
        self.news: dict[str, Any] = {}
        self.rows: dict[str, dict[str, Any]] = {}
        self.refused = ""
        desk._reader.wait_until_read()
        self.ask()

    def ask(self, name: str = "", /, **more: Any) -> dict[str, Any]:
        """The answer's news, after the command ``name``; what a page keeps is in ``known`` and ``rows``."""
        self.number += 1
        message = {"ask": self.number, "page": "test1", "known": self.known}
        if name:
            message["do"] = {"name": name, **more}
        sent: list[tuple[dict[str, Any], list[bytes]]] = []
        self.desk.__dict__["send"] = lambda content, buffers=None: sent.append((content, buffers or []))
        self.desk._take(None, message)
        validate(message, SCHEMA["asked"])
        answer, self.buffers = next(pair for pair in sent if pair[0]["answer"] == self.number)
        validate(answer, SCHEMA["answered"])
        news = answer["news"]
        self.refused = answer.get("refused", "")
        self.known = self.desk._known_after(self.known, news)
        self.news |= news
        for row in news.get("runs", {}).get("rows", ()):
            self.rows[row["id"]] = row
        return dict(news)

    @property
    def question(self) -> str:
        return str(self.news.get("question", {}).get("text", ""))


def choose(page: Page, *names: str) -> None:
    """Draw these runs and no other."""
    page.ask("leave_out", names=[run.folder.name for run in page.desk.runs if run.folder.name not in names])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, end in enumerate((-2.0, -3.0, -4.0)):
        store(tmp_path, f"base-{seed}", seed=seed, end=end)
    store(tmp_path, "hot", temperature=0.5, steps=12)
    store(tmp_path, "own", method="a method that nobody knows", weight=2.0)
    return tmp_path


def test_the_table_names_what_differs_and_where_runs_ended(folder: Path) -> None:
    empty = lab.desk(folder / "none")
    assert empty.frame().empty and "No run in" in empty.sentence
    desk = lab.desk(folder)
    table = desk.frame()
    assert list(table.index) == ["base-0", "hot", "own", "base-1", "base-2"], "in the order they were begun"
    assert table.loc["hot", "status"] == "unfinished" and table.loc["hot", "step"] == "12 of 20"
    assert table["temperature"].tolist() == [0.05, 0.5, 0.05, 0.05, 0.05]
    assert "weight" not in table.columns, "a setting of one run alone tells no difference"
    assert table.loc["base-2", "uniformity"] == -4.0
    assert desk._page().count("<tr>") == 6 and "scope='row'>own" in desk._page()
    assert "<td>? unfinished</td>" in shown(desk) and "<td>✓ finished</td>" in shown(desk)
    html = desk._repr_mimebundle_()[0]["text/html"]
    assert "<table" in html and '<img alt="The curves of the chosen runs" src="data:image/svg+xml' in html
    assert "<polygon" in base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()


def test_what_differs_stands_beside_the_name(tmp_path: Path) -> None:
    for place in range(30):
        store(tmp_path, f"run-{place}", seed=place % 3, temperature=0.02 * (1 + place // 3), pooling="mean")
    desk = lab.desk(tmp_path)
    assert list(desk.frame().columns)[:4] == ["temperature", "seed", "method", "status"]
    titles = [note.text for note in desk.figure().layout.annotations]
    assert len(titles) == 10 and {"τ = .02 (3 seeds)", "τ = .2 (3 seeds)"} < set(titles)


def test_a_desk_whose_folder_cannot_be_read_says_why(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    store(place, "one")
    desk = lab.desk(place)
    page = Page(desk)
    place.rename(tmp_path / "kept")
    place.symlink_to(place)  # a link to itself
    page.ask("refresh")
    until(lambda: page.ask()["pulse"]["trouble"])
    assert "Reading failed" in page.news["pulse"]["sentence"]
    place.unlink()
    (tmp_path / "kept").rename(place)
    page.ask("refresh")
    until(lambda: not page.ask()["pulse"]["trouble"] and recipes(desk) == ["one"])


def test_seeds_become_a_band(folder: Path) -> None:
    desk = lab.desk(folder)
    figure = desk.figure()
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert names[0] == "SimCSE, τ = .05 (3 seeds)" and len(names) == 3
    mean = next(t for t in figure.data if t.name == names[0] and len(t.y) and t.y[-1] < 0)
    assert mean.y[-1] == pytest.approx(-3.0)
    band = next(t for t in figure.data if t.fill == "toself" and min(t.y) < 0)
    assert min(band.y) == pytest.approx(-3.0 - np.std([-2, -3, -4], ddof=1))
    page = Page(desk)
    (line,) = page.news["curves"]["groups"][0]["lines"]["uniformity"]
    steps, sent, spread = (
        np.frombuffer(page.buffers[line[part]["buffer"]], "<f4") for part in ("steps", "values", "spread")
    )
    assert steps[-1] == 20 and sent[-1] == pytest.approx(-3.0) and spread[-1] == pytest.approx(1.0)
    group, uniformity = page.news["curves"]["groups"][0], {name["name"] for name in page.news["curves"]["names"]}
    assert group["title"] == "SimCSE, τ = .05" and group["seeds"] == 3 and "uniformity" in uniformity
    page.ask("look", band=False)
    assert not [t for t in desk.figure().data if t.fill]
    assert [len(group["lines"]["uniformity"]) for group in page.news["curves"]["groups"]] == [3, 1, 1]
    assert not any("spread" in line for group in page.news["curves"]["groups"] for line in group["lines"]["uniformity"])


def test_choosing_runs_and_the_fourth_curve_redraws(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    assert page.news["view"]["extra"] == "topic_knn"
    assert {tuple(option) for option in page.news["view"]["others"]} == {
        ("topic k-NN accuracy (proxy) × 100", "topic_knn"),
        ("noise mass", "noise_mass"),
    }
    choose(page, "hot")
    page.ask("look", extra="noise_mass")
    assert [group["title"] for group in page.news["curves"]["groups"]] == ["SimCSE"]
    assert [column["name"] for column in page.news["curves"]["names"]][-1] == "noise_mass"
    assert [note.text for note in desk.figure().layout.annotations][-1] == "noise mass"
    page.ask("look", extra="")
    assert len(desk.figure().layout.annotations) == 3 == len(page.news["curves"]["names"])
    page.ask("look", extra="no such column")
    assert "No run that is shown has recorded 'no such column'" in page.refused


def test_refresh_finds_new_runs_and_keeps_the_choice(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    choose(page, "hot")
    store(folder, "later", seed=7)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.json").write_text("{")
    page.ask("refresh")
    until(lambda: len(desk.runs) == 6)
    assert desk.chosen == ["hot", "later"]
    assert "6 runs" in desk.sentence and "broken cannot be read" in desk.sentence
    assert set(page.rows) - {"later"} == {"base-0", "base-1", "base-2", "hot", "own"}  # read in the background
    page.ask()
    assert "later" in page.rows and page.news["pulse"]["sentence"] == desk.sentence
    store(folder, "latest", seed=8)
    page.ask()
    until(lambda: len(desk.runs) == 7)  # read again without being asked to


def shown(desk: lab.Desk) -> str:
    """The table on the page, with plain spaces."""
    return str(desk._page().replace("\N{NO-BREAK SPACE}", " "))


def recipes(desk: lab.Desk) -> list[str]:
    return [str(name) for name in desk.frame().index]


def test_the_table_is_sorted_by_any_column_and_what_has_no_value_comes_last(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    page.ask("arrange", order="uniformity")
    assert recipes(desk)[:2] == ["base-2", "base-1"]
    page.ask("arrange", order="uniformity", descending=True)
    assert recipes(desk)[-1] == "base-2" and recipes(desk)[0] == "hot"
    page.ask("arrange", order="step")
    assert recipes(desk)[0] == "hot", "12 of 20 comes before 20 of 20"
    bare = store(folder, "bare", seed=9)
    (bare / "record.jsonl").write_text('{"step": 0}\n')
    desk.refresh()
    page.ask("arrange", order="loss")
    assert recipes(desk)[-1] == "bare"
    page.ask("arrange", order="loss", descending=True)
    assert recipes(desk)[-1] == "bare"
    assert desk._page().index(">hot<") < desk._page().index(">bare<")
    assert [line.run.name for line in desk.shown] == recipes(desk)
    page.ask("arrange", order="temperature", descending=True)
    assert recipes(desk)[0] == "hot"


def test_a_filter_leaves_the_runs_with_all_its_words(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    for text, left in (
        ("temperature=0.5", ["hot"]),
        ("SIMCSE seed=1", ["base-1"]),
        ("unfinished", ["hot"]),
        ("nothing like it", []),
        ("", ["base-0", "hot", "own", "base-1", "base-2"]),
    ):
        page.ask("arrange", text=text)
        assert recipes(desk) == left and desk.chosen == left
    choose(page, "base-0", "base-1")
    page.ask("arrange", order="run")
    assert desk.chosen == ["base-0", "base-1"]
    page.ask("arrange", text="hot")
    page.ask("arrange")
    assert desk.chosen == ["base-0", "base-1"], "what was left out stays out while others are filtered"


def test_the_table_is_filtered_by_method_and_status_exactly(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    page.ask("arrange", status="finished")
    assert recipes(desk) == ["base-0", "own", "base-1", "base-2"], "an unfinished run is not a finished one"
    page.ask("arrange", method="a method that nobody knows")
    assert recipes(desk) == ["own"]
    page.ask("arrange", only=["hot", "base-1"])
    assert recipes(desk) == ["hot", "base-1"] == desk.chosen and "temperature" in desk.frame().columns


def test_the_page_gets_every_run_once_and_then_what_has_changed(folder: Path) -> None:
    page = Page(lab.desk(folder))
    assert set(page.rows) == {"base-0", "base-1", "base-2", "hot", "own"}
    names = [about["name"] for about in page.news["runs"]["names"]["more"]]
    values = page.news["runs"]["values"]["more"]
    hot = dict(zip(names, (values[number] for number in page.rows["hot"]["settings"]), strict=False))
    assert hot["temperature"] == [0.5, "0.5", ".5"] and hot["seed"][0] == 0
    signs = {about["name"]: about["sign"] for about in page.news["runs"]["names"]["more"]}
    assert signs["temperature"] == "τ"
    assert page.rows["hot"]["state"] == "? unfinished" and page.rows["base-2"]["last"]["uniformity"] == -4.0
    assert set(page.ask()) == {"pulse"}, "nothing has happened"
    store(folder, "later", seed=7)
    page.desk.refresh()
    news = page.ask()
    assert [row["id"] for row in news["runs"]["rows"]] == ["later"] and len(news["runs"]["order"]) == 6
    groups = {group["title"]: "lines" in group for group in news["curves"]["groups"]}
    assert sum(groups.values()) == 1, "of the other groups the page has the curves"


def test_many_runs_are_read_once(tmp_path: Path) -> None:
    for place in range(20):
        store(tmp_path, f"run-{place}", seed=place % 5, temperature=0.01 * (1 + place // 5))
    for place in range(20, 100):
        shutil.copytree(tmp_path / f"run-{place % 20}", tmp_path / f"run-{place}")
    desk = lab.desk(tmp_path)
    assert len(desk.runs) == 100 and desk._reader.listing.reads == 100
    opened: list[str] = []

    def watch(event: str, arguments: Any) -> None:
        if event == "open" and str(arguments[0]).startswith(str(tmp_path)):
            opened.append(str(arguments[0]))

    sys.addaudithook(watch)
    before = desk.runs
    desk.refresh()
    assert opened == [] and desk._reader.listing.reads == 100, "the second look opens no file"
    assert all(now is then for now, then in zip(desk.runs, before, strict=True))
    assert len(lab.desk(tmp_path).runs) == 100 and opened == [], "nor does another desk"
    record = tmp_path / "run-7" / "record.jsonl"
    record.write_text(record.read_text() + '{"step": 21, "loss": 1.0}\n')
    desk.refresh()
    assert desk._reader.listing.reads == 101 and {Path(path).parent.name for path in opened} == {"run-7"}
    page = Page(desk)
    assert len(page.rows) == 100 and len(page.news["curves"]["groups"]) <= 24


def test_copies_of_one_name_are_drawn_and_deleted_apart(folder: Path) -> None:
    shutil.copytree(folder / "hot", folder / "copy")
    desk = lab.desk(folder)
    page = Page(desk)
    assert {"hot", "hot in copy"} <= set(recipes(desk))
    assert page.rows["hot"]["called"] == "hot" and page.rows["copy"]["called"] == "hot in copy"
    page.ask("leave_out", names=["copy"])
    assert "hot" in desk.chosen and "copy" not in desk.chosen, "one tick is one run"
    choose(page, "copy", "own")
    assert [run.folder.name for group in desk.groups().values() for run in group] == ["copy", "own"]
    page.ask("ask_delete", names=desk.chosen)
    assert "hot in copy, own for good?" in page.question
    page.ask("delete")
    assert (folder / "hot").exists() and not (folder / "copy").exists()
    page.ask("arrange", text="hot in copy")
    assert recipes(desk) == []


def test_the_table_as_text(folder: Path) -> None:
    import io

    import pandas as pd

    store(folder, "odd_name|50%", seed=8)
    desk = lab.desk(folder)
    page = Page(desk)
    page.ask("arrange", text="odd")
    lines = desk.copy().splitlines()
    assert lines[0].startswith("| run | method |") and set(lines[1]) <= set("|- ")
    assert len(lines) == 3 and lines[2].startswith(r"| odd_name\|50% | simcse | 8 | finished | 20 of 20 |")
    assert len({line.replace(r"\|", "").count("|") for line in lines}) == 1
    latex = desk.copy("LaTeX")
    assert r"odd\_name|50\% & simcse & 8 &" in latex and r"\midrule" in latex
    columns = latex.splitlines()[0].removeprefix(r"\begin{tabular}{").removesuffix("}")
    assert all(line.count(" & ") == len(columns) - 1 for line in latex.splitlines() if line.endswith(r"\\"))
    page.ask("arrange")
    table = pd.read_csv(io.StringIO(desk.copy("CSV")), index_col="run")
    assert table.loc["base-1", "uniformity"] == -3.0 and list(table.index) == list(desk.frame().index)
    assert "copied" not in page.news
    page.ask("copy", form="CSV")
    assert page.news["copied"]["text"] == desk.copy("CSV")
    page.ask("copy", form="word")
    assert "'Markdown', 'LaTeX', 'CSV'" in page.refused
    with pytest.raises(ValueError, match="'Markdown', 'LaTeX', 'CSV'"):
        desk.copy("word")


def test_more_than_five_recipes_are_drawn_one_beside_the_other(folder: Path) -> None:
    desk = lab.desk(folder)
    for place in range(4):
        store(folder, f"warm-{place}", temperature=1.0 + place, steps=10 + place)
    desk.refresh()
    figure = desk.figure()
    titles = [note.text for note in figure.layout.annotations]
    assert len(desk.groups()) == 7 == len(titles) and figure.layout.title.text.startswith("topic k-NN")
    page = Page(desk)
    assert page.news["curves"]["small"] and page.news["curves"]["more"] == 0
    page.ask("look", extra="")
    figure = desk.figure()
    assert figure.layout.title.text.startswith("loss")
    assert [name["name"] for name in page.news["curves"]["names"]] == ["loss"]
    lines = [trace for trace in figure.data if trace.mode == "lines" and not trace.fill]
    assert [max(trace.x) for trace in lines] == [20, 12, 20, 10, 11, 12, 13]
    choose(page, *desk.chosen[:5])
    assert len(desk.figure().layout.annotations) == 3 and not page.news["curves"]["small"]
    page.ask("leave_out", names=[])
    for place in range(24):
        store(folder, f"hotter-{place}", temperature=10.0 + place)
    desk.refresh()
    assert len(desk.figure().layout.annotations) == 24, "more are not drawn"
    page.ask()
    assert len(page.news["curves"]["groups"]) == 24 and page.news["curves"]["more"] == 7


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
    assert Page(desk).rows["branch"]["parent"] == ["hot", 10]


def test_a_run_is_deleted_only_when_asked_twice(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    size = RunFolder(folder / "hot").size()
    page.ask("delete")
    assert len(list(folder.iterdir())) == 5, "there was no question"
    page.ask("ask_delete", names=["hot"])
    assert "Delete hot for good?" in page.question and "12 steps" in page.question
    assert f"frees {size / 1e6:.3g} MB" in page.question and (folder / "hot").exists()
    page.ask("keep")
    assert page.question == "" and (folder / "hot").exists()
    page.ask("ask_delete", names=["hot"])
    page.ask("open", one="own")
    assert page.question == "", "the question was about another run"
    page.ask("delete")
    assert (folder / "hot").exists() and (folder / "own").exists()
    page.ask("ask_delete", names=["own"])
    page.ask("delete")
    assert not (folder / "own").exists() and "own" not in recipes(desk) and "are free" in desk.sentence
    assert page.question == "" and "own" not in page.ask().get("runs", page.news["runs"])["order"]
    page.ask("ask_delete", names=["no such run"])
    assert "no run is chosen" in page.refused


def test_many_runs_are_deleted_at_once_and_the_question_counts_them(folder: Path) -> None:
    for place in range(6):
        store(folder, f"warm-{place}", temperature=1.0 + place)
    desk = lab.desk(folder)
    page = Page(desk)
    page.ask("ask_delete", names=["base-0", "base-1"])
    assert "Delete 2 runs: base-0, base-1 for good?" in page.question and "40 steps" in page.question
    page.ask("delete")
    assert not {"base-0", "base-1"} & {path.name for path in folder.iterdir()}
    page.ask("ask_delete", names=[f"warm-{place}" for place in range(6)])
    assert "6 runs: warm-0, warm-1, warm-2, warm-3, warm-4 and 1 more" in page.question
    (folder / "warm-1" / "photo.png").write_text("mine")
    page.ask("delete")
    assert sorted(path.name for path in folder.iterdir()) == ["base-2", "hot", "own", "warm-1"]
    assert "warm-1 is left, with what is not clwork's: photo.png" in desk.sentence


def test_a_run_is_renamed_on_the_desk(folder: Path) -> None:
    desk = lab.desk(folder)
    page = Page(desk)
    page.ask("rename", run="hot", new=" warm ")
    assert "warm" in recipes(desk) and (folder / "warm" / "run.json").exists() and not (folder / "hot").exists()
    assert desk.sentence == "hot is called warm now."
    page.ask("rename", run="warm", new="own")
    assert "is there already" in desk.sentence and (folder / "warm").exists()


def test_a_stopped_run_goes_on_from_the_desk(make_panel: Any) -> None:
    panel = make_panel(steps=5000)
    panel.start()
    until(lambda: panel.run is not None and panel.run.step >= 1)
    desk = lab.desk()
    page, name = Page(desk), panel.run.folder.name
    assert page.rows[name]["work"], "it is being trained"
    page.ask("ask_delete", names=[name])
    assert "all of these are being trained" in page.refused and page.question == ""
    page.ask("rename", run=name, new="another")
    assert "is being trained" in desk.sentence and panel.run.folder.exists()
    other = store(panel.run.folder.parent, "made-up")
    desk.refresh()
    page.ask("ask_delete", names=[name, "made-up"])
    assert page.question.startswith("Delete made-up for good?") and page.question.endswith("1 run at work stays.")
    page.ask("delete")
    assert not other.exists() and panel.run.folder.exists()
    panel.stop()
    panel.wait(60)
    desk.wait(60)
    page.ask()
    assert "<td>■ stopped</td>" in shown(desk) and not page.rows[name]["work"]
    step = panel.run.step
    page.ask("resume", run=name)
    assert "goes on" in desk.sentence or "runs in" in desk.sentence
    later = clwork.runs()[-1]
    try:
        assert later.folder == panel.run.folder and later is not panel.run
        until(lambda: later.step > step)
    finally:
        later.stop()
        desk.wait(60)
        desk.close()


def test_states_are_told_apart(tmp_path: Path) -> None:
    signs = {
        "stopped": "■ stopped",
        "failed": "✕ failed: ValueError: too hot",
        "running": "† killed",
        "finished": "✓ finished",
        "paused": "‖ paused",
    }
    for written, sign in signs.items():
        files = RunFolder(store(tmp_path / written, "one"))
        files.write_state(written, 20, "ValueError: too hot" if written == "failed" else None)
        if written == "paused":
            files.lock()  # somebody is at it
        try:
            assert f"<td>{sign}</td>" in shown(lab.desk(tmp_path / written)), written
        finally:
            if written == "paused":
                files.unlock()


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
    step = int(desk.frame().loc[panel.run.name, "step"].split()[0])
    until(lambda: int(desk.frame().loc[panel.run.name, "step"].split()[0]) > step)  # it follows the run
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
