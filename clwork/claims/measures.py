"""The corpora that arms of claims train on, and the measures of an encoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .. import data, metrics
from ..arithmetic import normalize, unit_rows
from ..augmenters import Swaps
from ..data import Sentences, StsPairs
from ..data.sts import SPLIT_TASKS
from ..encoders import Encoder, load_encoder
from ..encoders.encoder import evaluating
from ..encoders.pooling import wk_pool
from ..methods import config
from ..metrics.post_processing import PostProcessing
from ..metrics.proxies import knn_label_accuracy

Vectors = npt.NDArray[Any]
View = dict[str, float]

ON_TASK = "whitened on the task"
"""A post-processing fitted on the task's unlabelled sentences; the others are fitted on the corpus."""
STRETCH, STRETCHES = (
    20,
    100,
)  # length of a stretch of consecutive corpus sentences, and number of stretches
NEIGHBOURS = 10
PAIRS = 50_000  # corpus pairs for the area under the curve
POSITIVE_ABOVE = 4.0  # pairs with a higher rating are positives (S5)
FIFTHS = 0.2
SIMILAR = 0.7  # cosine
OWN_TEXTS: dict[str, Sentences] = {}
"""Corpora that :func:`clwork.claims.test` received, by fingerprint."""


def corpus(name: str, folder: Path | None = None) -> Sequence[Any]:
    """Read the corpus ``name``, the ``data`` of an arm; all but "wikipedia-mini" and its parts are in ``folder``."""
    if name in OWN_TEXTS:
        return OWN_TEXTS[name]
    if name == "wikipedia-mini, usable":
        return _usable()
    if name == "captions":
        return data.sentences(
            _file(folder, "pretraining/captions.txt.gz", "a sentence in each line")
        )
    if name in ("nli", "nli, pairs", "nli, sentences"):
        triplets = data.triplets(
            _file(folder, "nli/triplets.jsonl", "premise, entailment, contradiction")
        )
        if name == "nli, sentences":
            return Sentences(list(dict.fromkeys(text for triplet in triplets for text in triplet)))
        return triplets if name == "nli" else [triplet[:2] for triplet in triplets]
    if name in ("stsb-unlabelled", "wikipedia-mini, rated pairs"):
        _file(folder, "stsb/train.jsonl", "sentence1, sentence2, score")
        pairs = data.sts_pairs("stsb", "train", str(folder))
        both = list(zip(pairs.sentences1, pairs.sentences2, strict=True))
        if name == "stsb-unlabelled":
            return Sentences([text for pair in both for text in pair])
        alike = [both[row] for row, score in enumerate(pairs.scores) if score > POSITIVE_ABOVE]
        whole, groups = (
            data.sentences("wikipedia-mini"),
            [str(number) for number in range(len(alike)) for _ in "12"],
        )
        return Sentences(
            [*whole, *(text for pair in alike for text in pair)],
            groups=[*[None] * len(whole), *groups],
        )
    return data.sentences(name)


def _file(folder: Path | None, inside: str, holds: str) -> Path:
    if folder is None or not (folder / inside).exists():
        raise FileNotFoundError(
            f"{folder or 'data=None'} has no {inside} ({holds}); give a folder that has it as data"
        )
    return folder / inside


@lru_cache(maxsize=1)
def _usable() -> Sentences:
    """Return the sentences with a word that has synonyms and antonyms, within the preset's maximum length."""
    preset = config("mocoutrl", "mini")
    swaps = Swaps(load_encoder("mini"), parts=preset.parts, max_length=preset.max_length)
    whole = data.sentences("wikipedia-mini")
    rows = [row for row, example in enumerate(swaps.find(list(whole))) if example.places]
    labels, groups = whole.labels or (), whole.groups or ()
    return Sentences(
        [whole[row] for row in rows], [labels[row] for row in rows], [groups[row] for row in rows]
    )


def represent(encoder: Encoder, name: str | None, texts: Sequence[str]) -> Vectors:
    """Encode texts as ``(N, D)``; ``name`` is a pooling, ``"word average"``, ``"wk"``, or None for the encoder's."""
    if name is None:
        return encoder.encode(texts)
    if name == "word average":
        return encoder.layer_grid(texts)[0, "mean"]
    if name == "wk":
        rows = [tokens.ids for tokens in encoder.tokenize(texts)]
        with evaluating(encoder):
            vectors = encoder.forward_by_length(
                rows,
                forward=lambda batch: wk_pool(
                    encoder.hidden_states(batch), batch["attention_mask"]
                ),
            )
        return np.asarray(vectors.cpu().numpy())
    return encoder.without_head(name).encode(texts)


@dataclass(frozen=True)
class Evaluators:
    """The data of all measures: rated pairs, and sentences of the corpus with their articles and topics."""

    tasks: Mapping[str, StsPairs]  # tasks with human ratings; empty without a folder
    silver: StsPairs
    sentences: Sequence[str]
    articles: Sequence[str | None]
    topics: Sequence[str | None]
    paraphrases: Sequence[tuple[str, str]]

    @property
    def texts(self) -> list[str]:
        pairs = [*self.tasks.values(), self.silver]
        rated = (text for task in pairs for text in (*task.sentences1, *task.sentences2))
        return list(
            dict.fromkeys(
                [*rated, *self.sentences, *(text for pair in self.paraphrases for text in pair)]
            )
        )

    @property
    def task_sentences(self) -> list[str]:
        """The distinct sentences of STS-B."""
        pairs = self.tasks["stsb"]
        return list(dict.fromkeys([*pairs.sentences1, *pairs.sentences2]))


