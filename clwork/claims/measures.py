"""The measures of an encoder by which claims compare variants.

A *view* of an encoder is a pooling, or ``"own"`` for the encoder's own one, and a post-processing:
``"own"``, ``"first_last, whitened"``. All texts are encoded once for each pooling.
"""

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
from ..encoders.batching import evaluating
from ..encoders.pooling import wk_pool
from ..methods import config
from ..metrics.inputs import CollapsedEncoderError
from ..metrics.post_processing import PostProcessing
from .ledger import NOT_INCLUDED

Vectors = npt.NDArray[Any]
Measures = dict[str, float]

ON_TASK = "whitened on the task"
"""Whitening by the task's unlabelled sentences; other post-processings are fitted on the corpus."""
# The corpus is measured on stretches of consecutive sentences, so that articles have several.
STRETCH = 20  # sentences
STRETCHES = 100
NEIGHBOURS = 10
POSITIVE_ABOVE = 4.0  # pairs with a higher rating are positives (S5)
FIFTH = 0.2
SIMILAR = 0.7  # cosine


def training_text(name: str) -> Sequence[Any]:
    """Read the training text of a variant, as for :func:`clwork.data.sentences`."""
    if name in NOT_INCLUDED:
        raise FileNotFoundError(f"the training text {name!r} is not part of clwork; give sentences")
    return _usable() if name == "wikipedia-mini, usable" else data.sentences(name)


