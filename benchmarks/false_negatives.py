"""Do false negatives hurt SimCSE, and does DCLR's judge find what an oracle finds?

``python benchmarks/false_negatives.py --sts FOLDER`` trains the mini encoder by SimCSE's preset for
150 steps, and writes ``benchmarks/results/false_negatives.json``. FOLDER holds
``stsb/train.jsonl``, whose pairs rated above 4 are the paraphrases, and the validation files of
STS-B and SICK-R. A fifth of each batch of 64 comes from such pairs, but for the last variant:

- ``planted``: six pairs in each batch, so that each sentence of a pair is a negative of the other;
- ``oracle``: the same batches; exactly the twelve cells of the six pairs are struck out;
- ``near``: the same batches; the twelve most similar cells of the encoder itself that are no known
  pair are struck out: strong negatives, as many as the oracle's, that do not mean the same;
- ``judge``: the same batches; a SimCSE of 60 steps strikes out its most similar .3 % of the cells
  outside the diagonal, so about as many as the oracle;
- ``apart``: the same sentences, but the second one of each pair comes a batch earlier, so that no
  batch has a known pair;
- ``plain``: Wikipedia alone. 52 of the 64 sentences of a batch are those of ``planted``.

Runs of a seed share their batches and their dropout. Each run is written down when it ends: a
second call does only what is missing. FOLDER of ``--work`` keeps the judges and the cosines.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from clwork import data, load_encoder, methods, train
from clwork.claims.pairs import distances_between, resampled_spearman, spearman
from clwork.encoders import Encoder
from clwork.methods.base import Draws, Views
from clwork.methods.dclr import DCLR
from clwork.training import batches
from scripts.evidence.corpora import corpus

NAME = "false_negatives"
PLAIN_TEXT = "wikipedia-mini"
TEXT = "wikipedia-mini, rated pairs"
TASKS = ("stsb", "sickr")
SHARE = 0.2
JUDGE_STEPS = 60
VARIANTS = ("planted", "oracle", "near", "judge", "apart", "plain")
# Cells that the oracle and ``near`` strike out of each batch.
CELLS = 12
# Left minus right.
COMPARED = (
    ("planted", "apart"),
    ("planted", "plain"),
    ("oracle", "planted"),
    ("near", "planted"),
    ("oracle", "near"),
    ("judge", "planted"),
    ("judge", "oracle"),
)


class Apart(batches.InjectedFalseNegatives):
    """The sentences of the injected pairs, but no pair is in one batch."""

    def inject(
        self, rows: Sequence[int], step: int, key_of: Callable[[int], Hashable]
    ) -> list[int]:
        """Replace the last rows by first sentences of this step, and second ones of a later."""
        now = super().inject(rows, step, key_of)
        size = 2 * self._pairs
        group_of = {row: number for number, rows in enumerate(self._groups) for row in rows}
        firsts = now[-size::2]
        here = {group_of[row] for row in firsts}
        later = step + 1
        seconds = super().inject(rows, later, key_of)[-size + 1 :: 2]
        while not here.isdisjoint(group_of[row] for row in seconds):
            later += 1
            seconds = super().inject(rows, later, key_of)[-size + 1 :: 2]
        return now[:-size] + [row for pair in zip(firsts, seconds, strict=True) for row in pair]


class Watched(DCLR):
    """DCLR that knows the injected pairs: it counts those that are struck out.

    ``mask`` is the variant whose cells are struck out.
    """

    name = "dclr-watched"
    mask: ClassVar = "judge"
    # The groups of each sentence by its token ids.
    groups: ClassVar[dict[tuple[int, ...], set[str]]] = {}
    # Of each step: known pairs that are struck out, all that are struck out, all known pairs.
    counts: ClassVar[list[tuple[int, int, int]]] = []
    known: Tensor

    def fixed(self, batch: Sequence[Any], draws: Draws) -> Views:
        """Note which cells of the batch are known pairs; only a judge needs vectors."""
        own = [self.groups.get(tuple(tokens.ids), set()) for tokens, _ in batch]
        self.known = torch.tensor([[not one.isdisjoint(other) for other in own] for one in own])
        self.known.fill_diagonal_(False)
        if self.mask != "judge":
            return {"complementary": torch.eye(len(batch))}
        return super().fixed(batch, draws)

    def similarities(self, views: Views) -> Tensor | None:
        """Return the judge's cosines, or 1 in the cells that are struck out, and else 0."""
        if self.mask == "judge":
            return super().similarities(views)
        if self.mask == "oracle":
            return self.known.float()
        cosines = normalize(views["z1"].detach()) @ normalize(views["z2"].detach()).T
        others = ~self.known & ~torch.eye(len(cosines), dtype=torch.bool)
        nearest = cosines.where(others, -1.0).flatten().topk(CELLS).indices
        return torch.zeros(cosines.numel()).index_fill(0, nearest, 1.0).view_as(cosines)

    def _weights(self, views: Views) -> Tensor | None:
        """Count what the weights strike out."""
        weights = super()._weights(views)
        assert weights is not None
        out = weights == 0
        self.counts.append((int((out & self.known).sum()), int(out.sum()), int(self.known.sum())))
        return weights


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = report.parser(__doc__)
    parser.add_argument("--sts", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--variants", nargs="+", default=VARIANTS, choices=VARIANTS)
    parser.add_argument("--fresh", action="store_true", help="forget runs with other settings")
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir()) / NAME, metavar="FOLDER"
    )
    return parser.parse_args(arguments)


