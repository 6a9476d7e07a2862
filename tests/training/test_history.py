"""The history of a run: strict JSON on disk, columns and tables in memory, gaps reported."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.history import RunHistory

from ..runs import stop_at


def strict(line: str) -> Any:
    """Parse a line by the JSON standard; Python's parser also accepts NaN."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    return json.loads(line, parse_constant=refuse)


def test_every_line_of_a_run_is_json(trained: clwork.Run) -> None:
    rows = [strict(line) for line in (trained.folder / "record.jsonl").read_text().splitlines()]
    assert rows == trained.records()
    assert "probe_share" not in rows[0]
    assert 0 < rows[-1]["probe_share"] < 1
    assert trained.history["probe_share"].isna().tolist() == [True, *[False] * 8]
    for path in trained.folder.glob("*.json"):
        strict(path.read_text())


def test_values_that_are_not_finite_are_left_out(tmp_path: Path) -> None:
    history = RunHistory(RunFolder(tmp_path), upto=1)
    history.add(
        {"step": 2, "loss": 1.0, "rank": float("inf"), "share": float("-inf"), "part": float("nan")}
    )
    rows = [strict(line) for line in (tmp_path / "record.jsonl").read_text().splitlines()]
    assert rows == [{"step": 2, "loss": 1.0}] == history.rows


def lines_of(folder: Path) -> list[str]:
    return (folder / "record.jsonl").read_text().splitlines(keepends=True)


def test_the_history_is_synced_before_a_checkpoint_that_goes_beyond_it(
    tiny: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine failure can lose unsynced data, so rows are synced before their checkpoint."""
    synced: dict[int, int] = {}  # bytes by inode
    seen: list[bool] = []
    sync, move = os.fsync, os.replace

    def fsync(file: int) -> None:
        sync(file)
        synced[os.fstat(file).st_ino] = os.fstat(file).st_size

    def replace(source: Any, target: Any) -> None:
        if Path(target).name == "checkpoint.safetensors":
            folder = Path(target).parent
            files = [(folder / name).stat() for name in ("record.jsonl", "positions.jsonl")]
            seen.append(all(synced.get(file.st_ino) == file.st_size for file in files))
        move(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    run = clwork.train("simcse", **(tiny | {"checkpoint_every": 3}), keep_every=3)
    run.fork(3).wait()
    # Checkpoints of steps 0, 3, 6 and 8 of the run, and of steps 3, 6 and 8 of the fork.
    assert seen == [True] * 7


def test_a_last_line_that_a_kill_cut_short_is_left_out(tiny: dict[str, Any]) -> None:
    run = stop_at(clwork.start("simcse", **tiny), 6)
    with open(run.folder / "record.jsonl", "a") as out:
        out.write('{"step": 7, "lo')
    assert clwork.open_run(run.folder).step == 6
    assert clwork.resume(run.folder).history["step"].tolist() == list(range(9))
