"""The measures of an encoder by which claims compare variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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
from ..metrics.inputs import CollapsedEncoderError
from ..metrics.post_processing import PostProcessing
from ..metrics.proxies import knn_label_accuracy
from .ledger import NOT_INCLUDED

Vectors = npt.NDArray[Any]
Measures = dict[str, float]

ON_TASK = "whitened on the task"
"""Whitening by the task's unlabelled sentences; other post-processings are fitted on the corpus."""
# The corpus is measured by stretches of consecutive sentences.
STRETCH, STRETCHES = 20, 100
NEIGHBOURS = 10
PAIRS = 50_000  # corpus pairs for the area under the curve
POSITIVE_ABOVE = 4.0  # pairs with a higher rating are positives (S5)
FIFTH = 0.2
SIMILAR = 0.7  # cosine


def training_text(name: str) -> Sequence[Any]:
    """Read the training text of a variant."""
    if name in NOT_INCLUDED:
        raise FileNotFoundError(f"the training text {name!r} is not part of clwork; give sentences")
    return _usable() if name == "wikipedia-mini, usable" else data.sentences(name)


@cache
def _usable() -> Sentences:
    """Return the sentences with a word that has synonyms and antonyms, of at most preset length."""
    preset = config("mocoutrl", "mini")
    swaps = Swaps(load_encoder("mini"), parts=preset.parts, max_length=preset.max_length)
    corpus = data.sentences("wikipedia-mini")
    rows = [row for row, example in enumerate(swaps.find(list(corpus))) if example.places]
    labels, groups = corpus.labels or (), corpus.groups or ()
    return Sentences(
        [corpus[row] for row in rows],
        [labels[row] for row in rows],
        [groups[row] for row in rows],
    )


@dataclass(frozen=True)
class Evaluators:
    """The data of all measures.

    Attributes:
        tasks: pairs with human ratings by task; empty without a folder of STS tasks.
        silver: pairs rated by a strong encoder.
        sentences: sentences of the corpus, with their ``articles`` and ``topics``.
        paraphrases: pairs of sentences with the same meaning.
    """

    tasks: Mapping[str, StsPairs]
    silver: StsPairs
    sentences: Sequence[str]
    articles: Sequence[str | None]
    topics: Sequence[str | None]
    paraphrases: Sequence[tuple[str, str]]

    @property
    def texts(self) -> list[str]:
        """All texts that the measures need, each once."""
        texts: list[str] = []
        for pairs in (*self.tasks.values(), self.silver):
            texts += [*pairs.sentences1, *pairs.sentences2]
        texts += self.sentences
        for first, second in self.paraphrases:
            texts += [first, second]
        return list(dict.fromkeys(texts))

    @property
    def task_sentences(self) -> list[str]:
        """The distinct sentences of STS-B."""
        pairs = self.tasks["stsb"]
        return list(dict.fromkeys([*pairs.sentences1, *pairs.sentences2]))


@cache
def evaluators(folder: Path | None = None) -> Evaluators:
    """Read the data that is part of clwork, and STS tasks from a folder."""
    corpus = data.sentences("wikipedia-mini")
    starts = np.linspace(0, len(corpus) - STRETCH, STRETCHES).astype(int)
    rows = [int(start) + i for start in starts for i in range(STRETCH)]
    articles, topics = corpus.groups or (), corpus.labels or ()
    tasks = {}
    if folder is not None:
        tasks = {task: data.sts_pairs(task, "validation", folder) for task in SPLIT_TASKS}
    return Evaluators(
        tasks,
        data.silver_pairs(),
        [corpus[row] for row in rows],
        [articles[row] for row in rows],
        [topics[row] for row in rows],
        data.paraphrases(),
    )


class Encoded:
    """An encoder that returns the stored vectors of texts that were encoded before."""

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self.texts = texts
        self.vectors = vectors
        self._row = {text: row for row, text in enumerate(texts)}

    def encode(self, texts: Iterable[str]) -> Vectors:
        """Return the vectors of ``texts``, which must be among the encoded texts."""
        return self.vectors[[self._row[text] for text in texts]]


def represent(encoder: Encoder, pooling: str | None, texts: Sequence[str]) -> Vectors:
    """Encode texts as ``(N, D)``.

    ``pooling`` is a pooling of the encoder, ``"word average"``, ``"wk"``, or None for its own.
    """
    if pooling is None:
        return encoder.encode(texts)
    if pooling == "word average":
        return encoder.layer_grid(texts)[0, "mean"]
    if pooling != "wk":
        return encoder.without_head(pooling).encode(texts)

    def pool(batch: Any) -> torch.Tensor:
        return wk_pool(encoder.hidden_states(batch), batch["attention_mask"])

    rows = [tokens.ids for tokens in encoder.tokenize(texts)]
    with evaluating(encoder):
        vectors = encoder.forward_by_length(rows, forward=pool)
    return np.asarray(vectors.cpu().numpy())


