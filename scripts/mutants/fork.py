"""Run tests in a fork of this process, which has imported the slow libraries but nothing of clwork."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from .table import ROOT

WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
# Emptied after each pytest, which would keep the folders of killed processes for days.
SCRATCH = WORK / "scratch"
NOT_COPIED = shutil.ignore_patterns(".*", "build", "dist", "__pycache__", "clwork-runs", "*.log")
HEAVY = ("torch", "transformers", "scipy.stats", "sklearn.linear_model", "pandas", "hypothesis")
ELSEWHERE, LATE = 70, -1  # exit statuses beside pytest's own
IDLE = 150.0  # seconds without processor time after which a process hangs
MEMORY, LARGEST = 8 << 30, 4 << 30  # bytes: a mutant with a large number must not exhaust the machine


def enter_copy() -> None:
    """Copy the tree and change to the copy, where mutants are made."""
    shutil.copytree(ROOT, TREE, ignore=NOT_COPIED, dirs_exist_ok=True)  # earlier byte code stays
    os.chdir(TREE)
    os.environ |= {"PYTHONPATH": str(TREE), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    sys.path[:] = [str(TREE), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    for heavy in HEAVY:
        importlib.import_module(heavy)


def run_tests(paths: Sequence[str], seconds: float, *, cache: bool = False) -> tuple[int, float, str]:
    """Run pytest in a fork; return exit status (LATE if it ran out of time), processor seconds and output."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.setsid()
            for stream in (1, 2):
                os.dup2(output.fileno(), stream)
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
            sys.dont_write_bytecode = not cache  # the same second may see the same file with two contents
            status: int = 3
            try:
                status = pytest.main(
                    ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", f"--basetemp={SCRATCH}", *paths]
                )
                if TREE not in Path(importlib.import_module("clwork").__file__ or "").parents:
                    print("clwork was imported from another folder than the mutants'")
                    status = ELSEWHERE
            finally:
                os._exit(status)
        status, used = _wait(child)
        shutil.rmtree(SCRATCH, ignore_errors=True)
        output.seek(0)
        return status, used, output.read().decode("utf-8", "replace")[-4000:]


def _wait(child: int) -> tuple[int, float]:
    """Exit status and processor time of a child, after it and its descendants have ended."""
    looked, spent = time.monotonic(), 0.0
    try:
        while True:
            ended, status, usage = os.wait4(child, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)  # -N if signal N ended it
                return LATE if -code in (signal.SIGXCPU, signal.SIGKILL) else code, usage.ru_utime + usage.ru_stime
            if time.monotonic() - looked > IDLE:
                before, spent, looked = spent, _spent(child), time.monotonic()
                if spent - before < 0.1:
                    os.killpg(child, signal.SIGKILL)
            time.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)


def _spent(child: int) -> float:
    """Processor seconds of a process and its children so far."""
    total = 0.0
    for member in (psutil.Process(child), *psutil.Process(child).children(recursive=True)):
        with contextlib.suppress(psutil.Error):  # it has just ended
            total += sum(member.cpu_times()[:2])
    return total


@functools.cache
def patience(paths: tuple[str, ...]) -> float:
    """Seconds of processor time after which the tests of a module hang: five times what they take, and 20 more.

    Raises:
        SystemExit: the tests fail without any mutant, or import clwork from elsewhere.
    """
    notes = WORK / "seconds.json"
    seconds: dict[str, float] = json.loads(notes.read_text(encoding="utf-8")) if notes.is_file() else {}
    files = [*map(Path, paths), *sorted((ROOT / "clwork").rglob("*.py"))]
    name = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    if name not in seconds:
        status, seconds[name], output = run_tests(paths, 3600, cache=True)
        if status:
            raise SystemExit(f"the tests {paths} fail without any mutant, so they can show nothing:\n{output}")
        notes.write_text(json.dumps(seconds, indent=1), encoding="utf-8")
    return 20 + 5 * seconds[name]
