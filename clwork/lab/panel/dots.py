"""Sentences that the reader types, as dots of the cloud, and the forces on a chosen sentence."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import unit_rows
from ...run_folder.positions import quantized
from ...training import Run
from ...training.forces import Pair, forces_at
from ..page.markup import mathml
from .recorded import LONGEST
from .run_sources import Part

MOST_TYPED = 3
BATCH = 64
"""Sentences of the batch whose forces are computed."""
PAIRS_SHOWN = 8
"""Pairs that pull, and pairs that push."""

Vector = npt.NDArray[np.floating[Any]]
Encoded = dict[str, tuple[int, Vector]]
"""Step and vector of a sentence, by its text."""


class TypedSentences:
    """The last sentences that the reader typed, and their vectors."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._run: Run | None = None
        # computed between two probes
        self._encoded: Encoded = {}

    def write(self, texts: list[str]) -> None:
        """Replace the sentences by at most the last ``MOST_TYPED`` of ``texts``."""
        tidy = [" ".join(text.split())[:LONGEST] for text in texts]
        self.texts = list(dict.fromkeys(filter(None, tidy)))[-MOST_TYPED:]
        self._request()

    def follow(self, run: Run) -> None:
        """Make each later probe of ``run`` encode the typed sentences."""
        if self._run is not run:
            self._run = run
            self._encoded = {}
        if run.probe is not None and run.probe.own != self.texts:
            self._request()

    def state(self) -> Part:
        """Return each sentence with its int16 coordinates (A,), which are empty until computed."""
        known, sentences = self._vectors(), []
        basis = None if self._run is None else self._run.positions.basis
        for text in self.texts:
            step, at = -1, b""
            if text in known and basis is not None:
                step, vector = known[text]
                at = _on_axes(vector, basis)
            sentences.append({"text": text, "step": step, "at": at})
        return {"sentences": sentences}

    def _vectors(self) -> Encoded:
        probe = None if self._run is None else self._run.probe
        if probe is None:
            return self._encoded
        step = probe.vectors_step
        return self._encoded | {text: (step, one) for text, one in probe.own_vectors.items()}

    def _request(self) -> None:
        """Make the next probe encode all sentences, and encode new ones now."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        known = self._vectors()
        new = [text for text in self.texts if text not in known]
        if new:
            arguments = (run, new)
            threading.Thread(
                target=self._encode, args=arguments, name="clwork typed", daemon=True
            ).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        try:
            step, encoder = run.step, run.encoder
            vectors = encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            # The run has no encoder yet; its next probe will encode the sentences.
            return
        if self._run is run:
            new = {text: (step, vector) for text, vector in zip(texts, vectors, strict=True)}
            self._encoded = self._encoded | new


def _on_axes(vector: Vector, basis: npt.NDArray[np.float32]) -> bytes:
    """Return the coordinates on the axes of the probes; ``basis`` begins with their mean."""
    if not np.isfinite(vector).all():
        return b""
    return quantized((unit_rows(vector[None]) - basis[0]) @ basis[1:].T).tobytes()


def forces_on(run: Run, row: int) -> Part:
    """Compute the forces on sentence ``row`` of the probe in a batch of probe sentences."""
    about, neighbours = run.positions.about, run.positions.latest_neighbours()
    if about is None or neighbours is None:
        raise ValueError(f"{run.name} has no probe yet; choose a dot after its first probe")
    texts: list[str] = about["texts"]
    if run.probe is not None and len(run.probe.texts) == len(texts):
        # not shortened for display
        texts = list(run.probe.texts)
    rows = _batch_around(row, neighbours, getattr(run.config, "batch_size", BATCH))
    forces = forces_at(run, examples=[texts[other] for other in rows])
    table = forces.tables[0] if forces.tables else None
    pairs = table.pairs(0) if table else []
    pulling = [pair for pair in pairs if pair.pull > 0][:PAIRS_SHOWN]
    pushing = [pair for pair in pairs if pair.pull < 0][:PAIRS_SHOWN]
    batch = f"in a batch of {len(rows)} sentences of this cloud"
    return {
        "row": row,
        "step": forces.step,
        "about": f"{batch}, at the weights after step {forces.step}",
        "loss": forces.loss,
        "measure": table.measure if table else "",
        "formula": [mathml(line) for line in forces.formula(0)],
        "pairs": [_pair(pair, rows) for pair in (*pulling, *pushing)],
    }


def _batch_around(row: int, near: npt.NDArray[Any], batch_size: int) -> list[int]:
    """Return a sentence, its nearest ones, and others at even distances in the probe's order."""
    size = min(BATCH, batch_size, len(near))
    neighbours = [int(other) for other in near[row] if other != row]
    rows = [row, *neighbours][:size]
    others = [other for other in range(len(near)) if other not in rows]
    missing = size - len(rows)
    return rows + [others[place * len(others) // missing] for place in range(missing)]


def _pair(pair: Pair, rows: list[int]) -> Part:
    return {
        "row": -1 if pair.sentence is None else rows[pair.sentence],
        "kind": pair.kind,
        "text": pair.text[:LONGEST],
        "score": pair.score,
        "pull": pair.pull,
    }
