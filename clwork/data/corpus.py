"""Sequences of sentences with topics, groups and a source from which they can be read again."""

from __future__ import annotations

import copy
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar, overload

import numpy as np

from .. import _validation
from .._validation import check_characters, is_number, kind, shown
from ..wording import plural

Row = TypeVar("Row")


class Examples(Sequence[Row]):
    """In-memory sequence that knows its source; slicing and sampling add a step to ``source``.

    Attributes:
        source: JSON-able argument of :func:`clwork.data.sentences` that reads the same examples again.
        licence: of the text, where known.
    """

    def __init__(self, rows: list[Row], source: Mapping[str, Any] | None = None, licence: str | None = None) -> None:
        self._rows = rows
        self.source: dict[str, Any] = dict(source or {"source": "list"})
        self.licence = licence

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Row | Self:
        if not isinstance(index, slice):
            return self._rows[index]
        bounds = [
            None if i is None else int(i) for i in (index.start, index.stop, index.step)
        ]  # numpy integers are not JSON
        return self._part(range(len(self))[index], ["slice", *bounds])

    def _part(self, chosen: Sequence[int], step: list[Any]) -> Self:
        part = copy.copy(self)
        part._rows = [self._rows[i] for i in chosen]
        part.source = {**self.source, "steps": [*self.source.get("steps", []), step]}
        return part

    def sample(self, n: int, seed: int) -> Self:
        """Draw ``n`` different rows, kept in their order; the same seed draws the same.

        Raises:
            TypeError: ``n`` or ``seed`` is no whole number.
            ValueError: ``n`` is negative or more than there are, or the seed is out of range.
        """
        n, seed = _validation.whole("n", n), _validation.seed(seed)
        if not 0 <= n <= len(self):
            raise ValueError(
                f"cannot draw {shown(n)} of {plural(len(self), 'sentence')}; n must be from 0 to {len(self)}"
            )
        drawn = np.random.default_rng(seed).choice(len(self), size=n, replace=False)
        return self._part(np.sort(drawn).tolist(), ["sample", n, seed])


