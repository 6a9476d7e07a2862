"""Measures that only the evidence has: geometry and neighbours of the corpus, and retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from clwork import data, metrics
from clwork.arithmetic import unit_rows
from clwork.claims import measures
from clwork.claims.measures import Encoded, Evaluators, Measures, post_processed, stretches
from clwork.metrics.geometry import share_of_first, singular_values

NEIGHBOURS = 10
SIMILAR = 0.7  # cosine


@dataclass(frozen=True)
class Material(Evaluators):
    """The data of all measures, with that of the corpus.

    Attributes:
        articles: the article of each sentence.
        paraphrases: pairs of sentences with the same meaning.
    """

    articles: Sequence[str | None]
    paraphrases: Sequence[tuple[str, str]]

    @property
    def texts(self) -> list[str]:
        """All texts that the measures need, each once."""
        others = [text for pair in self.paraphrases for text in pair]
        return list(dict.fromkeys([*super().texts, *others]))


@cache
def material_in(folder: Path | None) -> Material:
    """Read the data that is part of clwork, and STS tasks from a folder."""
    of_pairs = measures.evaluators(folder)
    corpus = data.sentences("wikipedia-mini")
    articles = corpus.groups or ()
    return Material(
        of_pairs.tasks,
        of_pairs.sentences,
        articles=[articles[row] for row in stretches(len(corpus))],
        paraphrases=data.paraphrases(),
    )


def measure(encoded: Encoded, post: str, material: Material) -> Measures:
    """Return all measures of vectors after post-processing; ``""`` leaves them as they are."""
    encoded = post_processed(encoded, post, material)
    return {**measures.measure(encoded, material), **corpus_measures(encoded, material)}


def corpus_measures(encoded: Encoded, material: Material) -> Measures:
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
        "top_eigenvalue_share": share_of_first(singular_values(vectors)),
        "article_retrieval": float(np.mean(has_same_article)),
        "retrieval": float(np.mean(retrieved == np.arange(len(first)))),
        "share_above": float((pair_cosines >= SIMILAR).mean()),
        "radius_error": float((lengths - 1).abs().mean()),
    }
