"""Run folders of unknown origin: no file outside is read or written, errors name the damage; replaced folders."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clwork
from clwork.disk import is_plain_file
from clwork.run_folder import checkpoints as tensor_files
from clwork.run_folder.config import FORMAT
from clwork.run_folder.folder import RunFolder
from clwork.training.stored import stored_runs

from ..encoders.conftest import write_tiny
from ..runs import stop_at
from .test_run import until

pytestmark = [
    pytest.mark.usefixtures("_limit_duration"),
    pytest.mark.filterwarnings("ignore:.* missing from the record:UserWarning"),
]

SECRET = "-----BEGIN A PRIVATE KEY-----"
Change = Callable[[Path, Path], object]  # changes a run's folder; a folder outside must not be read


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was stopped half-way."""
    place = tmp_path_factory.mktemp("good")
    settings: dict[str, Any] = {"encoder": str(write_tiny(place / "tiny")), "batch_size": 4, "device": "cpu"}
    texts = [f"the cat {number:b}".replace("1", "a").replace("0", "b") for number in range(60)]
    run = clwork.start("simcse", sentences=texts, steps=4, probe_every=2, folder=place / "run", **settings)
    return stop_at(run, 2).folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Files of the reader that all hold SECRET."""
    encoder = write_tiny(tmp_path / "outside" / "encoder", seed=3)
    for path in encoder.glob("*.json"):
        path.write_text(path.read_text().replace('"##ther"', json.dumps(SECRET)))
    (tmp_path / "outside" / "secret.txt").write_text("".join(f"{SECRET} {number}\n" for number in range(40)))
    return tmp_path / "outside"


def link(name: str, target: str = "secret.txt") -> Change:
    def change(run: Path, outside: Path) -> None:
        shutil.rmtree(run / name) if (run / name).is_dir() else (run / name).unlink(missing_ok=True)
        (run / name).symlink_to(outside / target)

    return change


def fifo(name: str) -> Change:
    def change(run: Path, _: Path) -> None:
        (run / name).unlink(missing_ok=True)
        os.mkfifo(run / name)

    return change


def text(name: str, content: str) -> Change:
    return lambda run, _: (run / name).write_text(content)


def recipe(**values: Any) -> Change:
    """Set keys of run.json, without fingerprints; a function receives the folder outside."""

    def change(run: Path, outside: Path) -> None:
        stored = json.loads((run / "run.json").read_text())
        new = {key: value(outside) if callable(value) else value for key, value in values.items()}
        new["config"] = stored["config"] | new.get("config", {})
        (run / "run.json").write_text(json.dumps(stored | {"fingerprints": {}} | new))

    return change


def checkpoint(run: Path, _: Path) -> None:
    """A step beyond the run's end."""
    tensors, meta = RunFolder(run).checkpoints.read()
    (run / EARLIER).unlink(missing_ok=True)
    tensor_files.write_state(run / CHECKPOINT, tensors, meta.model_dump() | {"step": 5})


def both(*changes: Change) -> Change:
    return lambda run, outside: [change(run, outside) for change in changes]


CHECKPOINT, EARLIER = "checkpoint.safetensors", "checkpoint.earlier.safetensors"
UNREADABLE: dict[str, tuple[Change, str]] = {  # a line on the desk, and an error on resume
    "link": (link("run.json"), "run.json"),
    "fifo": (fifo("run.json"), "run.json"),
    "no object": (text("run.json", "[]"), "run.json"),
    "another format": (recipe(format=FORMAT - 1), f"has format {FORMAT - 1}, but this clwork reads {FORMAT}"),
    "steps as text": (recipe(steps="4"), "steps"),
    "code as precision": (recipe(precision="load"), "precision"),
}
REFUSED: dict[str, tuple[Change, str]] = {  # shown on the desk, but not resumed
    "checkpoint link": (both(link(EARLIER), link(CHECKPOINT)), CHECKPOINT),
    "checkpoint fifo": (both(link(EARLIER), fifo(CHECKPOINT)), CHECKPOINT),
    "checkpoint cut": (both(link(EARLIER), lambda run, _: os.truncate(run / CHECKPOINT, 2000)), CHECKPOINT),
    "step beyond the end": (checkpoint, "step"),
    "config out of range": (recipe(config={"temperature": -1.0}), "temperature"),
    "lock link": (link("run.lock"), "run.lock"),
    "texts link": (link("sentences.jsonl"), "sentences.jsonl"),
    "corpus outside": (
        recipe(sentences=lambda outside: {"source": {"source": f"{outside}/secret.txt"}}),
        "fingerprint",
    ),
    "corpus by ..": (
        recipe(sentences=lambda at: {"source": {"source": f"{at.parent}/x/../outside/secret.txt"}}),
        "fingerprint",
    ),
    "encoder by a link": (both(link("start", "encoder"), recipe(encoder="./start")), ""),
    "sts outside": (recipe(sts=lambda outside: str(outside)), "fingerprint"),
    "word vectors": (recipe(encoder="textcnn:/etc/passwd"), "fingerprint"),
}
HARMLESS: dict[str, Change] = {  # as if the files were not there
    "links": both(*(link(name) for name in ("record.jsonl", "positions.jsonl", "state.json", "key"))),
    "folders": both(link("best-000002", "encoder"), fifo("positions.jsonl")),
    "encoder": both(link("encoder", "encoder"), fifo("state.json"), text("record.jsonl", "[" * 100_000)),
    "markup": text(
        "state.json", '{"status": "failed", "step": 0, "error": "<img src=x>", "process": 1, "host": "<b>"}'
    ),
}