class Sentences(Examples[str]):
    """A sequence of sentences, in memory.

    Attributes:
        labels: a topic for each sentence, None where it is missing; or None.
        groups: the article each sentence is from, likewise.
        source: JSON-able argument of :func:`clwork.data.sentences` that reads the same examples again.
        licence: of the text, where known.

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
        """Check texts, labels and groups; labels and groups are words or numbers, None or NaN where missing.

        Raises:
            TypeError: ``texts`` is one string, has no order, or holds something else than strings.
            ValueError: labels or groups of another length.
        """
        rows = listed(texts)
        for i, text in enumerate(rows):
            if type(text) is not str:
                if not isinstance(text, str):
                    raise TypeError(f"sentence {i} is {kind(text)} ({shown(text, 40)}); every sentence must be a str")
                rows[i] = str(text)  # numpy.str_
        super().__init__(rows, source, licence)
        self.labels = column("labels", labels, len(rows))
        self.groups = column("groups", groups, len(rows))

    @property
    def label_names(self) -> list[str]:
        """The different topics, sorted; empty where there are none."""
        return sorted({label for label in self.labels or () if label is not None})

    def _part(self, chosen: Sequence[int], step: list[Any]) -> Self:
        part = super()._part(chosen, step)
        part.labels, part.groups = (
            None if values is None else [values[i] for i in chosen] for values in (self.labels, self.groups)
        )
        return part

    def at_most(self, words: int) -> Self:
        """The sentences of at most so many words, split at blanks, in their order.

        Raises:
            TypeError: ``words`` is no whole number.
            ValueError: it is below 1, or no sentence is so short.
        """
        words = _validation.whole("words", words, 1)
        short = [place for place, text in enumerate(self) if len(text.split()) <= words]
        if not short:
            raise ValueError(f"words={words}: all of {plural(len(self), 'sentence')} are longer; give a larger number")
        return self._part(short, ["at_most", words])

    def every_group(self, nth: int) -> Self:
        """The sentences of every ``nth`` group, groups in alphabetical order, the first among them.

        Raises:
            TypeError: ``nth`` is no whole number.
            ValueError: it is below 1, or the sentences have no groups.
        """
        nth = _validation.whole("nth", nth, 1)
        if self.groups is None:
            raise ValueError(f"{self!r} has no groups; take a part by a slice or by sample(n, seed)")
        chosen = set(sorted({group for group in self.groups if group is not None})[::nth])
        return self._part([k for k, group in enumerate(self.groups) if group in chosen], ["every_group", nth])

    def fingerprint(self) -> str:
        """32 hex digits that change with any sentence, label, group or their order."""
        return digest(self._rows, self.labels, self.groups)

    def __repr__(self) -> str:
        topics = f", {len(self.label_names)} topics" if self.labels else ""
        return f"Sentences({len(self):,} from {self.source['source']}{topics})"


def digest(*columns: Iterable[str | None] | None) -> str:
    """Hash columns to 32 hex digits; every value, its place and every None counts."""
    hashed = hashlib.blake2b(digest_size=16)
    for values in columns:
        for value in values or ():
            hashed.update((b"\xff" if value is None else value.encode("utf-8", "surrogatepass")) + b"\0")
        hashed.update(b"\1" if values is None else b"\2")
    return hashed.hexdigest()


class StreamedSentences(Iterable[str]):
    """Sentences read lazily, for corpora that do not fit in memory; each loop reads from the start."""

    labels = None
    groups = None

    def __init__(
        self,
        read: Callable[[], Iterator[str]],
        source: Mapping[str, Any],
        licence: str | None = None,
        fingerprint: Callable[[], str] | None = None,
    ) -> None:
        """Store a function that opens the stream, its source, and a cheap fingerprint."""
        self._read = read
        self._fingerprint = fingerprint
        self.source = dict(source)
        self.licence = licence

    def __iter__(self) -> Iterator[str]:
        return self._read()

    def fingerprint(self) -> str | None:
        """32 hex digits that change with the file; None where only a full read shows a change, as on the hub.

        Of a file they cover the column, the size and the bytes: all of up to 4 MiB, 64 blocks spread evenly over a
        larger one. A change between these blocks that keeps the size is not seen.
        """
        return None if self._fingerprint is None else self._fingerprint()

    def __repr__(self) -> str:
        return f"StreamedSentences(from {self.source['source']})"


def listed(container: Any, what: str = "sentences") -> list[Any]:
    """Convert a container with an order to a list.

    Raises:
        TypeError: one string, something without an order, a table, an open file, or nothing that can be looped over.
    """
    if isinstance(container, str | bytes):
        raise TypeError(f"a list of {what} is needed, not one {kind(container)} ({shown(container, 40)}); wrap it")
    fault = ""
    if isinstance(container, set | frozenset):
        fault = "which has no order; give a list, for instance sorted(...) of it"
    elif isinstance(container, Mapping):
        fault = f"which has names, not places; give the list of {what} in it"
    elif hasattr(container, "columns"):
        fault = "a table of columns; give one of them, as a list"
    elif isinstance(container, io.IOBase):
        fault = "an open file; give its path"
    if not fault:
        try:
            return list(container)
        except TypeError:
            fault = "which cannot be read one by one; give a list"
    raise TypeError(f"{what} is {kind(container)} ({shown(container, 40)}), {fault}")


def check_sentences(sentences: Sequence[str]) -> None:
    """Check that sentences can be trained on or searched in.

    Raises:
        ValueError: there is none, one is blank or holds what cannot be read, or they are all the same.
    """
    if not len(sentences):
        raise ValueError("the list of sentences is empty; give at least one sentence")
    for i, text in enumerate(sentences):
        if not text.strip():
            raise ValueError(f"sentence {i} of {len(sentences)} is blank; leave blank sentences out")
        check_characters(text, f"sentence {i}")
    if len(sentences) > 1 and all(text == sentences[0] for text in sentences):
        raise ValueError(f"all {len(sentences)} sentences are {shown(sentences[0])}; give different ones")


def column(name: str, values: Iterable[object] | None, count: int) -> list[str | None] | None:
    """Convert the topics or groups of ``count`` sentences to words; None where one is missing.

    Raises:
        TypeError: no list of words or numbers.
        ValueError: of another length, or with characters that cannot be read.
    """
    if values is None:
        return None
    if isinstance(values, str | bytes):
        raise TypeError(f"{name} is one {kind(values)} ({shown(values, 40)}); give a list, one for each sentence")
    singular = name.removesuffix("s")
    words = [as_label(value, f"{singular} {i}") for i, value in enumerate(listed(values, name))]
    if len(words) != count:
        raise ValueError(f"{len(words)} {name} for {plural(count, 'sentence')}; give one for each")
    return words


def as_label(value: object, where: str) -> str | None:
    """Convert a label to a word; None and NaN, which mark missing cells, give None.

    Raises:
        TypeError: neither a word nor a number.
    """
    if isinstance(value, str):
        return check_characters(str(value), where)
    if value is None or (is_number(value) and value != value):
        return None
    if not (isinstance(value, bool) or is_number(value)):
        raise TypeError(f"{where} is {kind(value)} ({shown(value)}); give a word or a number")
    return str(value)
