"""Kills runs, at chosen writes to disk and at random moments, and compares what goes on with what was never killed.

``python -m tests.torture --kills 100`` prints a line for each method and fails where a run that could be resumed did
not end equal, bit for bit, in every weight and every loss; ``make torture`` does a thousand. Some records are cut short
as well, as where the machine goes down: those runs must end equal too, and tell the steps that are missing. Each life
of a run is a fork of one process that has all it needs in memory, so that a kill costs a fraction of a second.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from .kills import (  # first: it sets what torch reads when it is imported
    die_at,
    digest,
    in_fork,
    left_over,
    on_write,
    workplace,
)

import clwork  # isort: skip
from clwork import data, methods
from clwork.encoders import textcnn
from clwork.run_folder.folder import RunFolder

STEPS = 12
CUT = 0.3  # the part of killed runs whose record is cut short
SHORT: dict[str, Any] = {"batch_size": 8, "probe_every": 4, "eval_every": 4, "checkpoint_every": 3, "device": "cpu"}
OWN: dict[str, dict[str, Any]] = {
    "dclr": {"complementary_steps": 3},
    "gclsr": {"max_length": 16, "projector": 32, "predictor": 8, "group_dim": 8},
}


def train(method: str, encoder: Any, sentences: Any, folder: Path) -> None:
    """A run from its beginning."""
    values = {**SHORT, **OWN.get(method, {})}
    clwork.train(method, encoder=encoder, sentences=sentences, steps=STEPS, seed=1, folder=folder, **values)


def finish(folder: Path) -> None:
    """Take a run up until it has ended, with a warning where its record lacks steps, and only there."""
    with warnings.catch_warnings(record=True, action="always") as told:
        clwork.resume(folder)
    lacking = set(range(STEPS + 1)) - {step for step, _ in digest(folder)["steps"]}
    if bool(lacking) != any("missing from the record" in str(warning.message) for warning in told):
        raise AssertionError(f"steps {sorted(lacking)} are missing, and the warnings are {list(map(str, told))}")


def cut_short(folder: Path, chance: random.Random) -> bool:
    """Cut a run's record at a random place, as a machine that goes down may; returns whether there is one."""
    path = folder / "record.jsonl"
    if not path.is_file():
        return False
    os.truncate(path, chance.randint(0, path.stat().st_size))
    return True


def agrees(folder: Path, expected: dict[str, Any], cut: bool) -> bool:
    """Whether a run ended with these weights and losses; of one whose record was cut, with those that it still has."""
    found = digest(folder)
    if cut:
        return found["weights"] == expected["weights"] and set(found["steps"]) <= set(expected["steps"])
    return found == expected


def trouble_at_the_end(folder: Path, expected: dict[str, Any], cut: bool) -> str:
    """Take a run up until it has ended; what is not as it should be then, empty where all is."""
    failed = in_fork(lambda: finish(folder))
    fine = not failed and agrees(folder, expected, cut) and not left_over(folder)
    return "" if fine else f"{failed=}, {left_over(folder)}"


def let_live(method: str, encoder: Any, sentences: Any, folder: Path) -> tuple[int, float, int]:
    """A run that nobody kills: its writes and seconds until there was something to resume, and all its writes."""
    began, told = time.monotonic(), folder.with_name(f"told-{folder.name}")

    def live() -> None:
        first: list[float] = []
        last = [0]

        def note(write: int, _: str) -> None:
            last[0] = write
            if not first and RunFolder(folder).checkpoints.any():
                first.extend((write, time.monotonic() - began))

        on_write(folder, note)
        train(method, encoder, sentences, folder)
        told.write_text(json.dumps([*first, last[0]]))

    if in_fork(live):
        raise SystemExit(f"{method}: the run that nobody kills fails")
    write, seconds, last_write = json.loads(told.read_text())
    return write, seconds, last_write


def torture(method: str, encoder: Any, sentences: Any, kills: int, place: Path, chance: random.Random) -> Counter[str]:
    """Kill runs of a method and resume them, some of them twice; returns how often what came of it."""
    began = time.monotonic()
    whole = place / f"{method}-whole"
    first_write, first_second, last_write = let_live(method, encoder, sentences, whole)
    took, expected, seen = time.monotonic() - began, digest(whole), Counter[str]()
    for number in range(kills):
        folder = place / f"{method}-{number}"
        write, until = None, None
        if number % 2:
            write = chance.randint(3 * first_write // 4, last_write)  # a few before there is anything to resume
        else:
            until = chance.uniform(0.9 * first_second, took)

        def live(folder: Path = folder, write: int | None = write) -> None:
            if write:
                die_at(write, folder)
            if RunFolder(folder).checkpoints.any():
                finish(folder)
            else:
                train(method, encoder, sentences, folder)

        in_fork(live, until)
        for _ in range(chance.randint(0, 1)):  # and once more, while it goes on
            if RunFolder(folder).checkpoints.any():
                in_fork(live, chance.uniform(0, took))
        seen["killed"] += 1
        if not RunFolder(folder).checkpoints.any():
            seen["nothing to resume yet"] += 1
            shutil.rmtree(folder, ignore_errors=True)
            continue
        cut = chance.random() < CUT and cut_short(folder, chance)
        seen["record cut short"] += cut
        if trouble := trouble_at_the_end(folder, expected, cut):
            seen["not equal"] += 1
            print(f"{method} {number}: write {write}, until {until}, {cut=}: {trouble}", flush=True)
            continue
        seen["equal"] += 1
        shutil.rmtree(folder)
    return seen


def main(arguments: list[str] | None = None) -> int:
    """Torture all methods; 1 where one did not end equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="all methods together")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    sentences = data.sentences("wikipedia-mini")[:64]
    bad = 0
    with workplace() as (place, tiny):
        words = sorted({word.strip(".,()").lower() for text in sentences for word in text.split()} - {""})
        rows = [f"{word} " + " ".join(str((17 * k + 3 * i) % 11 - 5) for i in range(8)) for k, word in enumerate(words)]
        (place / "few.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
        few = textcnn(str(place / "few.txt"), regions=(1, 1, 3), filters=6, device="cpu")
        names = methods.names()
        for number, name in enumerate(names):
            share = options.kills // len(names) + (number < options.kills % len(names))
            encoder: Any = few if name == "gclsr" else tiny
            seen = torture(name, encoder, sentences, share, place, random.Random(options.seed * 100 + number))
            print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in seen.items()), flush=True)
            bad += seen["not equal"]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
