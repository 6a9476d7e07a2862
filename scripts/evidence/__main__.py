"""Answer the ledger of claims: train every variant with five paired seeds, measure, and pack.

``python -m scripts.evidence --data FOLDER`` (or ``make evidence DATA=FOLDER``) takes many hours on
two cores. Runs that ``--folder`` already has are not done again, and interrupted ones are trained
again as a whole. ``--go-on`` takes the shipped results as done, too. The records are packed into
``clwork/reference_runs/results.jsonl.gz``, and into ``references.json.gz`` which of them belong to
each claim, with the positions of their sentences; the answers are written to
``clwork/claims/answers.jsonl``, then docs/claims.md and README.md. ``--claims`` and
``--most-steps`` select a part. ``--answers`` computes the answers again from the shipped records,
in ten seconds; with ``--data``, also comparisons over seeds and pairs, by the packed cosines.

``--pairs train`` trains the variants once more, one at a time, and keeps the cosines of all rated
pairs; it goes on where it was stopped. ``--pairs list`` shows what is missing, and ``--pairs pack``
writes the cosines into ``pairs.safetensors`` beside this file.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

# Before torch is imported: several runs train at the same time, with one thread each.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from clwork import claims
from clwork.claims.records import RECORD, records_in
from clwork.disk import to_json, write_file
from clwork.reference_runs import RECORDS, Records, stored_index, stored_records
from scripts import readme

from . import pairs
from .packing import RUNS, packed_records, write_all, write_tables
from .units import plan, repetitions, work


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="STS tasks and corpora")
    parser.add_argument(
        "--folder", type=Path, default=Path("clwork-runs/claims"), help="of runs and measurements"
    )
    parser.add_argument(
        "--claims", nargs="+", metavar="NAME", default=claims.names(), help="default: all"
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument(
        "--steps", type=int, help="of every run, in place of the ledger's: for a trial"
    )
    parser.add_argument("--most-steps", type=int, help="leave out longer runs")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--results",
        type=Path,
        default=RUNS / RECORDS,
        metavar="FILE",
        help="where to pack the records",
    )
    parser.add_argument(
        "--repeat", metavar="PRECISION", help="repeat at this precision the shipped runs of another"
    )
    parser.add_argument(
        "--go-on", action="store_true", help="measure only what the shipped records lack"
    )
    parser.add_argument(
        "--report", action="store_true", help="measure nothing; pack and write the pages"
    )
    parser.add_argument(
        "--answers", action="store_true", help="only compute the answers from the shipped records"
    )
    parser.add_argument(
        "--pairs",
        choices=("list", "train", "pack"),
        help="train the variants again one at a time, and keep the cosines of all rated pairs",
    )
    return parser.parse_args(arguments)


def unpack(records: Records, folder: Path) -> None:
    """Write records into a folder that lacks them, so that they are not measured again there."""
    for name, record in records.items():
        target = folder / name
        if not (target / RECORD).exists():
            target.mkdir(parents=True, exist_ok=True)
            write_file(target / RECORD, to_json(dict(record), indent=1))


def work_on_pairs(options: argparse.Namespace) -> int:
    """List, train or pack the runs whose cosines are kept; return 1 if a run failed."""
    if options.pairs == "pack":
        pairs.pack(options.folder)
        return 0
    listed = pairs.jobs(options.claims, range(options.seeds))
    if options.pairs == "list":
        print(*pairs.describe(listed, options.folder), sep="\n")
        return 0
    return 1 if pairs.work(listed, options.folder, options.data) else 0


def main(arguments: list[str] | None = None) -> int:
    """Train, measure, pack, and write the pages; return 1 if a run failed."""
    options = parse(arguments)
    failed = 0
    if options.answers:
        write_tables(stored_records(), stored_index()["claims"], options.data)
        return readme.main([])
    if options.pairs:
        return work_on_pairs(options)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.go_on:
        unpack(stored_records(), options.folder)
    if not options.report:
        chosen = [claims.get(name) for name in options.claims]
        units = plan(chosen, range(options.seeds), options.steps)
        if options.repeat:
            units = repetitions(units, options.repeat)
        limit = options.most_steps
        failed = work([unit for unit in units if limit is None or unit.run.steps <= limit], options)
    records = records_in(options.folder)
    if options.results == RUNS / RECORDS:
        write_all(records, options.folder, options.data)
        readme.main([])
    else:
        options.results.write_bytes(packed_records(records))
        print(
            f"{options.results}: {len(records)} records, {options.results.stat().st_size:,} bytes"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
