"""Sentences as a sequence of strings that knows its topics, its articles and how to be read again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np

WIKIPEDIA_MINI = "wikipedia-mini"


class Sentences(Sequence[str]):
    """A sequence of sentences, in memory.

    Attributes:
        labels: a topic for each sentence, or None.
        groups: the article each sentence is from, or None.
        source: what :func:`sentences` takes to read the same again; can be written as JSON.
        licence: of the text, where known.

    >>> few = Sentences(["A cat sleeps.", "Rain falls."], labels=["animals", "weather"])
    >>> few[1:].labels
    ['weather']
    """

    def __init__(
        self,
        texts: Iterable[str],
        labels: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        source: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> None:
        """Take texts and what is known of them.

        Raises:
            TypeError: ``texts`` is one string, or holds something else than strings.
            ValueError: labels or groups of another length.
        """
        if isinstance(texts, str | bytes):
            raise TypeError(f"a list of sentences is needed, not one {type(texts).__name__} ({texts[:40]!r}); wrap it")
        self._texts = list(texts)
        for i, text in enumerate(self._texts):
            if not isinstance(text, str):
                raise TypeError(f"sentence {i} is {type(text).__name__} ({text!r:.40}); every sentence must be a str")
        self.labels = None if labels is None else list(labels)
        self.groups = None if groups is None else list(groups)
        for name, values in (("labels", self.labels), ("groups", self.groups)):
            if values is not None and len(values) != len(self._texts):
                raise ValueError(f"{len(values)} {name} for {len(self._texts)} sentences; give one for each")
        self.source: dict[str, Any] = dict(source or {"source": "list"})
        self.licence = licence

    @property
    def label_names(self) -> list[str]:
        """The different topics, sorted; empty where there are none."""
        return sorted(set(self.labels or ()))

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sentences: ...
    def __getitem__(self, index: int | slice) -> str | Sentences:
        if not isinstance(index, slice):
            return self._texts[index]
        bounds = [None if i is None else int(i) for i in (index.start, index.stop, index.step)]  # numpy's are not JSON
        return self._part(range(len(self))[index], ["slice", *bounds])

    def _part(self, chosen: Sequence[int], step: list[Any]) -> Sentences:
        def pick(values: list[str] | None) -> list[str] | None:
            return None if values is None else [values[i] for i in chosen]

        source = {**self.source, "steps": [*self.source.get("steps", []), step]}
        return Sentences([self._texts[i] for i in chosen], pick(self.labels), pick(self.groups), source, self.licence)

    def sample(self, n: int, seed: int) -> Sentences:
        """Draw ``n`` different sentences, kept in their order; the same seed draws the same.

        Raises:
            ValueError: ``n`` is negative or more than there are.
        """
        if not 0 <= n <= len(self):
            raise ValueError(f"cannot draw {n} of {len(self)} sentences; n must be from 0 to {len(self)}")
        drawn = np.random.default_rng(seed).choice(len(self), size=n, replace=False)
        return self._part(np.sort(drawn).tolist(), ["sample", int(n), int(seed)])

    def fingerprint(self) -> str:
        """32 hex digits that change with any sentence, label, group or their order."""
        digest = hashlib.blake2b(digest_size=16)
        for values in (self._texts, self.labels, self.groups):
            for value in values or ():
                digest.update(value.encode("utf-8", "surrogatepass") + b"\0")
            digest.update(b"\1" if values is None else b"\2")
        return digest.hexdigest()

    def __repr__(self) -> str:
        topics = f", {len(self.label_names)} topics" if self.labels else ""
        return f"Sentences({len(self):,} from {self.source['source']}{topics})"


class StreamedSentences(Iterable[str]):
    """Sentences read while they are needed, for what does not fit in memory; each loop reads from the start."""

    labels = None
    groups = None

    def __init__(
        self, read: Callable[[], Iterator[str]], source: Mapping[str, Any], licence: str | None = None
    ) -> None:
        """Take what opens the stream, and how to find it again."""
        self._read = read
        self.source = dict(source)
        self.licence = licence

    def __iter__(self) -> Iterator[str]:
        return self._read()

    def __repr__(self) -> str:
        return f"StreamedSentences(from {self.source['source']})"


Source = str | os.PathLike[str] | Iterable[str]


@overload
def sentences(
    source: Source = WIKIPEDIA_MINI, column: str | None = None, split: str = "train", streaming: Literal[False] = False
) -> Sentences: ...
@overload
def sentences(
    source: Source = WIKIPEDIA_MINI, column: str | None = None, split: str = "train", *, streaming: Literal[True]
) -> StreamedSentences: ...
@overload
def sentences(
    source: Source = WIKIPEDIA_MINI, column: str | None = None, split: str = "train", streaming: bool = False
) -> Sentences | StreamedSentences: ...
def sentences(
    source: Source | Mapping[str, Any] = WIKIPEDIA_MINI,
    column: str | None = None,
    split: str = "train",
    streaming: bool = False,
) -> Sentences | StreamedSentences:
    """Read sentences from a package, a file or the hub.

    Args:
        source: ``"wikipedia-mini"``: about 36,000 sentences of Wikipedia's vital articles, with one of 11 topics each;
            a file ``.txt`` (one sentence per line), ``.csv``, ``.tsv``, ``.jsonl`` (each also ``.gz``) or ``.parquet``;
            a data set of the hub, ``"owner/name"`` or ``"owner/name:configuration"``; a list of sentences; or the
            ``.source`` of sentences read earlier. Tables give ``labels`` from a column ``topic`` or ``label``, and
            ``groups`` from ``article``, ``title`` or ``group``.
        column: of a table, which one holds the sentences. Left out: ``sentence``, ``text``, or the only one there is.
        split: of a data set of the hub.
        streaming: read while looping, for what does not fit in memory. The result has no length and no labels.

    Raises:
        FileNotFoundError: no such file or data set.
        ModuleNotFoundError: the package with the text is not installed.
        ConnectionError: the hub cannot be reached and has left no copy here.
        ValueError: wrong column or split, an empty file, wrong encoding, not text, unknown ending.
        TypeError: not a source.
    """
    if isinstance(source, Mapping):
        return _again(source)
    if column is not None and not isinstance(column, str):
        raise TypeError(f"column is {type(column).__name__} ({column!r}); give its name, or leave it out")
    if not isinstance(source, str | os.PathLike):
        return _given(source)
    from clwork.data import sources

    return sources.read(source, column, split, streaming)


def _given(texts: object) -> Sentences:
    if isinstance(texts, Sentences):
        return texts
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"source is {type(texts).__name__} ({texts!r:.40}); give a name, a path or a list of sentences")
    given = Sentences(texts)
    blank = next((i for i, text in enumerate(given) if not text.strip()), None)
    if blank is not None:
        raise ValueError(f"sentence {blank} of {len(given)} is blank; leave blank sentences out")
    if not given:
        raise ValueError("the list of sentences is empty; give at least one sentence")
    return given


def _again(told: Mapping[str, Any]) -> Sentences | StreamedSentences:
    """Read what a ``.source`` describes, and cut it as it was cut."""
    if told.get("source") in (None, "list"):
        raise ValueError("these sentences were given as a list, so they cannot be read again; give the list itself")
    arguments: dict[str, Any] = {key: told[key] for key in ("source", "column", "split", "streaming") if key in told}
    read: Sentences | StreamedSentences = sentences(**arguments)
    for kind, *values in told.get("steps", []):
        if not isinstance(read, Sentences) or kind not in ("slice", "sample"):
            raise ValueError(f"cannot apply {kind!r} to {read!r}; known are slices and samples of sentences in memory")
        read = read[slice(*values)] if kind == "slice" else read.sample(*values)
    return read
