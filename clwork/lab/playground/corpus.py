"""The corpus in which neighbours are looked up: which one, how much of it, its vectors, and how far encoding is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _validation
from ...arithmetic import unit_rows
from ...data import sentences
from ...data.sources import DEFAULT
from ...wording import duration, plural
from .encoders import Side

LEAST, MOST = 10, 100_000  # sentences
AT_ONCE = 256  # sentences encoded between two checks for Stop
ENCODERS = 4  # whose vectors are stored, the latest ones
Matrix = npt.NDArray[np.float32]


def drawn(source: Any, most: int) -> list[str]:
    """At most so many sentences of what :func:`clwork.data.sentences` takes, at equal distances, without repeats."""
    examples: Any = sentences(source)
    if hasattr(examples, "__len__"):
        step = max(1.0, len(examples) / most)
        chosen: Iterable[str] = (examples[int(k * step)] for k in range(min(most, len(examples))))
    else:
        chosen = islice(examples, most)
    texts = list(dict.fromkeys(chosen))
    return [texts[k] for k in np.random.default_rng(0).permutation(len(texts))]


class CorpusSearch:
    """The corpus, its vectors by each encoder, and how far encoding is."""

    def __init__(self, given: Any, count: int) -> None:
        self._given = None if isinstance(given, str) else given
        self._texts: tuple[Any, list[str]] | None = None
        self._vectors: dict[str, Matrix] = {}
        self._halted = threading.Event()
        self.name = given if isinstance(given, str) else "given in the call"
        self.count = count
        self.done, self.total, self.progress = 0, 0, ""

    @property
    def fixed(self) -> bool:
        """Whether the corpus was given as sentences and has no name to change."""
        return self._given is not None

    def choose(self, name: str, count: int) -> None:
        """Search ``count`` sentences of the corpus called ``name``."""
        self.count = _validation.whole("sentences", count, LEAST, MOST)
        if not self.fixed:
            self.name = name.strip()

    def begin(self) -> None:
        """Reset an earlier Stop."""
        self._halted.clear()
        self.end()

    def end(self) -> None:
        """Report that nothing is encoded any more."""
        self.done, self.total, self.progress = 0, 0, ""

    def halt(self) -> None:
        """Stop encoding; what is encoded stays."""
        self._halted.set()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped since :meth:`begin`."""
        return self._halted.is_set()

    def texts(self) -> list[str]:
        """The sentences to search; read again only if corpus or number change."""
        source = self._given if self.fixed else self.name
        if not self.fixed and not source:
            raise ValueError(f"no corpus is named: type {DEFAULT}, a file or a dataset of the hub")
        key = (id(source) if self.fixed else source, self.count)
        if self._texts is None or self._texts[0] != key:
            self.progress = "reading the corpus"
            self._texts, self._vectors = (key, drawn(source, self.count)), {}
        return self._texts[1]

    def vectors(self, side: Side, enough: int, between: Callable[[], None] = lambda: None) -> Matrix:
        """Unit vectors of the corpus, or of at least ``enough`` of it, continuing where an earlier call ended."""
        texts, key = self.texts(), side.encoder.fingerprint()
        parts = [self._vectors.pop(key, np.zeros((0, side.encoder.dim), dtype=np.float32))]
        done, start = len(parts[0]), time.monotonic()
        first = done
        while done < min(enough, len(texts)) and not self.stopped:
            self._report(side, done, len(texts), (time.monotonic() - start) / (done - first) if done > first else None)
            between()
            parts.append(unit_rows(side.encoder.encode(texts[done : done + AT_ONCE])).astype(np.float32))
            done += len(parts[-1])
        self._vectors[key] = np.concatenate(parts)
        self._vectors = dict(list(self._vectors.items())[-ENCODERS:])
        return self._vectors[key]

    def _report(self, side: Side, done: int, total: int, seconds: float | None) -> None:
        """Report the progress; ``seconds`` is the time that a sentence takes."""
        left = "" if seconds is None else f", about {duration(seconds * (total - done))} left"
        self.done, self.total = done, total
        self.progress = f"{done:,} of {plural(total, 'sentence')} of the corpus encoded, {side.name}{left}"


def cosines_with(vector: npt.NDArray[Any], vectors: Matrix) -> Matrix:
    """The cosine of a sentence's vector ``(D,)`` with unit vectors ``(M, D)``: ``(M,)``."""
    return vectors @ unit_rows(vector[None])[0].astype(np.float32)  # type: ignore[no-any-return]


def best(cosines: Matrix, k: int) -> list[int]:
    """The ``k`` rows of the largest cosines, the largest first; of equal ones, the earlier row."""
    return [int(row) for row in np.argsort(-cosines, kind="stable")[:k]]


def ranks(cosines: Matrix, rows: Sequence[int]) -> list[int | None]:
    """The ranks of rows by their cosines, from 1; of equal ones the earlier row is first; None beyond the rows."""
    places = np.empty(len(cosines), dtype=np.int64)
    places[np.argsort(-cosines, kind="stable")] = np.arange(1, len(cosines) + 1)
    return [int(places[row]) if row < len(places) else None for row in rows]
