"""Sentences as a sequence of strings that knows its topics, its articles and how to be read again."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar, overload

import numpy as np

from clwork import checks
from clwork.checks import kind, shown
from clwork.data.texts import column, listed
from clwork.wording import plural

Row = TypeVar("Row")


class Examples(Sequence[Row]):
    """A sequence in memory that knows where it is from; slices and samples of it know how they were cut.

    Attributes:
        source: what :func:`clwork.data.sentences` takes to read the same again; can be written as JSON.
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
        bounds = [None if i is None else int(i) for i in (index.start, index.stop, index.step)]  # numpy's are not JSON
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
        n, seed = checks.whole("n", n), checks.seed(seed)
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
        source: what :func:`clwork.data.sentences` takes to read the same again; can be written as JSON.
        licence: of the text, where known.

    >>> few = Sentences(["A cat sleeps.", "Rain falls."], labels=["animals", "weather"])
    >>> few[1:].labels
    ['weather']
    """

    def __init__(
        self,
        texts: Iterable[str],
        labels: Iterable[Any] | None = None,
        groups: Iterable[Any] | None = None,
        source: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> None:
        """Take texts and what is known of them; labels and groups are words or numbers, None or NaN where missing.

        Raises:
            TypeError: ``texts`` is one string, has no order, or holds something else than strings.
            ValueError: labels or groups of another length.
        """
        rows = listed(texts)
        for i, text in enumerate(rows):
            if type(text) is not str:
                if not isinstance(text, str):
                    raise TypeError(f"sentence {i} is {kind(text)} ({shown(text, 40)}); every sentence must be a str")
                rows[i] = str(text)  # numpy's
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

    def fingerprint(self) -> str:
        """32 hex digits that change with any sentence, label, group or their order."""
        return digest(self._rows, self.labels, self.groups)

    def __repr__(self) -> str:
        topics = f", {len(self.label_names)} topics" if self.labels else ""
        return f"Sentences({len(self):,} from {self.source['source']}{topics})"


def digest(*columns: Iterable[str | None] | None) -> str:
    """32 hex digits that change with any value of any column, with their order, and with what is missing."""
    found = hashlib.blake2b(digest_size=16)
    for values in columns:
        for value in values or ():
            found.update((b"\xff" if value is None else value.encode("utf-8", "surrogatepass")) + b"\0")
        found.update(b"\1" if values is None else b"\2")
    return found.hexdigest()


class StreamedSentences(Iterable[str]):
    """Sentences read while they are needed, for what does not fit in memory; each loop reads from the start."""

    labels = None
    groups = None

    def __init__(
        self,
        read: Callable[[], Iterator[str]],
        source: Mapping[str, Any],
        licence: str | None = None,
        fingerprint: Callable[[], str] | None = None,
    ) -> None:
        """Hold a function that opens the stream, its source, and a cheap check that it has not changed."""
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
