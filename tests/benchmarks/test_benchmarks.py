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


def test_every_script_describes_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(report.__file__).parent
    scripts = [
        path.stem for path in folder.glob("*.py") if "def main(" in path.read_text(encoding="utf-8")
    ]
    for name in scripts:
        monkeypatch.setattr(sys, "argv", [name, "--help"])
        with pytest.raises(SystemExit) as end:
            importlib.import_module(f"benchmarks.{name}").main()
        assert end.value.code == 0 and "usage:" in capsys.readouterr().out, name
    assert len(scripts) >= 5


def test_tables_have_intervals_and_missed_targets() -> None:
    # t of 1 - .025 at 2 degrees of freedom is 4.303
    assert difference_cell([-10.0, -10.0, -7.0]) == "-9.0 (-13.3 to -4.7)"
    found = {
        "frames": 40.0,
        "points": 256,
        "marked": [1.2],
        "kilobytes": 300.0,
        "machine": {"cores": 2},
    }
    text = touch_of(found | {"rounds": [{"there": 2.0, "answered": 3.0}]})
    assert text.count("**missed**") == 3 and "at most 5 s: met" in text


def test_bfloat16_is_not_measured_where_it_is_emulated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "abilities", lambda: {"avx2"})
    assert peers.precisions() == ("float32",) and "bfloat16 is left out" in capsys.readouterr().out
    monkeypatch.setattr(peers, "abilities", lambda: {"avx512_bf16"})
    assert peers.precisions() == ("float32", "bfloat16")
    values = {
        f"{what} float32 {who}": [2.0]
        for what in ("step", "encode")
        for who in (step_time.US, step_time.THEM)
    }
    values["matmul float32"] = [100.0]
    ratios = step_time.compare(values, "float32", 100.0)
    assert ratios["default"] == [1.0] and ratios["share float32"] == [0.5]
    found = {"values": values, "ratios": ratios, "encode": 10, "rounds": 1}
    found |= {
        "default": {"precision": "float32", "why": "float32: no instructions"},
        "machine": {"threads": 2},
    }
    table = step_time_of(
        found | {"encoder": "mini", "batch_size": 64, "gflop_per_step_at_true_lengths": 62.0}
    )
    assert (
        "both float32" in table and "both bfloat16" not in table and "bfloat16 limit" not in table
    )


def test_the_largest_part_that_fits_is_measured_and_a_failure_is_a_result() -> None:
    tried: list[int] = []

    def measure(part: int) -> dict[str, Any]:
        tried.append(part)
        if not 0 < part <= 256:
            raise torch.OutOfMemoryError if part < 2048 else OSError("disk")
        return {"seconds": 1.0}

    assert gpu.fitting(8192, gpu.LARGEST, measure) == {"part": 256, "seconds": 1.0} and tried == [
        0,
        1024,
        512,
        256,
    ]
    assert gpu.fitting(8, gpu.LARGEST, measure) == {"result": "out of memory"}
    assert gpu.fitting(8192, 4096, measure)["result"] == "failed: OSError: disk"


def test_the_ladder_for_a_gpu_runs_to_its_end_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "run_tests", lambda: "Tests marked gpu: none")
    assert gpu.main(["--tiny", "--results", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "gpu.json").read_text(encoding="utf-8"))
    rows = [
        (row["batch_size"], row["by"], row["part"]) for row in found["rows"] if row["seconds"] > 0
    ]
    assert rows == [(size, by, part) for size, part in ((4, 0), (16, 4)) for by in gpu.TRAININGS]
    table = capsys.readouterr().out
    assert "| tiny, 16 | clwork | 4 |" in table and f"torch {torch.__version__}" in table
