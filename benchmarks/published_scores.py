"""clwork's own STS scores of all-MiniLM-L6-v2 beside the published ones: is ``metrics.sts`` the field's measure?

``python benchmarks/published_scores.py --sts FOLDER`` scores the test sets that FOLDER has (as
``clwork.data.sts_pairs`` reads them: ``sts12/*.jsonl`` to ``sts16/*.jsonl``, ``stsb/test.jsonl``, ``sickr/test.jsonl``)
and says which are missing. It ends with an error if a score is further than .01 from the published one, or if none
could be compared. SICK-R's published figure is of all 9,927 pairs, where the test set has 4,927: it is only shown. The
published figures are MTEB's of this model (cosine, Spearman × 100, all subsets in one ranking).
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clwork import data, load_encoder, metrics
from clwork.encoders.disk.strong import STRONG

PUBLISHED = {
    "sts12": 72.37,
    "sts13": 80.60,
    "sts14": 75.59,
    "sts15": 85.39,
    "sts16": 78.99,
    "stsb": 82.03,
    "sickr": 77.58,
}
OTHER_PAIRS = ("sickr",)
ALLOWED = 0.0101  # both are rounded to .01


def test_sets(folder: str) -> dict[str, tuple[data.StsPairs, bool]]:
    """The test sets that a folder has, and whether each is complete."""
    found = {}
    for task in PUBLISHED:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                pairs = data.sts_pairs(task, "test", folder)
            except FileNotFoundError as error:
                print(f"{task}: left out, {error}")
                continue
        found[task] = pairs, not told
    return found


def main(arguments: list[str] | None = None) -> int:
    """Score and compare; 1 if a score is off or none was compared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS test sets")
    options = parser.parse_args(arguments)
    tasks = test_sets(options.sts)
    scores = metrics.sts(load_encoder(STRONG), {task: pairs for task, (pairs, _) in tasks.items()}) if tasks else {}
    compared, off = 0, []
    for task, (pairs, complete) in tasks.items():
        note = "" if complete else ", not all of the set: not compared"
        if task in OTHER_PAIRS:
            note = ", published for all 9,927: not compared"
        elif complete:
            compared += 1
            off += [task] * (abs(scores[task] - PUBLISHED[task]) > ALLOWED)
        print(f"{task}: {scores[task]:.2f}, published {PUBLISHED[task]:.2f}; {len(pairs):,} pairs{note}")
    print(f"compared: {compared}; further than .01 from the published score: {', '.join(off) or 'none'}")
    return int(bool(off) or not compared)


if __name__ == "__main__":
    sys.exit(main())
