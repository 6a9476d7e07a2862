"""Benchmark scripts explain themselves, and their arithmetic and tables are right; nothing is trained or timed here."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
import torch

from benchmarks import bench, judge_agreement, large_clouds, peers, proxy_agreement, step_time, touch
from scripts.blocks.scores import augmentation_table_of
from scripts.blocks.speed import step_time_of, touch_of


def test_every_script_explains_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    scripts = [path.stem for path in bench.HERE.glob("*.py") if "ArgumentParser" in path.read_text(encoding="utf-8")]
    wrong = []
    for name in scripts:
        monkeypatch.setattr(sys, "argv", [name, "--help"])
        try:
            importlib.import_module(f"benchmarks.{name}").main()
        except SystemExit as end:
            wrong += [name] * (end.code != 0 or "usage:" not in capsys.readouterr().out)
        except ImportError as error:
            wrong.append(f"{name}: {error}")
    assert len(scripts) >= 10 and not wrong
    for script, (name, _) in bench.PARTS.items():
        assert f'"{name}"' in (bench.HERE / script).read_text(encoding="utf-8"), "it writes what the table reads"


def test_a_table_has_paired_differences_and_targets_that_were_missed() -> None:
    scores = {"dropout": (60.0, 61.0, 62.0), "none": (50.0, 51.0, 55.0)}
    runs = [{"arm": a, "seed": s, "stsb": v, "seconds": 90.0} for a, row in scores.items() for s, v in enumerate(row)]
    settings = {"steps": 300, "batch_size": 64, "sentences": "w"}
    table = augmentation_table_of({"runs": runs, "settings": settings, "machine": {"threads": 1}})
    # differences -10, -10, -7; t of 1 - .025 at 2 degrees of freedom is 4.303
    assert "| no dropout | 52.0 ± 2.6 | -9.0 (-13.3 to -4.7) |" in table
    assert augmentation_table_of(None) == "Not measured yet."
    found = {"frames": 40.0, "points": 256, "marked": [1.2], "kilobytes": 300.0, "machine": {"cores": 2}}
    text = touch_of(found | {"rounds": [{"there": 2.0, "answered": 3.0}]})
    assert text.count("**missed**") == 3 and "at most 5 s: met" in text


def test_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    ranks = np.arange(6.0)
    scores = np.stack([ranks, ranks, ranks**3, -ranks, ranks, [0, 2, 1, 3, 4, 5], ranks[::-1]], axis=1)
    np.testing.assert_allclose(judge_agreement.agreement(scores)[0], [1, -1, 1, 1 - 6 * 2 / 210, -1])
    rows = [{"encoders": [{"step": s, "stsb": 10.0 * k + s, "sickr": -s, "same_article_auc": 10.0 * k + s,
                           "topic_knn": s} for s in range(2)]} for k in range(9)]  # fmt: skip
    assert proxy_agreement.summary(rows, resamples=20)["same_article_auc stsb"] == [1.0, 1.0, 1.0]
    values = {f"{what} {precision} {who}": [2.0, 4.0] for what in ("step", "encode")
              for precision in ("float32", "bfloat16") for who in (step_time.US, step_time.THEM)}  # fmt: skip
    values |= {"matmul float32": [100.0, 50.0], "matmul bfloat16": [200.0, 100.0], "step bfloat16 clwork": [1.0, 2.0]}
    ratios = step_time.compare(values, "bfloat16", 100.0)
    assert ratios["default"] == ratios["step bfloat16"] == [2.0, 2.0] and ratios["share float32"] == [0.5, 0.5]
    monkeypatch.setattr(large_clouds, "BLOCK", 7)
    points = large_clouds.cloud(40, 5)
    distances = torch.pdist(torch.nn.functional.normalize(torch.from_numpy(points).double(), dim=1)).pow(2)
    assert large_clouds.exact_uniformity(points) == pytest.approx(float(torch.exp(-2 * distances).mean().log()))
    found = touch.ages([0.0, 1.0, 2.0, 3.0], [(0.0, 0.0), (3.5, 3.0)], 4.0)
    assert max(found) == pytest.approx(2.45) and found[-1] == 0.0, "from step 1's row to the next picture"


def test_bfloat16_is_left_out_where_it_is_emulated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "abilities", lambda: {"avx2"})
    assert peers.precisions() == ("float32",) and "bfloat16 is left out" in capsys.readouterr().out
    monkeypatch.setattr(peers, "abilities", lambda: {"avx512_bf16"})
    assert peers.precisions() == ("float32", "bfloat16") and not capsys.readouterr().out
    values = {f"{what} float32 {who}": [2.0] for what in ("step", "encode") for who in (step_time.US, step_time.THEM)}
    values["matmul float32"] = [100.0]
    found = {"values": values, "ratios": step_time.compare(values, "float32", 100.0), "encode": 10, "rounds": 1}
    found |= {"default": {"precision": "float32", "why": "float32: no instructions"}, "machine": {"threads": 2}}
    table = step_time_of(found | {"encoder": "mini", "batch_size": 64, "gflop_per_step_at_true_lengths": 62.0})
    assert "both float32" in table and "both bfloat16" not in table and "bfloat16 limit" not in table
