"""Whether a random division of the pairs explains the fall of a lead in notebook 10.

``python benchmarks/splits.py`` trains the decoupled loss and SimCSE as section 2 of the notebook
does, at 3e-4, with each of the ``--seeds``. Their mean lead on the first 500 silver pairs, less
that on the next 1,000, is compared with 2,000 random divisions of the same pairs, and with the
error over pairs from resamples, as the notebook computes it. The result goes to
``benchmarks/results/splits.json``. 14 seeds take five minutes on one core.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from scipy.stats import spearmanr
from torch.nn.functional import normalize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import clwork
from benchmarks import report
from clwork import data, methods
from clwork.methods.base import Views

FIRST, PAIRS = 500, 1500
DIVISIONS, RESAMPLES = 2000, 300
SETTINGS: dict[str, Any] = {
    "batch_size": 32,
    "max_length": 16,
    "dropout_attention": 0.4,
    "schedule": "constant",
    "warmup": 0.0,
    "learning_rate": 3e-4,
    "steps": 20,
    "probe_every": 20,
    "eval_every": 0,
}


class Decoupled(methods.get("simcse")):  # type: ignore[misc]
    """SimCSE without the positive in the denominator (Yeh et al. 2022)."""

    name = "decoupled"

    def compare(self, views: Views) -> methods.Terms:
        """Return the mean loss of the rows."""
        cosines = (normalize(views["z1"]) @ normalize(views["z2"]).T).float()
        scores = cosines / self.config.temperature
        own = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
        others = scores.masked_fill(own, -torch.inf).logsumexp(dim=1)
        return methods.Terms((others - scores.diag()).mean())

    def forces(self, views: Views) -> None:
        """Nothing: the inherited forces would be SimCSE's."""


def cosines_after(
    method: str, seed: int, sentences: data.Sentences, pairs: data.StsPairs
) -> np.ndarray:
    """The cosines of the pairs after a run."""
    with TemporaryDirectory() as folder:
        run = clwork.train(
            method,
            encoder="mini",
            sentences=sentences,
            seed=seed,
            folder=Path(folder) / method,
            **SETTINGS,
        )
        texts = pairs.sentences1[:PAIRS], pairs.sentences2[:PAIRS]
        first, second = (normalize(torch.as_tensor(run.encoder.encode(list(t)))) for t in texts)
    return np.asarray((first * second).sum(dim=1))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the runs, and compare the division of the notebook with random ones."""
    parser = report.parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=[*range(3, 17)])
    options = parser.parse_args(arguments)
    methods.register(Decoupled)
    sentences = data.sentences("wikipedia-mini").every_group(4).at_most(12)
    pairs = data.silver_pairs()
    rated = np.asarray(pairs.scores)[:PAIRS]
    sides = [
        [cosines_after(method, seed, sentences, pairs) for seed in options.seeds]
        for method in ("decoupled", "simcse")
    ]

    def lead(rows: np.ndarray) -> float:
        """The mean lead on these pairs, Spearman × 100."""
        means = [
            float(np.mean([spearmanr(of[rows], rated[rows]).statistic for of in side]))
            for side in sides
        ]
        return 100 * (means[0] - means[1])

    generator = np.random.default_rng(0)
    rows = np.arange(PAIRS)
    on_first, on_others = lead(rows[:FIRST]), lead(rows[FIRST:])
    fall = on_first - on_others
    falls = []
    for _ in range(DIVISIONS):
        mixed = generator.permutation(rows)
        falls.append(lead(mixed[:FIRST]) - lead(mixed[FIRST:]))
    errors = [
        float(np.std([lead(generator.choice(part, len(part))) for _ in range(RESAMPLES)], ddof=1))
        for part in (rows[:FIRST], rows[FIRST:])
    ]
    found = {
        "seeds": options.seeds,
        "lead on the first pairs": round(on_first, 2),
        "lead on the others": round(on_others, 2),
        "fall": round(fall, 2),
        "standard deviation of the fall in random divisions": round(float(np.std(falls)), 3),
        "random divisions with as large a fall or rise": int(np.sum(np.abs(falls) >= abs(fall))),
        "random divisions": DIVISIONS,
        "error of the fall over pairs, from resamples": round(math.hypot(*errors), 3),
        "machine": report.machine(),
    }
    report.write("splits", found, options.results)


if __name__ == "__main__":
    main()
