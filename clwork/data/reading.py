"""Read and validate sentences from a name, a file, a hub dataset or a list."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, overload

from .. import _validation
from .._validation import is_whole, kind, shown
from . import files, hub_datasets, tables
from .corpus import Examples, Sentences, StreamedSentences, check_sentences, listed
from .pairs import KINDS_OF_TUPLES, Triplets, check_tuple, triplets
from .sources import DEFAULT, CorpusSource, named, sources_of

# `owner/name`, or the bare name of an old data set, with `:configuration` if it has several.
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?(:[\w.-]+)?")
Source = str | os.PathLike[str] | Iterable[str]


@overload
def sentences(
    source: Source = DEFAULT, column: str | None = None, split: str = "train", streaming: Literal[False] = False
) -> Sentences: ...
@overload
def sentences(
    source: Source = DEFAULT, column: str | None = None, split: str = "train", *, streaming: Literal[True]
) -> StreamedSentences: ...
@overload
def sentences(
    source: Source = DEFAULT, column: str | None = None, split: str = "train", streaming: bool = False
) -> Sentences | StreamedSentences: ...
def sentences(
    source: Source | Mapping[str, Any] = DEFAULT,
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
    streaming = _validation.flag("streaming", streaming)
    if isinstance(source, str | os.PathLike):
        return _by_name(source, column, split, streaming)
    _check_unused(isinstance(source, Mapping), column, split, streaming)
    return _again(source) if isinstance(source, Mapping) else _given(source)


def _by_name(
    source: str | os.PathLike[str], column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    """Read a corpus with a name of its own, a file or a data set of the hub."""
    if known := named(source):
        return _named(known, column, split, streaming)
    path = _path(source)
    if path is None:
        return hub_datasets.read_sentences(str(source), column, split, streaming)
    if split != "train":
        raise ValueError(f"split={split!r}: a file has no splits; name the file of that split, and leave split out")
    return _file(path, column, streaming)


def _named(known: CorpusSource, column: str | None, split: str, streaming: bool) -> Sentences | StreamedSentences:
    if column is not None or split != "train":
        raise ValueError(f"{known.name} has no columns and no splits (column={column!r}, split={split!r})")
    whole = known.examples()
    if not isinstance(whole, Sentences):
        raise TypeError(f"the corpus {known.name!r} gives {kind(whole)}; its read() must return clwork.data.Sentences")
    check_sentences(whole)
    if streaming:
        about = {**whole.source, "streaming": True}
        return StreamedSentences(lambda: iter(whole), about, whole.licence, whole.fingerprint)
    return whole


def canonical_name(source: str | os.PathLike[str]) -> str:
    """Return a source's name independent of the working directory: of a file its absolute path.

    Raises:
        FileNotFoundError, ValueError: it names nothing, or a file that cannot be read.
    """
    path = None if named(source) else _path(source)
    if path is None:
        return str(source)
    files.check_file(path)
    return str(files.settled(path))


def _path(source: str | os.PathLike[str]) -> Path | None:
    """Return the path that a source names; None for a data set of the hub."""
    if isinstance(source, str) and not source.strip():
        raise ValueError(f"source is blank ({shown(source)}); give {DEFAULT!r}, a path or a data set of the hub")
    if isinstance(source, str) and not _is_file(source):
        own = [known.name for known in sources_of("sentences")]
        if close := difflib.get_close_matches(source.lower().replace("_", "-"), own, cutoff=0.8):
            raise ValueError(f"no source is called {source!r}; did you mean {close[0]!r}?")
        return None
    return _validation.path("source", source)


def _is_file(source: str) -> bool:
    """Whether a string is a path; a data set's name may contain dots, but no known file ending."""
    path = _validation.path("source", source)
    ending = files.extension(path)
    known = ending in files.READABLE or ending in files.ADVICE or path.suffix == ".gz"
    return known or not HUB_NAME.fullmatch(source) or path.exists()


def _file(path: Path, column: str | None, streaming: bool) -> Sentences | StreamedSentences:
    ending = files.check_file(path)
    if ending == ".txt" and column is not None:
        raise ValueError(f"column={column!r}: {path} is a .txt file, one sentence per line, without columns")
    about: dict[str, Any] = {"source": str(files.settled(path))}
    if column is not None:
        about["column"] = column
    if streaming:
        path = path.absolute()  # the working directory may change between two loops
        loop: Callable[[], Iterator[str]] = (
            (lambda: files.lines(path)) if ending == ".txt" else (lambda: (text for text, _ in _texts(path, column)))
        )
        if next(loop(), None) is None:  # finds a wrong column or encoding before a training does
            raise ValueError(f"{path} holds no sentence; check how it was written")
        streamed = {**about, "streaming": True}
        return StreamedSentences(loop, streamed, fingerprint=lambda: files.fingerprint(path, column))
    if ending == ".txt":
        return Sentences(files.read_lines(path), source=about)
    return _table(path, column, about)


