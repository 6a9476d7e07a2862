"""Measuring an encoder by everything that claims compare: judges with people's ratings, geometry, and the controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from .. import data, metrics
from ..arithmetic import normalize
from ..data.sts import SPLIT_TASKS, StsPairs
from ..encoders import Encoder
from ..metrics.post_processing import Kind, PostProcessing
from .representations import representation

Vectors = npt.NDArray[Any]
View = dict[str, float]

CONTROLS: tuple[str, ...] = (*get_args(Kind), "whitened on the task")
"""Post-processings of every arm's vectors; fitted on the corpus, or on the task's own unlabelled sentences."""

STRETCH, STRETCHES = 20, 100  # sentences in a row, and how many such rows: articles keep several sentences each
NEIGHBOURS = 10
PAIRS = 50_000  # of the corpus, for the area under the curve
FIRST_RATED = 4.0  # pairs rated above it are alike (S5)
FEW_WORDS = 7  # of a short sentence
FIFTHS = 0.2
TRANSFER = {"transfer": ("mr", "trec"), "trec": ("trec",), "wos": ("wos",), "wos_f1": ("wos",)}
"""Tasks whose classifiers give a measure."""
JUDGED = ("graded", "silver")
"""Judges that ship: pairs graded by hand, and a strong encoder's opinion."""


@dataclass(frozen=True)
class Judges:
    """What encoders are measured on.

    Attributes:
        tasks: pairs that people rated, by name; empty where there is no folder with them.
        sentences: of the corpus, in stretches.
        articles: of each of them.
        topics: of each of them.
        paraphrases: pairs that mean the same.
        judged: the pairs of JUDGED, by name.
        folder: with the tasks of transfer; None where there is none.
    """

    tasks: Mapping[str, StsPairs]
    sentences: Sequence[str]
    articles: Sequence[str | None]
    topics: Sequence[str | None]
    paraphrases: Sequence[tuple[str, str]]
    judged: Mapping[str, StsPairs] = field(default_factory=dict)
    folder: Path | None = None
    texts: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        """Collect all distinct sentences."""
        scored = (*self.tasks.values(), *self.judged.values())
        rated = (text for pairs in scored for text in (*pairs.sentences1, *pairs.sentences2))
        alike = (text for pair in self.paraphrases for text in pair)
        object.__setattr__(self, "texts", list(dict.fromkeys([*rated, *self.sentences, *alike])))

    @property
    def task_sentences(self) -> list[str]:
        """The distinct sentences of STS-B; empty where it is not there."""
        pairs = self.tasks.get("stsb")
        return [] if pairs is None else list(dict.fromkeys([*pairs.sentences1, *pairs.sentences2]))


@cache
def judges(folder: Path | None = None) -> Judges:
    """Read the judges: those that ship, and the tasks of a folder laid out as :func:`clwork.data.sts_pairs` reads it.

    Raises:
        FileNotFoundError: the folder lacks a task.
    """
    corpus = data.sentences("wikipedia-mini")
    starts = np.linspace(0, len(corpus) - STRETCH, STRETCHES).astype(int)
    places = [int(start) + i for start in starts for i in range(STRETCH)]
    tasks = {} if folder is None else {task: data.sts_pairs(task, "validation", folder) for task in SPLIT_TASKS}
    articles, topics = corpus.groups or (), corpus.labels or ()
    return Judges(
        tasks,
        [corpus[i] for i in places],
        [articles[i] for i in places],
        [topics[i] for i in places],
        data.paraphrases(),
        dict(zip(JUDGED, (data.graded_pairs(), data.silver_pairs()), strict=True)),
        folder,
    )


class Known:
    """An encoder that has encoded its texts already."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self.texts, self.vectors = texts, vectors
        self._place = {text: i for i, text in enumerate(texts)}

    def encode(self, texts: Iterable[str]) -> Vectors:
        """Vectors of some of its texts."""
        return self.vectors[[self._place[text] for text in texts]]


def measure(
    encoder: Encoder,
    represent: str | None,
    given: Judges,
    controls: bool = True,
    head: nn.Module | None = None,
) -> dict[str, View]:
    """Measure one representation of an encoder, raw and under each control; ``head`` is for ``"sentence head"``.

    Returns:
        The measures by name, for the view ``represent`` (``"own"`` for None) and for ``"represent, control"``.
    """
    known, name = known_of(encoder, represent, given, given.texts, head), represent or "own"
    if not controls:
        return {name: measures_of(known, given)}
    return under_controls(name, known, given, lambda each: measures_of(each, given))


def known_of(
    encoder: Encoder, represent: str | None, given: Judges, texts: Iterable[str], head: nn.Module | None = None
) -> Known:
    """Encode texts under a representation."""
    each = list(dict.fromkeys(texts))
    return Known(each, representation(encoder, represent, each, score=_score_of(given), head=head).numpy())


def under_controls(name: str, known: Known, given: Judges, of: Callable[[Known], View]) -> dict[str, View]:
    """What ``of`` measures of vectors as they are, and under each control.

    Args:
        name: of the view.
        known: the vectors, those of the judges' sentences among them.
        given: the judges.
        of: returns the measures of an encoder that has encoded the same texts.
    """
    views = {name: of(known)}
    for control in CONTROLS if given.tasks else get_args(Kind):
        on_task = control.endswith("on the task")
        kind: Kind = "whitened" if on_task else control  # type: ignore[assignment]
        transform = PostProcessing(kind, known.encode(given.task_sentences if on_task else given.sentences))
        views[f"{name}, {control}"] = of(Known(known.texts, transform(known.vectors)))
    return views


def _score_of(given: Judges) -> Callable[[Any], float]:
    """Rate the vectors of all texts by STS-B, by the silver pairs where it is not there."""

    def score(vectors: torch.Tensor) -> float:
        judge, task = ("stsb", given.tasks["stsb"]) if given.tasks else ("silver", given.judged["silver"])
        return _ranked(Known(given.texts, vectors.numpy()), {judge: task})[judge]

    return score


def measures_of(known: Any, given: Judges) -> View:
    """Every measure that takes no training of its own, of an encoder of the judges' texts."""
    return {**_rated(known, given), **_ranked(known, given.judged), **_of_corpus(known, given)}


