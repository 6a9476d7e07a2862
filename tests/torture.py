"""Kills a run, and checks what is left.

``python -m tests.torture`` kills a run before each of its changes to the disk, so at each state of
the folder; ``--writes named`` only before the last change and the last renaming or append of each
file. Each life is a fork of one process that has everything in memory, so that a kill costs a
fraction of a second.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.update(
    OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", TQDM_DISABLE="1"
)

# A run imports it when it validates, which would take most of each life.
import sklearn.metrics  # noqa: F401
import torch
from tqdm import tqdm

import clwork
from clwork import data
from clwork.encoders import load_encoder
from clwork.run_folder.folder import RunFolder
from clwork.training import scores

from .encoders.conftest import write_tiny

GROWING = ("open record.jsonl", "open positions.jsonl")
# Seconds for an uninterrupted life: a run that never ends is a defect too.
PATIENCE = 120.0
# In a file's name: of a step, of a process, or random.
NUMBERS = re.compile(r"[0-9a-f]{8,}|[0-9]+")
# Audit events that touch a run's folder.
WRITES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")


def in_fork(act: Callable[[], object]) -> int:
    """Run ``act`` in a child, kill it after ``PATIENCE`` seconds, and return its wait status."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            act()
            code = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    end = time.monotonic() + PATIENCE
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > end:
            print(f"a life that should take seconds has not ended in {PATIENCE:.0f} s", flush=True)
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(0.005)
    return ended[1]


def on_write(folder: Path, act: Callable[[int, str], None]) -> None:
    """Call ``act`` with number and name of each change that this process makes below ``folder``."""
    seen = 0

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal seen
        if event not in WRITES or not str(arguments[0]).startswith(str(folder)):
            return
        if event == "open" and not set(str(arguments[1])) & set("wa+x"):
            return
        seen += 1
        act(seen, f"{event} {NUMBERS.sub('*', Path(str(arguments[0])).name)}")

    sys.addaudithook(count)


def die_at(write: int, folder: Path) -> None:
    """Kill this process at its ``write``-th change of something below ``folder``."""

    def kill(seen: int, name: str) -> None:
        if seen == write:
            os.kill(os.getpid(), signal.SIGKILL)

    on_write(folder, kill)


def digest(folder: Path) -> dict[str, Any]:
    """The final weights and all losses of a run."""
    tensors, _ = RunFolder(folder).checkpoints.read()
    found = hashlib.sha256()
    for name in sorted(name for name in tensors if name.startswith("method.")):
        found.update(name.encode() + tensors[name].numpy().tobytes())
    lines = (folder / "record.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return {"weights": found.hexdigest(), "steps": [(row["step"], row.get("loss")) for row in rows]}


def left_over(folder: Path) -> list[str]:
    """Files that no run should leave behind once it has ended."""
    names = [path.name for path in folder.iterdir()]
    return [name for name in names if name.startswith(".") or "partial" in name]


def changes(place: Path, act: Callable[[], object]) -> list[str]:
    """The names of all changes that ``act`` makes below ``place``, in order."""
    file = place.parent / "changes"

    def count() -> None:
        found: list[str] = []
        on_write(place, lambda _, name: found.append(name))
        act()
        file.write_text(json.dumps(found))

    if in_fork(count):
        raise SystemExit("the act that nobody kills fails")
    names: list[str] = json.loads(file.read_text())
    return names


def killed_at_each(
    place: Path,
    make: Callable[[], Callable[[], object]],
    outcome: Callable[[], str],
    only_named: bool,
) -> Counter[str]:
    """Kill an act before each of its changes below ``place``, and count the outcomes."""
    outcomes = Counter[str]()
    points = changes(place, make())
    numbers = list(range(1, 2 + len(points)))
    if only_named:
        last = {name: number for number, name in enumerate(points, start=1)}
        named = [name for name in last if name.startswith("os.rename") or name in GROWING]
        numbers = sorted({last[name] for name in named} | {len(points)})
    for number in numbers:
        act = make()

        def live(act: Callable[[], object] = act, number: int = number) -> None:
            die_at(number, place)
            act()

        in_fork(live)
        try:
            outcomes[outcome()] += 1
        # Any error that a user would see.
        except Exception as error:
            outcomes["bad"] += 1
            name = [*points, "the end"][number - 1]
            problem = f"{type(error).__name__}: {error}"
            print(f"  killed before change {number} ({name}): {problem}", flush=True)
    return outcomes


def runs(place: Path, train: Callable[[Path], object], only_named: bool) -> Counter[str]:
    """Kill a run, resume it, and compare it with an uninterrupted run."""
    folder, whole = place / "run", place.parent / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    in_fork(lambda: train(whole))
    expected = digest(whole)

    def make() -> Callable[[], object]:
        shutil.rmtree(folder, ignore_errors=True)
        return lambda: train(folder)

    def outcome() -> str:
        if not RunFolder(folder).checkpoints.any():
            return "nothing to resume"
        assert not in_fork(lambda: clwork.resume(folder)), "it cannot be resumed"
        assert digest(folder) == expected
        assert not left_over(folder), left_over(folder)
        return "resumed, and equal"

    return killed_at_each(place, make, outcome, only_named)


@contextmanager
def workplace() -> Iterator[tuple[Path, str]]:
    """A temporary folder with a tiny encoder in it, and settings that make each life short."""
    torch.set_num_threads(1)
    # Pairs that score a run: 500 would take most of each life.
    scores.SILVER_PAIRS = 20
    # No extra thread in the process that is forked.
    tqdm.monitor_interval = 0
    # Forks share the default lock: one killed with it would block the others.
    tqdm.set_lock(threading.RLock())
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(CLWORK_HOME=f"{folder}/home", CLWORK_RUNS=f"{folder}/runs")
        os.environ.pop("CLWORK_STS", None)
        yield Path(folder), str(write_tiny(Path(folder) / "tiny"))


def at_writes(only_named: bool) -> int:
    """Kill a run at its writes; the number of outcomes that are unfinished or lost something."""
    with workplace() as (folder, tiny):
        place = folder / "runs"
        encoder = load_encoder(tiny, device="cpu")
        sentences = data.Sentences(data.sentences("wikipedia-mini")[:32])
        short: dict[str, Any] = {
            "steps": 4,
            "batch_size": 4,
            "keep_every": 2,
            "probe_every": 4,
            "device": "cpu",
        }

        def train(folder: Path) -> None:
            clwork.train("simcse", encoder=encoder, sentences=sentences, folder=folder, **short)

        place.mkdir()
        seen = runs(place, train, only_named)
        print(json.dumps(seen), flush=True)
    return seen["bad"]


def main() -> int:
    """The exit status: 1 after any error."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--writes", choices=("named", "all"), default="all", help="the writes to kill before"
    )
    return 1 if at_writes(parser.parse_args().writes == "named") else 0


if __name__ == "__main__":
    sys.exit(main())
