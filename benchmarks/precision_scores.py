"""Does bfloat16 cost scores? SimCSE trained in float32 and in bfloat16 from the same seeds, compared pair by pair.

``python benchmarks/precision_scores.py --sts FOLDER`` writes ``benchmarks/results/precision.json``: Spearman x 100 on
the validation sets of STS-B and SICK-R, and bfloat16 minus float32 with its 95 % interval. A pair shares batches and
dropout masks. Every run is written down when it ends: a second call does only what is missing.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.peers import precisions
from clwork import data, metrics, train

NAME = "precision"
TASKS = ("stsb", "sickr")
PRECISIONS = ("float32", "bfloat16")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were made with other settings")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def one_run(precision: str, seed: int, options: argparse.Namespace, pairs: dict[str, data.StsPairs]) -> dict[str, Any]:
    """Train once and score the encoder of the last step, in float32 either way."""
    with tempfile.TemporaryDirectory() as folder:
        never = {"probe_every": 10 * options.steps, "eval_every": 10 * options.steps}
        run = train(
            "simcse",
            encoder=options.encoder,
            sentences=data.sentences(options.sentences),
            steps=options.steps,
            seed=seed,
            precision=precision,
            batch_size=options.batch_size,
            folder=Path(folder) / "run",
            **never,
        )
        scores = metrics.sts(run.encoder, pairs)
    return {
        "seconds": round(run.seconds, 1),
        "last_loss": round(float(run.history["loss"].iloc[-1]), 6),
        "scores": {task: round(scores[task], 3) for task in TASKS},
    }


def differences(runs: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Mean of bfloat16 minus float32 over seeds that have both, with the 95 % interval of Student's t, by task.

    >>> pair = lambda seed, low: [{"seed": seed, "precision": p, "scores": {"stsb": s, "sickr": s}}
    ...                           for p, s in (("float32", 60.0), ("bfloat16", low))]
    >>> differences(pair(0, 60.1) + pair(1, 59.9))["stsb"]["mean"]
    0.0
    """
    from scipy.stats import t

    by_key = {(run["precision"], run["seed"]): run["scores"] for run in runs}
    seeds = [seed for precision, seed in by_key if precision == "bfloat16" and ("float32", seed) in by_key]
    found = {}
    for task in TASKS:
        gaps = [by_key["bfloat16", seed][task] - by_key["float32", seed][task] for seed in seeds]
        if len(gaps) > 1:
            reach = float(t.ppf(0.975, len(gaps) - 1)) * statistics.stdev(gaps) / len(gaps) ** 0.5
            mean = round(statistics.fmean(gaps), 3)
            found[task] = {"mean": mean, "low": round(mean - reach, 3), "high": round(mean + reach, 3)}
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing, write, tell."""
    import torch

    options = parse(arguments)
    if "bfloat16" not in precisions():
        return 1
    torch.set_num_threads(options.threads)
    settings = report.shared(options, "steps", "batch_size", "sentences", "threads")
    runs = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    found: dict[str, Any] = {"settings": settings, "machine": report.machine(), "runs": runs}
    keys = [{"precision": precision, "seed": seed} for seed in options.seeds for precision in PRECISIONS]
    report.fill(NAME, found, keys, partial(one_run, options=options, pairs=pairs), options.results)
    found["bfloat16_minus_float32"] = differences(runs)
    report.write(NAME, found, options.results)
    for task, gap in differences(runs).items():
        print(
            f"{task}: bfloat16 minus float32 {gap['mean']:+.2f}, 95 % interval {gap['low']:+.2f} to {gap['high']:+.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
