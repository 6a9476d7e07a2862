"""Killed before each change to the disk: a deletion is taken up, a fork is whole or gone, a saved encoder is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_no_kill_leaves_anything_half_or_loses_an_encoder() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.kills"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = {line.pop("what"): line for line in map(json.loads, done.stdout.splitlines())}
    assert all(sum(counts.values()) > 10 for counts in seen.values()), "the guard: there were changes to be killed at"
    assert seen["deletion"]["taken up"] and seen["fork from a checkpoint"]["a whole run"]
    assert seen["save without exchange"]["the old one put back"] == 1 and "the old one put back" not in seen["save"]
