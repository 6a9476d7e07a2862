"""Benchmark scripts describe themselves, and their arithmetic and tables are right."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks import gpu, peers, report, step_time
from scripts.blocks.scores import difference_cell
from scripts.blocks.speed import step_time_of, touch_of

FOLDER = Path(report.__file__).parent
SCRIPTS = [path.stem for path in FOLDER.glob("*.py") if "def main(" in path.read_text("utf-8")]


def test_the_scripts_are_found() -> None:
    assert len(SCRIPTS) >= 5


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_describes_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    script = importlib.import_module(f"benchmarks.{name}")
    with pytest.raises(SystemExit, match=r"^0$"):
        script.main()
    assert "usage:" in capsys.readouterr().out


def test_tables_have_intervals_and_missed_targets() -> None:
    # t of 1 - .025 at 2 degrees of freedom is 4.303.
    assert difference_cell([-10.0, -10.0, -7.0]) == "-9.0 (-13.3 to -4.7)"
    measured = {
        "frames": 40.0,
        "points": 256,
        "marked": [1.2],
        "kilobytes": 300.0,
        "machine": {"cores": 2},
        "rounds": [{"there": 2.0, "answered": 3.0}],
    }
    table = touch_of(measured)
    assert table.count("**missed**") == 3
    assert "at most 5 s: met" in table


def test_bfloat16_is_not_measured_where_it_is_emulated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "abilities", lambda: {"avx2"})
    assert peers.precisions() == ("float32",)
    assert "bfloat16 is left out" in capsys.readouterr().out
    monkeypatch.setattr(peers, "abilities", lambda: {"avx512_bf16"})
    assert peers.precisions() == ("float32", "bfloat16")


def test_the_table_of_times_leaves_out_what_was_not_measured() -> None:
    values = {"matmul float32": [100.0]}
    for who in (step_time.US, step_time.THEM):
        values[f"step float32 {who}"] = [2.0]
        values[f"encode float32 {who}"] = [2.0]
    ratios = step_time.compare(values, "float32", 100.0)
    assert ratios["default"] == [1.0]
    assert ratios["share float32"] == [0.5]
    table = step_time_of(
        {
            "values": values,
            "ratios": ratios,
            "encode": 10,
            "rounds": 1,
            "default": {"precision": "float32", "why": "float32: no instructions"},
            "machine": {"threads": 2},
            "encoder": "mini",
            "batch_size": 64,
            "gflop_per_step_at_true_lengths": 62.0,
        }
    )
    assert "both float32" in table
    assert "bfloat16" not in table


def test_the_largest_part_that_fits_is_measured_and_a_failure_is_a_result() -> None:
    tried: list[int] = []

    def measure(part: int) -> dict[str, Any]:
        tried.append(part)
        if not 0 < part <= 256:
            raise torch.OutOfMemoryError if part < 2048 else OSError("disk")
        return {"seconds": 1.0}

    assert gpu.fitting(8192, gpu.LARGEST, measure) == {"part": 256, "seconds": 1.0}
    assert tried == [0, 1024, 512, 256]
    assert gpu.fitting(8, gpu.LARGEST, measure) == {"result": "out of memory"}
    assert gpu.fitting(8192, 4096, measure)["result"] == "failed: OSError: disk"


def test_the_ladder_for_a_gpu_runs_to_its_end_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "run_tests", lambda: "Tests marked gpu: none")
    assert gpu.main(["--tiny", "--results", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "gpu.json").read_text(encoding="utf-8"))
    rows = [(row["batch_size"], row["part"], row["by"]) for row in found["rows"]]
    assert rows == [(4, 0, by) for by in gpu.TRAININGS] + [(16, 4, by) for by in gpu.TRAININGS]
    assert all(row["seconds"] > 0 for row in found["rows"])
    table = capsys.readouterr().out
    assert "| tiny, 16 | clwork | 4 |" in table
    assert f"torch {torch.__version__}" in table
