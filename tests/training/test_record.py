"""The record is JSON that any reader takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import clwork
from clwork.data.writing import to_json
from clwork.training import RunFolder
from clwork.training.record import Record

from .conftest import SHORT


def strict(line: str) -> Any:
    """A line as JSON's standard has it: Python's own reader takes NaN."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    return json.loads(line, parse_constant=refuse)


def test_the_strict_reader_refuses_what_python_writes() -> None:
    with pytest.raises(ValueError, match="NaN"):
        strict(json.dumps({"loss": float("nan")}))


def test_every_line_of_a_run_is_json(corpus: Any) -> None:
    run = clwork.train("simcse", sentences=corpus, steps=2, **SHORT)
    rows = [strict(line) for line in (run.folder / "record.jsonl").read_text().splitlines()]
    assert rows == run.records() and "probe_share" not in rows[0] and 0 < rows[-1]["probe_share"] < 1
    assert run.history["probe_share"].isna().tolist() == [True, False, False]
    for path in run.folder.glob("*.json"):
        strict(path.read_text())


def test_what_is_not_finite_counts_as_not_measured(tmp_path: Path) -> None:
    (tmp_path / "record.jsonl").write_text('{"step": 0, "probe_share": NaN}\n{"step": 1, "loss": 2.0}\n')
    record = Record(RunFolder(tmp_path), upto=1)
    record.add({"step": 2, "loss": 1.0, "rank": float("inf"), "share": float("-inf"), "part": float("nan")})
    rows = [strict(line) for line in (tmp_path / "record.jsonl").read_text().splitlines()]
    assert rows == [{"step": 0}, {"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}] == record.rows()
    np.testing.assert_array_equal(record.frame()["loss"], [np.nan, 2.0, 1.0])


def test_other_files_say_null() -> None:
    assert strict(to_json({"a": [float("nan"), (1.5, float("inf"))], "b": "NaN"})) == {
        "a": [None, [1.5, None]],
        "b": "NaN",
    }


def test_a_run_s_other_files_refuse_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(ValueError, match="not JSON compliant"):
        folder.append_line("record.jsonl", {"step": 1, "loss": float("nan")})
    with pytest.raises(ValueError, match="not JSON compliant"):
        folder.write_lines("sentences.jsonl", [{"example": "a", "label": float("nan")}])
    assert not list(tmp_path.glob("*.jsonl"))
