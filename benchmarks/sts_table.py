"""STS-B and SICK-R before and after unsupervised SimCSE on the mini encoder, over seeds.

``python benchmarks/sts_table.py --sts FOLDER`` writes ``benchmarks/results/simcse_sts.json`` and README's table.
FOLDER holds ``stsb/validation.jsonl`` and ``sickr/validation.jsonl``; where it also has ``stsb/train.jsonl``, the same
recipe is trained on the sentences of that file too, their scores unread. ``--set head=none`` changes the recipe.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, metrics, train
from clwork.encoders import Encoder
from scripts import readme
from scripts.methods_block import mean_and_spread

TASKS = ("stsb", "sickr")
POOLINGS = ("cls_before_pooler", "mean", "first_last")
TEXTS = ("corpus", "stsb_train")
"""What is trained on: ``--sentences``, and the sentences of STS-B's training pairs."""

Scores = dict[str, dict[str, float]]


def value(text: str) -> Any:
    """A number, a truth value or else the text itself."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--sentences", default="wikipedia-mini", help="what clwork.data.sentences takes")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--set", dest="config", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    options = parser.parse_args(arguments)
    if not all("=" in item for item in options.config):
        parser.error(f"--set wants NAME=VALUE, such as --set learning_rate=3e-5; got {options.config}")
    options.config = {name: value(text) for name, text in (item.split("=", 1) for item in options.config)}
    return options


def score(encoder: Encoder, pairs: Mapping[str, data.StsPairs]) -> Scores:
    """Spearman x 100 ('all') of each representation on each task."""
    found = {}
    for pooling in POOLINGS:
        values = metrics.sts(encoder.with_pooling(pooling), pairs)
        found[pooling] = {task: round(values[task], 2) for task in pairs}
    return found


def one_run(
    options: argparse.Namespace, seed: int, config: dict[str, Any], sentences: Any, pairs: Mapping[str, data.StsPairs]
) -> dict[str, Any]:
    """Train once and score the encoder of the last step, and the one that STS-B validation would choose."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = dict(encoder=options.encoder, sentences=sentences, steps=options.steps, seed=seed, sts=options.sts)
        started = time.perf_counter()
        run = train("simcse", folder=Path(folder) / "run", **arguments, **config)
        seconds = time.perf_counter() - started
        geometry = run.history.dropna(subset=["uniformity"]).iloc[-1]
        return {
            "seed": seed,
            "seconds": round(seconds, 1),
            "scores": score(run.encoder, pairs),
            "best": run.best,
            "geometry": {name: round(float(geometry[name]), 4) for name in ("alignment", "uniformity")},
            "config": asdict(run.config),
        }


def texts(options: argparse.Namespace) -> dict[str, Any]:
    """What to train on, by name."""
    found: dict[str, Any] = {"corpus": data.sentences(options.sentences)}
    if (Path(options.sts) / "stsb" / "train.jsonl").exists():
        pairs = data.sts_pairs("stsb", split="train", source=options.sts)
        found["stsb_train"] = sorted({*pairs.sentences1, *pairs.sentences2})
    return found


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Raw and trained scores for every text and seed."""
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    raw = score(load_encoder(options.encoder), pairs)
    print(f"raw: {raw}", flush=True)
    trained: dict[str, list[dict[str, Any]]] = {}
    for name, sentences in texts(options).items():
        for seed in options.seeds:
            run = one_run(options, seed, {"precision": options.precision, **options.config}, sentences, pairs)
            trained.setdefault(name, []).append(run)
            print(f"{name}, seed {seed}: {run['scores']} in {run['seconds']} s", flush=True)
    return {
        "encoder": options.encoder,
        "sentences": options.sentences,
        "split": "validation",
        "aggregation": "all",
        "steps": options.steps,
        "raw": raw,
        "trained": trained,
        "machine": report.machine(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    print(f"wrote {report.write('simcse_sts', found, options.results).name}")
    for name, runs in found["trained"].items():
        for pooling in POOLINGS:
            for task in TASKS:
                trained = mean_and_spread([run["scores"][pooling][task] for run in runs])
                print(f"{name:10} {pooling:18} {task:6} raw {found['raw'][pooling][task]:5.1f}  trained {trained}")
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