def _ranked(known: Any, tasks: Mapping[str, Any]) -> dict[str, float]:
    """Spearman × 100 by task; 0 for an encoder that gives all pairs one cosine: it ranks nothing."""
    scores = {}
    for name, pairs in tasks.items():
        try:
            scores[name] = metrics.sts(known, {name: pairs})[name]
        except metrics.CollapsedEncoderError:
            scores[name] = 0.0
    return scores


def _rated(known: Any, given: Judges) -> View:
    """Against people's ratings."""
    if not given.tasks:
        return {}
    pairs, scores = given.tasks["stsb"], _ranked(known, given.tasks)
    short = {name: found for name, task in given.tasks.items() if len((found := _short(task)).scores) > 1}
    one, other = known.encode(pairs.sentences1), known.encode(pairs.sentences2)
    gold = np.array(pairs.scores)
    cosines = 1 - _squares(one, other) / 2
    low, high = np.quantile(gold, (FIFTHS, 1 - FIFTHS))
    alike = gold > FIRST_RATED
    return {
        **scores,
        "sts": float(np.mean(list(scores.values()))),
        "sts_short": float(np.mean(list(_ranked(known, short).values()))),
        "alignment": metrics.alignment(one[alike], other[alike]),
        "uniformity": metrics.uniformity(known.encode(given.task_sentences)),
        "cosine_gap": float(cosines[gold >= high].mean() - cosines[gold <= low].mean()),
        "cosine_spread": float(cosines.std()),
    }


def _squares(one: Vectors, other: Vectors) -> Vectors:
    """Squared distances of unit vectors, row by row."""

    def unit(rows: Vectors) -> torch.Tensor:
        return normalize(torch.from_numpy(np.asarray(rows, dtype=np.float64)))

    return np.asarray((unit(one) - unit(other)).pow(2).sum(dim=1))


def _short(pairs: StsPairs) -> StsPairs:
    rows = [
        row
        for row in zip(pairs.sentences1, pairs.sentences2, pairs.scores, strict=True)
        if max(len(row[0].split()), len(row[1].split())) <= FEW_WORDS
    ]
    return StsPairs(pairs.name, [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])


def _of_corpus(known: Any, given: Judges) -> View:
    """What needs no rating: geometry, articles, topics, paraphrases, and the length of vectors."""
    vectors = known.encode(given.sentences)
    near = metrics.nearest(vectors, k=NEIGHBOURS).rows
    same = [any(given.articles[j] == article for j in row) for row, article in zip(near, given.articles, strict=True)]
    first, second = zip(*given.paraphrases, strict=True)
    found = metrics.nearest(known.encode(first), np.concatenate([known.encode(second), vectors]), k=1).rows[:, 0]
    return {
        "effective_rank": metrics.effective_rank(vectors),
        "mean_cosine": metrics.mean_cosine(vectors),
        "top_eigenvalue_share": metrics.top_eigenvalue_share(vectors),
        "corpus_uniformity": metrics.uniformity(vectors),
        "paraphrase_alignment": metrics.alignment(known.encode(first), known.encode(second)),
        "same_article_auc": metrics.pair_auc(vectors, given.articles, max_pairs=PAIRS),
        "topic_knn": metrics.knn_label_accuracy(vectors, given.topics, k=NEIGHBOURS),
        "article_retrieval": float(np.mean(same)),
        "retrieval": float(np.mean(found == np.arange(len(first)))),
        "radius_error": float((torch.from_numpy(np.asarray(vectors)).norm(dim=1) - 1).abs().mean()),
    }


def measure_transfer(encoder: Encoder, represent: str | None, wanted: Iterable[str], folder: Path) -> View:
    """Train linear classifiers over the frozen vectors for the tasks of ``wanted``; takes a minute or more."""
    tasks = dict.fromkeys(task for name in wanted for task in TRANSFER[name])
    if not tasks:
        return {}

    class Represented:
        def encode(self, texts: list[str]) -> Vectors:
            return np.asarray(representation(encoder, represent, texts).numpy())

    read = {task: data.transfer_task(task, folder / "transfer") for task in tasks}
    scores = metrics.transfer(Represented(), read, details=True)
    values: View = {name: scores[name] for name in ("trec", "wos") if name in scores}
    if "wos" in scores:
        values["wos_f1"] = scores["wos/f1"]
    if {"mr", "trec"} <= scores.keys():
        values["transfer"] = (scores["mr"] + scores["trec"]) / 2
    return values
