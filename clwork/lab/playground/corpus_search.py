"""The search through a corpus: which one, how much of it, how far its encoding is, and one sentence's place in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from ... import _validation
from ...arithmetic import normalize
from ...data.sources import DEFAULT
from ...wording import duration, plural
from .compared_encoders import Side
from .encoded_corpus import MOST, ROWS, Corpus, Matrix, encoded

LEAST = 10  # sentences
Cosines = npt.NDArray[np.float32]


class CorpusSearch:
    """The corpus, the number of its sentences, and how far its encoding is.

    Attributes:
        name: of the corpus: a dataset, or a file's path.
        count: how many of its sentences are searched, at equal distances.
        done: sentences encoded.
        total: sentences to encode; 0 while none are.
        words: the progress in words, with the time left.
    """

    def __init__(self, given: Any, count: int) -> None:
        """Begin with a corpus, by name or as sentences, and a number of sentences."""
        self._given = None if isinstance(given, str) else given
        self._read: tuple[Any, Corpus] | None = None
        self._over = threading.Event()
        self._uploaded: dict[str, Path] = {}
        self.name = given if isinstance(given, str) else "given in the call"
        self.count = count
        self.done, self.total, self.words = 0, 0, ""

    @property
    def fixed(self) -> bool:
        """Whether the corpus was given as sentences and has no name to change."""
        return self._given is not None

    def choose(self, name: str, count: int) -> None:
        """Search ``count`` sentences of the corpus called ``name``.

        Raises:
            TypeError, ValueError: ``count`` is no whole number from 10 to 1,000,000.
        """
        self.count = _validation.whole("sentences", count, LEAST, MOST)
        if not self.fixed:
            self.name = name.strip()

    def upload(self, name: str, path: Path) -> None:
        """Search the file at ``path`` under the name that it had at the reader's."""
        self._given, self._read = None, None
        self._uploaded[name] = path
        self.name = name

    def begin(self) -> None:
        """Reset an earlier Stop."""
        self._over.clear()
        self.end()

    def end(self) -> None:
        """Nothing is encoded any more."""
        self.done, self.total, self.words = 0, 0, ""

    def halt(self) -> None:
        """Stop the search; what is encoded is kept."""
        self._over.set()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped since :meth:`begin`."""
        return self._over.is_set()

    def read(self) -> Corpus:
        """The sentences to search; read again only if corpus or number change.

        Raises:
            ValueError: no corpus is named.
            Exception: what :func:`clwork.data.sentences` raises.
        """
        given, count = self._given, self.count
        if given is None and not (given := self.name):
            raise ValueError(f"no corpus is named: type {DEFAULT}, a file or a dataset of the hub")
        asked = (given if isinstance(given, str) else id(given), count)
        if self._read is None or self._read[0] != asked:
            self.words = "reading the corpus"
            source = self._uploaded.get(given, given) if isinstance(given, str) else given
            self._read = (asked, Corpus.of(source, count))
        return self._read[1]

    def vectors(
        self, side: Side, corpus: Corpus, enough: int = MOST, between: Callable[[], None] = lambda: None
    ) -> Matrix:
        """Vectors of the corpus, or of ``enough`` of it, see :func:`.encoded`.

        ``between`` is called after every few hundred sentences, on this thread.
        """
        clock = TimeLeft()

        def report(done: int, total: int) -> None:
            self.done, self.total = done, total
            self.words = (
                f"{done:,} of {plural(total, 'sentence')} of the corpus encoded, {side.name}{clock.at(done, total)}"
            )
            between()

        return encoded(side.encoder, corpus, report, self._over, enough)


class TimeLeft:
    """The time left, from how fast it went since the first report."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None

    def at(self, done: int, total: int) -> str:
        """In words, with a comma before them; empty before there is anything to go by.

        >>> TimeLeft().at(10, 20)
        ''
        """
        now = time.monotonic()
        begun, first = self._first = self._first or (now, done)
        if done <= first or done >= total:
            return ""
        return f", about {duration((now - begun) / (done - first) * (total - done))} left"


class SearchedVectors:
    """Vectors ``(M, D)`` of a corpus by one encoder, or of its first part, and their cosines with a sentence.

    In memory are four bytes a vector, and a few megabytes of the mapped file at a time.
    """

    def __init__(self, vectors: Matrix) -> None:
        self.vectors = vectors
        self._lengths: Cosines | None = None  # half precision leaves them near 1, not at 1

    def __len__(self) -> int:
        return len(self.vectors)

    def cosines(self, sentence: npt.NDArray[np.float32]) -> Cosines:
        """The cosine of a sentence's vector ``(D,)`` with each of the corpus: ``(M,)``."""
        unit = normalize(torch.from_numpy(sentence[None].astype(np.float64)))[0].float()
        found = np.zeros(len(self), dtype=np.float32)
        lengths = np.ones(len(self), dtype=np.float32) if self._lengths is None else self._lengths
        for start in range(0, len(self), ROWS):
            part = torch.from_numpy(np.array(self.vectors[start : start + ROWS])).float()
            found[start : start + ROWS] = (part @ unit).numpy()
            if self._lengths is None:
                lengths[start : start + ROWS] = part.norm(dim=1).clamp_min(1e-12).numpy()
        self._lengths = lengths
        found /= lengths
        return found

    def rows(self, rows: Sequence[int]) -> npt.NDArray[np.float32]:
        """Some of the vectors: ``(len(rows), D)``."""
        return np.asarray(self.vectors[list(rows)], dtype=np.float32)


def best(cosines: Cosines, k: int) -> list[int]:
    """The ``k`` rows of the largest cosines, the largest first; of equal ones, the earlier row.

    >>> best(np.array([0.1, 0.5, 0.5, 0.2], dtype=np.float32), 3)
    [1, 2, 3]
    """
    if k >= len(cosines):
        rows = np.arange(len(cosines))
    else:
        least = np.partition(cosines, -k)[-k]
        rows = np.flatnonzero(cosines >= least)  # ties at the edge included
    order = rows[np.argsort(-cosines[rows], kind="stable")][:k]
    return [int(row) for row in order]


def rank(cosines: Cosines, row: int) -> int | None:
    """The place of a row by its cosine, from 1; of equal ones the earlier row is before; None outside of what is there.

    >>> rank(np.array([0.1, 0.5, 0.5, 0.2], dtype=np.float32), 2)
    2
    """
    if row >= len(cosines):
        return None
    return 1 + int((cosines > cosines[row]).sum()) + int((cosines[:row] == cosines[row]).sum())
