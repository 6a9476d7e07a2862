"""STS-B and SICK-R before and after SimCSE with its defaults, on the mini encoder, over seeds.

``python benchmarks/sts_table.py --sts FOLDER`` writes ``benchmarks/results/simcse_sts.json`` and
the table in docs/measured.md. FOLDER holds ``stsb/validation.jsonl`` and
``sickr/validation.jsonl``; where it also has ``stsb/train.jsonl``, SimCSE is trained on
the sentences of that file too, their scores unread. ``--set head=none`` changes a setting. Each
run is written down when it ends: a second call does only what is missing.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, metrics, train
from clwork.encoders import Encoder
from scripts import readme
from scripts.blocks.scores import sts_table_of

NAME = "simcse_sts"
TASKS = ("stsb", "sickr")
POOLINGS = ("cls_before_pooler", "mean", "first_last")

Scores = dict[str, dict[str, float]]


def value(text: str) -> Any:
    """A number, a truth value or else the text itself."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__, runs=True)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--set", dest="config", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    if not all("=" in item for item in options.config):
        parser.error(
            f"--set wants NAME=VALUE, such as --set learning_rate=3e-5; got {options.config}"
        )
    pairs = [item.split("=", 1) for item in options.config]
    options.config = {name: value(text) for name, text in pairs}
    return options


def score(encoder: Encoder, pairs: Mapping[str, data.StsPairs]) -> Scores:
    """Spearman x 100 ('all') of each representation on each task."""
    found = {}
    for pooling in POOLINGS:
        values = metrics.sts(encoder.with_pooling(pooling), pairs)
        found[pooling] = {task: round(values[task], 2) for task in pairs}
    return found


def one_run(
    text: str,
    seed: int,
    options: argparse.Namespace,
    sentences: Mapping[str, Any],
    pairs: Mapping[str, data.StsPairs],
) -> dict[str, Any]:
    """Train once with the defaults but for ``--set``, and score the encoder of the last step."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        run = train(
            "simcse",
            encoder=options.encoder,
            sentences=sentences[text],
            steps=options.steps,
            seed=seed,
            folder=Path(folder) / "run",
            **options.config,
        )
        seconds = time.perf_counter() - started
    last = run.history.iloc[-1]
    geometry = {
        name: round(float(last[name]), 4)
        for name in last.index
        if name.startswith(("alignment", "uniformity"))
    }
    return {
        "seconds": round(seconds, 1),
        "watching": round(float(last["probe_share"]), 4),
        "scores": score(run.encoder, pairs),
        "geometry": geometry,
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
    """Raw and trained scores for every missing text and seed, each written down at once."""
    settings = report.shared(options, "sentences", "steps", "config")
    runs: list[dict[str, Any]] = report.earlier(
        options.results / f"{NAME}.json", settings, options.fresh
    )
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    raw = score(load_encoder(options.encoder), pairs)
    print(f"raw: {raw}", flush=True)
    found = {"settings": settings, "raw": raw, "machine": report.machine(), "runs": runs}
    sentences = texts(options)
    keys = [{"text": text, "seed": seed} for text in sentences for seed in options.seeds]
    one = partial(one_run, options=options, sentences=sentences, pairs=pairs)
    report.fill(NAME, found, keys, one, options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    print(sts_table_of(measure(options)))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
