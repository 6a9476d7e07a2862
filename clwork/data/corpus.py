"""Sequences of sentences and triplets that record their source, and the validation of training examples."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar, overload

import numpy as np

from .. import _validation
from .._validation import check_characters, is_number, kind, listed, shown
from ..wording import plural

Row = TypeVar("Row")
Triplet = tuple[str, str, str]
PARTS = {  # names of an example's sentences, by their number
    2: ("sentence", "positive"),
    3: ("premise", "entailment", "contradiction"),
    4: ("premise", "entailment", "contradiction", "neutral"),
}
KINDS_OF_TUPLES = {2: "pairs", 3: "triplets", 4: "quadruplets"}


class Examples(Sequence[Row]):
    """A sequence in memory that records its source; slicing and sampling add a step to ``source``."""

    def __init__(
        self, rows: list[Row], source: Mapping[str, Any] | None = None, licence: str | None = None
    ) -> None:
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
        ]  # int, for JSON
        return self._part(range(len(self))[index], ["slice", *bounds])

    def _part(self, chosen: Sequence[int], step: list[Any]) -> Self:
        part = copy.copy(self)
        part._rows = [self._rows[i] for i in chosen]
        part.source = {**self.source, "steps": [*self.source.get("steps", []), step]}
        return part

    def sample(self, n: int, seed: int) -> Self:
        """Return ``n`` random rows without replacement, in their original order; equal seeds draw equal rows."""
        n, seed = _validation.integer("n", n), _validation.seed(seed)
        if not 0 <= n <= len(self):
            raise ValueError(
                f"cannot draw {shown(n)} of {plural(len(self), 'sentence')}; n must be from 0 to {len(self)}"
            )
        drawn = np.random.default_rng(seed).choice(len(self), size=n, replace=False)
        return self._part(np.sort(drawn).tolist(), ["sample", n, seed])


class Sentences(Examples[str]):
    """A sequence of sentences in memory, with their ``labels`` (topics) and ``groups`` (articles), or None.

    ``source`` is a JSON object; :func:`clwork.data.sentences` reads the same examples again from it.

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
        """Check texts; labels and groups are strings or numbers, None or NaN where missing."""
        rows = _validation.strings("sentences", texts)
        super().__init__(
            [str(text) for text in rows], source, licence
        )  # str() converts numpy.str_ to str
        self.labels = column("labels", labels, len(rows))
        self.groups = column("groups", groups, len(rows))

    @property
    def label_names(self) -> list[str]:
        """The distinct topics, sorted; empty without labels."""
        return sorted({label for label in self.labels or () if label is not None})

    def _part(self, chosen: Sequence[int], step: list[Any]) -> Self:
        part = super()._part(chosen, step)
        part.labels, part.groups = (
            None if values is None else [values[i] for i in chosen]
            for values in (self.labels, self.groups)
        )
        return part

    def at_most(self, words: int) -> Self:
        """Return the sentences of at most ``words`` words, in their order; blanks separate words."""
        words = _validation.integer("words", words, 1)
        short = [place for place, text in enumerate(self) if len(text.split()) <= words]
        if not short:
            raise ValueError(
                f"words={words}: all of {plural(len(self), 'sentence')} are longer; give a larger number"
            )
        return self._part(short, ["at_most", words])

    def every_group(self, nth: int) -> Self:
        """Return the sentences of every ``nth`` group in alphabetical order, beginning with the first."""
        nth = _validation.integer("nth", nth, 1)
        if self.groups is None:
            raise ValueError(
                f"{self!r} has no groups; take a part by a slice or by sample(n, seed)"
            )
        chosen = set(sorted({group for group in self.groups if group is not None})[::nth])
        return self._part(
            [k for k, group in enumerate(self.groups) if group in chosen], ["every_group", nth]
        )

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of sentences, labels, groups and their order."""
        return digest(self._rows, self.labels, self.groups)

    def __repr__(self) -> str:
        topics = f", {len(self.label_names)} topics" if self.labels else ""
        return f"Sentences({len(self):,} from {self.source['source']}{topics})"


class Triplets(Examples[Triplet]):
    """A sequence of (premise, entailment, contradiction) in memory; ``source`` describes how to read them again.

    >>> Triplets([["A cat sleeps.", "An animal rests.", "A cat runs."]])[0][1]
    'An animal rests.'
    """

    def __init__(
        self,
        rows: Iterable[Sequence[str]],
        source: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> None:
        checked = [check_tuple(row, i, 3) for i, row in enumerate(listed("triplets", rows))]
        super().__init__([(row[0], row[1], row[2]) for row in checked], source, licence)

    def fingerprint(self) -> str:
        """Return a hash (32 hex digits) of the triplets and their order."""
        return digest(part for triplet in self._rows for part in triplet)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Triplets | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Triplets({len(self):,} from {self.source['source']})"


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
        self._read = read
        self._fingerprint = fingerprint
        self.source = dict(source)
        self.licence = licence

    def __iter__(self) -> Iterator[str]:
        return self._read()

    def fingerprint(self) -> str | None:
        """Return a hash of the file, see :func:`.tables.fingerprint`; None for a data set of the hub."""
        return None if self._fingerprint is None else self._fingerprint()

    def __repr__(self) -> str:
        return f"StreamedSentences(from {self.source['source']})"


def digest(*columns: Iterable[str | None] | None) -> str:
    """Hash columns to 32 hex digits, which depend on all values, their order, and which are None."""
    hashed = hashlib.blake2b(digest_size=16)
    for values in columns:
        for value in values or ():
            hashed.update(
                (b"\xff" if value is None else value.encode("utf-8", "surrogatepass")) + b"\0"
            )
        hashed.update(b"\1" if values is None else b"\2")
    return hashed.hexdigest()


def check_sentences(sentences: Sequence[str]) -> None:
    """Check that there are sentences, that none is blank or unreadable, and that they are not all equal."""
    if not len(sentences):
        raise ValueError("the list of sentences is empty; give at least one sentence")
    for i, text in enumerate(sentences):
        if not text.strip():
            raise ValueError(
                f"sentence {i} of {len(sentences)} is blank; leave blank sentences out"
            )
        check_characters(text, f"sentence {i}")
    if len(sentences) > 1 and all(text == sentences[0] for text in sentences):
        raise ValueError(
            f"all {len(sentences)} sentences are {shown(sentences[0])}; give different ones"
        )


def check_tuple(row: object, place: int, size: int) -> tuple[str, ...]:
    """Check a pair, triplet or quadruplet: an example of ``size`` sentences at index ``place`` of its list."""
    name, remedy = (
        KINDS_OF_TUPLES[size].removesuffix("s"),
        f"give ({', '.join(PARTS[size])}), each a sentence",
    )
    if not isinstance(row, tuple | list):
        raise TypeError(f"{name} {place} is {kind(row)} ({shown(row)}); {remedy}")
    if len(row) != size:
        raise ValueError(f"{name} {place} has {len(row)} parts ({shown(row)}); {remedy}")
    for number, part in enumerate(row):
        if not isinstance(part, str):
            raise TypeError(
                f"{name} {place}: part {number} is {kind(part)} ({shown(part)}); {remedy}"
            )
        if not part.strip():
            raise ValueError(
                f"{name} {place}: part {number} is blank; {remedy}, or leave the {name} out"
            )
        check_characters(part, f"{name} {place}, part {number},")
    return tuple(map(str, row))


def column(name: str, values: Iterable[object] | None, count: int) -> list[str | None] | None:
    """Convert the topics or groups of ``count`` sentences to strings; None where one is missing."""
    if values is None:
        return None
    labels: list[str | None] = []
    for row, value in enumerate(listed(name, values)):
        if not isinstance(value, str | bool | None) and not is_number(value):
            raise TypeError(
                f"{name}, row {row}: {shown(value)} is {kind(value)}; give strings or numbers"
            )
        missing = value is None or value != value  # NaN also marks a missing cell
        labels.append(None if missing else check_characters(str(value), f"{name}, row {row},"))
    if len(labels) != count:
        raise ValueError(f"{len(labels)} {name} for {plural(count, 'sentence')}; give one for each")
    return labels
