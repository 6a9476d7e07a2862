"""From whatever names or holds sentences to the sentences themselves: the one edge where they are checked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, overload

from clwork import checks
from clwork.checks import is_whole, kind, shown
from clwork.data.corpus import WIKIPEDIA_MINI, Examples, Sentences, StreamedSentences
from clwork.data.pairs import Triplets, triplets
from clwork.data.texts import check_sentences, listed

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
            a data set of the hub, ``"owner/name"`` or ``"owner/name:configuration"``; a list of sentences (or an array,
            a series, a generator, which is read whole); or the ``.source`` of sentences or triplets read earlier.
            Tables give ``labels`` from a column ``topic`` or ``label``, and ``groups`` from ``article``, ``title`` or
            ``group``; a missing one is ``""``.
        column: of a table, which one holds the sentences. Left out: ``sentence``, ``text``, or the only one there is.
        split: of a data set of the hub.
        streaming: read while looping, for what does not fit in memory. The result has no length and no labels.

    Raises:
        FileNotFoundError: no such file or data set.
        ModuleNotFoundError: the package with the text is not installed.
        ConnectionError: the hub cannot be reached and has left no copy here.
        ValueError: wrong column or split, an empty file, wrong encoding, not text, unknown ending; a list that is
            empty, all the same, or has a blank sentence or one that no tokenizer can read.
        TypeError: not a source.
    """
    if column is not None and not isinstance(column, str):
        raise TypeError(f"column is {kind(column)} ({shown(column)}); give its name, or leave it out")
    if not isinstance(split, str):
        raise TypeError(f"split is {kind(split)} ({shown(split)}); give its name, such as 'train'")
    streaming = checks.flag("streaming", streaming)
    if isinstance(source, str | os.PathLike):
        from clwork.data import sources

        return sources.read(source, column, split, streaming)
    _check_unused(isinstance(source, Mapping), column, split, streaming)
    return _again(source) if isinstance(source, Mapping) else _given(source)


def _check_unused(is_told: bool, column: str | None, split: str, streaming: bool) -> None:
    """Refuse what would change nothing beside a list or a ``.source``."""
    for name, value, usual, needs in (
        ("column", column, None, "only tables have columns"),
        ("split", split, "train", "only data sets of the hub have splits"),
        ("streaming", streaming, False, "these sentences are in memory already"),
    ):
        if value != usual:
            reason = "a .source says its own" if is_told else needs
            raise ValueError(f"{name}={shown(value)}: {reason}; leave {name} out")


def _given(texts: Any) -> Sentences | StreamedSentences:
    if isinstance(texts, StreamedSentences):
        return texts
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"source is {kind(texts)} ({shown(texts, 40)}); give a name, a path or a list of sentences")
    found = texts if isinstance(texts, Sentences) else Sentences(texts)
    check_sentences(found)
    return found


def check_told(told: Mapping[str, Any]) -> None:
    """What should be the ``.source`` of sentences or triplets is one, and can be read again.

    Raises:
        TypeError: its ``"source"`` is no name.
        ValueError: it has none, or tells of a list; or its ``"steps"`` are no list.
    """
    source, steps = told.get("source"), told.get("steps", [])
    if source is None:
        raise ValueError(f"there is no 'source' in {shown(told)}; of a table, give the list of sentences in it")
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source is {kind(source)} ({shown(source)}); give a name or a path, as .source has it")
    if source == "list":
        raise ValueError("these sentences were given as a list, so they cannot be read again; give the list itself")
    if not isinstance(steps, list | tuple):
        raise ValueError(f"steps is {shown(steps)}; it must be a list of slices and samples, as .source has it")


def _again(told: Mapping[str, Any]) -> Any:
    """Read what a ``.source`` describes, and cut it as it was cut."""
    check_told(told)
    read: Any
    if told.get("kind") == "triplets":
        read = triplets(told["source"])
    else:
        read = sentences(told["source"], told.get("column"), told.get("split", "train"), told.get("streaming", False))
    for step in told.get("steps", []):
        read = _cut(read, step)
    return read


def _cut(read: Any, step: Any) -> Any:
    if isinstance(read, Examples):
        match step:
            case ["slice", start, stop, stride] if stride != 0 and all(
                bound is None or is_whole(bound) for bound in (start, stop, stride)
            ):
                return read[start:stop:stride]
            case ["sample", n, seed]:
                return read.sample(n, seed)
    raise ValueError(f"cannot apply {shown(step)} to {read!r}; known are slices and samples of sentences in memory")


def examples(given: Any) -> Any:
    """What is to be trained on, checked: sentences as by :func:`sentences`, triplets, or a stream, which is not read.

    The ``.source`` of sentences read earlier stays what it is, and is not read either. Examples of any other kind are
    passed on as they are: the method that takes them knows what they must be.

    Raises:
        TypeError: something without an order, that can be read only once, or that cannot be looped over.
        ValueError: none, blank or equal ones, or a triplet with a part missing.
    """
    if isinstance(given, Mapping):
        check_told(given)
        return given
    if isinstance(given, str | os.PathLike):
        raise TypeError(f"{shown(given)} names examples; read them first, with clwork.data.sentences(...)")
    if isinstance(given, Sentences):
        return _given(given)
    if isinstance(given, Triplets | StreamedSentences):
        return given
    if isinstance(given, Iterator):
        raise TypeError(f"sentences is a {kind(given)}, which can be read only once; give a list: list(...) of it")
    if not hasattr(given, "__len__") and isinstance(given, Iterable):
        return given  # a stream of the reader's own
    rows = listed(given)
    if not rows:
        raise ValueError("sentences is empty; give at least one batch of them")
    if isinstance(rows[0], str):
        return _given(rows)
    if isinstance(rows[0], tuple | list) and len(rows[0]) == 3 and all(isinstance(part, str) for part in rows[0]):
        return Triplets(rows)
    return given
