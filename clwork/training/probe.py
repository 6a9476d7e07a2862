"""The probe: fixed sentences whose vectors are measured every few steps."""

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

SENTENCES = 200  # for uniformity and rank
PAIRS = 20  # for alignment
# The probe prefers the first of NEARBY sentences that has at most READABLE characters.
READABLE = 120
NEARBY = 5

SHARE = 0.014  # share of the training time spent on measurements
SHORT_SHARE = 0.2  # largest share in a short run, or on a slow machine
SHORT = 200  # steps below which a run is short
MOST_POINTS = 20  # approximate number of measurements of a short run
MOST_SECONDS = 6.0  # of training between two measurements, so that a picture moves

Vectors = npt.NDArray[np.float32]


class ProbeSchedule:
    """Decides after which steps the geometry is measured; step 0 and the last step always are."""

    def __init__(self, total: int, every: int | None) -> None:
        self.total = total
        self.every = every
        self._step = 0
        self._seconds = 0.0
        self._cost = 0.0

    def due(self, step: int, seconds: float) -> bool:
        """Whether to measure after ``step``, which the training reached after ``seconds``."""
        if step in (0, self.total):
            return True
        if self.every is not None:
            return step % self.every == 0
        trained = seconds - self._seconds
        if trained * SHARE >= self._cost:
            return True
        few_points = self.total < SHORT and step - self._step >= self.total / MOST_POINTS
        return (few_points or trained >= MOST_SECONDS) and trained * SHORT_SHARE >= self._cost

    def record(self, step: int, seconds: float, cost: float) -> None:
        """Record a measurement and its seconds; the first also prepares libraries, so it is 0."""
        self._step = step
        self._seconds = seconds
        self._cost = cost if step else 0.0


@dataclass
class Probe:
    """Sentences to measure, and their latest vectors at the test-time representation.

    Attributes:
        texts: the sentences, with ``labels`` if the corpus has any.
        pairs: pairs of sentences with the same meaning, for the alignment.
        positives: what the pairs are, as text.
        vectors: the sentences' vectors, (N, D), after ``vectors_step`` steps.
        latest: the metrics of these vectors, under their names in clwork/columns.py.
        own: sentences that the reader typed, with the vectors ``own_vectors``.
    """

    texts: list[str]
    labels: list[str | None] | None
    pairs: list[tuple[str, str]]
    positives: str
    vectors: Vectors | None = None
    vectors_step: int = -1
    latest: dict[str, float] = field(default_factory=dict)
    own: list[str] = field(default_factory=list)
    own_vectors: dict[str, Vectors] = field(default_factory=dict)

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
        """Encode all texts in the context ``precision`` and return the metrics of their vectors."""
        firsts = [first for first, _ in self.pairs]
        seconds = [second for _, second in self.pairs]
        with precision or nullcontext():
            encoded = encoder.encode([*self.texts, *firsts, *seconds])
            own = list(self.own)
            # A separate batch, since a shared one would change the others' rounding.
            own_vectors = encoder.encode(own) if own else ()
        ends = [len(self.texts), len(self.texts) + len(self.pairs)]
        sentences, one, other = np.split(encoded, ends)
        self.vectors = sentences.copy()
        self.own_vectors = dict(zip(own, own_vectors, strict=True))
        self.vectors_step = step
        self.latest = {"alignment": metrics.alignment(one, other)}
        for name, measure in geometry.OF_CLOUD.items():
            self.latest[name] = measure(self.vectors)
        return dict(self.latest)

    def to_checkpoint(self) -> tuple[dict[str, Any], torch.Tensor] | None:
        """Return metadata (:class:`.ProbeMeta`) and vectors; None before the first measurement."""
        if self.vectors is None:
            return None
        labels = None
        if self.labels is not None:
            labels = [label and storable(str(label)) for label in self.labels]
        about = {
            "texts": [storable(text) for text in self.texts],
            "labels": labels,
            "pairs": [[storable(one), storable(other)] for one, other in self.pairs],
            "positives": storable(self.positives),
            "step": self.vectors_step,
        }
        return about, torch.from_numpy(self.vectors)

    @staticmethod
    def from_checkpoint(about: ProbeMeta, vectors: torch.Tensor | None, path: Path) -> Probe:
        """Build a probe from the result of :meth:`to_checkpoint` that was read from ``path``."""
        if vectors is None or len(vectors) != len(about.texts):
            raise ValueError(f"{path} is damaged: it holds no vector for each probe sentence")
        pairs = [(one, other) for one, other in about.pairs]
        return Probe(about.texts, about.labels, pairs, about.positives, vectors.numpy(), about.step)


def storable(text: str) -> str:
    """Cut a text to the longest allowed length, and replace characters that cannot be shown."""
    return printable(text[:LONGEST])


def make_probe(sentences: Sequence[str], sts: data.StsPairs | None) -> Probe:
    """Select short sentences spread over the corpus, and pairs of STS or hand-written ones."""
    rows = _spread(len(sentences), SENTENCES)
    reach = max(1, min(NEARBY, len(sentences) // len(rows)))
    chosen = []
    for row in rows:
        nearby = range(row, min(row + reach, len(sentences)))
        readable = [other for other in nearby if len(sentences[other]) <= READABLE]
        chosen.append(readable[0] if readable else min(nearby, key=lambda i: len(sentences[i])))
    labels = getattr(sentences, "labels", None)
    pairs: list[tuple[str, str]] = []
    positives = ""
    if sts is not None:
        pairs = sts.positives()
        positives = f"{sts.name} pairs with a gold score above 4"
    if not pairs:
        pairs = data.paraphrases()
        positives = "paraphrases written for clwork"
    return Probe(
        texts=[sentences[row] for row in chosen],
        labels=None if labels is None else [labels[row] for row in chosen],
        pairs=[pairs[row] for row in _spread(len(pairs), PAIRS)],
        positives=positives,
    )


def _spread(length: int, count: int) -> list[int]:
    """Return ``count`` equally spaced indices below ``length``, or all if there are fewer."""
    if length <= count:
        return list(range(length))
    return [number * length // count for number in range(count)]
