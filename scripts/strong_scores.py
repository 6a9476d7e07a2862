"""Score the strong encoder on people's ratings: the upper line of every figure of STS scores.

``python scripts/strong_scores.py --sts FOLDER`` writes ``clwork/data/silver/strong_scores.json``: all-MiniLM-L6-v2 by
``clwork.metrics.sts`` on the validation sets that runs are scored on, STS-B and SICK-R, with its hash, the number of
pairs, date and versions. FOLDER holds ``stsb/validation.jsonl`` and ``sickr/validation.jsonl``, complete. On the silver
pairs, which are its own opinion, it has 100.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clwork import data, load_encoder, metrics
from clwork.columns import STRONG_SCORES
from clwork.data.sts import SPLIT_TASKS
from clwork.disk import to_json, write_file
from clwork.encoders.model_files import REPOSITORY, SHA256, STRONG

PLACE = Path(__file__).resolve().parents[1] / "clwork" / STRONG_SCORES
DIGITS = 2


def main(arguments: list[str] | None = None) -> int:
    """Read, score and write; a task of which pairs are missing is refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--place", type=Path, default=PLACE, metavar="FILE", help="where to write")
    options = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # clwork.data.sts_pairs warns of a part
        pairs = {task: data.sts_pairs(task, "validation", options.sts) for task in SPLIT_TASKS}
    scores = metrics.sts(load_encoder(STRONG), pairs)
    content = {
        "name": STRONG,
        "repository": REPOSITORY,
        "sha256": SHA256,
        "split": "validation",
        "scores": {task: round(scores[task], DIGITS) for task in pairs},
        "pairs": {task: len(rows) for task, rows in pairs.items()},
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {name: importlib.metadata.version(name) for name in ("torch", "transformers", "numpy")},
    }
    write_file(options.place, to_json(content, indent=1))
    print(f"{options.place}: {content['scores']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