@cache
def evaluators(folder: Path | None = None) -> Evaluators:
    """Read the data that is part of clwork, and STS tasks from a folder as for :func:`clwork.data.sts_pairs`."""
    whole = data.sentences("wikipedia-mini")
    starts = np.linspace(0, len(whole) - STRETCH, STRETCHES).astype(int)
    places = [int(start) + i for start in starts for i in range(STRETCH)]
    articles, topics = whole.groups or (), whole.labels or ()
    return Evaluators(
        {}
        if folder is None
        else {task: data.sts_pairs(task, "validation", folder) for task in SPLIT_TASKS},
        data.silver_pairs(),
        [whole[i] for i in places],
        [articles[i] for i in places],
        [topics[i] for i in places],
        data.paraphrases(),
    )


class Encoded:
    """An encoder that returns the stored vectors of texts that were encoded before."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self.texts, self.vectors = texts, vectors
        self._place = {text: i for i, text in enumerate(texts)}

    def encode(self, texts: Iterable[str]) -> Vectors:
        """Return the vectors of ``texts``, which must be among the encoded texts."""
        return self.vectors[[self._place[text] for text in texts]]


def measure(
    encoder: Encoder, pooling: str, posts: Iterable[str], given: Evaluators
) -> dict[str, View]:
    """Return the measures of each view: a pooling, or "own", with each post-processing; "" is none."""
    texts = given.texts
    encoded = Encoded(texts, represent(encoder, None if pooling == "own" else pooling, texts))
    views = {}
    for post in posts:
        if not post:
            views[pooling] = _measures(encoded, given)
            continue
        on_task = post == ON_TASK
        kind: Any = "whitened" if on_task else post
        transform = PostProcessing(
            kind, encoded.encode(given.task_sentences if on_task else given.sentences)
        )
        views[f"{pooling}, {post}"] = _measures(Encoded(texts, transform(encoded.vectors)), given)
    return views


def _measures(encoded: Encoded, given: Evaluators) -> View:
    silver = _spearman(encoded, {"silver": given.silver})
    return {
        **(_rated_measures(encoded, given) if given.tasks else {}),
        **silver,
        **_corpus_measures(encoded, given),
    }


def _spearman(encoded: Any, tasks: Mapping[str, StsPairs]) -> View:
    scores = {}
    for name, pairs in tasks.items():
        try:
            scores[name] = metrics.sts(encoded, {name: pairs})[name]
        except metrics.CollapsedEncoderError:
            scores[name] = 0.0
    return scores


def _rated_measures(encoded: Encoded, given: Evaluators) -> View:
    pairs, scores = given.tasks["stsb"], _spearman(encoded, given.tasks)
    one, other = encoded.encode(pairs.sentences1), encoded.encode(pairs.sentences2)
    gold = np.array(pairs.scores)
    first, second = (
        normalize(torch.from_numpy(np.asarray(rows, dtype=np.float64))) for rows in (one, other)
    )
    cosines = 1 - np.asarray((first - second).pow(2).sum(dim=1)) / 2
    low, high = np.quantile(gold, (FIFTHS, 1 - FIFTHS))
    positive = gold > POSITIVE_ABOVE
    return {
        **scores,
        "sts": float(np.mean(list(scores.values()))),
        "alignment": metrics.alignment(one[positive], other[positive]),
        "uniformity": metrics.uniformity(encoded.encode(given.task_sentences)),
        "cosine_gap": float(cosines[gold >= high].mean() - cosines[gold <= low].mean()),
        "cosine_spread": float(cosines.std()),
    }


def _corpus_measures(encoded: Encoded, given: Evaluators) -> View:
    vectors = encoded.encode(given.sentences)
    near = metrics.nearest(vectors, k=NEIGHBOURS).rows
    same = [
        any(given.articles[j] == article for j in row)
        for row, article in zip(near, given.articles, strict=True)
    ]
    first, second = zip(*given.paraphrases, strict=True)
    found = metrics.nearest(
        encoded.encode(first), np.concatenate([encoded.encode(second), vectors]), k=1
    ).rows[:, 0]
    unit = unit_rows(vectors)
    return {
        "effective_rank": metrics.effective_rank(vectors),
        "wasserstein_to_uniform": metrics.wasserstein_to_uniform(vectors),
        "mean_cosine": metrics.mean_cosine(vectors),
        "top_eigenvalue_share": metrics.top_eigenvalue_share(vectors),
        "same_article_auc": metrics.pair_auc(vectors, given.articles, max_pairs=PAIRS),
        "topic_knn": knn_label_accuracy(vectors, given.topics, k=NEIGHBOURS),
        "article_retrieval": float(np.mean(same)),
        "retrieval": float(np.mean(found == np.arange(len(first)))),
        "share_above": float(((unit @ unit.T)[np.triu_indices(len(unit), k=1)] >= SIMILAR).mean()),
        "radius_error": float((torch.from_numpy(np.asarray(vectors)).norm(dim=1) - 1).abs().mean()),
    }
