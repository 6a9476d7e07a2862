"""A run writes to the folder that it locked or nowhere, and leaves nothing in the place of one that is gone."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork.training import RunFolder, delete_run, open_run, rename_run, stored_runs
from clwork.training.disk import locked_folder
from clwork.training.disk.recipe import Recipe

from ..runs import stop_at
from .test_run import until

Tiny = dict[str, Any]


@pytest.fixture
def paused(tiny: Tiny) -> Iterator[clwork.Run]:
    run = clwork.start("simcse", **(tiny | {"steps": 100_000}), name="paused")
    run.pause()
    until(lambda: (state := run.files.state()) is not None and state.status == "paused")
    yield run
    run.stop()
    run.training.ended.wait(60)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("act", ["step_once", "resume", "stop", "save", "fork"])
def test_a_folder_put_in_the_place_of_a_paused_runs_is_left_alone(act: str, paused: clwork.Run, tmp_path: Path) -> None:
    moved = paused.folder.with_name("moved")
    paused.folder.rename(moved)
    shutil.copytree(moved, paused.folder)
    other = RunFolder(paused.folder)
    other.lock()  # its new writer
    before, old = contents(paused.folder), contents(moved)
    arguments = [tmp_path / "copy"] if act == "save" else []
    with pytest.raises(FileNotFoundError, match=r"no longer the folder .* clwork\.resume\('ITS NEW PLACE'\)"):
        getattr(paused, act)(*arguments)
        paused.wait(60)
    if act in ("save", "fork"):
        assert paused.alive and not (tmp_path / "copy").exists()
    else:
        assert paused.status == "failed" and "no longer the folder" in str(paused.error)
        assert paused.encoder.dim == 16, "its weights can still be saved"
    assert contents(paused.folder) == before and contents(moved) == old
    assert [run.folder.name for run in stored_runs()[0]] == ["moved", "paused"]
    other.unlock()
    paused.stop()
    paused.training.ended.wait(60)
    assert stop_at(clwork.resume(moved, background=True), 3).status == "stopped"


def test_a_folder_that_is_gone_is_not_made_anew(paused: clwork.Run) -> None:
    shutil.rmtree(paused.folder)
    paused.resume()
    with pytest.raises(FileNotFoundError, match="was deleted or renamed"):
        paused.wait(60)
    assert not paused.folder.exists()


def test_a_run_whose_lock_was_removed_writes_no_more(paused: clwork.Run) -> None:
    (paused.folder / "run.lock").unlink()
    before = contents(paused.folder)
    with pytest.raises(FileNotFoundError, match=r"or its run\.lock removed"):
        paused.step_once()
    assert contents(paused.folder) == before


ACTS: dict[str, Callable[[Path], object]] = {"delete": delete_run, "rename": lambda folder: rename_run(folder, "other")}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("where", ["before", "mkdir", "open"])
def test_a_lock_asked_for_while_the_run_goes_leaves_no_folder(
    act: str, where: str, tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each place of the way at which ``filelock`` lets others in: it makes a folder that is missing."""
    folder = clwork.train("simcse", **tiny, name="gone").folder
    files = RunFolder(folder)
    Recipe.read(files)
    once = threading.Lock()

    def first(real: Callable[..., Any]) -> Callable[..., Any]:
        def hooked(path: Any, *rest: Any, **named: Any) -> Any:
            if str(path) in (str(folder), str(folder / "run.lock")) and once.acquire(blocking=False):
                ACTS[act](folder)
            return real(path, *rest, **named)

        return hooked

    if where == "before":
        ACTS[act](folder)
    else:
        monkeypatch.setattr(os, where, first(getattr(os, where)))
    with pytest.raises(FileNotFoundError, match=r"was deleted or renamed; lab\.desk"):
        files.lock()
    monkeypatch.undo()
    assert not folder.exists() and not list(folder.parent.glob(".*"))
    if act == "rename":
        assert open_run(folder.with_name("other")).name == "other" and not RunFolder(folder.with_name("other")).busy()


def test_a_run_that_ends_between_two_looks_at_its_lock_is_no_folder_replaced(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread saves or forks while the run's own lets go of the lock at its end."""
    files = clwork.train("simcse", **tiny, name="ended").files
    files.lock()
    identity = locked_folder._identity

    def ends_meanwhile(path: Path) -> tuple[int, int] | None:
        found = identity(path)
        files.unlock()
        return found

    monkeypatch.setattr(locked_folder, "_identity", ends_meanwhile)
    files.check_there()
