"""Answer the ledger of claims from nothing: train every arm that clwork can train, with five paired seeds, and measure.

``python scripts/evidence.py --data FOLDER`` (or ``make evidence DATA=FOLDER``) takes many hours on two cores. What has
been measured is in ``--folder`` and is not done again: stop it at any time, and call it again. A run that was killed
goes on from its checkpoint and ends as if it had not been. ``--go-on`` takes what ships as measured, too. Then the
results are packed into ``clwork/claims/results.jsonl.gz``, which of them are a claim's and where their sentences lay
into ``clwork/claims/references.json.gz``, and docs/claims.md and README.md are written anew from them.
``--papers``, ``--claims`` and ``--most-steps`` take a part.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("OMP_NUM_THREADS", "1")  # one thread for each of several runs side by side

from clwork import claims
from clwork.claims import reference_file
from clwork.claims.ledger import PAPERS
from clwork.claims.plan import Unit, plan, record_name
from clwork.claims.results import SHIPPED, Results
from scripts import readme

PLACE = Path(__file__).resolve().parents[1] / "clwork" / "claims" / SHIPPED
REFERENCES = PLACE.with_name(reference_file.SHIPPED)
MINUTES = 60


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="STS tasks, and corpora beside them")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/claims"), help="of runs and measures")
    parser.add_argument("--papers", nargs="+", choices=PAPERS, default=list(PAPERS), metavar="NAME")
    parser.add_argument("--claims", nargs="+", metavar="NAME", help="single claims, in place of --papers")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, help="of every run, in place of the ledger's: for a try")
    parser.add_argument("--most-steps", type=int, help="leave out longer runs")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results", type=Path, default=PLACE, metavar="FILE", help="where to pack the results")
    parser.add_argument("--go-on", action="store_true", help="measure only what the packed results lack")
    parser.add_argument("--report", action="store_true", help="measure nothing; pack and write the pages")
    return parser.parse_args(arguments)


def units_of(options: argparse.Namespace) -> list[Unit]:
    """What is to be done, in order."""
    names = options.claims or [name for paper in options.papers for name in claims.names(paper)]
    units = plan([claims.get(name) for name in names], range(options.seeds), steps=options.steps)
    return [unit for unit in units if options.most_steps is None or unit.steps <= options.most_steps]


def do(unit: Unit, folder: Path, data: Path | None) -> tuple[str, float, str]:
    """Do a unit in this process; its name, seconds, and what went wrong."""
    import torch

    torch.set_num_threads(1)
    started = time.perf_counter()
    try:
        unit.do(folder, data)
    except Exception as error:  # one arm without its corpus, or diverged, is one line, whatever it is
        return unit.name, time.perf_counter() - started, f"{type(error).__name__}: {error}"
    return unit.name, time.perf_counter() - started, ""


def work(units: Sequence[Unit], options: argparse.Namespace) -> int:
    """Do all units that are missing, several side by side; returns how many failed."""
    options.folder.mkdir(parents=True, exist_ok=True)
    left = [unit for unit in units if any(unit.missing(options.folder, options.data is not None))]
    steps, done, failed, started = sum(unit.steps for unit in left), 0, 0, time.perf_counter()
    print(f"{len(units)} runs and encoders, {len(left)} of them to do: {steps} steps", flush=True)
    lengths = {unit.name: unit.steps for unit in left}
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        for ended in as_completed([pool.submit(do, unit, options.folder, options.data) for unit in left]):
            name, seconds, error = ended.result()
            done, failed = done + lengths[name], failed + bool(error)
            pace = (time.perf_counter() - started) / max(1, done)
            to_go = f"about {pace * (steps - done) / MINUTES:.0f} minutes left"
            print(f"{name}: {f'FAILED: {error}' if error else f'{seconds:.0f} s'}; {to_go}", flush=True)
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Train, measure, pack, and write the pages."""
    options = parse(arguments)
    if options.go_on:
        Results.shipped().unpack(options.folder)
    failed = 0
    if not options.report:
        units = units_of(options)
        failed = work([replace(unit, asked=()) for unit in units], options)
        failed += work(units, options)  # what only some claims want last: a classifier takes as long as a run
    found = Results.read(options.folder)
    options.results.write_bytes(found.pack())
    print(f"{options.results}: {len(found.records)} records, {options.results.stat().st_size:,} bytes")
    if options.results == PLACE:
        everything = (claims.get(name) for name in claims.names())
        REFERENCES.write_bytes(reference_file.pack(everything, found, options.folder, record_name))
        print(f"{REFERENCES}: {REFERENCES.stat().st_size:,} bytes")
        readme.main([])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
