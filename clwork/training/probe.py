"""The probe: fixed sentences whose vectors are measured every few steps, and the schedule of measurements."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .. import data, metrics
from .._validation import printable
from ..encoders import Encoder
from ..metrics import geometry
from ..run_folder.schema import LONGEST, ProbeMeta
from ..wording import plural

SHARE = 0.014  # share of the training time spent on measurements
LONG = 200  # number of steps from which a run measures ALL_SENTENCES at its start and its end
MOST_POINTS = 20  # approximate number of measurements of a run below LONG steps
MOST_SECONDS = (
    6.0  # of training between two measurements, so that a picture moves on a slow machine, too
)
SHORT_SHARE = 0.2  # largest share of the time of these measurements
SENTENCES, PAIRS = (
    200,
    20,
)  # measured at each probe step; sentences for uniformity and rank, pairs for alignment
ALL_SENTENCES, ALL_PAIRS = (
    500,
    200,
)  # measured at the start and the end of long runs, to represent the corpus
Vectors = npt.NDArray[np.float32]
Sides = tuple[Vectors, Vectors]
READABLE, NEARBY = (
    120,
    5,
)  # prefer the first of NEARBY sentences that has at most READABLE characters


class ProbeSchedule:
    """Decides after which steps the geometry is measured; the first and the last step are always measured."""

    def __init__(self, total: int, every: int | None) -> None:
        self.total, self.every = total, every
        self._step, self._seconds, self._cost = 0, 0.0, 0.0

    def due(self, step: int, seconds: float) -> bool:
        """Whether to measure after ``step``, which the training reached after ``seconds``."""
        if step in (0, self.total):
            return True
        if self.every is not None:
            return step % self.every == 0
        rest = seconds - self._seconds
        if rest * SHARE >= self._cost:
            return True
        apart = self.total < LONG and step - self._step >= self.total / MOST_POINTS
        return (apart or rest >= MOST_SECONDS) and rest * SHORT_SHARE >= self._cost

    def whole(self, step: int) -> bool:
        """Whether to measure the additional sentences as well; depends only on the step, as equal runs must agree."""
        return self.total >= LONG and step in (0, self.total)

    def record(self, step: int, seconds: float, cost: float) -> None:
        """Record a measurement and its time, which the first one does not tell: it also prepares the libraries."""
        self._step, self._seconds, self._cost = step, seconds, cost if step else 0.0


@dataclass
class Probe:
    """Sentences to measure, and their latest vectors at the test-time representation."""

    texts: list[str]
    labels: list[str | None] | None
    pairs: list[tuple[str, str]]
    positives: str
    more_texts: list[str] = field(default_factory=list)
    more_pairs: list[tuple[str, str]] = field(default_factory=list)
    vectors: Vectors | None = None
    vectors_step: int = -1
    latest: dict[str, float] = field(default_factory=dict)  # metrics of the latest measurement
    own: list[str] = field(default_factory=list)
    own_vectors: dict[str, Vectors] = field(default_factory=dict)
    _sides: Sides = field(
        init=False, repr=False
    )  # vectors of the pairs' two sides at the latest measurement

    def to_checkpoint(self) -> tuple[dict[str, Any], torch.Tensor] | None:
        """Return metadata (:class:`.ProbeMeta`) and vectors for a checkpoint; None before the first measurement."""
        if self.vectors is None:
            return None
        labels = self.labels and [
            None if label is None else storable(str(label)) for label in self.labels
        ]
        seen = {
            "texts": [storable(text) for text in self.texts],
            "labels": labels,
            "pairs": [[storable(one), storable(other)] for one, other in self.pairs],
            "positives": storable(self.positives),
            "step": self.vectors_step,
        }
        return seen, torch.from_numpy(self.vectors)

    @staticmethod
    def from_checkpoint(seen: ProbeMeta, vectors: torch.Tensor | None, path: Path) -> Probe:
        """Build a probe from the result of :meth:`to_checkpoint` in ``path``; ValueError for invalid vectors."""
        fits = vectors is not None and vectors.dtype == torch.float32 and vectors.dim() == 2
        if (
            vectors is None
            or not fits
            or len(vectors) != len(seen.texts)
            or not vectors.isfinite().all()
        ):
            raise ValueError(
                f"{path} is damaged: it holds no finite vector for each sentence of its probe"
            )
        pairs = [(one, other) for one, other in seen.pairs]
        return Probe(
            seen.texts, seen.labels, pairs, seen.positives, [], [], vectors.numpy(), seen.step
        )

    @property
    def about(self) -> str:
        """The numbers of measured sentences and pairs, as text."""
        return (
            f"alignment of {plural(len(self.pairs), 'pair')} ({self.positives}), "
            f"uniformity of {plural(len(self.texts), 'sentence')}"
        )

    def measure(
        self, encoder: Encoder, step: int, precision: AbstractContextManager[Any] | None = None
    ) -> dict[str, float]:
        """Encode all texts in the context ``precision``; return the metrics under their names in clwork/columns.py."""
        with precision or nullcontext():  # metrics are computed in full precision
            self.vectors, self._sides = self._encoded(encoder, self.texts, self.pairs)
            own = list(
                self.own
            )  # a separate batch, since a shared one would change the others' rounding
            self.own_vectors = dict(zip(own, encoder.encode(own), strict=True)) if own else {}
        self.vectors_step = step
        of_cloud = {name: measure(self.vectors) for name, measure in geometry.OF_CLOUD.items()}
        self.latest = {"alignment": metrics.alignment(*self._sides), **of_cloud}
        return dict(self.latest)

    def measure_all(
        self, encoder: Encoder, precision: AbstractContextManager[Any]
    ) -> dict[str, float]:
        """Encode the additional texts after :meth:`measure`; return the metrics of all sentences and pairs."""
        assert self.vectors is not None
        with precision:
            more, sides = self._encoded(encoder, self.more_texts, self.more_pairs)
        one, other = (np.concatenate(both) for both in zip(self._sides, sides, strict=True))
        sentences = np.concatenate([self.vectors, more])
        return {
            "alignment_all": metrics.alignment(one, other),
            "uniformity_all": metrics.uniformity(sentences),
            "pairs_all": len(one),
            "sentences_all": len(sentences),
        }

    def _encoded(
        self, encoder: Encoder, texts: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[Vectors, Sides]:
        """Return the vectors of sentences and of the two sides of pairs, encoded together."""
        everything = encoder.encode(
            [*texts, *(one for one, _ in pairs), *(other for _, other in pairs)]
        )
        sentences, one, other = np.split(everything, [len(texts), len(texts) + len(pairs)])
        return sentences.copy(), (one, other)


def storable(text: str) -> str:
    """Cut a text to the longest allowed length, and replace characters that cannot be shown."""
    return printable(text[:LONGEST])


def _spread(items: Sequence[Any], count: int) -> list[int]:
    """Return ``count`` equally spaced indices of the sequence, or all if it is shorter."""
    return (
        [i * len(items) // count for i in range(count)]
        if len(items) > count
        else list(range(len(items)))
    )


def make_probe(sentences: Sequence[str], sts: data.StsPairs | None) -> Probe:
    """Select short sentences spread over the corpus, and pairs from STS (gold score above 4) or hand-written."""
    places = _spread(sentences, SENTENCES)
    reach = max(1, min(NEARBY, len(sentences) // max(1, len(places))))
    for number, place in enumerate(places):
        nearby = range(place, min(place + reach, len(sentences)))
        shortest = min(nearby, key=lambda i: len(sentences[i]))
        places[number] = next((i for i in nearby if len(sentences[i]) <= READABLE), shortest)
    others = sorted(set(range(len(sentences))) - set(places))
    labels = getattr(sentences, "labels", None)
    pairs: list[tuple[str, str]] = []
    if sts is not None:
        pairs, positives = sts.positives(), f"{sts.name} pairs with a gold score above 4"
    if not pairs:
        pairs, positives = list(data.paraphrases()), "paraphrases written for clwork"
    chosen = _spread(pairs, PAIRS)
    rest = sorted(set(range(len(pairs))) - set(chosen))
    return Probe(
        texts=[sentences[i] for i in places],
        labels=None if labels is None else [labels[i] for i in places],
        pairs=[pairs[i] for i in chosen],
        positives=positives,
        more_texts=[sentences[others[i]] for i in _spread(others, ALL_SENTENCES - SENTENCES)],
        more_pairs=[pairs[rest[i]] for i in _spread(rest, ALL_PAIRS - PAIRS)],
    )
