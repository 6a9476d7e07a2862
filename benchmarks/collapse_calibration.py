"""How the cloud of sentences moves in healthy runs of each method, and in runs that were made sick.

``python benchmarks/collapse_calibration.py`` writes
``benchmarks/results/collapse_calibration.json`` and the tables of ``docs/collapse.md``. Every run
is written down when it ends: a second call does only what is missing. Three kinds of runs:
*healthy* (defaults and near them), *sick* (settings that by construction keep the cloud shut or
close it) and *spoilt* (settings that harm what is learnt, but need not close the cloud). Some of
the ``SEEDS`` choose the thresholds of ``clwork/metrics/diagnosis.py``; the others test them. Sick
runs are repeated with the remedies of ``TRIED``, on the same seeds: advice is given only where it
helped. 168 runs take about an hour on one core.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, methods, metrics
from clwork.data.sources import CorpusRef
from clwork.run_folder.config import RunConfig
from clwork.run_folder.folder import RunFolder
from clwork.training.divergence import DivergedError
from clwork.training.loop import Loop
from clwork.training.preparation import RunInputs, prepare
from scripts import readme
from scripts.blocks.collapse import runs_table_of, trials_table_of

NAME = "collapse_calibration"
Row = dict[str, Any]
# Shares of a run after which its cloud is measured.
PARTS = (0.1, 0.25, 0.5, 1.0)
# A complementary model of 10 steps finds few false negatives.
SHORTER: dict[str, Row] = {"dclr": {"complementary_steps": 10}}
STUCK = {"learning_rate": 1e-7}
FAST = {"learning_rate": 1e-2}
# Settings that change at half of the run, as by a slider.
MOVED: dict[str, Row] = {"rate 1e-2 from half": FAST}
VARIANTS: dict[str, dict[str, tuple[str, Row]]] = {
    "simcse": {
        "default": ("healthy", {}),
        "rate × 2": ("healthy", {"learning_rate": 1.4e-4}),
        "rate 1e-7": ("sick", STUCK),
        "rate 1e-2": ("sick", FAST),
        "rate 1e-2 from half": ("sick", {}),
        "one mask for both views": ("spoilt", {"fixed_mask": True}),
    },
    "dclr": {
        "default": ("healthy", {}),
        "all negatives masked, no noise": (
            "sick",
            {"phi": -1.0, "phi_quantile": 0.0, "noise_ratio": 0.0},
        ),
        "rate 1e-7": ("sick", STUCK),
        "rate 1e-2": ("sick", FAST),
    },
    "self_guided": {
        "default": ("healthy", {}),
        "λ 10": ("sick", {"lam": 10.0}),
        "rate 1e-7": ("sick", STUCK),
        "rate 1e-2": ("sick", FAST),
        "rate 1e-2 from half": ("sick", {}),
    },
    "gclsr": {
        "default": ("healthy", {}),
        "rate × 2": ("healthy", {"learning_rate": 2.0}),
        "no stop-gradient": ("sick", {"stop_gradient": False}),
        "no stop-gradient, no norm": (
            "sick",
            {"stop_gradient": False, "projector_last_norm": False},
        ),
        "no predictor": ("sick", {"predictor": 0}),
        "rate 1e-4": ("sick", {"learning_rate": 1e-4}),
    },
    "mocoutrl": {
        "default": ("healthy", {}),
        "words alone": ("sick", {"lam": 0.0}),
        "sentences' loss as printed": ("sick", {"long_loss": "literal"}),
        "rate 1e-7": ("sick", STUCK),
        "rate 1e-2": ("sick", FAST),
    },
}


def raised_rate(config: Any) -> Row:
    """A learning rate that is far too low is raised further than a moderate one."""
    factor = 100 if config.learning_rate < 1e-6 else 10
    return {"learning_rate": config.learning_rate * factor}


Seeds = tuple[int, ...]
# Of each method, those that choose thresholds and those that test them. GCLSR's clouds hardly move,
# and its runs take seconds: it has more.
SEEDS: dict[str, tuple[Seeds, Seeds]] = dict.fromkeys(VARIANTS, ((0, 1), (2,)))
SEEDS["gclsr"] = tuple(range(5)), tuple(range(5, 10))
# From a method's configuration to the settings that a remedy changes.
Change = Callable[[Any], Row]
EACH = tuple(VARIANTS)
# What could be advised: the methods that have the setting, and what it changes.
REMEDIES: dict[str, tuple[tuple[str, ...], Change]] = {
    "raise the learning rate": (EACH, raised_rate),
    "lower the learning rate": (EACH, lambda c: {"learning_rate": c.learning_rate / 10}),
    "raise the temperature": (("simcse",), lambda c: {"temperature": 4 * c.temperature}),
    "lower the temperature": (("simcse",), lambda c: {"temperature": c.temperature / 4}),
    "lower λ": (("self_guided",), lambda c: {"lam": c.lam / 10}),
    "raise λ": (("mocoutrl",), lambda c: {"lam": min(1.0, c.lam + 0.5)}),
    "switch the stop-gradient on": (("gclsr",), lambda c: {"stop_gradient": True}),
    "make the groups of dimensions smaller": (
        ("gclsr",),
        lambda c: {"group_dim": c.group_dim // 2},
    ),
    "mask fewer negatives": (("dclr",), lambda c: {"phi": 0.9}),
    "add noise negatives": (("dclr",), lambda c: {"noise_ratio": 1.0}),
}
# Which remedies a sick variant is tried with: those that could help it by what it does.
TRIED: dict[str, tuple[str, ...]] = {
    "rate 1e-7": ("raise the learning rate", "raise the temperature", "lower the temperature"),
    "rate 1e-2": ("lower the learning rate",),
    "λ 10": ("lower λ", "raise the learning rate"),
    "words alone": ("raise λ", "raise the learning rate"),
    "sentences' loss as printed": ("lower the learning rate",),
    "all negatives masked, no noise": (
        "mask fewer negatives",
        "add noise negatives",
        "lower the learning rate",
    ),
    "no stop-gradient": (
        "switch the stop-gradient on",
        "lower the learning rate",
        "make the groups of dimensions smaller",
    ),
    "no stop-gradient, no norm": (
        "switch the stop-gradient on",
        "lower the learning rate",
        "make the groups of dimensions smaller",
    ),
}


def settings_of(
    method: str, variant: str, remedy: str, encoder: str, shared: Row
) -> tuple[str, Any]:
    """The encoder and configuration of a variant, with the remedy where there is one."""
    default_encoder = methods.get(method).default_encoder
    if default_encoder != "mini":
        encoder = default_encoder
    _, changed = VARIANTS[method][variant]
    values = shared | SHORTER.get(method, {}) | changed
    config = methods.config(method, encoder=encoder, **values)
    if remedy:
        _, remedied = REMEDIES[remedy]
        config = methods.config(method, encoder=encoder, **(values | remedied(config)))
    return encoder, config


def keys(options: argparse.Namespace) -> list[Row]:
    """Every run, by seed; remedies of a variant, for the first seeds, come after the variant."""
    wanted = []
    for seed in options.seeds or range(10):
        for method in options.methods:
            choosing, testing = SEEDS[method]
            if not options.seeds and seed not in choosing + testing:
                continue
            for variant in VARIANTS[method]:
                wanted.append({"method": method, "variant": variant, "remedy": "", "seed": seed})
                if seed >= options.remedy_seeds:
                    continue
                for remedy in TRIED.get(variant, ()):
                    treatable, _ = REMEDIES[remedy]
                    if method in treatable:
                        wanted.append(
                            {"method": method, "variant": variant, "remedy": remedy, "seed": seed}
                        )
    return wanted


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__, runs=True)
    parser.add_argument(
        "--methods", nargs="+", choices=tuple(VARIANTS), default=list(VARIANTS), metavar="NAME"
    )
    parser.add_argument("--seeds", type=int, nargs="+", help="by default 0 to 2, for GCLSR 0 to 9")
    parser.add_argument(
        "--remedy-seeds", type=int, default=2, help="of the seeds, how many are tried with remedies"
    )
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="bfloat16")
    return parser.parse_args(arguments)


def cloud_at(loop: Loop) -> Row:
    """The cloud at this step: its signals, and its shape by itself."""
    if loop.probe.vectors_step != loop.step:
        loop.measure()
    assert loop.probe.vectors is not None
    diagnosis = metrics.diagnose(loop.probe.vectors)
    signals = {name: round(value, 5) for name, value in diagnosis.signals.items()}
    return {"step": loop.step, "shape": diagnosis.verdict, **signals}


def one_run(key: Row, settings: Row, sentences: data.Sentences) -> Row:
    """Train, measure the cloud at each of ``PARTS``, and score the end by the article labels."""
    steps = settings["steps"]
    shared = {"batch_size": settings["batch_size"], "precision": settings["precision"]}
    encoder, config = settings_of(
        key["method"], key["variant"], key["remedy"], settings["encoder"], shared
    )
    run_config = RunConfig(
        name="calibration",
        method=key["method"],
        encoder=encoder,
        sentences=CorpusRef(),
        config=asdict(config),
        steps=steps,
        seed=key["seed"],
        sts=None,
        device=None,
        precision=settings["precision"],
        probe_every=steps,
        eval_every=10 * steps,
        checkpoint_every=10 * steps,
    )
    measured_steps = {round(part * steps) for part in PARTS}
    measurements = []
    ended = "finished"
    score = None
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        loop, _ = prepare(run_config, RunFolder(folder), config, RunInputs(encoder, sentences))
        measurements.append(cloud_at(loop))
        try:
            while loop.step < steps:
                if loop.step == steps // 2:
                    for name, value in MOVED.get(key["variant"], {}).items():
                        setattr(loop.method.config, name, value)
                loop.advance()
                if loop.step in measured_steps:
                    measurements.append(cloud_at(loop))
            score = _auc(loop, sentences)
        except DivergedError:
            ended = f"diverged after step {loop.step}"
    seconds = round(time.perf_counter() - started, 1)
    return {
        "ended": ended,
        "same_article_auc": score,
        "seconds": seconds,
        "measurements": measurements,
    }


def _auc(loop: Loop, sentences: data.Sentences) -> float | None:
    """Whether sentences of one article are closer than others, after the last step."""
    if sentences.groups is None:
        return None
    # Consecutive sentences, so that each article has several.
    length, stretches = 20, 30
    rows: set[int] = set()
    for number in range(stretches):
        start = number * max(1, len(sentences) - length) // stretches
        rows.update(range(start, min(start + length, len(sentences))))
    vectors = loop.method.test_encoder().encode([sentences[row] for row in sorted(rows)])
    groups = [sentences.groups[row] for row in sorted(rows)]
    return round(metrics.pair_auc(vectors, groups), 4)


def measure(options: argparse.Namespace) -> Row:
    """Every missing run, each written down at once; all variants of a seed before the next seed."""
    import torch

    torch.set_num_threads(options.threads)
    settings = report.shared(options, "steps", "batch_size", "sentences", "precision", "threads")
    runs = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    found = {
        "settings": settings,
        "choosing": {method: list(seeds[0]) for method, seeds in SEEDS.items()},
        "machine": report.machine(),
        "runs": runs,
    }
    sentences = data.sentences(options.sentences)
    assert isinstance(sentences, data.Sentences)

    def one(**key: Any) -> Row:
        kind, _ = VARIANTS[key["method"]][key["variant"]]
        return {"kind": kind, **one_run(key, settings, sentences)}

    report.fill(NAME, found, keys(options), one, options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    found = measure(options)
    print(runs_table_of(found), trials_table_of(found), sep="\n\n")
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
