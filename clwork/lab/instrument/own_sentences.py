"""Sentences that the reader types: a dot each in the cloud of the run."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arithmetic import unit_rows
from ...training import Run
from ...training.positions import quantized

MOST = 3
LONGEST = 500  # characters

Vector = npt.NDArray[np.floating[Any]]


class OwnSentences:
    """The last few sentences of the reader, and their vectors, from the newest look or the present weights."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._run: Run | None = None
        self._late: dict[str, Vector] = {}  # encoded on request, between looks

    def write(self, texts: list[str]) -> None:
        """Keep these sentences, the last ones where they are too many."""
        tidy = [" ".join(str(text).split())[:LONGEST] for text in texts]
        self.texts = list(dict.fromkeys(text for text in tidy if text))[-MOST:]
        self._ask()

    def follow(self, run: Run | None) -> None:
        """Let this run's looks encode them from now on."""
        if self._run is not run:
            self._run, self._late = run, {}
        if run is not None and run.probe is not None and run.probe.own != self.texts:
            self._ask()

    def state(self) -> dict[str, Any]:
        """Each sentence with its place on the axes of the run's looks: (A,) int16, empty where it is not known yet."""
        basis = self._run.positions.basis if self._run is not None and self.texts else None
        known = self._vectors()
        places = [(text, _place(known.get(text), basis)) for text in self.texts]
        return {"sentences": [{"text": text, "at": at} for text, at in places]}

    def _vectors(self) -> dict[str, Vector]:
        """The known vectors by text: those of the newest look, else those encoded since."""
        probe = self._run.probe if self._run is not None else None
        seen = dict(probe.own_vectors) if probe is not None else {}
        return {**self._late, **seen}

    def _ask(self) -> None:
        """Let the next look encode them, and encode new ones at once by a copy of the present weights."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        known = self._vectors()
        if new := [text for text in self.texts if text not in known]:
            threading.Thread(target=self._encode, args=(run, new), name="clwork own sentence", daemon=True).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        try:
            vectors = run.encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            return  # it has no encoder yet: the next look encodes them
        if self._run is run:
            self._late = {**self._late, **dict(zip(texts, vectors, strict=True))}


def _place(vector: Vector | None, basis: npt.NDArray[np.float32] | None) -> bytes:
    if vector is None or basis is None or len(vector) != basis.shape[1] or not np.isfinite(vector).all():
        return b""
    return quantized((unit_rows(vector[None]) - basis[0]) @ basis[1:].T).tobytes()
