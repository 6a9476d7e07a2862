"""Sentences that record their source, in memory or streamed, and the check of examples."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np

from .. import _validation
from .._validation import kind, shown
from ..wording import plural

PARTS = {  # names of the sentences of an example, by their number
    2: ("sentence", "positive"),
    3: ("premise", "entailment", "contradiction"),
    4: ("premise", "entailment", "contradiction", "neutral"),
}
KINDS_OF_TUPLES = {2: "pairs", 3: "triplets", 4: "quadruplets"}


class Sentences(Sequence[str]):
    """A sequence of sentences in memory, with their ``labels`` (topics) and ``groups`` (articles).

    ``labels`` and ``groups`` are lists with a string or None for each sentence, or None.
    ``source`` is a JSON object such as ``{"source": "corpus.txt", "steps": [["sample", 100, 0]]}``,
    from which :func:`clwork.data.sentences` reads the same sentences again; slicing and sampling
    add a step.

    >>> few = Sentences(["A cat sleeps.", "Rain falls."], labels=["animals", "weather"])
    >>> few[1:].labels
    ['weather']
    """

    def __init__(
        self,
        texts: Iterable[str],
        labels: Iterable[object] | None = None,
        groups: Iterable[object] | None = None,
        source: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> None:
        """Make the sequence; labels and groups are strings or numbers, None or NaN if missing."""
        # str() converts numpy.str_ to str.
        self._texts = [str(text) for text in _validation.strings("sentences", texts)]
        self.labels = _as_text("labels", labels, len(self))
        self.groups = _as_text("groups", groups, len(self))
        self.source: dict[str, Any] = dict(source or {"source": "list"})
        self.licence = licence

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> str | Self:
        if not isinstance(index, slice):
            return self._texts[index]
        bounds = (index.start, index.stop, index.step)
        # Plain integers instead of numpy's, because the step is stored as JSON.
        plain = [None if bound is None else int(bound) for bound in bounds]
        return self._subset(range(len(self))[index], ["slice", *plain])

    def _subset(self, rows: Sequence[int], step: list[Any]) -> Self:
        """Return the sentences with these indices; ``step`` describes how they were chosen."""
        subset = copy.copy(self)
        subset._texts = [self._texts[row] for row in rows]
        if self.labels is not None:
            subset.labels = [self.labels[row] for row in rows]
        if self.groups is not None:
            subset.groups = [self.groups[row] for row in rows]
        subset.source = {**self.source, "steps": [*self.source.get("steps", []), step]}
        return subset

    def sample(self, n: int, seed: int) -> Self:
        """Return ``n`` random rows in their original order, none twice; equal seeds draw alike."""
        n = _validation.integer("n", n)
        seed = _validation.seed(seed)
        if not 0 <= n <= len(self):
            raise ValueError(
                f"cannot draw {shown(n)} of {plural(len(self), 'sentence')}; "
                f"n must be from 0 to {len(self)}"
            )
        drawn = np.random.default_rng(seed).choice(len(self), size=n, replace=False)
        return self._subset(np.sort(drawn).tolist(), ["sample", n, seed])

    @property
    def label_names(self) -> list[str]:
        """The distinct topics, sorted; empty without labels."""
        return sorted({label for label in self.labels or () if label is not None})

    def at_most(self, words: int) -> Self:
        """Return the sentences of at most ``words`` words, which blanks separate, in their order.

        Raises:
            ValueError: all sentences are longer.
        """
        short = [row for row, text in enumerate(self) if len(text.split()) <= words]
        if not short:
            raise ValueError(
                f"words={words}: all of {plural(len(self), 'sentence')} are longer; "
                "give a larger number"
            )
        return self._subset(short, ["at_most", words])

    def every_group(self, nth: int) -> Self:
        """Return the sentences of every ``nth`` group in alphabetical order, from the first on.

        Raises:
            ValueError: the sentences have no groups.
        """
        if self.groups is None:
            raise ValueError(
                f"{self!r} has no groups; take a part by a slice or by sample(n, seed)"
            )
        names = sorted({group for group in self.groups if group is not None})
        chosen = set(names[::nth])
        rows = [row for row, group in enumerate(self.groups) if group in chosen]
        return self._subset(rows, ["every_group", nth])

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of sentences, labels, groups and their order."""
        return digest(self._texts, self.labels, self.groups)

    def __repr__(self) -> str:
        topics = f", {len(self.label_names)} topics" if self.labels else ""
        return f"Sentences({len(self):,} from {self.source['source']}{topics})"


class StreamedSentences(Iterable[str]):
    """Sentences read lazily, for corpora that do not fit in memory; each loop reads from the start.

    A stream has neither a length nor labels.
    """

    labels = None
    groups = None

    def __init__(
        self,
        read: Callable[[], Iterator[str]],
        source: Mapping[str, Any],
        licence: str | None = None,
    ) -> None:
        self._read = read
        self.source = {**source, "streaming": True}
        self.licence = licence

    def __iter__(self) -> Iterator[str]:
        return self._read()

    def __repr__(self) -> str:
        return f"StreamedSentences(from {self.source['source']})"


def digest(*columns: Iterable[str | None] | None) -> str:
    """Hash columns to 32 hex digits: all values, their order, and which of them are None."""
    hashed = hashlib.blake2b(digest_size=16)
    for values in columns:
        for value in values or ():
            encoded = b"\xff" if value is None else value.encode("utf-8", "surrogatepass")
            hashed.update(encoded + b"\0")
        hashed.update(b"\1" if values is None else b"\2")
    return hashed.hexdigest()


def check_sentences(sentences: Sequence[str]) -> None:
    """Check that there are sentences, and that none is blank or cannot be stored as UTF-8."""
    if not len(sentences):
        raise ValueError("the list of sentences is empty; give at least one sentence")
    for number, text in enumerate(sentences):
        if not text.strip():
            raise ValueError(
                f"sentence {number} of {len(sentences)} is blank; leave blank sentences out"
            )
        _validation.text(f"sentence {number}", text)


def check_tuple(row: object, number: int, size: int) -> tuple[str, ...]:
    """Check a pair, triplet or quadruplet: row ``number`` of a list of tuples of ``size``."""
    name = KINDS_OF_TUPLES[size].removesuffix("s")
    remedy = f"give ({', '.join(PARTS[size])}), each a sentence"
    if not isinstance(row, tuple | list):
        raise TypeError(f"{name} {number} is {kind(row)} ({shown(row)}); {remedy}")
    if len(row) != size:
        raise ValueError(f"{name} {number} has {len(row)} parts ({shown(row)}); {remedy}")
    for place, part in enumerate(row):
        where = f"{name} {number}, part {place}"
        if not _validation.text(where, part).strip():
            raise ValueError(f"{where} is blank; {remedy}, or leave the {name} out")
    return tuple(map(str, row))


def _as_text(name: str, values: Iterable[object] | None, count: int) -> list[str | None] | None:
    """Convert the topics or groups of ``count`` sentences to strings; None where one is missing."""
    if values is None:
        return None
    # NaN also marks a missing cell; it is the only value that does not equal itself.
    texts = [None if value is None or value != value else str(value) for value in values]
    if len(texts) != count:
        raise ValueError(f"{len(texts)} {name} for {plural(count, 'sentence')}; give one for each")
    return texts
