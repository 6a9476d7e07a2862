"""How far the proxies that a corpus allows agree with STS, over encoders of one representation.

``python benchmarks/proxy_agreement.py --sts FOLDER`` writes ``benchmarks/results/proxy_agreement.json`` and its
sentence in docs/measured.md. FOLDER is that of ``benchmarks/sts_table.py``. Good and spoilt runs of SimCSE are scored
at several steps, each run written down when it ends: a second call does only what is missing. Encoders of one run
resemble each other, so intervals come from resampling *runs*. Two questions: does a proxy rank encoders as STS does,
and is the checkpoint that it would choose in a run better than that run's last?
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, methods, metrics
from clwork.encoders import Encoder
from clwork.precision import resolve
from clwork.training import RunFolder
from clwork.training.disk.recipe import Recipe
from clwork.training.preparation import RunInputs, prepare
from clwork.training.validation import Validation, make_validation
from scripts import readme
from scripts.blocks.scores import proxies_of

NAME = "proxy_agreement"
TASKS = ("stsb", "sickr")
PROXIES = ("same_article_auc", "topic_knn")
REPRESENTATIONS: dict[str, dict[str, Any]] = {"cls": {}, "mean": {"pooling": "mean", "head": "none"}}
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "default, again": {},
    "default, once more": {},
    "learning rate 1e-4": {"learning_rate": 1e-4},
    "learning rate 1e-3": {"learning_rate": 1e-3},
    "learning rate 3e-3": {"learning_rate": 3e-3},
    "temperature 0.01": {"temperature": 0.01},
    "temperature 0.2": {"temperature": 0.2},
    "temperature 1": {"temperature": 1.0},
    "no dropout": {"dropout_hidden": 0.0, "dropout_attention": 0.0},
    "dropout 0.3": {"dropout_hidden": 0.3, "dropout_attention": 0.3},
    "crop 30 %": {"augmentation": "crop", "augmentation_rate": 0.3},
    "delete one word": {"augmentation": "delete_one"},
    "fixed mask": {"fixed_mask": True},
}  # each has a seed of its own, its number here
RESAMPLES = 2000

Row = dict[str, Any]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--representation", choices=tuple(REPRESENTATIONS), default="cls")
    parser.add_argument("--at", type=int, nargs="+", default=[20, 40, 60], help="steps to score; the last ends a run")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--variants", nargs="+", choices=tuple(VARIANTS), default=list(VARIANTS), metavar="NAME")
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were made with other settings")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/measured.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def score(encoder: Encoder, pairs: dict[str, data.StsPairs], validation: Validation) -> dict[str, float] | None:
    """STS and proxies of one encoder; None for one that has collapsed, whose ranks mean nothing."""
    try:
        found = metrics.sts(encoder, pairs)
    except metrics.CollapsedEncoderError:
        return None
    return {task: found[task] for task in TASKS} | validation.measure(encoder)


def one_run(
    name: str, settings: dict[str, Any], sentences: data.Sentences, judged: Callable[[Encoder], Row | None]
) -> Row:
    """Train a variant and judge its encoder at the steps asked for."""
    seed, at = list(VARIANTS).index(name), settings["at"]
    values = REPRESENTATIONS[settings["representation"]] | VARIANTS[name] | {"batch_size": settings["batch_size"]}
    config = methods.config("simcse", encoder=settings["encoder"], **values)
    seldom = {"probe_every": at[-1], "eval_every": 10 * at[-1], "checkpoint_every": at[-1]}
    recipe = Recipe(
        name=name,
        method="simcse",
        encoder=settings["encoder"],
        sentences=data.CorpusRef(),
        config=asdict(config),
        steps=at[-1],
        seed=seed,
        sts=None,
        device=None,
        precision=resolve(config.precision, "cpu").name,
        **seldom,
    )
    encoders = []
    with tempfile.TemporaryDirectory() as folder:
        loop, _ = prepare(recipe, RunFolder(folder), config, RunInputs(settings["encoder"], sentences))
        while loop.step < loop.total:
            loop.advance()
            if loop.step in at and (scores := judged(loop.method.test_encoder())) is not None:
                encoders.append({"step": loop.step, **scores})
    return {"seed": seed, "encoders": encoders}


def correlations(runs: Sequence[Row]) -> dict[str, float]:
    """Rank correlation of each proxy with each task over all encoders, and how far one proxy's exceeds the other's."""
    from scipy.stats import spearmanr

    rows = [row for run in runs for row in run["encoders"]]
    found = {
        f"{proxy} {task}": float(spearmanr([row[proxy] for row in rows], [row[task] for row in rows])[0])
        for proxy in PROXIES
        for task in TASKS
    }
    first, second = PROXIES
    return found | {f"difference {task}": found[f"{second} {task}"] - found[f"{first} {task}"] for task in TASKS}


def gains(runs: Sequence[Row]) -> dict[str, float]:
    """Points of STS that a run wins, on average, by the checkpoint with the highest proxy instead of its last."""
    runs = [run for run in runs if len(run["encoders"]) > 1]
    found = {}
    for proxy in PROXIES:
        chosen = [max(run["encoders"], key=lambda row: (row[proxy], row["step"])) for run in runs]
        for task in TASKS:
            won = [best[task] - run["encoders"][-1][task] for best, run in zip(chosen, runs, strict=True)]
            found[f"gain {proxy} {task}"] = float(np.mean(won)) if won else float("nan")
    return found


def summary(runs: Sequence[Row], resamples: int = RESAMPLES) -> dict[str, list[float]]:
    """Each quantity with its 95 % interval: ``[value, low, high]``, from resampling whole runs with replacement."""
    draw = np.random.default_rng(0)
    value = correlations(runs) | gains(runs)
    samples = []
    for _ in range(resamples):
        again = [runs[k] for k in draw.integers(len(runs), size=len(runs))]
        samples.append(list((correlations(again) | gains(again)).values()))
    low, high = np.nanpercentile(np.array(samples), [2.5, 97.5], axis=0)
    ends = zip(value.items(), low, high, strict=True)
    return {name: [round(float(v), 4) for v in (middle, a, b)] for (name, middle), a, b in ends}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every run that is missing, each written down at once, and the summary of all."""
    settings = report.shared(options, "representation", "at", "batch_size") | {"at": sorted(options.at)}
    runs: list[Row] = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    sentences = data.sentences("wikipedia-mini")
    assert isinstance(sentences, data.Sentences)
    pairs = {task: data.sts_pairs(task, source=options.sts) for task in TASKS}
    validation = replace(make_validation(sentences, {}, proxies=True), silver=None)
    found: dict[str, Any] = {"settings": settings, "machine": report.machine(), "runs": runs}

    def one(variant: str) -> Row:
        if variant != "raw":
            return one_run(variant, settings, sentences, lambda encoder: score(encoder, pairs, validation))
        pooling = "mean" if settings["representation"] == "mean" else "cls_before_pooler"
        scores = score(load_encoder(options.encoder).with_pooling(pooling), pairs, validation)
        return {"seed": None, "encoders": [{"step": 0, **(scores or {})}]}

    report.fill(NAME, found, [{"variant": name} for name in ("raw", *options.variants)], one, options.results)
    found["summary"] = summary(runs)
    report.write(NAME, found, options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    print(proxies_of(measure(options)))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