def measure(
    encoder: Encoder, pooling: str, posts: Iterable[str], material: Evaluators
) -> dict[str, Measures]:
    """Return the measures of each view of an encoder.

    A view is a pooling, or ``"own"``, with a post-processing; the empty one is none.
    """
    texts = material.texts
    encoded = Encoded(texts, represent(encoder, None if pooling == "own" else pooling, texts))
    views = {}
    for post in posts:
        if not post:
            views[pooling] = _measures(encoded, material)
            continue
        kind: Any = "whitened" if post == ON_TASK else post
        fitted_on = material.task_sentences if post == ON_TASK else material.sentences
        transform = PostProcessing(kind, encoded.encode(fitted_on))
        transformed = Encoded(texts, transform(encoded.vectors))
        views[f"{pooling}, {post}"] = _measures(transformed, material)
    return views


def _measures(encoded: Encoded, material: Evaluators) -> Measures:
    rated = _rated_measures(encoded, material) if material.tasks else {}
    silver = _spearman(encoded, {"silver": material.silver})
    return {**rated, **silver, **_corpus_measures(encoded, material)}


def _spearman(encoded: Any, tasks: Mapping[str, StsPairs]) -> Measures:
    scores = {}
    for name, pairs in tasks.items():
        try:
            scores[name] = metrics.sts(encoded, {name: pairs})[name]
        except CollapsedEncoderError:
            scores[name] = 0.0
    return scores


def _rated_measures(encoded: Encoded, material: Evaluators) -> Measures:
    """Return scores on human ratings, and geometry of the rated pairs of STS-B."""
    scores = _spearman(encoded, material.tasks)
    pairs = material.tasks["stsb"]
    one, other = encoded.encode(pairs.sentences1), encoded.encode(pairs.sentences2)
    gold = np.array(pairs.scores)
    first, second = (
        normalize(torch.from_numpy(np.asarray(side, dtype=np.float64))) for side in (one, other)
    )
    cosines = 1 - np.asarray((first - second).pow(2).sum(dim=1)) / 2
    low, high = np.quantile(gold, (FIFTH, 1 - FIFTH))
    positive = gold > POSITIVE_ABOVE
    return {
        **scores,
        "sts": float(np.mean(list(scores.values()))),
        "alignment": metrics.alignment(one[positive], other[positive]),
        "uniformity": metrics.uniformity(encoded.encode(material.task_sentences)),
        "cosine_gap": float(cosines[gold >= high].mean() - cosines[gold <= low].mean()),
        "cosine_spread": float(cosines.std()),
    }


def _corpus_measures(encoded: Encoded, material: Evaluators) -> Measures:
    """Return geometry and neighbours of the corpus's sentences, and retrieval of paraphrases."""
    vectors = encoded.encode(material.sentences)
    articles = material.articles
    neighbours = metrics.nearest(vectors, k=NEIGHBOURS).rows
    has_same_article = [
        any(articles[neighbour] == article for neighbour in row)
        for row, article in zip(neighbours, articles, strict=True)
    ]
    first, second = zip(*material.paraphrases, strict=True)
    candidates = np.concatenate([encoded.encode(second), vectors])
    retrieved = metrics.nearest(encoded.encode(first), candidates, k=1).rows[:, 0]
    unit = unit_rows(vectors)
    cosines = (unit @ unit.T)[np.triu_indices(len(unit), k=1)]
    lengths = torch.from_numpy(np.asarray(vectors)).norm(dim=1)
    return {
        "effective_rank": metrics.effective_rank(vectors),
        "wasserstein_to_uniform": metrics.wasserstein_to_uniform(vectors),
        "mean_cosine": metrics.mean_cosine(vectors),
        "top_eigenvalue_share": metrics.top_eigenvalue_share(vectors),
        "same_article_auc": metrics.pair_auc(vectors, articles, max_pairs=PAIRS),
        "topic_knn": knn_label_accuracy(vectors, material.topics, k=NEIGHBOURS),
        "article_retrieval": float(np.mean(has_same_article)),
        "retrieval": float(np.mean(retrieved == np.arange(len(first)))),
        "share_above": float((cosines >= SIMILAR).mean()),
        "radius_error": float((lengths - 1).abs().mean()),
    }
