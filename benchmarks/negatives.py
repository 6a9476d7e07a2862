"""What more negatives do when nothing else differs: one softmax of 512 against small ones.

``python benchmarks/negatives.py --sts FOLDER`` trains SimCSE five times with each seed, for 30
steps of 512 sentences of ``wikipedia-mini``. The runs have the same start, sentences, dropout
masks, learning rate and clipping. A sentence has the 511 others as negatives, or only the 63, 7
or 1 of its part: this loss is the mean of the small batches', so that their gradients are
averaged. A sentence alone in its part has none: its loss is 0 whatever its vectors are, so that
no weight changes and one step is enough. FOLDER holds ``validation.jsonl`` and ``train.jsonl`` of
``stsb`` and ``sickr``. The scores are written to ``benchmarks/results/negatives.json``. Each run
is written down when it ends: a second call does only what is missing, and two calls can divide
the ``--seeds``. ``--variants`` makes some of the five runs alone, and ``--name`` names their file.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, losses, methods, train
from clwork.claims.measures import Encoded, Evaluators, distances_of
from clwork.claims.pairs import Floats, resampled_spearman
from clwork.disk import to_json, write_file
from clwork.methods.base import Views
from clwork.methods.step import parts

NAME = "negatives"
STEPS, BATCH, PART = 30, 512, 64
SETS = tuple((task, split) for split in ("validation", "train") for task in ("stsb", "sickr"))
SCORES = "scores.json"


class InParts(methods.get("simcse")):  # type: ignore[misc]
    """SimCSE with a softmax for each part of the batch: the mean of the losses of small batches."""

    name = "simcse_in_parts"
    part: ClassVar = PART

    def compare(self, views: Views) -> methods.Terms:
        """Return the mean loss of the parts, each with its own negatives only."""
        z1, z2, temperature = views["z1"], views["z2"], self.config.temperature
        each = [
            losses.simcse(z1[part], z2[part], temperature=temperature)
            for part in parts(len(z1), self.part)
        ]
        return methods.Terms(torch.stack(each).mean())


class InSmallParts(InParts):
    """The same with parts of eight sentences."""

    name = "simcse_in_small_parts"
    part: ClassVar = 8


class InPairs(InParts):
    """The same with parts of two sentences."""

    name = "simcse_in_pairs"
    part: ClassVar = 2


class Alone(InParts):
    """The same with parts of one sentence: without negatives."""

    name = "simcse_alone"
    part: ClassVar = 1


VARIANTS = {
    "511 negatives": "simcse",
    "63 negatives": InParts.name,
    "7 negatives": InSmallParts.name,
    "1 negative": InPairs.name,
    "0 negatives": Alone.name,
}
# Left minus right.
COMPARED = (
    ("511 negatives", "63 negatives"),
    ("7 negatives", "63 negatives"),
    ("1 negative", "63 negatives"),
    ("0 negatives", "63 negatives"),
)


def parse(arguments: Sequence[str] | None = None) -> Namespace:
    """The command line."""
    parser = report.parser(__doc__)
    parser.add_argument("--sts", required=True, type=Path, metavar="FOLDER", help="STS tasks")
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2, 3, 4])
    parser.add_argument("--variants", nargs="+", default=[*VARIANTS], choices=VARIANTS)
    parser.add_argument("--name", default=NAME, help="of the file with the results")
    parser.add_argument("--folder", type=Path, default=Path("clwork-runs/negatives"))
    return parser.parse_args(arguments)


def train_and_measure(method: str, seed: int, sts: Path, target: Path) -> None:
    """Train a run, and write the score of each set of pairs, followed by those of resamples."""
    steps = 1 if method == Alone.name else STEPS
    run = train(
        method,
        encoder="mini",
        sentences="wikipedia-mini",
        steps=steps,
        seed=seed,
        batch_size=BATCH,
        micro_batch=PART,
        folder=target / "run",
        probe_every=steps,
        eval_every=steps,
        checkpoint_every=steps,
    )
    rated = {f"{task}/{split}": data.sts_pairs(task, split, sts) for task, split in SETS}
    material = Evaluators(rated, [])
    encoded = Encoded(material.texts, run.encoder.encode(material.texts))
    record = {
        "scores": {
            name: resampled_spearman(distances, rated[name].scores).tolist()
            for name, distances in distances_of(encoded, material).items()
        },
        "uniformity": float(run.history["uniformity"].dropna().iloc[-1]),
        "machine": report.machine(),
    }
    write_file(target / SCORES, to_json(record))


def summary(folder: Path, seeds: Sequence[int], variants: Sequence[str]) -> dict[str, Any]:
    """The scores of these runs, and their differences with an interval."""
    records = {
        name: {
            seed: json.loads(
                (folder / VARIANTS[name] / str(seed) / SCORES).read_text(encoding="utf-8")
            )
            for seed in seeds
        }
        for name in variants
    }
    machine = records[variants[0]][seeds[0]]["machine"]
    found: dict[str, Any] = {"seeds": [*seeds], "machine": machine}
    found["uniformity"] = {
        name: [round(of[seed]["uniformity"], 4) for seed in seeds] for name, of in records.items()
    }
    for split in ("validation", "train"):
        by_set = []
        for task in ("stsb", "sickr"):
            name = f"{task}/{split}"
            scores = {
                variant: np.array([of[seed]["scores"][name] for seed in seeds])
                for variant, of in records.items()
            }
            by_set.append(scores)
            found[name] = {variant: of[:, 0].round(3).tolist() for variant, of in scores.items()}
            found[name] |= differences(scores)
        both = {variant: np.mean([of[variant] for of in by_set], axis=0) for variant in variants}
        found[f"mean/{split}"] = differences(both)
    return found


def differences(scores: dict[str, Floats]) -> dict[str, Any]:
    """Each comparison of two variants."""
    return {
        f"{left} - {right}": compared(scores[left] - scores[right])
        for left, right in COMPARED
        if {left, right} <= scores.keys()
    }


def compared(differences: Floats) -> dict[str, Any]:
    """The mean difference, with 95 % intervals: of all pairs, then of resamples, by seed."""
    by_seed = differences[:, 0]
    of_seeds = float(by_seed.var(ddof=1)) / len(by_seed)
    of_pairs = float(differences[:, 1:].mean(axis=0).var(ddof=1))
    mean = float(by_seed.mean())
    return {
        "difference": round(mean, 3),
        "error over pairs": round(of_pairs**0.5, 3),
        "over seeds": report.interval(mean, of_seeds, len(by_seed)),
        "over seeds and pairs": report.interval(mean, of_seeds + of_pairs, len(by_seed)),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the runs that are missing, and write the scores."""
    options = parse(arguments)
    for kind in (InParts, InSmallParts, InPairs, Alone):
        methods.register(kind)
    for seed in options.seeds:
        for method in (VARIANTS[name] for name in options.variants):
            target = options.folder / method / str(seed)
            if not (target / SCORES).exists():
                train_and_measure(method, seed, options.sts, target)
    found = summary(options.folder, options.seeds, options.variants)
    report.write(options.name, found, options.results)


if __name__ == "__main__":
    main()