def _texts(path: Path, column: str | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the non-blank sentences of a table, each with its row."""
    chosen: str | None = None
    for number, row in tables.rows(path):
        if chosen is None:
            chosen = tables.choose_column(list(row), column, str(path))
        if chosen not in row:
            raise ValueError(f"{path}, line {number}: no {chosen!r}, only {', '.join(map(repr, row))}")
        if text := tables.text_of(row[chosen], chosen, f"{path}, line {number}"):
            yield text, row


def _table(path: Path, column: str | None, about: dict[str, Any]) -> Sentences:
    texts, rows = [], []
    for text, row in _texts(path, column):
        texts.append(text)
        rows.append(row)
    if not texts:
        raise ValueError(f"{path} holds no sentence in its rows; check how it was written")
    columns = list(rows[0])
    taken = tables.choose_column(columns, column, str(path))

    def beside(names: tuple[str, ...]) -> list[str] | None:
        name = tables.find_column(columns, names, taken)
        where = f"{path}, {name}"
        return None if name is None else [tables.label_of(row.get(name), where) for row in rows]

    return Sentences(texts, beside(tables.LABEL_COLUMNS), beside(tables.GROUP_COLUMNS), about)


def _check_unused(is_source: bool, column: str | None, split: str, streaming: bool) -> None:
    """Refuse arguments that have no effect on a list or a ``.source``."""
    for name, value, usual, needs in (
        ("column", column, None, "only tables have columns"),
        ("split", split, "train", "only data sets of the hub have splits"),
        ("streaming", streaming, False, "these sentences are in memory already"),
    ):
        if value != usual:
            reason = "a .source says its own" if is_source else needs
            raise ValueError(f"{name}={shown(value)}: {reason}; leave {name} out")


def _given(texts: object) -> Sentences | StreamedSentences:
    if isinstance(texts, StreamedSentences):
        return texts
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"source is {kind(texts)} ({shown(texts, 40)}); give a name, a path or a list of sentences")
    checked = texts if isinstance(texts, Sentences) else Sentences(texts)
    check_sentences(checked)
    return checked


def check_source(stored: Mapping[str, Any]) -> None:
    """Check that a mapping is the ``.source`` of sentences or triplets and can be read again.

    Raises:
        TypeError: its ``"source"`` is no name.
        ValueError: it has none, or is that of a list; or its ``"steps"`` are no list.
    """
    source, steps = stored.get("source"), stored.get("steps", [])
    if source is None:
        raise ValueError(f"there is no 'source' in {shown(stored)}; of a table, give the list of sentences in it")
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source is {kind(source)} ({shown(source)}); give a name or a path, as .source has it")
    if source == "list":
        raise ValueError("these sentences were given as a list, so they cannot be read again; give the list itself")
    if not isinstance(steps, list | tuple):
        raise ValueError(f"steps is {shown(steps)}; it must be a list of slices and samples, as .source has it")


def _again(stored: Mapping[str, Any]) -> Any:
    """Read what a ``.source`` describes, with the same slices and samples."""
    check_source(stored)
    read: Examples[Any] | StreamedSentences
    if stored.get("kind") == "triplets":
        read = triplets(stored["source"])
    else:
        split, streaming = stored.get("split", "train"), stored.get("streaming", False)
        read = sentences(stored["source"], stored.get("column"), split, streaming)
    for step in stored.get("steps", []):
        read = _cut(read, step)
    return read


def _cut(read: object, step: Any) -> Examples[Any]:
    if isinstance(read, Examples):
        match step:
            case ["slice", start, stop, stride] if stride != 0 and all(
                bound is None or is_whole(bound) for bound in (start, stop, stride)
            ):
                return read[start:stop:stride]
            case ["sample", n, seed]:
                return read.sample(n, seed)
    if isinstance(read, Sentences):
        match step:
            case ["at_most", words]:
                return read.at_most(words)
            case ["every_group", nth]:
                return read.every_group(nth)
    raise ValueError(
        f"cannot apply {shown(step)} to {read!r}; known are parts of sentences in memory, as .source has them"
    )


def check_examples(given: Any) -> Any:
    """Check training examples: sentences as :func:`sentences` does, or a stream, which is not read; or tuples.

    Tuples of sentences are pairs (sentence, positive), triplets (premise, entailment, contradiction), or quadruplets,
    with a neutral sentence at the end.

    A ``.source`` is returned unread. Examples of any other kind are returned unchecked: their method checks them.

    Raises:
        TypeError: examples without an order, or that can be read only once or not looped over.
        ValueError: no examples, blank or equal ones, or an incomplete pair or triplet.
    """
    if isinstance(given, Mapping):
        check_source(given)
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
        return given  # a stream of the user's own
    rows = listed(given)
    if not rows:
        raise ValueError("sentences is empty; give at least one batch of them")
    if isinstance(rows[0], str):
        return _given(rows)
    size = len(rows[0]) if isinstance(rows[0], tuple | list) else 0
    if size not in KINDS_OF_TUPLES or not all(isinstance(part, str) for part in rows[0]):
        return given
    return Triplets(rows) if size == 3 else [check_tuple(row, place, size) for place, row in enumerate(rows)]
