"""Which judge that ships ranks encoders as people do: graded pairs, silver pairs, same-article AUC or topic k-NN?

``python benchmarks/judge_agreement.py --sts FOLDER`` writes ``benchmarks/results/judge_agreement.json`` and its tables
in docs/measured.md. Good and spoilt runs of SimCSE (those of ``proxy_agreement.py``) are kept at several steps in
``--encoders``, and each is scored by every judge and on the validation sets of STS-B and SICK-R: at [CLS], as the mean
over tokens, as the mean of the first and last layer; the first and the last of these also with the mean removed, and
whitened, each fitted on the corpus, on STS-B's sentences (their scores unread) and on the graded pairs' sentences. A
run is written down when all of it is scored: a second call does only what is missing. Intervals come from resampling
*runs*.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import report
from benchmarks.proxy_agreement import RESAMPLES, VARIANTS, Row, one_run
from clwork import data, disk, load_encoder, metrics, precision
from clwork.encoders import Encoder
from clwork.training.validation import NEIGHBOURS, Validation, make_validation
from scripts import readme
from scripts.blocks.judges import (
    CHANGED,
    CHANGES,
    FITS,
    HOME,
    JUDGES,
    PEOPLE,
    SAME,
    Condition,
    conditions,
    judges_of,
)

NAME = "judge_agreement"
PLAIN = ("negation", "roles", "number", "other sense")  # kinds of graded pairs that *graded, plain* leaves out

Vectors = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Change = Callable[[Vectors], Vectors]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sts", required=True, metavar="FOLDER", help="folder of STS tasks")
    parser.add_argument("--at", type=int, nargs="+", default=[10, 30, 150], help="steps to score; the last ends it")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--encoder", default="mini")
    parser.add_argument("--variants", nargs="+", choices=tuple(VARIANTS), default=list(VARIANTS), metavar="NAME")
    kept = disk.cache_folder() / NAME
    parser.add_argument("--encoders", type=Path, default=kept, metavar="FOLDER", help=f"where they are kept ({kept})")
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were made with other settings")
    parser.add_argument("--no-readme", action="store_true", help="leave docs/measured.md as it is")
    parser.add_argument("--results", type=Path, default=report.RESULTS, metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


class Rows:
    """An encoder by its vectors: a table from texts to rows, for what asks an encoder for vectors."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self.places, self.vectors = {text: row for row, text in enumerate(texts)}, vectors

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Rows of these texts, in their order."""
        return self.vectors[[self.places[text] for text in texts]]


@dataclass(frozen=True)
class Material:
    """What every encoder is asked: people's and the judges' pairs, and the sentences of the corpus's proxies."""

    pairs: Mapping[str, data.StsPairs]
    validation: Validation

    @staticmethod
    def read(sts: str, sentences: data.Sentences) -> Material:
        """All of it; the judges' pairs ship."""
        graded = data.graded_pairs()
        assert graded.subsets is not None
        plain = [row for row, kind in enumerate(graded.subsets) if kind not in PLAIN]
        pairs = {task: data.sts_pairs(task, source=sts) for task in PEOPLE}
        pairs |= {"graded": graded, "plain": part_of(graded, plain), "silver": data.silver_pairs()}
        return Material(pairs, make_validation(sentences, {}, proxies=True))

    @cached_property
    def texts(self) -> list[str]:
        """Every sentence once."""
        each = (text for pairs in self.pairs.values() for text in (*pairs.sentences1, *pairs.sentences2))
        return list(dict.fromkeys((*each, *self.validation.texts)))

    def domain(self, name: str) -> list[str]:
        """The sentences that a change of the vectors is fitted on."""
        pairs = self.pairs[{"corpus": "silver"}.get(name, name)]
        return list(dict.fromkeys((*pairs.sentences1, *pairs.sentences2)))

    def score(self, rows: Rows) -> dict[str, float] | None:
        """People's and the judges' scores, all × 100; None for vectors that have collapsed."""
        try:
            scores = metrics.sts(rows, self.pairs)
        except metrics.CollapsedEncoderError:
            return None
        vectors, labels, groups = rows.encode(self.validation.texts), self.validation.labels, self.validation.groups
        assert labels is not None and groups is not None
        scores["auc"] = 100 * metrics.pair_auc(vectors, groups)
        scores["knn"] = 100 * metrics.knn_label_accuracy(vectors, labels, k=NEIGHBOURS)
        return {name: round(scores[name], 3) for name in (*PEOPLE, *JUDGES)}


def part_of(pairs: data.StsPairs, rows: Sequence[int]) -> data.StsPairs:
    """Some pairs of a task."""
    first, second = ([column[row] for row in rows] for column in (pairs.sentences1, pairs.sentences2))
    return data.StsPairs("plain", first, second, [pairs.scores[row] for row in rows], split="")


def fitted(change: str, sample: Vectors) -> Change:
    """The change of vectors that a sample of them asks for."""
    from sklearn.decomposition import PCA

    if change == "mean removed":
        mean = sample.mean(axis=0)
        return lambda vectors: vectors - mean
    whitening = PCA(whiten=True).fit(sample)
    return lambda vectors: whitening.transform(vectors).astype(np.float32)


def pooled(encoder: Encoder, texts: list[str]) -> Iterator[tuple[str, Vectors]]:
    """The texts' vectors under each pooling, from one pass through the encoder."""
    with precision.forward_pass(encoder.device, precision.resolve("auto", encoder.device.type).name):
        grid = encoder.layer_grid(texts)
    last = max(layer for layer, _ in grid)
    yield "cls", grid[last, "cls_before_pooler"]
    yield "mean", grid[last, "mean"]
    yield "first_last", np.float32(0.5) * (grid[1, "mean"] + grid[last, "mean"])


