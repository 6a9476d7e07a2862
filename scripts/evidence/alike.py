"""Both sides of a comparison read alike: SimCSE and the untrained encoder, and two kinds of masks.

``python -m scripts.evidence.alike --data FOLDER --folder RUNS`` trains SimCSE as ``both.py`` does,
on mini-old, keeps the cosines of all rated pairs in each reading, packs them, and prints the
differences. ``--masks`` does so for training with and without dropout, on both encoders, as lesson
02 shows it. ``--table`` prints them from ``pairs.safetensors`` and trains nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from clwork.claims.ledger import Claim, Variant, read_claim

from . import both
from .judging import packed_judge
from .pairs import Job, pack, work

ENCODER = "mini-old"
SEEDS = 3
SEEDS_OF_MASKS = 5
ANOTHER_MASK = "dropout .1 > no dropout"
# Training with another mask, without a mask, and what the mask adds.
OF_MASKS = ("dropout .1 > untrained", "no dropout > untrained", ANOTHER_MASK)
# The reading of SimCSE and that of the untrained encoder.
READINGS = {
    "own": "cls_before_pooler",
    "first_last": "first_last",
    "first_last, whitened": "first_last, whitened",
}
# Pairs of unlike readings, which say which of them to use.
ACROSS = (
    {"own": "first_last"},
    {"own": "first_last, whitened"},
    {"first_last": "first_last, whitened"},
)


def comparisons() -> list[Claim]:
    """Return SimCSE against the untrained encoder, read alike, and its average to the whitened."""
    (first, *_) = both.comparisons_on(ENCODER)
    trained, expected = {"SimCSE": first.variants["SimCSE"]}, ["SimCSE > untrained"]
    alike = _in_each_reading(ENCODER, trained, expected)
    return alike + _in_each_reading(ENCODER, trained, expected, ACROSS[-1])


def masks() -> list[Claim]:
    """Return another mask and no mask against no training, and against each other.

    There is a comparison for each encoder and reading. Those at [CLS] are comparisons of
    ``both.py``. In the averages [CLS] is one token among others. Training with another mask is
    compared with the other readings of the untrained encoder, too.
    """
    claims = []
    for encoder in both.encoders():
        (at_cls,) = (
            claim for claim in both.comparisons_on(encoder) if str(claim.expects[0]) == ANOTHER_MASK
        )
        trained = {name: at_cls.variants[name] for name in ANOTHER_MASK.split(" > ")}
        claims += _in_each_reading(encoder, trained, OF_MASKS)
        for across in ACROSS:
            claims += _in_each_reading(encoder, trained, OF_MASKS[:1], across)
    return claims


def _in_each_reading(
    encoder: str,
    trained: Mapping[str, Variant],
    expected: Sequence[str],
    readings: Mapping[str, str] = READINGS,
) -> list[Claim]:
    """Return a claim for each reading and expectation; each has the untrained encoder, too."""
    claims = []
    for reading, untrained in readings.items():
        variants: dict[str, dict[str, object]] = {
            "untrained": {"method": "untrained", **_view(untrained)}
        }
        for name, variant in trained.items():
            config = dict(variant.config)
            variants[name] = {"method": "simcse", "config": config, **_view(reading)}
        for row in variants.values():
            row |= {"encoder": encoder, "data": both.text()}
        about: dict[str, object] = {
            "name": f"{encoder}/{reading} and {untrained}",
            "metric": "sts",
            "steps": both.encoders()[encoder],
            "variants": variants,
        }
        claims += [read_claim({**about, "expects": each}) for each in expected]
    return claims


def _view(reading: str) -> dict[str, str]:
    """Return the settings of a variant that is read so."""
    represent, _, post = reading.partition(", ")
    return {"represent": represent} | ({"post": post} if post else {})


def jobs(listed: Sequence[Claim], seeds: int) -> list[Job]:
    """List the runs that are trained, one seed after the other; the others are packed already."""
    wanted = ((claim, seed) for seed, claim in product(range(seeds), listed))
    return [job for job in both.jobs_of(wanted) if job.run.steps]


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
