"""Runs that are killed, at writes and at random moments, go on to the end that they would have had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_killed_runs_of_all_methods_end_equal() -> None:
    command = [sys.executable, "-m", "tests.torture", "--kills", "10"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " equal" in done.stdout and "not equal" not in done.stdout