def judged(encoder: Encoder, material: Material) -> dict[str, dict[str, float]] | None:
    """Scores by condition, ``"pooling/change/fitted on"``; None for an encoder that collapses under any."""
    scores: dict[str, dict[str, float]] = {}
    for pooling, vectors in pooled(encoder, material.texts):
        plain = Rows(material.texts, vectors)
        changes: dict[str, Change] = {f"{pooling}/{SAME}": lambda rows: rows}
        for fit in FITS if pooling in CHANGED else ():
            sample = plain.encode(material.domain(fit))
            changes |= {f"{pooling}/{change}/{fit}": fitted(change, sample) for change in CHANGES}
        for name, change in changes.items():
            found = material.score(Rows(material.texts, change(vectors)))
            if found is None:
                return None
            scores[name] = found
    return scores


def encoders_of(
    variant: str, settings: dict[str, Any], sentences: data.Sentences, place: Path
) -> Iterator[tuple[int, Path]]:
    """The folders of a run's encoders by step; the run is done first if one is missing."""
    slug = "".join(letter if letter.isalnum() or letter == "." else "_" for letter in variant)
    folders = [(step, place / slug / str(step)) for step in settings["at"]]
    if not all(folder.is_dir() for _, folder in folders):
        left = iter(folders)

        def keep(encoder: Encoder) -> Row:
            encoder.save(next(left)[1])
            return {}

        one_run(variant, settings | {"representation": "cls"}, sentences, keep)
    yield from folders


def table(runs: Sequence[Row], condition: Condition) -> Floats:
    """Scores ``(N, tasks + judges)`` of all encoders of the runs, each column under its own form of a condition."""
    return np.array(
        [
            [encoder["scores"][condition.key(column)][column] for column in (*PEOPLE, *JUDGES)]
            for run in runs
            for encoder in run["encoders"]
        ]
    )


def agreement(scores: Floats) -> Floats:
    """Rank correlations ``(tasks, judges)``."""
    from scipy.stats import rankdata

    with np.errstate(invalid="ignore"):  # a resample of one run thrice over may have equal ranks
        everything = np.corrcoef(rankdata(scores, axis=0), rowvar=False)
    return np.asarray(everything[: len(PEOPLE), len(PEOPLE) :])


def summary(runs: Sequence[Row], resamples: int = RESAMPLES) -> dict[str, Any]:
    """Rank correlations by condition, how far silver exceeds the others, each ``[value, low, high]``."""
    draw = np.random.default_rng(0)
    samples = [range(len(runs)), *draw.integers(len(runs), size=(resamples, len(runs))).tolist()]
    named = {condition.title: condition for condition in conditions()}
    by_run = {title: [table([run], condition) for run in runs] for title, condition in named.items()}
    by_run["all of these in one ranking"] = [np.concatenate(parts) for parts in zip(*by_run.values(), strict=True)]
    found: dict[str, Any] = {"conditions": {}, "silver exceeds": {}, "changes": changes_of(runs)}
    silver = list(JUDGES).index("silver")
    for title, parts in by_run.items():
        drawn = np.array([agreement(np.concatenate([parts[run] for run in sample])) for sample in samples])
        found["conditions"][title] = _intervals(drawn)
        found["silver exceeds"][title] = _intervals(drawn[:, :, [silver]] - drawn)
    return found


def _intervals(drawn: Floats) -> dict[str, dict[str, list[float]]]:
    """By task and judge the first value and the 95 % interval of the others."""
    low, high = np.nanpercentile(drawn[1:], [2.5, 97.5], axis=0)
    return {
        task: {
            judge: [round(float(value), 4) for value in (drawn[0, i, j], low[i, j], high[i, j])]
            for j, judge in enumerate(JUDGES)
        }
        for i, task in enumerate(PEOPLE)
    }


def changes_of(runs: Sequence[Row]) -> dict[str, Any]:
    """What a change of the vectors does on average to each score, and how often a judge moves as STS-B does."""
    found = {}
    for pooling in CHANGED:
        before = table(runs, Condition(pooling))
        for change in CHANGES:
            for fit in (*FITS, HOME):
                moved = table(runs, Condition(pooling, change, fit)) - before
                alike = (np.sign(moved) == np.sign(moved[:, :1])).mean(axis=0)
                columns = zip((*PEOPLE, *JUDGES), moved.mean(axis=0), alike, strict=True)
                found[f"{pooling}/{change}/{fit}"] = {
                    name: [round(float(mean), 3), round(float(share), 4)] for name, mean, share in columns
                }
    return found


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Every run that is missing, each written down at once, and the summary of all."""
    settings = report.shared(options, "at", "batch_size") | {"at": sorted(options.at)}
    runs: list[Row] = report.earlier(options.results / f"{NAME}.json", settings, options.fresh)
    sentences = data.sentences("wikipedia-mini")
    assert isinstance(sentences, data.Sentences)
    material = Material.read(options.sts, sentences)
    found: dict[str, Any] = {"settings": settings, "machine": report.machine(), "runs": runs}

    def one(variant: str) -> Row:
        places = [(0, Path(options.encoder))]
        if variant != "raw":
            places = list(encoders_of(variant, settings, sentences, options.encoders))
        scored = ((step, judged(load_encoder(str(place)), material)) for step, place in places)
        return {"encoders": [{"step": step, "scores": scores} for step, scores in scored if scores is not None]}

    report.fill(NAME, found, [{"variant": name} for name in ("raw", *options.variants)], one, options.results)
    found["summary"] = summary([run for run in runs if run["encoders"]])
    report.write(NAME, found, options.results)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure, write, show."""
    options = parse(arguments)
    print(judges_of(measure(options)))
    return 0 if options.no_readme else readme.main([])


if __name__ == "__main__":
    sys.exit(main())
