"""The record is JSON that any reader takes."""

from __future__ import annotations

import json
import os
import shutil
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
import torch

import clwork
from clwork.training import RunFolder, Stored, stored_runs
from clwork.training.disk.record import Record

from ..runs import stop_at, weights
from .conftest import SHORT


def strict(line: str) -> Any:
    """A line as JSON's standard has it: Python's own reader takes NaN."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    return json.loads(line, parse_constant=refuse)


def test_every_line_of_a_run_is_json(trained: clwork.Run) -> None:
    run = trained
    rows = [strict(line) for line in (run.folder / "record.jsonl").read_text().splitlines()]
    assert rows == run.records() and "probe_share" not in rows[0] and 0 < rows[-1]["probe_share"] < 1
    assert run.history["probe_share"].isna().tolist() == [True, *[False] * 8]
    for path in run.folder.glob("*.json"):
        strict(path.read_text())


def test_what_is_not_finite_counts_as_not_measured(tmp_path: Path) -> None:
    (tmp_path / "record.jsonl").write_text('{"step": 0, "probe_share": NaN}\n{"step": 1, "loss": 2.0}\n')
    record = Record(RunFolder(tmp_path), upto=1)
    record.add({"step": 2, "loss": 1.0, "rank": float("inf"), "share": float("-inf"), "part": float("nan")})
    rows = [strict(line) for line in (tmp_path / "record.jsonl").read_text().splitlines()]
    assert rows == [{"step": 0}, {"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}] == record.rows()
    np.testing.assert_array_equal(record.frame()["loss"], [np.nan, 2.0, 1.0])


def lines_of(folder: Path) -> list[str]:
    return (folder / "record.jsonl").read_text().splitlines(keepends=True)


def test_the_record_is_on_the_disk_before_a_checkpoint_that_goes_beyond_it(
    tiny: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the machine itself goes down, what was not synced may be gone: a checkpoint never outlives its rows."""
    settled: dict[int, int] = {}  # bytes by inode
    seen: list[bool] = []
    sync, move = os.fsync, os.replace

    def fsync(file: int) -> None:
        sync(file)
        settled[os.fstat(file).st_ino] = os.fstat(file).st_size

    def replace(source: Any, target: Any) -> None:
        if Path(target).name == "checkpoint.safetensors":
            found = [(Path(target).parent / name).stat() for name in ("record.jsonl", "positions.jsonl")]
            seen.append(all(settled.get(one.st_ino) == one.st_size for one in found))
        move(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    run = clwork.train("simcse", **(tiny | {"checkpoint_every": 3}), keep_every=3)
    run.fork(3).wait()
    assert seen == [True] * 7  # of the run steps 0, 3, 6 and 8; of the fork 3, as it is made, 6 and 8


def test_a_record_shorter_than_its_checkpoint_tells_the_gap(corpus: Any, tmp_path: Path) -> None:
    arguments = {**SHORT, "sentences": corpus, "steps": 8, "checkpoint_every": 3}
    whole = clwork.train("simcse", **arguments, name="whole")
    cut = stop_at(clwork.start("simcse", **arguments, name="cut", keep_every=5), 5)
    (cut.folder / "record.jsonl").write_text("".join(lines_of(cut.folder)[:2]))  # steps 0 and 1
    with pytest.warns(UserWarning, match=r"record\.jsonl: steps 2 to 5 missing from the record"):
        resumed = clwork.resume(cut.folder)
    history = resumed.history
    assert history["step"].tolist() == [0, 1, 6, 7, 8]
    assert "steps 2 to 5 missing from the record" in history.set_index("step").loc[6, "event"]
    assert all(torch.equal(mine, weights(whole)[name]) for name, mine in weights(resumed).items())
    expected = whole.history.set_index("step")["loss"].loc[[6, 7, 8]].tolist()
    assert history["loss"].tolist()[2:] == expected
    with pytest.warns(UserWarning, match="steps 2 to 5 missing"):
        assert clwork.resume(resumed.folder).status == "finished"  # opened, and nothing is trained
    fork = resumed.fork(5).wait()
    assert "steps 2 to 5 missing" in " ".join(fork.history["event"])
    with warnings.catch_warnings(action="error"):
        clwork.resume(whole.folder)


def test_good_rows_behind_a_damaged_line_are_kept_and_damaged_ones_counted(tiny: dict[str, Any]) -> None:
    run = stop_at(clwork.start("simcse", **tiny), 6)
    lines, path = lines_of(run.folder), run.folder / "record.jsonl"
    lines[2], lines[4] = lines[2][:20] + "\n", '{"step": "four"}\n'
    path.write_bytes("".join(lines[:5]).encode() + b"\xff\x00\n" + "".join(lines[5:]).encode() + b'{"step": 7, "lo')
    assert [row["step"] for row in Record(RunFolder(run.folder)).rows()] == [0, 1, 3, 5, 6]
    found, trouble = stored_runs(run.folder.parent)
    assert [one.step for one in found] == [6]
    assert trouble == [f"{run.name}: 3 damaged lines of the record left out"]
    with pytest.warns(UserWarning, match="2 steps between 2 and 4 missing from the record; 3 damaged lines"):
        resumed = clwork.resume(run.folder)
    assert resumed.history["step"].tolist() == [0, 1, 3, 5, 6, 7, 8]
    assert "2 steps between 2 and 4 missing" in resumed.history.set_index("step").loc[7, "event"]
    assert "3 damaged lines" in resumed.history.set_index("step").loc[7, "event"]
    assert Record(RunFolder(run.folder)).damaged == 0


def test_a_last_line_that_a_crash_cut_short_is_no_damage(tiny: dict[str, Any], tmp_path: Path) -> None:
    run = stop_at(clwork.start("simcse", **tiny), 6)
    copy = tmp_path / "copy"
    shutil.copytree(run.folder, copy)
    with open(copy / "record.jsonl", "a") as out:
        out.write('{"step": 7, "lo')
    assert isinstance(found := clwork.open_run(copy), Stored) and found.damaged == 0 and found.step == 6
    with warnings.catch_warnings(action="error"):
        assert clwork.resume(copy).history["step"].tolist() == list(range(9))


def test_a_long_record_is_read_in_part_beside_others_and_whole_by_itself(corpus: Any, tmp_path: Path) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=2, folder=tmp_path / "runs" / "long", **SHORT)
    told = {31_337: [{"paused": 2.0}], 44_444: [{"moved": {"temperature": [0.1, 0.2]}}]}
    rows = [{"step": n, "loss": 1.0, **({"events": told[n]} if n in told else {})} for n in range(50_001)]
    (run.folder / "record.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"step": 50')
    (run.folder / "state.json").unlink()
    assert clwork.open_run(run.folder).records() == rows
    (beside,), trouble = stored_runs(tmp_path / "runs")
    steps = [row["step"] for row in beside.records()]
    assert not trouble and steps == sorted(steps) and 10_000 < len(steps) <= 20_000 + len(told) + 2
    assert {0, 50_000, *told} <= set(steps) and beside.step == 50_000
    assert [after - before for before, after in pairwise(steps)].count(3) > 16_000, "evenly spread"
    assert "44444: temperature 0.1 → 0.2" in str(beside.settings()["moved at step"])
