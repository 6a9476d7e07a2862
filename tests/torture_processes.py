"""Kills one of the two processes of a run at random moments, and checks how the run ends and resumes.

``python -m tests.torture_processes --kills 50`` fails where the process that is left does not end within a minute, the
run does not report the dead process, the last checkpoint is incomplete, or the resumed run differs from one that nobody
killed. As in :mod:`tests.torture` each life is a fork; the second process is one too, in place of a fresh interpreter.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from .torture import digest, in_fork, workplace  # first: it sets variables that torch and tokenizers read at import

import clwork  # isort: skip
from tqdm import tqdm

from clwork import __main__ as command
from clwork import data
from clwork.run_folder.folder import RunFolder
from clwork.training import distributed

FORK = multiprocessing.get_context("fork")
WITHIN = 60.0  # seconds in which all processes have ended after one was killed
STEPS = 12
SETTINGS: dict[str, Any] = {"batch_size": 8, "steps": STEPS, "probe_every": 6, "eval_every": 12, "seed": 1}
SETTINGS |= {"checkpoint_every": 3, "device": "cpu", "precision": "float32"}


class Forked(FORK.Process):  # type: ignore[name-defined,misc]
    """A process forked in advance that joins a run on request; it has the methods of Popen that are used."""

    def __init__(self) -> None:
        orders, self._orders = FORK.Pipe(duplex=False)
        super().__init__(target=follow, args=(orders, self._orders))
        self.start()

    def begin(self, rank: int, size: int, meeting: Path, threads: int) -> Forked:
        """Replaces :func:`distributed.start_process`."""
        output = meeting / f"output-{rank}"
        output.touch()
        with suppress(BrokenPipeError):  # the process has ended already
            self._orders.send((output, [str(os.getpid()), str(rank), str(size), str(meeting)]))
        return self

    def poll(self) -> int | None:
        """The exit status as Popen gives it; None while it lives."""
        code: int | None = self.exitcode
        return code

    def wait(self, timeout: float) -> int | None:
        """Wait for it."""
        self.join(timeout)
        if self.poll() is None:
            raise distributed.subprocess.TimeoutExpired("", timeout)  # type: ignore[attr-defined]
        return self.poll()


def follow(orders: Any, others_end: Any) -> None:
    """Join a run on the order of process 0; end with process 0 if none comes."""
    others_end.close()
    with suppress(EOFError):
        output, place = orders.recv()
        for stream in (1, 2):
            os.dup2(os.open(output, os.O_WRONLY | os.O_APPEND), stream)
        sys.exit(command.follow_leader(place))


def two(act: Callable[[], Any], note: Path, victim: int | None = None, until: float = 0) -> Callable[[], None]:
    """Run ``act`` as process 0, with process 1 forked before any thread starts; kill ``victim`` after some seconds."""

    def live() -> None:
        other = Forked()
        distributed.start_process = other.begin
        note.write_text(str(other.pid))
        if victim is not None:
            threading.Timer(until, os.kill, ((os.getpid(), other.pid)[victim], signal.SIGKILL)).start()
        act()

    return live


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def losses(folder: Path) -> list[float]:
    """The loss of each step."""
    return [loss for _, loss in digest(folder)["steps"] if loss is not None]


def trouble(folder: Path, victim: int, expected: list[float]) -> str:
    """Resume the run to its end after a kill; return its errors, empty without any."""
    files = RunFolder(folder)
    state = files.state()
    finished = state is not None and state.status == "finished"
    if victim == 1 and not finished:
        if state is None or state.status != "failed" or "process 1 of 2 ended by SIGKILL" not in (state.error or ""):
            return f"the run says {state}"
    if not files.checkpoints.any():
        return ""  # killed before there was anything to go on from
    files.checkpoints.read()  # whole
    if in_fork(two(lambda: clwork.resume(folder, processes=2), folder.with_suffix(".again"))):
        return "it cannot be resumed"
    found = losses(folder)
    off = max((abs(a - b) for a, b in zip(found, expected, strict=False)), default=0.0)
    return "" if len(found) == STEPS and off < 1e-4 else f"{len(found)} losses, {off:.1e} off"


def killed(start: Callable[[Path], Any], folder: Path, victim: int, until: float) -> str:
    """Start a run, kill one of its processes after ``until`` seconds, and return errors of the other one."""
    note, limit = folder.with_suffix(".note"), time.monotonic() + until + WITHIN
    in_fork(two(lambda: start(folder), note, victim, until))
    while alive(int(note.read_text())):
        if time.monotonic() > limit:
            os.kill(int(note.read_text()), signal.SIGKILL)
        time.sleep(0.01)
    return f"after {WITHIN:.0f} s the other process had not ended" if time.monotonic() > limit else ""


def main() -> int:
    """Kill ``--kills`` times; the exit status is 1 after any error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance, seen = random.Random(given.seed), Counter[str]()
    with workplace() as (root, encoder):
        texts = list(data.sentences("wikipedia-mini")[:64])

        def start(folder: Path) -> None:
            two_of_them: dict[str, Any] = {"processes": 2}
            clwork.launch("simcse", encoder=encoder, sentences=texts, folder=folder, **two_of_them, **SETTINGS).wait()

        began = time.monotonic()
        if in_fork(two(lambda: start(root / "whole"), root / "whole.note")):
            raise SystemExit("the run that nobody kills fails")
        took, expected = time.monotonic() - began, losses(root / "whole")
        for number in tqdm(range(given.kills), disable=not sys.stderr.isatty()):
            folder, victim = root / f"run-{number}", number % 2
            wrong = killed(start, folder, victim, chance.uniform(0.2 * took, took))
            wrong = wrong or (trouble(folder, victim, expected) if folder.exists() else "")
            seen[wrong or f"process {victim}: fine"] += 1
            if wrong:
                print(f"kill {number} of process {victim}: {wrong}", flush=True)
    print(json.dumps({"what": "one of two processes", "seconds of a whole run": round(took, 1), **seen}))
    return 0 if set(seen) <= {"process 0: fine", "process 1: fine"} else 1


if __name__ == "__main__":
    sys.exit(main())
