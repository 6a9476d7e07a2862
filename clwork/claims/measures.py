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
from ..data import StsPairs
from ..data.sts import SPLIT_TASKS
from ..encoders import Encoder
from ..encoders.batching import evaluating
from ..encoders.pooling import wk_pool
from ..metrics.post_processing import PostProcessing
from .pairs import distances_between, spearman

Vectors = npt.NDArray[Any]
Measures = dict[str, float]

ON_TASK = "whitened on the task"
"""Whitening by the task's unlabelled sentences; other post-processings are fitted on the corpus."""
# Post-processing is fitted on stretches of consecutive sentences of the corpus.
STRETCH = 20  # sentences
STRETCHES = 100
POSITIVE_ABOVE = 4.0  # pairs with a higher rating are positives (S5)
# The gap is that between the fifth of the pairs with the highest ratings and the lowest fifth.
FIFTH = 0.2
STSB = "stsb/validation"


@dataclass(frozen=True)
class Evaluators:
    """The data of all measures.

    Attributes:
        tasks: rated pairs by test set, such as ``"stsb/validation"``; always the silver pairs,
            which a strong encoder rated.
        sentences: sentences of the corpus, on which post-processing is fitted.
    """

    tasks: Mapping[str, StsPairs]
    sentences: Sequence[str]

    @property
    def texts(self) -> list[str]:
        """All texts that the measures need, each once."""
        texts = list(self.sentences)
        for pairs in self.tasks.values():
            texts += sentences_of(pairs)
        return list(dict.fromkeys(texts))


def sentences_of(pairs: StsPairs) -> list[str]:
    """Return the distinct sentences of rated pairs."""
    return list(dict.fromkeys([*pairs.sentences1, *pairs.sentences2]))


@cache
def evaluators(folder: Path | None = None) -> Evaluators:
    """Read the data that is part of clwork, and STS tasks from a folder."""
    corpus = data.sentences("wikipedia-mini")
    tasks = {"silver": data.silver_pairs()}
    if folder is not None:
        for task in SPLIT_TASKS:
            tasks[f"{task}/validation"] = data.sts_pairs(task, "validation", folder)
    return Evaluators(tasks, [corpus[row] for row in stretches(len(corpus))])


def stretches(length: int) -> list[int]:
    """Return the rows of stretches of a corpus, so that articles have several sentences."""
    starts = np.linspace(0, length - STRETCH, STRETCHES).astype(int)
    return [int(start) + i for start in starts for i in range(STRETCH)]


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


def post_processed(encoded: Encoded, post: str, material: Evaluators) -> Encoded:
    """Return vectors after a post-processing; ``""`` leaves them as they are."""
    if not post:
        return encoded
    if post == ON_TASK:
        kind: Any = "whitened"
        fitted_on = sentences_of(material.tasks[STSB])
    else:
        kind, fitted_on = post, list(material.sentences)
    transform = PostProcessing(kind, encoded.encode(fitted_on))
    return Encoded(encoded.texts, transform(encoded.vectors))


def distances_of(encoded: Encoded, material: Evaluators) -> dict[str, Vectors]:
    """Return 1 − cosine of all rated pairs by test set, ``(N,)`` each."""
    return {
        name: distances_between(encoded.encode(pairs.sentences1), encoded.encode(pairs.sentences2))
        for name, pairs in material.tasks.items()
    }


def measure(encoded: Encoded, material: Evaluators) -> Measures:
    """Return Spearman × 100 by task and, with human ratings, the geometry of STS-B's pairs."""
    distances = distances_of(encoded, material)
    scores = {}
    for name, pairs in material.tasks.items():
        # Such as "stsb", without the split.
        task = name.partition("/")[0]
        scores[task] = spearman(distances[name], pairs.scores)
    # :func:`evaluators` reads both STS-B and SICK-R, or neither.
    if "stsb" not in scores:
        return scores
    scores["sts"] = (scores["stsb"] + scores["sickr"]) / 2
    return scores | _geometry(encoded, material.tasks[STSB], distances[STSB])


def _geometry(encoded: Encoded, pairs: StsPairs, distances: Vectors) -> Measures:
    """Return measures of the geometry of N rated pairs; ``distances`` are 1 − cosine, ``(N,)``.

    ``cosine_gap`` is the mean cosine of the fifth of the pairs with the highest ratings, minus that
    of the fifth with the lowest. ``cosine_spread`` is the standard deviation of all cosines.
    """
    ratings = np.array(pairs.scores)
    cosines = 1 - distances
    is_positive = ratings > POSITIVE_ABOVE
    lowest, highest = np.quantile(ratings, (FIFTH, 1 - FIFTH))
    gap = cosines[ratings >= highest].mean() - cosines[ratings <= lowest].mean()
    return {
        # |u − v|² = 2 − 2 cos for unit vectors u and v.
        "alignment": float(2 * distances[is_positive].mean()),
        "uniformity": metrics.uniformity(encoded.encode(sentences_of(pairs))),
        "cosine_gap": float(gap),
        "cosine_spread": float(cosines.std()),
    }
