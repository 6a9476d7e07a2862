"""Does the order of augmentations in SimCSE's Table 1 hold in a run that a reader can wait for?

``python benchmarks/augmentation_order.py --sts FOLDER`` writes ``benchmarks/results/augmentation_order.json`` and its
table in docs/measured.md. FOLDER is that of ``benchmarks/sts_table.py``. All arms of a seed see the same batches from
the same start, so differences are paired. Each run is written down when it ends: a second call does only what is
missing. [CLS] of the last step counts; no labelled pair chooses anything.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, metrics, train
from scripts import readme
from scripts.blocks.scores import augmentation_table_of

NAME = "augmentation_order"
TASKS = ("stsb", "sickr")
ARMS: dict[str, dict[str, Any]] = {
    "dropout": {},  # the default: every other arm is held against it
    "paper": {"dropout_hidden": 0.1, "dropout_attention": 0.1},  # the share that suits BERT-base
    "none": {"dropout_hidden": 0.0, "dropout_attention": 0.0},
    "crop": {"augmentation": "crop", "augmentation_rate": 0.1},
    "delete_one": {"augmentation": "delete_one"},
    "fixed_mask": {"fixed_mask": True},
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes")
    parser.add_argument("--arms", nargs="+", choices=tuple(ARMS), default=list(ARMS), metavar="NAME")
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were made with other settings")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/measured.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def one_run(
    arm: str, seed: int, options: argparse.Namespace, sentences: Any, pairs: dict[str, data.StsPairs]
) -> dict[str, Any]:
    """Train one arm and score its last step; a collapsed encoder has no scores."""
    steps, shared = options.steps, {name: getattr(options, name) for name in ("encoder", "batch_size", "steps")}
    with tempfile.TemporaryDirectory() as folder:
        seldom = {"probe_every": steps, "eval_every": 10 * steps, "folder": Path(folder) / "run"}
        run = train("simcse", sentences=sentences, seed=seed, **shared, **seldom, **ARMS[arm])
        try:
            scores = metrics.sts(run.encoder, pairs)
        except metrics.CollapsedEncoderError:
            scores = {}
    last = run.history.iloc[-1]
    return {
        **{task: round(scores[task], 3) for task in TASKS if task in scores},
        "alignment": round(float(last["alignment"]), 4),
        "uniformity": round(float(last["uniformity"]), 4),
        "seconds": round(run.seconds, 1),
        "config": asdict(run.config),
    }


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every run that is missing, seed by seed, so that what is there is paired at any time."""
    settings = report.shared(options, "steps", "batch_size", "sentences")
    runs = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    sentences = data.sentences(options.sentences)
    found = {"settings": settings, "machine": report.machine(), "runs": runs}
    keys = [{"arm": arm, "seed": seed} for seed in options.seeds for arm in options.arms]
    report.fill(NAME, found, keys, partial(one_run, options=options, sentences=sentences, pairs=pairs), options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    print(augmentation_table_of(measure(options)))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
