"""Seconds until hostile folders are told or refused: ``python -m benchmarks.hostile_folders``; none may take over 5.

A run's folder is spoilt in each of these ways, beside a good one, and the desk is opened; then an encoder's folder, and
it is loaded. The bounds themselves are tested; this script only takes the time.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import clwork
from clwork import lab

LIMIT = 5.0
Spoil = Callable[[Path], None]


def write(name: str, lines: Callable[[], Iterator[Any]]) -> Spoil:
    """A file of these lines of JSON."""

    def spoil(folder: Path) -> None:
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines()))

    return spoil


def sparse(name: str, size: int) -> Spoil:
    """A file of zeros that takes no room on the disk."""

    def spoil(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        with open(folder / name, "wb") as file:
            file.truncate(size)

    return spoil


def edited(name: str, **values: Any) -> Spoil:
    """A file of JSON with further entries, those of a dict added to it."""

    def spoil(folder: Path) -> None:
        told = json.loads((folder / name).read_text())
        for key, value in values.items():
            told[key] = {**told[key], **value} if isinstance(told.get(key), dict) and key == "config" else value
        (folder / name).write_text(json.dumps(told))

    return spoil


def copies(count: int) -> Spoil:
    """So many checkpoints."""

    def spoil(folder: Path) -> None:
        for number in range(count):
            os.link(folder / "checkpoint.safetensors", folder / f"kept-{number:06d}.safetensors")

    return spoil


def crowd(folder: Path) -> None:
    """Fifty thousand files."""
    (folder / "more").mkdir()
    for number in range(50_000):
        (folder / "more" / str(number)).touch()


def rows(count: int, **values: Any) -> Callable[[], Iterator[Any]]:
    """Rows of a record."""
    return lambda: ({"step": n, "loss": 1.0, "seconds": 1.0 * n, **values} for n in range(count))


def keys(count: int) -> dict[str, int]:
    """So many names."""
    return {f"k{number}": 0 for number in range(count)}


RUNS: dict[str, Spoil] = {
    "nothing": lambda folder: None,
    "a number of 400 digits": write("record.jsonl", rows(2, loss=10**400)),
    "a sparse record of 1.9 GB": sparse("record.jsonl", 1_900_000_000),
    "a sparse record of 500 MB": sparse("record.jsonl", 500_000_000),
    "100,000 events in a row": write("record.jsonl", rows(1, events=[{"paused": 1.0}] * 100_000)),
    "200,000 rows": write("record.jsonl", rows(200_000, alignment=0.1, uniformity=-1.0, learning_rate=1e-5)),
    "200,000 rows of events": write("record.jsonl", rows(200_000, events=[{"paused": 1.0}])),
    "200,000 columns": write("record.jsonl", rows(1, **keys(200_000))),
    "60,000 hyperparameters": edited("run.json", config=keys(60_000)),
    "3,000 checkpoints": copies(3000),
    "50,000 files": crowd,
    "sparse texts": sparse("sentences.jsonl", 1_900_000_000),
    "sparse positions": sparse("positions.jsonl", 1_900_000_000),
}
REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
SPLIT = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
ENCODERS: dict[str, Spoil] = {
    "nothing": lambda folder: None,
    "300,000 keys of config.json": edited("config.json", **keys(300_000)),
    "rules that grow text": edited("tokenizer.json", normalizer={"type": "Sequence", "normalizers": [REPLACE] * 6}),
    "a rule without an end": edited("tokenizer.json", pre_tokenizer=SPLIT),
}


def timed(work: Callable[[], str]) -> tuple[float, str]:
    """Seconds, and what came of it."""
    began = time.perf_counter()
    try:
        told = work()
    except (OSError, ValueError) as error:
        told = f"refused: {error}"
    return time.perf_counter() - began, " ".join(told.split())[-100:]


def desk_of(place: Path) -> str:
    """How many runs the desk shows, and what it says of the others."""
    desk = lab.desk(place)
    try:
        return f"{len(desk.runs)} of 2 runs: {desk.sentence}"
    finally:
        desk.close()


def loaded(folder: Path) -> str:
    """The shape of what an encoder gives for a word."""
    return f"gave {clwork.load_encoder(folder, device='cpu').encode(['aaaa']).shape}"


def main() -> None:
    """Print a table, and fail where something took too long."""
    warnings.simplefilter("ignore")
    slow = []
    with tempfile.TemporaryDirectory() as made:
        base = Path(made)
        encoder = clwork.load_encoder("mini", device="cpu")
        encoder.save(base / "encoder")
        corpus = list(clwork.data.sentences("wikipedia-mini")[:160])
        clwork.train("simcse", sentences=corpus, steps=2, batch_size=8, device="cpu", folder=base / "run")
        desk_of(base)  # once, for what is imported
        for kind, spoil in RUNS.items():
            place = base / "place"
            shutil.copytree(base / "run", place / "other")
            spoil(shutil.copytree(base / "run", place / "strange"))
            seconds, told = timed(partial(desk_of, place))
            print(f"{seconds:6.2f} s  desk, {kind}: {told}", flush=True)
            slow += [kind] if seconds > LIMIT else []
            shutil.rmtree(place)
        for kind, spoil in ENCODERS.items():
            folder = shutil.copytree(base / "encoder", base / "strange")
            spoil(folder)
            seconds, told = timed(partial(loaded, folder))
            print(f"{seconds:6.2f} s  load_encoder, {kind}: {told}", flush=True)
            slow += [kind] if seconds > LIMIT else []
            shutil.rmtree(folder)
    if slow:
        raise SystemExit(f"longer than {LIMIT:g} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
