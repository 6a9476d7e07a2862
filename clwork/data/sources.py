"""From the name of a source to its sentences."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from clwork import checks
from clwork.checks import shown
from clwork.data import files, hub_datasets, tables
from clwork.data.corpus import WIKIPEDIA_MINI, Sentences, StreamedSentences

# `owner/name`, or the bare name of an old data set, with `:configuration` if it has several.
HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?(:[\w.-]+)?")


def read(
    source: str | os.PathLike[str], column: str | None, split: str, streaming: bool
) -> Sentences | StreamedSentences:
    """Send ``source`` to the reader that knows it; see :func:`clwork.data.sentences`."""
    if source == WIKIPEDIA_MINI:
        return _wikipedia(column, split, streaming)
    path = _path(source)
    if path is None:
        return hub_datasets.read_sentences(str(source), column, split, streaming)
    if split != "train":
        raise ValueError(f"split={split!r}: a file has no splits; name the file of that split, and leave split out")
    return _file(path, column, streaming)


def recorded(source: str | os.PathLike[str]) -> str:
    """The name of a source as it can be written down and read anywhere: that of a file as its whole path.

    Raises:
        FileNotFoundError, ValueError: it names nothing, or a file that cannot be read.
    """
    path = None if source == WIKIPEDIA_MINI else _path(source)
    if path is None:
        return str(source)
    files.check_file(path)
    return str(files.settled(path))


def _path(source: str | os.PathLike[str]) -> Path | None:
    """The path that a source is; None for a data set of the hub."""
    if isinstance(source, str) and not source.strip():
        raise ValueError(f"source is blank ({shown(source)}); give {WIKIPEDIA_MINI!r}, a path or a data set of the hub")
    if isinstance(source, str) and not _is_file(source):
        if close := difflib.get_close_matches(source.lower().replace("_", "-"), [WIKIPEDIA_MINI], cutoff=0.8):
            raise ValueError(f"no source is called {source!r}; did you mean {close[0]!r}?")
        return None
    return checks.path("source", source)


def _is_file(source: str) -> bool:
    """Whether a string is meant as a path; a data set of the hub may have dots in its name, but no known ending."""
    path = checks.path("source", source)
    ending = files.extension(path)
    known = ending in files.READABLE or ending in files.ADVICE or path.suffix == ".gz"
    return known or not HUB_NAME.fullmatch(source) or path.exists()


def _wikipedia(column: str | None, split: str, streaming: bool) -> Sentences | StreamedSentences:
    from clwork.data import wikipedia

    if column is not None or split != "train":
        raise ValueError(f"{WIKIPEDIA_MINI} has no columns and no splits (column={column!r}, split={split!r})")
    corpus = wikipedia.read()
    about = {"source": WIKIPEDIA_MINI}
    whole = Sentences(corpus.texts, corpus.topics, corpus.titles, about, wikipedia.LICENCE)
    if streaming:
        return StreamedSentences(
            lambda: iter(corpus.texts), {**about, "streaming": True}, wikipedia.LICENCE, whole.fingerprint
        )
    return whole


def _file(path: Path, column: str | None, streaming: bool) -> Sentences | StreamedSentences:
    kind = files.check_file(path)
    if kind == ".txt" and column is not None:
        raise ValueError(f"column={column!r}: {path} is a .txt file, one sentence per line, without columns")
    about: dict[str, Any] = {"source": str(files.settled(path))}
    if column is not None:
        about["column"] = column
    if streaming:
        path = path.absolute()  # where one works may change between two loops
        loop: Callable[[], Iterator[str]] = (
            (lambda: files.lines(path)) if kind == ".txt" else (lambda: (text for text, _ in _texts(path, column)))
        )
        if next(loop(), None) is None:  # also shows a wrong column or encoding now, not in the middle of a training
            raise ValueError(f"{path} holds no sentence; check how it was written")
        told = {**about, "streaming": True}
        return StreamedSentences(loop, told, fingerprint=lambda: files.fingerprint(path, column))
    if kind == ".txt":
        return Sentences(files.read_lines(path), source=about)
    return _table(path, column, about)


def _texts(path: Path, column: str | None) -> Iterator[tuple[str, Any]]:
    """The non-blank sentences of a table, each with its whole row."""
    chosen: str | None = None
    for number, row in tables.rows(path):
        if chosen is None:
            chosen = tables.choose_column(list(row), column, str(path))
        if chosen not in row:
            raise ValueError(f"{path}, line {number}: no {chosen!r}, only {', '.join(map(repr, row))}")
        if text := tables.text_of(row[chosen], chosen, f"{path}, line {number}"):
            yield text, row


def _table(path: Path, column: str | None, about: dict[str, Any]) -> Sentences:
    texts, found = [], []
    for text, row in _texts(path, column):
        texts.append(text)
        found.append(row)
    if not texts:
        raise ValueError(f"{path} holds no sentence in its rows; check how it was written")
    columns = list(found[0])
    taken = tables.choose_column(columns, column, str(path))

    def beside(names: tuple[str, ...]) -> list[str] | None:
        name = tables.find_column(columns, names, taken)
        where = f"{path}, {name}"
        return None if name is None else [tables.label_of(row.get(name), where) for row in found]

    return Sentences(texts, beside(tables.LABEL_COLUMNS), beside(tables.GROUP_COLUMNS), about)
