"""Answer the ledger of claims from nothing: train every arm with five paired seeds, measure, and pack what ships.

``python scripts/evidence.py --data FOLDER`` (or ``make evidence DATA=FOLDER``) takes many hours on two cores. Runs that
``--folder`` already has are not done again, and interrupted ones continue from their checkpoint. ``--go-on`` takes the
shipped results as done, too. The records are packed into ``clwork/claims/results.jsonl.gz``, and into
``clwork/claims/references.json.gz`` which of them belong to each claim, with the positions of their sentences; then
docs/claims.md and README.md are written. ``--claims`` and ``--most-steps`` select a part.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("OMP_NUM_THREADS", "1")  # several runs train at the same time, with one thread each

from clwork import claims
from clwork.claims.arms import Unit, plan, processor
from clwork.claims.records import (
    MEASURED,
    RUN,
    SHIPPED,
    Records,
    record_name,
    recording_in,
    records_in,
    shipped_records,
)
from clwork.claims.reference import SHIPPED as REFERENCES
from clwork.claims.reference import integers, names_of, settings_of, shipped
from clwork.disk import to_json, write_file
from scripts import readme

PLACE = Path(claims.__file__).parent
MOST_BYTES = 3_500_000  # of all positions
DISTRIBUTABLE = re.compile(r"wikipedia-mini(, usable)?")  # corpora whose sentences may be in the package
SHOWN = (
    "simcse/temperature",
    "simcse/dropout-rates",
    "simcse/dropout-against-none",
    "simcse/dropout-against-fixed-mask",
    "simcse/word-deletion",
    "simcse/crop",
    "simcse/one-word-less",
    "simcse/head-in-training-only",
    "clwork/more-negatives",
    "dclr/against-simcse",
    "dclr/noise-matters",
    "self_guided/opt-against-base",
    "self_guided/against-raw-cls",
    "clwork/mocoutrl-falls",
    "clwork/gclsr-row-is-the-untrained-network",
    "gclsr/training-improves-the-network",
    "gclsr/changed-words-over-base",
    "gclsr/groups-over-attention",
    "gclsr/some-words-against-none",
    "gclsr/some-words-against-all",
    "mocoutrl/above-raw-mean",
    "clwork/verdict-spares-healthy-runs",
)
"""Claims whose arms ship with the positions of their first seed, the most important first."""


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="STS tasks and corpora")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/claims"), help="of runs and measurements")
    parser.add_argument("--claims", nargs="+", metavar="NAME", default=claims.names(), help="default: all")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, help="of every run, in place of the ledger's: for a trial")
    parser.add_argument("--most-steps", type=int, help="leave out longer runs")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--results", type=Path, default=PLACE / SHIPPED, metavar="FILE", help="where to pack the records"
    )
    parser.add_argument("--repeat", metavar="PRECISION", help="repeat at this precision the shipped runs of another")
    parser.add_argument("--go-on", action="store_true", help="measure only what the shipped records lack")
    parser.add_argument("--report", action="store_true", help="measure nothing; pack and write the pages")
    return parser.parse_args(arguments)


def do(unit: Unit, folder: Path, data: Path | None) -> tuple[str, float, str]:
    """Do a unit in this process; returns its name, seconds, and the error."""
    import torch
    from tqdm import tqdm

    torch.set_num_threads(1)
    started = time.perf_counter()
    try:
        unit.do(folder, data, tqdm(disable=True))
    except Exception as error:  # one arm without its corpus, or diverged, is one line, whatever it is
        return unit.name, time.perf_counter() - started, f"{type(error).__name__}: {error}"
    return unit.name, time.perf_counter() - started, ""


def work(units: Sequence[Unit], options: argparse.Namespace) -> int:
    """Do all missing units, several at the same time; returns how many failed."""
    left = [unit for unit in units if any(unit.missing(options.folder, options.data))]
    steps, done, failed, started = sum(unit.steps for unit in left), 0, 0, time.perf_counter()
    print(f"{len(units)} runs and encoders, {len(left)} of them to do: {steps} steps", flush=True)
    lengths = {unit.name: unit.steps for unit in left}
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        for ended in as_completed([pool.submit(do, unit, options.folder, options.data) for unit in left]):
            name, seconds, error = ended.result()
            done, failed = done + lengths[name], failed + bool(error)
            pace = (time.perf_counter() - started) / max(1, done)
            to_go = f"about {pace * (steps - done) / 60:.0f} minutes left"
            print(f"{name}: {f'FAILED: {error}' if error else f'{seconds:.0f} s'}; {to_go}", flush=True)
    return failed


def repetitions(units: Sequence[Unit], precision: str) -> list[Unit]:
    """Those of the units whose shipped record has another precision, to be done at this one."""
    known = shipped_records()
    other = [unit for unit in units if unit.run and known.get(unit.name, {}).get("precision", precision) != precision]
    runs = [replace(unit.run, precision=precision) for unit in other if unit.run]
    return [replace(unit, name=run.name, run=run, transfer=()) for unit, run in zip(other, runs, strict=True)]


def unpack(records: Records, folder: Path) -> None:
    """Write records into a folder that lacks them, so that they are not measured again there."""
    for name, record in records.items():
        own = folder / name
        if not (own / MEASURED).exists():
            own.mkdir(parents=True, exist_ok=True)
            measured = {key: record[key] for key in ("views", "encoder", "seed") if key in record}
            write_file(own / RUN, to_json(dict(record), indent=1))
            write_file(own / MEASURED, to_json(measured, indent=1))


def packed_records(records: Records) -> bytes:
    """Pack records as a line of JSON each; equal records give equal bytes."""
    lines = (to_json({"name": name, **record}, sort_keys=True) for name, record in sorted(records.items()))
    return gzip.compress("".join(f"{line}\n" for line in lines).encode("utf-8"), mtime=0)


def packed_references(records: Records, folder: Path) -> bytes:
    """Pack names, settings and positions as :func:`clwork.claims.reference.shipped` reads them.

    Settings and positions of runs that have no recording in ``folder`` are copied from the file that ships.
    """
    indexed = {name: names_of(claims.get(name), records, record_name) for name in claims.names()}
    indexed = {name: arms for name, arms in indexed.items() if arms}
    firsts = dict.fromkeys(next(iter(seeds.values())) for arms in indexed.values() for seeds in arms.values())
    settings = {name: own for name in firsts if (own := settings_of(folder, name)) is not None}
    wanted = dict.fromkeys(next(iter(seeds.values())) for name in SHOWN for seeds in indexed.get(name, {}).values())
    texts: list[dict[str, Any]] = []
    clouds: dict[str, Any] = {}
    left = MOST_BYTES
    for name in wanted:
        if not DISTRIBUTABLE.fullmatch(str(records[name].get("data", ""))):
            continue
        recording, own = recording_in(folder, name), shipped()["clouds"].get(name)
        if recording is not None and recording["measurements"]:
            own, group = packed_positions(recording), {"texts": list(recording["texts"]), "labels": recording["labels"]}
        elif own is not None:
            group = dict(shipped()["texts"][own["texts"]])
        if own is None or len(own["at"]) > left:
            continue
        left -= len(own["at"])
        if group not in texts:
            texts.append(group)
        clouds[name] = own | {"texts": texts.index(group)}
    dates = [str(record["date"]) for record in records.values() if "date" in record]
    made = {"machine": processor(), "date": max(dates, default=""), "command": "python scripts/evidence.py"}
    content = {"made": made, "claims": indexed, "settings": settings, "texts": texts, "clouds": clouds}
    return gzip.compress(to_json(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), mtime=0)


def packed_positions(recording: Mapping[str, Any]) -> dict[str, Any]:
    """Pack the positions of a recording: changes from step to step modulo 2¹⁶, all high bytes, then all low bytes."""
    positions = integers(recording)
    changes = np.diff(positions.astype(np.int32), axis=0, prepend=0).astype("<u2")
    pairs = np.ascontiguousarray(changes).view(np.uint8).reshape(-1, 2)
    return {
        "seed": recording["seed"],
        "span": recording["span"],
        "axes": positions.shape[2],
        "steps": [probe["step"] for probe in recording["measurements"]],
        "share": [round(probe["share"], 3) for probe in recording["measurements"]],
        "at": base64.b64encode(pairs[:, 1].tobytes() + pairs[:, 0].tobytes()).decode("ascii"),
    }


def main(arguments: list[str] | None = None) -> int:
    """Train, measure, pack, and write the pages."""
    options, failed = parse(arguments), 0
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.go_on:
        unpack(shipped_records(), options.folder)
    if not options.report:
        units = plan([claims.get(name) for name in options.claims], range(options.seeds), steps=options.steps)
        if options.repeat:
            units = repetitions(units, options.repeat)
        failed = work([u for u in units if options.most_steps is None or u.steps <= options.most_steps], options)
    records = records_in(options.folder)
    options.results.write_bytes(packed_records(records))
    print(f"{options.results}: {len(records)} records, {options.results.stat().st_size:,} bytes")
    if options.results == PLACE / SHIPPED:
        (PLACE / REFERENCES).write_bytes(packed_references(records, options.folder))
        print(f"{PLACE / REFERENCES}: {(PLACE / REFERENCES).stat().st_size:,} bytes")
        readme.main([])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
