"""The probe: fixed sentences whose vectors are measured every few steps."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .. import data, metrics
from ..arithmetic import evenly_spaced
from ..encoders import Encoder
from ..metrics import geometry
from ..run_folder.checkpoints import ProbeMeta
from ..wording import plural

# Sentences for uniformity and rank, and pairs for alignment.
SENTENCES = 200
PAIRS = 20
# The probe prefers the first of NEARBY sentences that has at most READABLE characters.
READABLE = 120
NEARBY = 5

# Characters of a sentence that are stored in a checkpoint.
LONGEST = 20_000

# Share of the training time that is spent on measurements.
SHARE = 0.014
# Largest share in a short run, or on a slow machine.
SHORT_SHARE = 0.2
# Steps below which a run is short.
SHORT = 200
# Approximate number of measurements of a short run.
MOST_POINTS = 20
# Longest training between two measurements, so that a picture moves.
MOST_SECONDS = 6.0

Vectors = npt.NDArray[np.float32]


class ProbeSchedule:
    """Decides after which steps the geometry is measured; step 0 and the last step always are.

    ``total`` is the number of steps of the run. With ``every``, each step that it divides is
    measured. Without it, the time decides: measurements may take the share ``SHARE`` of the
    training's time, or ``SHORT_SHARE`` where a curve or the picture would have too few points.
    """

    def __init__(self, total: int, every: int | None) -> None:
        self.total = total
        self.every = every
        # The last measurement: after which step, after how many seconds of training, and how long
        # it took.
        self._last_step = 0
        self._last_seconds = 0.0
        self._last_cost = 0.0

    def due(self, step: int, seconds: float) -> bool:
        """Whether to measure after ``step``, which the training reached after ``seconds``."""
        if step in (0, self.total):
            return True
        if self.every is not None:
            return step % self.every == 0
        seconds_since = seconds - self._last_seconds
        is_cheap = self._last_cost <= SHARE * seconds_since
        if is_cheap:
            return True
        # A short run would have too few points on its curves, and on a slow machine the picture
        # would stand still. A larger share of the time is allowed there.
        is_short = self.total < SHORT
        needs_point = is_short and step - self._last_step >= self.total / MOST_POINTS
        needs_picture = seconds_since >= MOST_SECONDS
        is_affordable = self._last_cost <= SHORT_SHARE * seconds_since
        return (needs_point or needs_picture) and is_affordable

    def record(self, step: int, seconds: float, cost: float) -> None:
        """Record a measurement after ``step``, reached after ``seconds``, that took ``cost``.

        The cost of the first measurement counts as 0: it includes the time to load libraries, so
        that it does not predict the cost of later ones.
        """
        self._last_step = step
        self._last_seconds = seconds
        self._last_cost = cost if step else 0.0


@dataclass
class Probe:
    """Sentences to measure, and their latest vectors at the test-time representation.

    Attributes:
        texts: the sentences, with ``labels`` if the corpus has any.
        pairs: pairs of sentences with the same meaning, for the alignment.
        positives: what the pairs are, as text.
        vectors: the sentences' vectors, (N, D), after ``vectors_step`` steps; None, and -1 steps,
            before the first measurement.
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
        """Encode all texts and return the metrics of their vectors, after ``step`` steps.

        ``precision`` is a context for the forward pass, such as autocast.
        """
        firsts = [first for first, _ in self.pairs]
        seconds = [second for _, second in self.pairs]
        with precision or nullcontext():
            encoded = encoder.encode([*self.texts, *firsts, *seconds])
            # Copied, because another thread may replace them.
            own = list(self.own)
            # A separate batch, since a shared one would change the others' rounding.
            own_vectors = encoder.encode(own) if own else ()
        ends = [len(self.texts), len(self.texts) + len(self.pairs)]
        sentences, first_vectors, second_vectors = np.split(encoded, ends)
        # Copied, so that the vectors of the pairs are freed.
        self.vectors = sentences.copy()
        self.own_vectors = dict(zip(own, own_vectors, strict=True))
        self.vectors_step = step
        self.latest = {"alignment": metrics.alignment(first_vectors, second_vectors)}
        for name, measure in geometry.OF_CLOUD.items():
            self.latest[name] = measure(self.vectors)
        return dict(self.latest)

    def to_checkpoint(self) -> tuple[dict[str, Any], torch.Tensor] | None:
        """Return metadata (:class:`.ProbeMeta`) and vectors; None before the first measurement."""
        if self.vectors is None:
            return None
        about = {
            "texts": self.texts,
            "labels": self.labels,
            "pairs": self.pairs,
            "positives": self.positives,
            "step": self.vectors_step,
        }
        return about, torch.from_numpy(self.vectors)

    @staticmethod
    def from_checkpoint(about: ProbeMeta, vectors: torch.Tensor) -> Probe:
        """Build a probe from the result of :meth:`to_checkpoint`."""
        pairs = [(first, second) for first, second in about.pairs]
        return Probe(about.texts, about.labels, pairs, about.positives, vectors.numpy(), about.step)


def make_probe(sentences: Sequence[str], sts: data.StsPairs | None) -> Probe:
    """Select the sentences and pairs of a probe.

    The sentences are spread over the corpus at equal distances, and short, so that they can be read
    in a picture. The pairs are those of ``sts`` with a high gold score, else hand-written ones.
    """
    rows = evenly_spaced(range(len(sentences)), min(len(sentences), SENTENCES))
    # Neighbours of one row must not reach the next row.
    reach = max(1, min(NEARBY, len(sentences) // len(rows)))
    chosen = []
    for row in rows:
        nearby = range(row, min(row + reach, len(sentences)))
        readable = [near for near in nearby if len(sentences[near]) <= READABLE]
        shortest = min(nearby, key=lambda near: len(sentences[near]))
        chosen.append(readable[0] if readable else shortest)
    # Sentences of the package have labels, a plain list has none.
    labels = getattr(sentences, "labels", None)
    pairs = [] if sts is None else sts.positives()
    if sts is not None and pairs:
        positives = f"{sts.name} pairs with a gold score above 4"
    else:
        pairs = data.paraphrases()
        positives = "paraphrases written for clwork"
    return Probe(
        texts=[sentences[row] for row in chosen],
        labels=None if labels is None else [labels[row] for row in chosen],
        pairs=evenly_spaced(pairs, min(len(pairs), PAIRS)),
        positives=positives,
    )
