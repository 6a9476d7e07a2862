"""A run killed before any write resumes with equal results; nothing incomplete is left."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def killed(which: str) -> dict[str, int]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.torture", "--writes", which]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("which", ["named", pytest.param("all", marks=pytest.mark.nightly)])
def test_a_kill_at_any_write_leaves_a_run_that_can_be_resumed(which: str) -> None:
    seen = killed(which)
    assert sum(seen.values()) >= 10, "the guard: there were kills"
    assert seen["resumed, and equal"] >= 6
