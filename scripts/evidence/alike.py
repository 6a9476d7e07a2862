"""SimCSE and the untrained encoder read alike, on mini-old.

``python -m scripts.evidence.alike --data FOLDER --folder RUNS`` trains SimCSE as ``both.py`` does,
keeps the cosines of all rated pairs in each reading, packs them, and prints the differences.
``--table`` prints them from ``pairs.safetensors`` and trains nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from clwork.claims.ledger import Claim, read_claim

from . import both
from .judging import SETS, packed_judge
from .pairs import Job, pack, work

ENCODER = "mini-old"
SEEDS = 3
# The reading of SimCSE and that of the untrained encoder.
READINGS = {
    "own": "cls_before_pooler",
    "first_last": "first_last",
    "first_last, whitened": "first_last, whitened",
}


def comparisons() -> list[Claim]:
    """Return a comparison for each reading."""
    (first, *_) = both.comparisons_on(ENCODER)
    config = first.variants["SimCSE"].config
    claims = []
    for trained, untrained in READINGS.items():
        left = {"method": "simcse", "config": dict(config), **_view(trained)}
        right = {"method": "untrained", **_view(untrained)}
        claims.append(
            read_claim(
                {
                    "name": f"{ENCODER}/{untrained}",
                    "metric": "sts",
                    "expects": "SimCSE > untrained",
                    "steps": both.encoders()[ENCODER],
                    "variants": {
                        name: {**row, "encoder": ENCODER, "data": "everyday and captions"}
                        for name, row in (("SimCSE", left), ("untrained", right))
                    },
                }
            )
        )
    return claims


def _view(reading: str) -> dict[str, str]:
    """Return the settings of a variant that is read so."""
    represent, _, post = reading.partition(", ")
    return {"represent": represent} | ({"post": post} if post else {})


def main(arguments: list[str] | None = None) -> int:
    """Train, pack and print; return 1 if a run failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="STS tasks")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/alike"), help="of runs")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--table", action="store_true", help="print, train nothing")
    options = parser.parse_args(arguments)
    listed = comparisons()
    if not options.table:
        variant = listed[0].variants["SimCSE"]
        runs = [both.run_at(listed[0], variant, seed) for seed in range(options.seeds)]
        jobs = [Job(run, tuple(READINGS), SETS["sts"]) for run in runs]
        if work(jobs, options.folder, options.data):
            return 1
        pack(options.folder)
    judge = packed_judge(options.data)
    for claim in listed:
        (expected,) = claim.expects
        runs_of = {
            name: {seed: both.run_at(claim, variant, seed) for seed in range(options.seeds)}
            for name, variant in claim.variants.items()
        }
        for result in judge.compare(claim, expected, runs_of):
            print(f"{claim.name} {result.name}: {result.difference} ({result.seeds} seeds)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
