"""Sentences that the reader types, as dots of the cloud, and the forces on a chosen sentence."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import evenly_spaced, unit_rows
from ...run_folder.positions import quantized
from ...training import Run
from ...training.forces import Pair, forces_at
from ..page.markup import mathml
from .recorded import LONGEST
from .run_sources import Part

MOST_TYPED = 3
"""Typed sentences that are shown, the last ones."""
BATCH = 64
"""Most sentences of the batch whose forces are computed."""
PAIRS_SHOWN = 8
"""Pairs that pull, and as many that push."""

Vector = npt.NDArray[np.floating[Any]]
"""The vector of a sentence (D,)."""
Encoded = dict[str, tuple[int, Vector]]
"""Step and vector of a sentence, by its text."""


class TypedSentences:
    """The last sentences that the reader typed, and their vectors.

    Each probe of the followed run encodes them, so that they move with the other dots. A new
    sentence is also encoded at once in a thread, because the next probe may be far away.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._run: Run | None = None
        # The vectors that threads have computed; those of the probe have priority.
        self._encoded: Encoded = {}

    def write(self, texts: list[str]) -> None:
        """Replace the sentences by at most the last ``MOST_TYPED`` of ``texts``."""
        tidy = [" ".join(text.split())[:LONGEST] for text in texts]
        without_duplicates = dict.fromkeys(text for text in tidy if text)
        self.texts = list(without_duplicates)[-MOST_TYPED:]
        self._request()

    def follow(self, run: Run) -> None:
        """Make each later probe of ``run`` encode the typed sentences."""
        if self._run is not run:
            self._run = run
            self._encoded = {}
        if run.probe is not None and run.probe.own != self.texts:
            self._request()

    def state(self) -> Part:
        """Return each sentence with its int16 coordinates (A,) and the step of its vector.

        Until the vector is computed, the coordinates are empty and the step is -1.
        """
        encoded = self._vectors()
        basis = None if self._run is None else self._run.positions.basis
        sentences = []
        for text in self.texts:
            step = -1
            coordinates = b""
            if text in encoded and basis is not None:
                step, vector = encoded[text]
                coordinates = _on_axes(vector, basis)
            sentences.append({"text": text, "step": step, "at": coordinates})
        return {"sentences": sentences}

    def _vectors(self) -> Encoded:
        """Return the newest vector of each sentence that has one."""
        probe = None if self._run is None else self._run.probe
        if probe is None:
            return self._encoded
        step = probe.vectors_step
        of_probe = {text: (step, vector) for text, vector in probe.own_vectors.items()}
        return self._encoded | of_probe

    def _request(self) -> None:
        """Make the next probe encode all sentences, and encode new ones now."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        encoded = self._vectors()
        new = [text for text in self.texts if text not in encoded]
        if new:
            # In a thread, since the kernel must answer the page meanwhile.
            encode = partial(self._encode, run, new)
            threading.Thread(target=encode, name="clwork typed", daemon=True).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        """Encode sentences with the run's present weights, unless the run has none to read."""
        # Read before the weights: if the run does a step in between, the vectors count as older
        # than they are, so that those of a later probe replace them.
        step = run.step
        try:
            vectors = run.encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            # There is no encoder yet, or its files are missing or incomplete. The next probe will
            # encode the sentences.
            return
        # Another run may have been started meanwhile.
        if self._run is run:
            new = {text: (step, vector) for text, vector in zip(texts, vectors, strict=True)}
            # A new dict, because another thread may be reading the old one.
            self._encoded = self._encoded | new


def _on_axes(vector: Vector, basis: npt.NDArray[np.float32]) -> bytes:
    """Return the int16 coordinates (A,) of a vector on the axes of the probes.

    ``basis`` (1 + A, D) has the mean of the first probe, then the axes. A vector with a NaN or an
    infinite value has no coordinates.
    """
    if not np.isfinite(vector).all():
        return b""
    mean = basis[0]
    axes = basis[1:]
    # The vector becomes a matrix (1, D), since unit_rows takes rows.
    unit_vector = unit_rows(vector[None])
    return quantized((unit_vector - mean) @ axes.T).tobytes()


def forces_on(run: Run, row: int) -> Part:
    """Compute the forces on sentence ``row`` of the probe, in a batch of sentences of the probe.

    Returns the pairs of the chosen sentence that pull most and those that push most, the loss, and
    the formula with its numbers.
    """
    about = run.positions.about
    neighbours = run.positions.latest_neighbours()
    if about is None or neighbours is None:
        raise ValueError(f"{run.name} has no probe yet; choose a dot after its first probe")
    texts: list[str] = about["texts"]
    if run.probe is not None and len(run.probe.texts) == len(texts):
        # The texts of the positions are shortened for display.
        texts = list(run.probe.texts)

    # The chosen sentence is the first of the batch, so its row in the tables of forces is 0.
    batch = _batch_around(row, neighbours, run.config.batch_size)
    forces = forces_at(run, examples=[texts[number] for number in batch])
    score_table = forces.tables[0]
    # The pairs of row 0, the strongest first.
    pairs = score_table.pairs(0)
    pulling = [pair for pair in pairs if pair.pull > 0][:PAIRS_SHOWN]
    pushing = [pair for pair in pairs if pair.pull < 0][:PAIRS_SHOWN]

    where = f"in a batch of {len(batch)} sentences of this cloud"
    return {
        "row": row,
        "step": forces.step,
        "about": f"{where}, at the weights after step {forces.step}",
        "loss": forces.loss,
        "measure": score_table.measure,
        "formula": [mathml(line) for line in forces.formula(0)],
        "pairs": [_pair(pair, batch) for pair in (*pulling, *pushing)],
    }


def _batch_around(row: int, near: npt.NDArray[Any], batch_size: int) -> list[int]:
    """Return a batch as rows of the probe: a sentence, its nearest ones, and others.

    The others are taken at even distances in the probe's order, so that all topics occur.
    ``near`` (N, K) has the rows of the K nearest sentences of each of the N sentences.
    """
    size = min(BATCH, batch_size, len(near))
    neighbours = [int(other) for other in near[row] if other != row]
    batch = [row, *neighbours][:size]
    others = [other for other in range(len(near)) if other not in batch]
    return batch + evenly_spaced(others, size - len(batch))


def _pair(pair: Pair, batch: list[int]) -> Part:
    """Return a pair for the page, with the other sentence's row in the probe.

    The row is -1 if the other vector belongs to no sentence, such as noise.
    """
    return {
        "row": -1 if pair.sentence is None else batch[pair.sentence],
        "kind": pair.kind,
        "text": pair.text[:LONGEST],
        "score": pair.score,
        "pull": pair.pull,
    }
