"""Deleting and renaming runs: only what is clwork's own, never through a link, never under a writer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork import data
from clwork.training import BusyRunError, RunFolder, delete_run, fork_tree, open_run, rename_run, stored_runs
from clwork.training.disk import run_files
from clwork.training.disk.run_files import RunFile
from clwork.training.run.run import Run

from ..encoders.conftest import write_tiny

WORDS = ("mat", "cat", "far", "dog")
TEXTS = [f"the {a} {b} on the {c}" for a in ("cat", "dog") for b in ("sat", "ran") for c in WORDS]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "tiny")


@pytest.fixture
def run(tiny: Path) -> Run:
    """A finished run with an encoder given as an object and sentences of its own: every kind of file."""
    encoder = clwork.load_encoder(tiny)
    return clwork.train(
        "simcse", encoder=encoder, sentences=TEXTS, steps=2, batch_size=4, name="first", probe_every=1, device="cpu"
    )


@pytest.fixture
def kept(tiny: Path) -> Run:
    """A finished run with a checkpoint of its first step."""
    return clwork.train("simcse", encoder=str(tiny), sentences=TEXTS, steps=2, batch_size=4, keep_every=1, device="cpu")


@pytest.fixture
def running(tiny: Path) -> Iterator[Run]:
    started = clwork.start(
        "simcse",
        encoder=str(tiny),
        sentences=data.Sentences(TEXTS),
        steps=10**6,
        batch_size=4,
        name="going",
        device="cpu",
    )
    yield started
    started.stop()
    started.wait(120)


def test_a_run_is_gone_and_its_size_was_told(run: Run) -> None:
    size = RunFolder(run.folder).size()
    assert delete_run(run.folder) == (size, [])
    assert not run.folder.exists() and stored_runs()[0] == []


def test_what_is_not_clwork_s_is_left(run: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "dear.txt").write_text("dear")
    (run.folder / "notes.txt").write_text("mine")
    (run.folder / "encoder" / "mine.txt").write_text("mine")
    (run.folder / "photos").mkdir()
    (run.folder / "photos" / "cat.png").write_bytes(b"cat")
    (run.folder / "checkpoint.earlier.safetensors").unlink(missing_ok=True)
    (run.folder / "checkpoint.earlier.safetensors").symlink_to(elsewhere / "dear.txt")
    (run.folder / "best-000009").symlink_to(elsewhere)
    left = ["best-000009", "checkpoint.earlier.safetensors", "encoder", "notes.txt", "photos"]
    assert delete_run(run.folder).left == left
    assert (elsewhere / "dear.txt").read_text() == "dear"
    assert [path.name for path in (run.folder / "encoder").iterdir()] == ["mine.txt"]
    assert (run.folder / "photos" / "cat.png").exists() and stored_runs()[0] == []


def test_a_link_to_a_run_is_not_followed(run: Run, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(run.folder)
    for act in (lambda: delete_run(link), lambda: rename_run(link, "other")):
        with pytest.raises(FileNotFoundError, match="or is a link"):
            act()
    with pytest.raises(FileNotFoundError, match="no run of its own"):
        delete_run(tmp_path)
    assert open_run(run.folder).status == "finished"


def test_a_run_at_work_is_neither_deleted_nor_renamed(running: Run) -> None:
    before = RunFolder(running.folder)
    for act in (lambda: delete_run(running.folder), lambda: rename_run(running.folder, "other")):
        with pytest.raises(BusyRunError, match="being trained"):
            act()
    assert before.has("run.json") and running.alive and running.name == "going"


def test_a_run_gets_another_name_and_goes_on_under_it(run: Run) -> None:
    old, vectors = run.folder, run.encoder.encode(TEXTS[:3])
    new = rename_run(run.folder, "second")
    assert new == old.with_name("second") and not old.exists()
    kept = open_run(new)
    assert kept.name == "second" and (kept.encoder.encode(TEXTS[:3]) == vectors).all()
    assert run.name == "second" and run.folder == new and run.best_encoder().dim == run.encoder.dim
    assert len(run.history) == 3
    for name, error in (("../out", ValueError), ("", ValueError), ("second", FileExistsError)):
        with pytest.raises(error):
            rename_run(new, name)


def test_forks_know_their_parent_by_its_new_name(run: Run) -> None:
    fork: Any = run.fork(0, name="fork", steps=2, temperature=0.1)
    fork.wait(120)
    rename_run(run.folder, "root")
    assert [(m.run.name, m.depth) for m in fork_tree(stored_runs()[0])] == [("root", 0), ("fork", 1)]
    assert fork.recipe.parent.run == "root"


def test_a_file_listed_once_is_copied_and_deleted_with_the_others(kept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row in the table of files is all that a further file of a run's folder takes."""
    added = {"notes.json", "steps.jsonl", "scratch.json"}
    for name in added:
        (kept.folder / name).write_text("{}\n")

    def copied() -> list[set[str]]:
        others = kept.fork(0).wait(), kept.fork(1).wait()
        return [{path.name for path in other.folder.iterdir()} & added for other in others]

    assert copied() == [set(), set()]
    rows = (RunFile("notes.json", given=True), RunFile("steps.jsonl", grows=True))
    monkeypatch.setattr(run_files, "FILES", (*run_files.FILES, *rows, RunFile("scratch.json")))
    assert copied() == [{"notes.json"}, {"notes.json", "steps.jsonl"}]
    (kept.folder / "mine.txt").write_text("not a run's")
    assert delete_run(kept.folder).left == ["mine.txt"]
