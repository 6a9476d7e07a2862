"""A run killed before any write resumes with equal results; nothing incomplete is left."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def killed(which: str) -> dict[str, dict[str, int]]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.torture", "--writes", which]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.pop("what"): line for line in map(json.loads, done.stdout.splitlines())}


def test_a_kill_at_each_named_write_leaves_nothing_incomplete() -> None:
    seen = killed("named")
    assert sum(seen["run"].values()) >= 10, "the guard: there were kills"
    assert seen["run"]["resumed, and equal"] >= 6
    assert seen["save"]["the old one put back"]


@pytest.mark.nightly
def test_no_kill_leaves_anything_incomplete_or_loses_an_encoder() -> None:
    seen = killed("all")
    for what, least in {"run": 10, "save": 11}.items():
        assert sum(seen[what].values()) >= least, "too few kills to prove anything"
    assert seen["save"]["the old one put back"] == 1
