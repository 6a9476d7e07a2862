"""Texts for pre-training with their licences, as running text or as single sentences."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Any

from clwork import data


@dataclass(frozen=True)
class Source:
    """One kind of text.

    ``text`` is a file with one sentence per line (``.txt`` or ``.txt.gz``; blank lines separate documents), or anything
    that :func:`clwork.data.sentences` reads. ``alone``: neighbouring sentences are unrelated.
    ``times``: how often an epoch goes through it.
    """

    text: str
    name: str
    licence: str = "unknown"
    alone: bool = False
    times: int = 1

    def documents(self) -> Iterator[list[str]]:
        """Yield the sentences of each document; one document if nothing separates them."""
        if self.text.endswith((".txt", ".txt.gz")):
            yield from _documents(Path(self.text).expanduser())
            return
        sentences = data.sentences(self.text)
        groups = getattr(sentences, "groups", None)
        if groups is None:
            yield list(sentences)
            return
        for _, pairs in groupby(zip(groups, sentences, strict=True), key=lambda pair: pair[0]):
            yield [sentence for _, sentence in pairs]


def _documents(path: Path) -> Iterator[list[str]]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as lines:
        document: list[str] = []
        for line in lines:
            if line.strip():
                document.append(line.strip())
            elif document:
                yield document
                document = []
        if document:
            yield document


def read_sources(corpus: str, licence: str) -> list[Source]:
    """The sources of a mixture (``.json``, a list of objects with the fields of :class:`Source`), or the one named.

    Paths in a mixture are relative to its file.
    """
    if not corpus.endswith(".json"):
        return [Source(corpus, corpus, licence)]
    path = Path(corpus).expanduser()
    allowed = {field.name for field in fields(Source)}
    sources = []
    for number, entry in enumerate(json.loads(path.read_text(encoding="utf-8"))):
        if not {"text", "name"} <= set(entry) <= allowed:
            raise ValueError(
                f"{path}, entry {number}: fields {sorted(entry)}; give 'text' and 'name', and of the others only "
                f"{', '.join(sorted(allowed - {'text', 'name'}))}"
            )
        near = path.parent / entry["text"]
        sources.append(Source(**entry | {"text": str(near) if near.exists() else entry["text"]}))
    return sources


def for_record(sources: list[Source]) -> list[dict[str, Any]]:
    """Fields of the sources for the record, without paths of this machine."""
    return [asdict(source) | {"text": Path(source.text).name} for source in sources]
