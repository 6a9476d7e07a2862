"""How far the proxies that judge offline agree with STS: both measured on the same encoders, raw, trained and spoilt.

``python benchmarks/proxy_agreement.py --sts FOLDER`` writes ``benchmarks/results/proxy_agreement.json`` and README's
sentence. FOLDER is that of ``benchmarks/sts_table.py``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, metrics, train
from clwork.encoders import Encoder
from clwork.training.validation import make_validation
from scripts import readme

TASKS = ("stsb", "sickr")
PROXIES = ("same_article_auc", "topic_knn")
RAW = ("cls_before_pooler", "mean", "first_last", "max")
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "no dropout": {"dropout_hidden": 0.0, "dropout_attention": 0.0},
    "dropout 0.5": {"dropout_hidden": 0.5, "dropout_attention": 0.5},
    "delete one word": {"augmentation": "delete_one"},
    "crop 30 %": {"augmentation": "crop", "augmentation_rate": 0.3},
    "temperature 1": {"temperature": 1.0},
    "mean, no head": {"pooling": "mean", "head": "none"},
    "learning rate 3e-3": {"learning_rate": 3e-3},
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--steps", type=int, nargs="+", default=[30, 90], help="lengths of the runs")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def encoders(sentences: data.Sentences, steps: list[int]) -> Iterator[tuple[str, Encoder]]:
    """Raw encoders under several poolings, then every variant trained for every number of steps."""
    for pooling in RAW:
        yield f"raw, {pooling}", load_encoder("mini").with_pooling(pooling)
    for name, config in VARIANTS.items():
        for count in steps:
            with tempfile.TemporaryDirectory() as folder:
                looks = {"probe_every": 10 * count, "eval_every": 10 * count}
                run = train("simcse", sentences=sentences, steps=count, folder=Path(folder) / "run", **looks, **config)
                yield f"{name}, {count} steps", run.encoder


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """STS and proxies of every encoder, and their rank correlations over encoders."""
    from scipy.stats import spearmanr

    sentences = data.sentences("wikipedia-mini")
    assert isinstance(sentences, data.Sentences)
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    validation = make_validation(sentences, {})
    rows = []
    for name, encoder in encoders(sentences, options.steps):
        scores = metrics.sts(encoder, pairs)
        rows.append({"encoder": name, **{task: scores[task] for task in TASKS}, **validation.measure(encoder)})
        print(rows[-1], flush=True)
    agreement = {
        proxy: {task: float(spearmanr([r[proxy] for r in rows], [r[task] for r in rows])[0]) for task in TASKS}
        for proxy in PROXIES
    }
    return {"spearman": agreement, "encoders": rows, "machine": report.machine()}


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    report.write("proxy_agreement", found, options.results)
    print(found["spearman"])
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
