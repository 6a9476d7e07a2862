"""Triplets for supervised training, and paraphrases as positives where no STS data is available."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from .. import _validation
from .._validation import check_characters, kind, shown
from . import files, hub_datasets, tables
from .corpus import Examples, digest, listed
from .sources import DEFAULT_TRIPLETS, CorpusSource, named, register_source, sources_of

Triplet = tuple[str, str, str]

# Column names of published files; the second are SimCSE's (princeton-nlp/SimCSE, nli_for_simcse.csv).
TRIPLET_COLUMNS = (
    ("premise", "entailment", "contradiction"),
    ("sent0", "sent1", "hard_neg"),
    ("anchor", "positive", "negative"),
)
PARTS = {
    2: ("sentence", "positive"),
    3: TRIPLET_COLUMNS[0],
    4: (*TRIPLET_COLUMNS[0], "neutral"),
}
"""By their number: the parts of an example that is a tuple of sentences."""
KINDS_OF_TUPLES = {2: "pairs", 3: "triplets", 4: "quadruplets"}
"""By their number of parts: what examples are called that are tuples of sentences."""
NLI_HUB, NLI_FILE = "princeton-nlp/datasets-for-simcse", "nli_for_simcse.csv"


class Triplets(Examples[Triplet]):
    """A sequence of (premise, entailment, contradiction), in memory.

    Attributes:
        source: JSON-able argument of :func:`clwork.data.sentences` that reads the same examples again.
        licence: of the text, where known.

    >>> Triplets([["A cat sleeps.", "An animal rests.", "A cat runs."]])[0][1]
    'An animal rests.'
    """

    def __init__(
        self, rows: Iterable[Sequence[str]], source: Mapping[str, Any] | None = None, licence: str | None = None
    ) -> None:
        """Check triplets, each of three sentences.

        Raises:
            TypeError: one is no tuple or list, or a part of one is no str.
            ValueError: one has another number of parts, or a part that is blank or cannot be read.
        """
        super().__init__([_triplet(row, i) for i, row in enumerate(listed(rows, "triplets"))], source, licence)

    def fingerprint(self) -> str:
        """32 hex digits that change with any part of any triplet, or with their order."""
        return digest(part for triplet in self._rows for part in triplet)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Triplets | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Triplets({len(self):,} from {self.source['source']})"


def check_tuple(row: object, place: int, size: int) -> tuple[str, ...]:
    """Check one example of ``size`` sentences, number ``place`` of its list: a pair, a triplet or a quadruplet.

    Raises:
        TypeError: it is no tuple or list, or a part of it is no str.
        ValueError: it has another number of parts, or a part that is blank or cannot be read.
    """
    name, remedy = KINDS_OF_TUPLES[size].removesuffix("s"), f"give ({', '.join(PARTS[size])}), each a sentence"
    if not isinstance(row, tuple | list):
        raise TypeError(f"{name} {place} is {kind(row)} ({shown(row)}); {remedy}")
    if len(row) != size:
        raise ValueError(f"{name} {place} has {len(row)} parts ({shown(row)}); {remedy}")
    for number, part in enumerate(row):
        if not isinstance(part, str):
            raise TypeError(f"{name} {place}: part {number} is {kind(part)} ({shown(part)}); {remedy}")
        if not part.strip():
            raise ValueError(f"{name} {place}: part {number} is blank; {remedy}, or leave the {name} out")
        check_characters(part, f"{name} {place}, part {number},")
    return tuple(map(str, row))


def _triplet(row: object, place: int) -> Triplet:
    premise, entailment, contradiction = check_tuple(row, place, 3)
    return premise, entailment, contradiction


def triplets(source: str | os.PathLike[str] = DEFAULT_TRIPLETS) -> Triplets:
    """Read (premise, entailment, contradiction) triplets.

    Args:
        source: ``"handwritten"``, 240 triplets that come with clwork; ``"hub"``, the 275,601 of SimCSE from SNLI and
            MNLI; or a .csv, .tsv, .jsonl or .parquet file with columns ``premise, entailment, contradiction``
            (or ``sent0, sent1, hard_neg``, or ``anchor, positive, negative``). Rows with a blank cell are left out.

    Raises:
        FileNotFoundError: no such file.
        ConnectionError: the hub cannot be reached and has left no copy here.
        ValueError: other columns, or no complete row.

    >>> premise, entailment, contradiction = triplets()[0]
    """
    if known := named(source, "triplets"):
        examples = known.examples()
        if not isinstance(examples, Triplets):
            raise TypeError(f"the corpus {known.name!r} gives {kind(examples)}; its read() must return Triplets")
        return examples
    about = {"source": str(source), "kind": "triplets"}
    if source == "hub":
        data = hub_datasets.load(NLI_HUB, "train", data_files=NLI_FILE)
        return Triplets(_complete(enumerate(data), f"{NLI_HUB}/{NLI_FILE}"), about)
    if not isinstance(source, str | os.PathLike):
        own = ", ".join(repr(known.name) for known in sources_of("triplets"))
        raise TypeError(f"source is {kind(source)} ({shown(source, 40)}); give {own}, 'hub' or a path")
    path = _validation.path("source", source)
    return Triplets(_complete(tables.rows(path), str(path)), about | {"source": str(files.settled(path))})


def paraphrases() -> list[tuple[str, str]]:
    """Return 120 pairs of sentences with the same meaning, written for clwork; half share few words.

    >>> sentence, paraphrase = paraphrases()[0]
    """
    return [(row[0], row[1]) for row in _handwritten("paraphrases.jsonl", ("sentence1", "sentence2"))]


def _handwritten(name: str, columns: Sequence[str]) -> list[list[str]]:
    text = resources.files("clwork.data").joinpath("handwritten", name).read_text(encoding="utf-8")
    return [[row[column] for column in columns] for row in map(json.loads, text.splitlines())]


def _complete(rows: Iterable[tuple[int, Mapping[str, Any]]], where: str) -> Iterator[Triplet]:
    names: Sequence[str] | None = None
    any_complete = False
    for number, row in rows:
        if names is None:
            names = _columns(list(row), where)
        missing = [name for name in names if name not in row]
        if missing:
            raise ValueError(f"{where}, row {number}: no {', '.join(missing)}; the columns are {', '.join(row)}")
        premise, entailment, contradiction = (
            tables.text_of(row[name], name, f"{where}, row {number}") for name in names
        )
        if premise and entailment and contradiction:
            any_complete = True
            yield premise, entailment, contradiction
    if not any_complete:
        raise ValueError(f"{where} holds no complete triplet; check how it was written")


def _columns(columns: Sequence[str], where: str) -> Sequence[str]:
    for names in TRIPLET_COLUMNS:
        if set(names) <= set(columns):
            return names
    allowed = "; ".join(", ".join(names) for names in TRIPLET_COLUMNS)
    raise ValueError(f"{where} has the columns {', '.join(map(repr, columns))}; triplets need one of: {allowed}")


register_source(
    CorpusSource(
        DEFAULT_TRIPLETS,
        "Premise, entailment and contradiction: supervised.",
        lambda: Triplets(_handwritten("triplets.jsonl", TRIPLET_COLUMNS[0])),
        kind="triplets",
        choice="triplets written for clwork",
        key="triplets",
        public=True,
    )
)
