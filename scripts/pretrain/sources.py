"""The documents of the text for pre-training."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from clwork import data


def documents(text: str) -> Iterator[list[str]]:
    """Yield the sentences of each document; one document if nothing separates them.

    ``text`` is a file with one sentence per line (``.txt`` or ``.txt.gz``; blank lines separate
    documents), or anything that :func:`clwork.data.sentences` reads.
    """
    if text.endswith((".txt", ".txt.gz")):
        yield from _in_file(Path(text).expanduser())
        return
    sentences = data.sentences(text)
    groups = getattr(sentences, "groups", None)
    if groups is None:
        yield list(sentences)
        return
    for _, pairs in groupby(zip(groups, sentences, strict=True), key=lambda pair: pair[0]):
        yield [sentence for _, sentence in pairs]


def _in_file(path: Path) -> Iterator[list[str]]:
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as lines:
        document: list[str] = []
        for line in lines:
            if line.strip():
                document.append(line.strip())
            elif document:
                yield document
                document = []
        if document:
            yield document
