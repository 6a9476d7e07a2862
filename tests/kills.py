"""Kills a deletion, a fork and a save at each of their changes to the disk, and looks at what is there afterwards.

``python -m tests.kills`` prints a line for each and fails where anything half was left or lost. Each life is a fork of
one process that has all it needs in memory.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .torture import die_at, in_fork, on_write  # first: it sets what torch and tokenizers read when they are imported

import clwork  # isort: skip
import torch
from tqdm import tqdm

from clwork import data
from clwork.encoders import load_encoder
from clwork.encoders.disk import saving
from clwork.training import RunFolder, delete_run, open_run, stored_runs
from clwork.training.run.run import Run

from .encoders.conftest import write_tiny


def changes(place: Path, act: Callable[[], object]) -> int:
    """How many changes ``act`` makes below ``place``."""
    told = place.parent / "told"

    def count() -> None:
        last = [0]
        on_write(place, lambda number: last.__setitem__(0, number))
        act()
        told.write_text(str(last[0]))

    if in_fork(count):
        raise SystemExit("what nobody kills fails")
    return int(told.read_text())


def killed_at_each(place: Path, make: Callable[[], Callable[[], object]], look: Callable[[], str]) -> Counter[str]:
    """Kill an act before each of its changes below ``place``, each time made anew, and count what comes of it."""
    seen = Counter[str]()
    for number in range(1, 2 + changes(place, make())):
        act = make()

        def live(act: Callable[[], object] = act, number: int = number) -> None:
            die_at(number, place)
            act()

        in_fork(live)
        try:
            seen[look()] += 1
        except Exception as error:  # whatever a reader would see
            seen["bad"] += 1
            print(f"  killed before change {number}: {type(error).__name__}: {error}", flush=True)
    return seen


def names(place: Path) -> list[str]:
    """All that lies in a folder, hidden or not."""
    return sorted(path.name for path in place.iterdir())


def deletions(place: Path, model: Path, notes: bool) -> Counter[str]:
    """A deletion, of a run beside whose files somebody has put notes, or none; then the next one."""
    folder = place / "doomed"

    def make() -> Callable[[], object]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(model, folder)
        if notes:
            (folder / "notes.txt").write_text("mine")
        return lambda: delete_run(folder)

    def look() -> str:
        listed = [run.name for run in stored_runs(place)[0]]
        if listed:
            assert open_run(folder).encoder.dim == 16
        if listed or names(place):
            left = delete_run(folder).left if listed or names(place) != ["doomed"] else ["notes.txt"]
            assert left == (["notes.txt"] if notes else []), left
        assert names(place) == (["doomed"] if notes else []), names(place)
        assert not notes or names(folder) == ["notes.txt"], names(folder)
        return "whole, then deleted" if listed else "taken up"

    return killed_at_each(place, make, look)


def forks(place: Path, model: Path, step: int) -> Counter[str]:
    """The making of a fork; then the next run that is made."""
    Run.start = lambda self: self  # type: ignore[method-assign] # only the making, whose changes are always the same

    def make() -> Callable[[], object]:
        shutil.rmtree(place)
        place.mkdir()
        shutil.copytree(model, place / "parent")
        return lambda: open_run(place / "parent").as_run().fork(step, name="child")

    def look() -> str:
        with RunFolder.new("simcse", None, None) as made:
            pass
        made.remove()
        made.unlock()
        assert set(names(place)) <= {"parent", "child"}, names(place)
        if "child" not in names(place):
            return "nothing is left"
        if names(place / "child"):
            assert RunFolder(place / "child").checkpoints.any() == bool(step)
            assert open_run(place / "child").step == step, open_run(place / "child").step
            files = RunFolder(place / "child")
            files.lock()  # as who resumes it does
            files.unlock()
            assert not list((place / "child").glob(".*")), names(place / "child")
        return "a whole run" if names(place / "child") else "an empty folder"

    return killed_at_each(place, make, look)


def saves(place: Path, tiny: str, exchange: bool) -> Counter[str]:
    """A save over an encoder that was saved before, with the exchange of folders or without; then its loading."""
    if not exchange:
        saving.exchange = lambda one, other: False  # type: ignore[attr-defined]
    old, new = (load_encoder(tiny, pooling=pooling, device="cpu") for pooling in ("mean", "max"))

    def make() -> Callable[[], object]:
        shutil.rmtree(place)
        place.mkdir()
        old.save(place / "best")
        return lambda: new.save(place / "best")

    def look() -> str:
        there = (place / "best").is_dir()
        found = load_encoder(place / "best", device="cpu").pooling
        old.save(place / "best")
        assert names(place) == ["best"], names(place)
        return {"mean": "the old one", "max": "the new one"}[found] + ("" if there else " put back")

    return killed_at_each(place, make, look)


def main() -> int:
    """Kill them all; 1 where anything half was left or lost."""
    torch.set_num_threads(1)
    tqdm.monitor_interval = 0
    tqdm.set_lock(threading.RLock())
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "runs"
        place.mkdir()
        os.environ.update(CLWORK_HOME=f"{folder}/home", CLWORK_RUNS=str(place))
        tiny = str(write_tiny(Path(folder) / "tiny"))
        encoder, sentences = load_encoder(tiny, device="cpu"), data.Sentences(data.sentences("wikipedia-mini")[:32])
        short = {"steps": 4, "batch_size": 4, "keep_every": 2, "probe_every": 4, "device": "cpu"}
        model = Path(folder) / "model"
        in_fork(lambda: clwork.train("simcse", encoder=encoder, sentences=sentences, folder=model, **short))  # type: ignore[arg-type]
        for what, act in {
            "deletion": lambda: deletions(place, model, notes=False),
            "deletion beside notes": lambda: deletions(place, model, notes=True),
            "fork from the start": lambda: forks(place, model, 0),
            "fork from a checkpoint": lambda: forks(place, model, 2),
            "save": lambda: saves(place, tiny, exchange=True),
            "save without exchange": lambda: saves(place, tiny, exchange=False),
        }.items():
            shutil.rmtree(place)
            place.mkdir()
            seen: Counter[str] = act()  # type: ignore[no-untyped-call]
            print(json.dumps({"what": what, **seen}), flush=True)
            bad += seen["bad"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
