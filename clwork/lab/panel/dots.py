"""Additions to the scatter plot of sentences: sentences that the reader types, and the forces on a sentence."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import unit_rows
from ...run_folder.positions import quantized
from ...training import Run
from ...training.forces import forces_at
from ..page.markup import mathml
from .recorded import LONGEST
from .run_sources import Part

MOST_TYPED = 3
BATCH = 64  # sentences of the batch whose forces are computed
PAIRS_SHOWN = 8  # pairs that pull, and pairs that push

Vector = npt.NDArray[np.floating[Any]]


class TypedSentences:
    """The last sentences that the reader typed, and their vectors at the newest probe or the present weights."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._run: Run | None = None
        self._encoded: dict[
            str, tuple[int, Vector]
        ] = {}  # steps and vectors, computed between two probes

    def write(self, texts: list[str]) -> None:
        """Replace the sentences, by at most the last ``MOST_TYPED`` of ``texts``."""
        tidy = [" ".join(str(text).split())[:LONGEST] for text in texts]
        self.texts = list(dict.fromkeys(text for text in tidy if text))[-MOST_TYPED:]
        self._request()

    def follow(self, run: Run) -> None:
        """Make each later probe of ``run`` encode the typed sentences."""
        if self._run is not run:
            self._run, self._encoded = run, {}
        if run.probe is not None and run.probe.own != self.texts:
            self._request()

    def state(self) -> Part:
        """Return each sentence and its int16 coordinates (A,) on the axes of the run's probes, empty until computed."""
        basis = self._run.positions.basis if self._run is not None and self.texts else None
        known = self._vectors()
        found = [(text, *known.get(text, (-1, None))) for text in self.texts]
        return {
            "sentences": [
                {"text": text, "step": step, "at": _place(one, basis)} for text, step, one in found
            ]
        }

    def _vectors(self) -> dict[str, tuple[int, Vector]]:
        """Return by text the step and the vector of each encoded sentence."""
        probe = self._run.probe if self._run is not None else None
        measured = (
            {}
            if probe is None
            else {text: (probe.vectors_step, one) for text, one in probe.own_vectors.items()}
        )
        return {**self._encoded, **measured}

    def _request(self) -> None:
        """Make the next probe encode all sentences; encode new sentences at once with a copy of the present weights."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        known = self._vectors()
        if new := [text for text in self.texts if text not in known]:
            threading.Thread(
                target=self._encode, args=(run, new), name="clwork typed", daemon=True
            ).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        try:
            step, encoder = run.step, run.encoder
            vectors = encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            return  # the run has no encoder yet; its next probe will encode the sentences
        if self._run is run:
            self._encoded |= {
                text: (step, vector) for text, vector in zip(texts, vectors, strict=True)
            }


def _place(vector: Vector | None, basis: npt.NDArray[np.float32] | None) -> bytes:
    if (
        vector is None
        or basis is None
        or len(vector) != basis.shape[1]
        or not np.isfinite(vector).all()
    ):
        return b""
    return quantized((unit_rows(vector[None]) - basis[0]) @ basis[1:].T).tobytes()


def forces_on(run: Run, row: int) -> Part:
    """Compute the forces on sentence ``row`` of the run's probe in a batch of its nearest and other probe sentences."""
    probes, about = run.positions.arrays(), run.positions.about
    if about is None or not probes or not 0 <= row < len(about["texts"]):
        raise ValueError(
            f"{run.name} has no sentence {row} in its probe; choose a dot of the picture"
        )
    texts: list[str] = about["texts"]
    if run.probe is not None and len(run.probe.texts) == len(texts):
        texts = list(run.probe.texts)  # not shortened for display
    near, size = probes[-1].near, min(BATCH, int(getattr(run.config, "batch_size", BATCH)))
    chosen = [row, *(int(other) for other in near[row] if other != row)][:size]
    others = [other for other in range(len(near)) if other not in chosen]
    missing = max(0, min(size, len(near)) - len(chosen))
    rows = chosen + [
        others[place * len(others) // missing] for place in range(missing)
    ]  # others at even distances
    forces = forces_at(run, examples=[texts[one] for one in rows])
    pairs = forces.tables[0].pairs(0) if forces.tables else []
    strongest = [[pair for pair in pairs if sign * pair.pull > 0][:PAIRS_SHOWN] for sign in (1, -1)]
    return {
        "row": row,
        "step": forces.step,
        "about": f"in a batch of {len(rows)} sentences of this cloud, at the weights after step {forces.step}",
        "loss": forces.loss,
        "measure": forces.tables[0].measure if forces.tables else "",
        "formula": [mathml(line) for line in forces.formula(0)],
        "pairs": [
            {
                "row": -1 if pair.sentence is None else rows[pair.sentence],
                "kind": pair.kind,
                "text": pair.text[:LONGEST],
                "score": pair.score,
                "pull": pair.pull,
            }
            for pair in (*strongest[0], *strongest[1])
        ],
    }
