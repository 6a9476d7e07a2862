"""All methods on STS-B and SICK-R, raw and trained: same sentences, batch size and steps.

``python benchmarks/methods_table.py --sts FOLDER`` writes ``benchmarks/results/methods.json`` and
the table in docs/measured.md. FOLDER holds ``stsb/validation.jsonl`` and
``sickr/validation.jsonl``. Every run has a process of its own, and is written down when it ends: a
second call does only what is missing, so that methods can be measured one by one with ``--methods``
and seeds added with ``--seeds``. Each method has its own defaults for this encoder but for the
batch size; a method that cannot use the encoder (GCLSR trains a TextCNN over word vectors) starts
from its own.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.memory import PeakMemory
from clwork import data, methods, train
from scripts import readme
from scripts.blocks.scores import methods_table_of

NAME = "methods"
TASKS = ("stsb", "sickr")
GEOMETRY = ("alignment", "uniformity", "effective_rank")
# What DCLR's two ideas have of softmax and gradient, as its record has it: the mean of the last
# steps.
PARTS = (
    "positive_mass",
    "in_batch_mass",
    "noise_mass",
    "masked_share",
    "noise_gradient",
    "masking_gradient",
)
LAST = 10
# What the papers report on the *test* sets, 'all' aggregation; avg is over the seven STS tasks.
PUBLISHED: dict[str, dict[str, Any]] = {
    "simcse": {"backbone": "BERT-base", "stsb": 76.85, "sickr": 72.23, "avg": 76.25},
    "dclr": {"backbone": "BERT-base", "stsb": 78.31, "sickr": 71.59, "avg": 77.22},
    "self_guided": {"backbone": "BERT-base", "stsb": 77.23, "sickr": 68.16, "avg": 74.62},
    "gclsr": {"backbone": "TextCNN over word2vec", "stsb": 67.58, "sickr": 59.34, "avg": 66.75},
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__, runs=True)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument(
        "--methods", nargs="+", metavar="NAME", help="default: all that clwork knows"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    known = methods.names()
    options.methods = options.methods or known
    if unknown := [name for name in options.methods if name not in known]:
        parser.error(f"no method {', '.join(unknown)}; there are {', '.join(known)}")
    return options


def one_run(method: str, seed: int, settings: dict[str, Any], sts: str) -> dict[str, Any]:
    """Train once, in this process; scores and geometry at the first and the last measurement."""
    import torch

    torch.set_num_threads(settings["threads"])
    steps = settings["steps"]
    method_class = methods.get(method)
    encoder = method_class.default_encoder
    if encoder == "mini":
        encoder = settings["encoder"]
    sentences = data.sentences(settings["sentences"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with tempfile.TemporaryDirectory() as folder, PeakMemory(device) as peak:
        run = train(
            method,
            encoder=encoder,
            sentences=sentences,
            steps=steps,
            seed=seed,
            sts=sts,
            eval_every=10 * steps,
            folder=Path(folder) / "run",
            batch_size=settings["batch_size"],
            precision=settings["precision"],
        )
    ending = run.history.iloc[1:].tail(LAST)
    return {
        "title": method_class.title,
        "encoder": encoder,
        "raw": measured(run.history.iloc[0]),
        "trained": measured(run.history.iloc[-1]),
        "parts": {name: round(float(ending[name].mean()), 4) for name in PARTS if name in ending},
        "verdict": run.diagnosis().verdict,
        "seconds": round(run.seconds, 1),
        "mib": None if math.isnan(peak.mib) else round(peak.mib, 1),
        "config": asdict(run.config),
    }


def measured(row: Any) -> dict[str, float]:
    """Scores and geometry of a row of the history; a collapsed encoder has no score."""
    columns = row.reindex([*TASKS, *GEOMETRY]).dropna()
    return {name: round(float(value), 4) for name, value in columns.items()}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every method and seed that is missing, each written down at once."""
    settings = report.shared(options, "steps", "batch_size", "sentences", "precision", "threads")
    runs = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    found = {
        "settings": settings,
        "published": PUBLISHED,
        "machine": report.machine(),
        "runs": runs,
    }

    def one(method: str, seed: int) -> dict[str, Any]:
        # In a process of its own, so that the memory is this run's.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            return process.submit(one_run, method, seed, settings, options.sts).result()

    keys = [
        {"method": method, "seed": seed} for method in options.methods for seed in options.seeds
    ]
    report.fill(NAME, found, keys, one, options.results)
    order = {name: position for position, name in enumerate(methods.names())}
    runs.sort(key=lambda run: (order.get(run["method"], -1), run["seed"]))
    report.write(NAME, found, options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    print(methods_table_of(found))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
