"""Processes that keep cores busy while something else is timed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def spinning(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """So many processes that do nothing and keep a core busy each."""
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield spinners
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
