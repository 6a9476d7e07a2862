"""Sentences, which record where they were read, and checks of examples."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np

from .. import _validation
from .._validation import shown
from ..wording import plural

# Training examples of several sentences: their kind and their parts, by the number of sentences.
KINDS_OF_TUPLES = {2: "pairs", 3: "triplets"}
PARTS_OF_TUPLES = {2: ("sentence", "positive"), 3: ("premise", "entailment", "contradiction")}


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
    ) -> None:
        """Make the sequence.

        Args:
            texts: N sentences.
            labels: the topic of each sentence, N strings or numbers; None or NaN if it has none.
            groups: the article of each sentence, in the same form.
            source: where the sentences were read; default: a list, which cannot be read again.
        """
        # A pandas or numpy column holds numpy.str_, which JSON and the tokenizers do not accept.
        self._texts = [str(text) for text in _validation.strings("sentences", texts)]
        self.labels = _as_text("labels", labels, len(self))
        self.groups = _as_text("groups", groups, len(self))
        self.source: dict[str, Any] = dict(source or {"source": "list"})

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
        # Plain integers instead of numpy's, because the bounds are stored as JSON.
        plain_bounds = [None if bound is None else int(bound) for bound in bounds]
        return self._subset(range(len(self))[index], ["slice", *plain_bounds])

    def _subset(self, rows: Sequence[int], step: list[Any]) -> Self:
        """Return the sentences with the indices ``rows``.

        ``step`` records how they were chosen, as the name of a method and its arguments, such as
        ``["sample", 100, 0]``; the new ``.source`` repeats all steps when it is read again.
        """
        subset = copy.copy(self)
        subset._texts = [self._texts[row] for row in rows]
        if self.labels is not None:
            subset.labels = [self.labels[row] for row in rows]
        if self.groups is not None:
            subset.groups = [self.groups[row] for row in rows]
        subset.source = {**self.source, "steps": [*self.source.get("steps", []), step]}
        return subset

    def sample(self, n: int, seed: int) -> Self:
        """Return ``n`` random sentences in their original order, none twice.

        The same seed draws the same sentences.

        Raises:
            ValueError: there are fewer than ``n`` sentences (by numpy).

        >>> Sentences(["one", "two", "three"]).sample(2, seed=0)
        Sentences(2 from list)
        """
        # None would draw differently at each call.
        seed = _validation.seed(seed)
        drawn_rows = np.random.default_rng(seed).choice(len(self), size=n, replace=False)
        return self._subset(np.sort(drawn_rows).tolist(), ["sample", int(n), seed])

    def at_most(self, words: int) -> Self:
        """Return the sentences of at most ``words`` words (separated by blanks), in their order.

        >>> list(Sentences(["Rain falls.", "The old cat sleeps."]).at_most(2))
        ['Rain falls.']
        """
        short_rows = [row for row, text in enumerate(self) if len(text.split()) <= words]
        return self._subset(short_rows, ["at_most", words])

    def every_group(self, nth: int) -> Self:
        """Return the sentences of every ``nth`` group, counted alphabetically from the first on.

        A smaller corpus of complete groups: with a slice, few sentences would share an article.

        Raises:
            ValueError: the sentences have no groups.

        >>> corpus = Sentences(["one", "two", "three"], groups=["a", "b", "c"])
        >>> list(corpus.every_group(2))
        ['one', 'three']
        """
        if self.groups is None:
            raise ValueError(
                f"{self!r} has no groups; take a part by a slice or by sample(n, seed)"
            )
        all_groups = sorted({group for group in self.groups if group is not None})
        chosen = set(all_groups[::nth])
        rows = [row for row, group in enumerate(self.groups) if group in chosen]
        return self._subset(rows, ["every_group", nth])

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of sentences, labels, groups and their order."""
        return digest(self._texts, self.labels, self.groups)

    def __repr__(self) -> str:
        return f"Sentences({len(self):,} from {self.source['source']})"


def digest(*columns: Iterable[str | None] | None) -> str:
    """Hash columns of strings to 32 hex digits: their values and order, and which are None.

    A column can be None as a whole, too.
    """
    hashed = hashlib.blake2b(digest_size=16)
    for values in columns:
        for value in values or ():
            # UTF-8 has no byte 255, so None differs from every string.
            encoded = b"\xff" if value is None else value.encode("utf-8", "surrogatepass")
            # A zero byte ends each value, so that ["ab"] differs from ["a", "b"].
            hashed.update(encoded + b"\0")
        # The last byte tells a missing column from an empty one.
        hashed.update(b"\1" if values is None else b"\2")
    return hashed.hexdigest()


def check_sentences(sentences: Sequence[str]) -> None:
    """Check that there are sentences, and that none is blank."""
    if not len(sentences):
        raise ValueError("the list of sentences is empty; give at least one sentence")
    for number, text in enumerate(sentences):
        if not text.strip():
            raise ValueError(
                f"sentence {number} of {len(sentences)} is blank; leave blank sentences out"
            )


def checked_tuple(example: object, number: int, size: int) -> tuple[str, ...]:
    """Return a pair or triplet as a tuple of strings.

    ``example`` is example ``number`` of a list whose first example has ``size`` sentences.
    """
    singular = KINDS_OF_TUPLES[size].removesuffix("s")
    remedy = f"give ({', '.join(PARTS_OF_TUPLES[size])}), each a sentence"
    if not isinstance(example, tuple | list) or len(example) != size:
        raise ValueError(f"{singular} {number} is {shown(example)}; {remedy}")
    for index, sentence in enumerate(example):
        name = f"{singular} {number}, part {index}"
        if not isinstance(sentence, str):
            raise TypeError(f"{name} is {shown(sentence)}; {remedy}")
        if not sentence.strip():
            raise ValueError(f"{name} is blank; {remedy}, or leave the {singular} out")
    return tuple(map(str, example))


def _as_text(name: str, values: Iterable[object] | None, count: int) -> list[str | None] | None:
    """Return the labels or groups of ``count`` sentences as strings, and None for missing ones.

    ``name`` is that of the argument, for the error message.
    """
    if values is None:
        return None
    # NaN marks a missing cell in pandas; it is the only value that does not equal itself.
    texts = [None if value is None or value != value else str(value) for value in values]
    if len(texts) != count:
        raise ValueError(f"{len(texts)} {name} for {plural(count, 'sentence')}; give one for each")
    return texts
