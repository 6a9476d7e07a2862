"""Both sides of a comparison read alike: SimCSE and the untrained encoder, and two kinds of masks.

``python -m scripts.evidence.alike --data FOLDER --folder RUNS`` trains SimCSE as ``both.py`` does,
on mini-old, keeps the cosines of all rated pairs in each reading, packs them, and prints the
differences. ``--masks`` does so for training with and without dropout, on both encoders.
``--table`` prints them from ``pairs.safetensors`` and trains nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from clwork.claims.ledger import Claim, read_claim

from . import both
from .judging import SETS, packed_judge
from .pairs import Job, pack, work

ENCODER = "mini-old"
SEEDS = 3
SEEDS_OF_MASKS = 5
ANOTHER_MASK = "dropout .1 > no dropout"
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


def masks() -> list[Claim]:
    """Return another mask against no mask, and no mask against no training.

    There is a comparison for each encoder and reading. Those at [CLS] are comparisons of
    ``both.py``. In the averages [CLS] is one token among others.
    """
    claims = []
    for encoder, steps in both.encoders().items():
        (at_cls,) = (
            claim for claim in both.comparisons_on(encoder) if str(claim.expects[0]) == ANOTHER_MASK
        )
        for trained, untrained in READINGS.items():
            variants: dict[str, dict[str, object]] = {
                "untrained": {"method": "untrained", **_view(untrained)}
            }
            for name in ANOTHER_MASK.split(" > "):
                config = dict(at_cls.variants[name].config)
                variants[name] = {"method": "simcse", "config": config, **_view(trained)}
            for row in variants.values():
                row |= {"encoder": encoder, "data": both.text()}
            claims += [
                read_claim(
                    {
                        "name": f"{encoder}/{untrained}",
                        "metric": "sts",
                        "expects": expected,
                        "steps": steps,
                        "variants": variants,
                    }
                )
                for expected in (ANOTHER_MASK, "no dropout > untrained")
            ]
    return claims


def jobs(listed: Sequence[Claim], seeds: int) -> list[Job]:
    """List each run of the comparisons once, with all its readings, one seed after the other."""
    found: dict[str, Job] = {}
    for seed, claim in product(range(seeds), listed):
        for variant in filter(lambda each: each.trained, claim.variants.values()):
            run = both.run_at(claim, variant, seed)
            views = found.get(run.name, Job(run, ())).views
            found[run.name] = Job(run, tuple(dict.fromkeys([*views, variant.view])), SETS["sts"])
    return list(found.values())


def main(arguments: list[str] | None = None) -> int:
    """Train, pack and print; return 1 if a run failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER", required=True, help="STS tasks")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/alike"), help="of runs")
    parser.add_argument("--masks", action="store_true", help="training with and without dropout")
    parser.add_argument("--table", action="store_true", help="print, train nothing")
    options = parser.parse_args(arguments)
    listed, seeds = (masks(), SEEDS_OF_MASKS) if options.masks else (comparisons(), SEEDS)
    if not options.table:
        if work(jobs(listed, seeds), options.folder, options.data):
            return 1
        pack(options.folder)
    judge = packed_judge(options.data)
    for claim in listed:
        (expected,) = claim.expects
        runs_of = {
            name: {seed: both.run_at(claim, variant, seed) for seed in range(seeds)}
            for name, variant in claim.variants.items()
        }
        for result in judge.compare(claim, expected, runs_of):
            about = f"{claim.name}, {expected}, {result.name}"
            print(f"{about}: {result.difference} ({result.seeds} seeds)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