def changed(good: Path, change: Change, outside: Path, name: str) -> Path:
    """A folder of runs with a changed copy of the good run."""
    runs = outside.parent / name.replace(" ", "-") / "runs"
    shutil.copytree(good, runs / "foreign")
    change(runs / "foreign", outside)
    return runs


def leaked(runs: Path) -> list[Path]:
    return [path for path in runs.parent.rglob("*") if is_plain_file(path) and SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("shown", [False, True], ids=["recipe", "the rest"])
def test_a_foreign_run_is_refused_and_nothing_outside_is_read(shown: bool, good: Path, outside: Path) -> None:
    found, before = [], sorted(outside.rglob("*"))
    for name, (change, words) in (REFUSED if shown else UNREADABLE).items():
        runs = changed(good, change, outside, name)
        listed, trouble = stored_runs(runs)
        if len(listed) != shown or (not shown and not re.match("foreign cannot be read", trouble[0])):
            found.append(f"{name}: listed {listed}, {trouble}")
        try:
            clwork.resume(runs / "foreign")
            found.append(f"{name}: resumed")
        except (OSError, ValueError) as error:
            if words not in str(error) or SECRET in str(error) or "root:" in str(error):
                found.append(f"{name}: {error}")
        found += [f"{name}: {path} holds the secret" for path in leaked(runs)]
    assert not found, "\n".join(found)
    assert sorted(outside.rglob("*")) == before


def test_links_and_pipes_in_a_foreign_run_count_as_absent(good: Path, outside: Path) -> None:
    found, before = [], sorted(outside.rglob("*"))
    for name, change in HARMLESS.items():
        runs = changed(good, change, outside, name)
        page = clwork.runs(runs).to_html()
        RunFolder(runs / "foreign").copy_to(runs.parent / "copy", "stopped")
        links = [path for path in (runs.parent / "copy").rglob("*") if path.is_symlink()]
        try:
            ended = clwork.resume(runs / "foreign").status
        except OSError as error:
            ended = "finished" if "link" in str(error) else str(error)
        if "<img src" in page or links or ended != "finished" or leaked(runs):
            found.append(f"{name}: {ended}, copied {links}, leaked {leaked(runs)}")
    assert not found, "\n".join(found)
    assert sorted(outside.rglob("*")) == before


def test_every_use_of_a_foreign_run_requires_fingerprints(good: Path, outside: Path) -> None:
    runs = changed(good, recipe(encoder=str(outside / "encoder")), outside, "uses")
    uses: list[Callable[[Path], object]] = [
        lambda run: clwork.open_run(run).as_run().fork(0, batch_size=6).wait(),
        lambda run: clwork.open_run(run).raw_encoder(),
    ]
    for use in uses:
        with pytest.raises((OSError, ValueError)) as raised:
            use(runs / "foreign")
        assert SECRET not in str(raised.value) and not leaked(runs)


@pytest.fixture
def paused(tiny: dict[str, Any]) -> Iterator[clwork.Run]:
    run = clwork.start("simcse", **(tiny | {"steps": 100_000}), name="paused")
    run.pause()
    until(lambda: (state := run.files.state()) is not None and state.status == "paused")
    yield run
    run.stop()
    run.training.ended.wait(60)


def test_a_deleted_folder_is_not_created_again(paused: clwork.Run) -> None:
    shutil.rmtree(paused.folder)
    paused.resume()
    with pytest.raises(FileNotFoundError, match="was deleted or renamed"):
        paused.wait(60)
    assert not paused.folder.exists()