def paraphrases(text: data.Sentences) -> list[str]:
    """The sentences that have a group, first and second ones in turn."""
    groups = text.groups or ()
    return [each for each, group in zip(text, groups, strict=True) if group is not None]


def of_mask(variant: str, judge: Path) -> dict[str, Any]:
    """The settings of DCLR without noise that make the mask of a variant."""
    if variant != "judge":
        return {"noise_ratio": 0.0, "phi_quantile": 0.0, "complementary": "mini"}
    return {"noise_ratio": 0.0, "phi_quantile": 0.997, "complementary": str(judge)}


def one_run(
    seed: int, variant: str, options: argparse.Namespace, text: data.Sentences
) -> dict[str, Any]:
    """Train one variant and score its encoder of the last step."""
    shared: dict[str, Any] = {"encoder": "mini", "seed": seed, "precision": "float32"}
    shared |= {"probe_every": options.steps, "eval_every": options.steps}
    settings: dict[str, Any] = {"sentences": text, "same_group": SHARE}
    method = "simcse"
    context: AbstractContextManager[Any] = nullcontext()
    Watched.counts.clear()
    if variant == "plain":
        settings = {"sentences": data.sentences(PLAIN_TEXT)}
    elif variant == "apart":
        context = patch.object(batches, "InjectedFalseNegatives", Apart)
    elif variant != "planted":
        Watched.mask = variant
        method = Watched.name
        judge = options.work / f"judge-{seed}"
        if variant == "judge" and not judge.exists():
            plain = data.sentences(PLAIN_TEXT)
            train("simcse", sentences=plain, steps=JUDGE_STEPS, folder=judge, **shared)
        settings |= of_mask(variant, judge)
    with tempfile.TemporaryDirectory() as folder, context:
        path = Path(folder) / "run"
        run = train(method, steps=options.steps, folder=path, **shared, **settings)
    found: dict[str, Any] = {"first_loss": round(float(run.history["loss"].dropna().iloc[0]), 4)}
    found |= scores(run.encoder, options.sts, options.work / f"{variant}-{seed}.pt")
    # How near the paraphrases end, and how near sentences of two pairs are.
    sentences = paraphrases(text)
    one, two = (torch.from_numpy(run.encoder.encode(sentences[start::2])) for start in (0, 1))
    found["pair_cosine"] = round(float(cosine_similarity(one, two).mean()), 4)
    found["other_cosine"] = round(float(cosine_similarity(one, two.roll(1, 0)).mean()), 4)
    if Watched.counts:
        hits, out, known = (sum(column) for column in zip(*Watched.counts, strict=True))
        found["cells"] = round(out / len(Watched.counts), 2)
        found["recall"] = round(hits / known, 4)
        found["precision"] = round(hits / out, 4)
        share = run.history["masking_gradient"].dropna().mean()
        found["masking_gradient"] = round(float(share), 4)
    return found


def scores(encoder: Encoder, folder: Path, path: Path) -> dict[str, float]:
    """Spearman × 100 on each task; the distances of its pairs are written to ``path``."""
    found = {}
    distances = {}
    for task in TASKS:
        pairs = data.sts_pairs(task, source=folder)
        both = encoder.encode(pairs.sentences1), encoder.encode(pairs.sentences2)
        distances[task] = torch.from_numpy(distances_between(*both))
        found[task] = round(spearman(distances[task].numpy(), pairs.scores), 3)
    torch.save(distances, path)
    return found


def pair_errors(options: argparse.Namespace) -> dict[str, float]:
    """The standard error over pairs of each comparison's mean difference, if its runs are there."""
    ratings = {task: data.sts_pairs(task, source=options.sts).scores for task in TASKS}

    def resampled(variant: str, seed: int, task: str) -> Any:
        distances = torch.load(options.work / f"{variant}-{seed}.pt")[task]
        return resampled_spearman(distances.numpy(), ratings[task])

    errors = {}
    for left, right in COMPARED:
        needed = [f"{variant}-{seed}.pt" for variant in (left, right) for seed in options.seeds]
        if not all((options.work / name).exists() for name in needed):
            continue
        variance = 0.0
        for task in TASKS:
            gaps = [resampled(left, s, task) - resampled(right, s, task) for s in options.seeds]
            variance += float((sum(gaps) / len(gaps))[1:].var(ddof=1)) / len(TASKS) ** 2
        errors[f"{left} - {right}"] = round(variance**0.5, 4)
    return errors


def main(arguments: list[str] | None = None) -> int:
    """Train what is missing, and write everything."""
    options = parse(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    methods.register(Watched)
    text = corpus(TEXT, options.sts)
    assert isinstance(text, data.Sentences)
    groups = [group for group in text.groups or () if group is not None]
    for tokens, group in zip(load_encoder("mini").tokenize(paraphrases(text)), groups, strict=True):
        Watched.groups.setdefault(tuple(tokens.ids), set()).add(group)
    settings = {"steps": options.steps, "text": TEXT, "share": SHARE, "precision": "float32"}
    runs = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    found = {"settings": settings, "machine": report.machine(), "runs": runs}
    keys = [{"seed": seed, "variant": name} for seed in options.seeds for name in options.variants]
    one = partial(one_run, options=options, text=text)
    report.fill(NAME, found, keys, one, options.results)
    found["pair_errors"] = pair_errors(options)
    report.write(NAME, found, options.results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
