"""The history of a run: strict JSON on disk, columns and tables in memory, gaps reported."""

from __future__ import annotations

import json
import os
import shutil
import warnings
from pathlib import Path
from typing import Any, NoReturn

import pytest

import clwork
from clwork.run_folder.folder import RunFolder
from clwork.run_folder.history import RunHistory
from clwork.run_folder.stored import stored_runs

from ..runs import same, stop_at
from .conftest import SHORT


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


def test_a_history_shorter_than_its_checkpoint_reports_the_gap(corpus: Any) -> None:
    arguments = {**SHORT, "sentences": corpus, "steps": 8, "checkpoint_every": 3}
    whole = clwork.train("simcse", **arguments, name="whole")
    cut = stop_at(clwork.start("simcse", **arguments, name="cut", keep_every=5), 5)
    (cut.folder / "record.jsonl").write_text("".join(lines_of(cut.folder)[:2]))  # steps 0 and 1
    with pytest.warns(UserWarning, match=r"record\.jsonl: steps 2 to 5 missing from the record"):
        resumed = clwork.resume(cut.folder)
    history = resumed.history
    assert history["step"].tolist() == [0, 1, 6, 7, 8]
    assert "steps 2 to 5 missing from the record" in history.set_index("step").loc[6, "event"]
    assert same(resumed, whole)
    expected = whole.history.set_index("step")["loss"].loc[[6, 7, 8]]
    assert history["loss"].tolist()[2:] == expected.tolist()
    with pytest.warns(UserWarning, match="steps 2 to 5 missing"):
        assert clwork.resume(resumed.folder).status == "finished"  # opened, and nothing is trained
    assert "steps 2 to 5 missing" in " ".join(resumed.fork(5).wait().history["event"])
    with warnings.catch_warnings(action="error"):
        clwork.resume(whole.folder)


def test_good_rows_after_a_damaged_line_are_used_and_damaged_ones_counted(
    tiny: dict[str, Any], tmp_path: Path
) -> None:
    run = stop_at(clwork.start("simcse", **tiny), 6)
    copy = shutil.copytree(run.folder, tmp_path / "copy")
    lines = [line.encode() for line in lines_of(run.folder)]
    lines[2] = lines[2][:20] + b"\n"
    lines[4] = b'{"step": "four"}\n'
    lines.insert(5, b"\xff\x00\n")
    lines.append(b'{"step": 7, "lo')
    (run.folder / "record.jsonl").write_bytes(b"".join(lines))
    stored, messages = stored_runs(run.folder.parent)
    assert [row["step"] for row in stored[0].records()] == [0, 1, 3, 5, 6]
    assert messages == [f"{run.name}: 3 damaged lines of the record left out"]
    warning = "2 steps between 2 and 4 missing from the record; 3 damaged lines"
    with pytest.warns(UserWarning, match=warning):
        resumed = clwork.resume(run.folder)
    assert resumed.history["step"].tolist() == [0, 1, 3, 5, 6, 7, 8]
    assert "3 damaged lines" in resumed.history.set_index("step").loc[7, "event"]
    assert RunHistory(RunFolder(run.folder)).damaged == 0
    with open(copy / "record.jsonl", "a") as out:  # a last line that a crash cut short is no damage
        out.write('{"step": 7, "lo')
    assert (clwork.open_run(copy).damaged, clwork.open_run(copy).step) == (0, 6)
    with warnings.catch_warnings(action="error"):
        assert clwork.resume(copy).history["step"].tolist() == list(range(9))