@cache
def _usable() -> Sentences:
    """Return the sentences that MoCoUTRL can use: those with a word to swap.

    The word has synonyms and antonyms, and the sentence has at most the length of the preset.
    """
    preset = config("mocoutrl", "mini")
    swaps = Swaps(load_encoder("mini"), parts=preset.parts, max_length=preset.max_length)
    corpus = data.sentences("wikipedia-mini")
    rows = [row for row, example in enumerate(swaps.find(list(corpus))) if example.places]
    labels = corpus.labels or ()
    groups = corpus.groups or ()
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
        sentences: sentences of the corpus.
        articles: the article of each sentence.
        paraphrases: pairs of sentences with the same meaning.
    """

    tasks: Mapping[str, StsPairs]
    silver: StsPairs
    sentences: Sequence[str]
    articles: Sequence[str | None]
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
    articles = corpus.groups or ()
    tasks = {}
    if folder is not None:
        tasks = {task: data.sts_pairs(task, "validation", folder) for task in SPLIT_TASKS}
    return Evaluators(
        tasks=tasks,
        silver=data.silver_pairs(),
        sentences=[corpus[row] for row in rows],
        articles=[articles[row] for row in rows],
        paraphrases=data.paraphrases(),
    )


class Encoded:
    """The vectors of texts that were encoded once, to look up again for each measure.

    Measures take it in place of an encoder, as it has an ``encode`` too.
    """

    def __init__(self, texts: Sequence[str], vectors: Vectors) -> None:
        self.texts = texts
        self.vectors = vectors  # (N, D), a row for each text
        self._row = {text: row for row, text in enumerate(texts)}

    def encode(self, texts: Iterable[str]) -> Vectors:
        """Return the vectors of ``texts``, which must be among the encoded texts."""
        return self.vectors[[self._row[text] for text in texts]]


def represent(encoder: Encoder, pooling: str, texts: Sequence[str]) -> Vectors:
    """Encode texts as ``(N, D)``.

    ``pooling`` is a pooling of the encoder, ``"word average"`` (the mean of the embeddings below
    the first layer), ``"wk"`` (see :func:`~clwork.encoders.pooling.wk_pool`), or ``"own"``.
    """
    if pooling == "own":
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


def encode_material(encoder: Encoder, pooling: str, material: Evaluators) -> Encoded:
    """Encode all texts that the measures need, by a pooling as for :func:`represent`."""
    texts = material.texts
    return Encoded(texts, represent(encoder, pooling, texts))


def measure(encoded: Encoded, post: str, material: Evaluators) -> Measures:
    """Return all measures of vectors after post-processing; ``""`` leaves them as they are."""
    if post:
        kind: Any = "whitened" if post == ON_TASK else post
        fitted_on = material.task_sentences if post == ON_TASK else material.sentences
        transform = PostProcessing(kind, encoded.encode(fitted_on))
        encoded = Encoded(encoded.texts, transform(encoded.vectors))
    rated = _rated_measures(encoded, material) if material.tasks else {}
    silver = _spearman(encoded, {"silver": material.silver})
    return {**rated, **silver, **_corpus_measures(encoded, material)}


def _spearman(encoded: Any, tasks: Mapping[str, StsPairs]) -> Measures:
    """Return Spearman × 100 of cosines and ratings by task; 0 if all vectors are equal."""
    scores = {}
    for name, pairs in tasks.items():
        try:
            scores[name] = metrics.sts(encoded, {name: pairs})[name]
        except CollapsedEncoderError:
            # A collapsed encoder orders no pair, and a claim needs a number for it.
            scores[name] = 0.0
    return scores


def _rated_measures(encoded: Encoded, material: Evaluators) -> Measures:
    """Return the scores on human ratings, and the geometry of the rated pairs of STS-B."""
    scores = _spearman(encoded, material.tasks)
    pairs = material.tasks["stsb"]
    ratings = np.array(pairs.scores)
    first = encoded.encode(pairs.sentences1)
    second = encoded.encode(pairs.sentences2)
    is_positive = ratings > POSITIVE_ABOVE
    cosines = _cosines(first, second)
    lowest, highest = np.quantile(ratings, (FIFTH, 1 - FIFTH))
    similar = cosines[ratings >= highest]
    dissimilar = cosines[ratings <= lowest]
    return {
        **scores,
        "sts": float(np.mean(list(scores.values()))),
        "alignment": metrics.alignment(first[is_positive], second[is_positive]),
        "uniformity": metrics.uniformity(encoded.encode(material.task_sentences)),
        "cosine_gap": float(similar.mean() - dissimilar.mean()),
        "cosine_spread": float(cosines.std()),
    }


def _cosines(first: Vectors, second: Vectors) -> Vectors:
    """Return the cosine of each row of ``first`` with the same row of ``second``, ``(N,)``."""
    unit1 = normalize(torch.from_numpy(np.asarray(first, dtype=np.float64)))
    unit2 = normalize(torch.from_numpy(np.asarray(second, dtype=np.float64)))
    # |u − v|² = 2 − 2 cos for unit vectors u and v.
    squared_distances = (unit1 - unit2).pow(2).sum(dim=1)
    return 1 - np.asarray(squared_distances) / 2


def _corpus_measures(encoded: Encoded, material: Evaluators) -> Measures:
    """Return geometry and neighbours of the corpus's sentences, and retrieval of paraphrases."""
    vectors = encoded.encode(material.sentences)
    articles = material.articles
    neighbours = metrics.nearest(vectors, k=NEIGHBOURS).rows
    has_same_article = [
        any(articles[neighbour] == article for neighbour in row)
        for row, article in zip(neighbours, articles, strict=True)
    ]

    # Paraphrase i is retrieved if row i of the candidates is the nearest one.
    first, second = zip(*material.paraphrases, strict=True)
    candidates = np.concatenate([encoded.encode(second), vectors])
    retrieved = metrics.nearest(encoded.encode(first), candidates, k=1).rows[:, 0]

    unit = unit_rows(vectors)
    pair_cosines = (unit @ unit.T)[np.triu_indices(len(unit), k=1)]
    lengths = torch.from_numpy(np.asarray(vectors)).norm(dim=1)
    return {
        "effective_rank": metrics.effective_rank(vectors),
        "wasserstein_to_uniform": metrics.wasserstein_to_uniform(vectors),
        "mean_cosine": metrics.mean_cosine(vectors),
        "top_eigenvalue_share": metrics.top_eigenvalue_share(vectors),
        "article_retrieval": float(np.mean(has_same_article)),
        "retrieval": float(np.mean(retrieved == np.arange(len(first)))),
        "share_above": float((pair_cosines >= SIMILAR).mean()),
        "radius_error": float((lengths - 1).abs().mean()),
    }
