"""Peak memory: what a block takes at most, also when it gives all of it back."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from clwork.training import memory
from clwork.training.memory import PeakMemory


def test_the_peak_is_seen_after_everything_was_given_back() -> None:
    with PeakMemory() as peak:
        torch.ones(50 * 2**18).sum()  # 50 MiB
    assert 45 < peak.mib < 90


def test_what_was_there_before_does_not_count() -> None:
    kept = torch.ones(50 * 2**18)
    with PeakMemory() as peak:
        kept[0] = 2.0
    assert peak.mib < 10


def test_where_it_cannot_be_read_it_says_nan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "RESET", tmp_path / "no" / "such" / "file")
    with PeakMemory() as peak:
        pass
    assert math.isnan(peak.mib)
