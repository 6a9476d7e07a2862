"""A fixed set of sentences whose vectors tell, every few steps, what training does to the space."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import data, metrics
from ..encoders import Encoder

CLOUD = 72  # sentences for uniformity, rank and the picture
PAIRS = 20  # positive pairs for alignment
SIGNALS = ("alignment", "uniformity", "mean_cosine", "effective_rank", "std_sqrt_d")


@dataclass
class Probe:
    """Sentences to look at, and their latest vectors at the test-time representation.

    Shapes: ``vectors`` is ``(len(texts), D)`` float32, or None before the first measurement.
    ``positives`` says where the pairs for alignment come from.
    """

    texts: list[str]
    labels: list[str] | None
    pairs: list[tuple[str, str]]
    positives: str
    vectors: npt.NDArray[np.float32] | None = None
    vectors_step: int = -1

    def measure(
        self, encoder: Encoder, step: int, precision: AbstractContextManager[Any] | None = None
    ) -> dict[str, float]:
        """Encode everything once, within ``precision``, and return the geometry, SIGNALS by name."""
        left, right = zip(*self.pairs, strict=True)
        with precision or nullcontext():  # the measures themselves are never rounded
            everything = encoder.encode([*self.texts, *left, *right])
        n, m = len(self.texts), len(self.pairs)
        cloud = everything[:n]  # (n, D)
        self.vectors, self.vectors_step = cloud, step
        return {
            "alignment": metrics.alignment(everything[n : n + m], everything[n + m :]),
            "uniformity": metrics.uniformity(cloud),
            "mean_cosine": metrics.mean_cosine(cloud),
            "effective_rank": metrics.effective_rank(cloud),
            "std_sqrt_d": metrics.std_sqrt_d(cloud),
        }


def _spread(items: Sequence[Any], count: int) -> list[int]:
    """``count`` places at equal distances over the sequence, or all of them."""
    return [i * len(items) // count for i in range(count)] if len(items) > count else list(range(len(items)))


def make_probe(sentences: Sequence[str], sts: data.StsPairs | None) -> Probe:
    """Sentences spread evenly over the corpus; pairs from STS (gold > 4, strictly: S5), else written by hand."""
    places = _spread(sentences, CLOUD)
    labels = getattr(sentences, "labels", None)
    if sts is not None:
        rows = zip(sts.sentences1, sts.sentences2, sts.scores, strict=True)
        pairs = [(a, b) for a, b, score in rows if score > 4.0]
        positives = f"{sts.name} pairs with a gold score above 4"
    else:
        pairs, positives = list(data.paraphrases()), "paraphrases written for clwork"
    return Probe(
        texts=[sentences[i] for i in places],
        labels=None if labels is None else [labels[i] for i in places],
        pairs=[pairs[i] for i in _spread(pairs, PAIRS)],
        positives=positives,
    )
