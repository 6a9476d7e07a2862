"""Triplets for supervised training, and paraphrases as tight positives where no STS data is at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from clwork.data import hub, tables

Triplet = tuple[str, str, str]

# The names that files in circulation use, SimCSE's own second (princeton-nlp/SimCSE, nli_for_simcse.csv).
TRIPLET_COLUMNS = (
    ("premise", "entailment", "contradiction"),
    ("sent0", "sent1", "hard_neg"),
    ("anchor", "positive", "negative"),
)
NLI_HUB, NLI_FILE = "princeton-nlp/datasets-for-simcse", "nli_for_simcse.csv"


def triplets(source: str | os.PathLike[str] = "handwritten") -> list[Triplet]:
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
    if source == "handwritten":
        return [(row[0], row[1], row[2]) for row in _handwritten("triplets.jsonl", TRIPLET_COLUMNS[0])]
    if source == "hub":
        data = hub.load(NLI_HUB, "train", data_files=NLI_FILE)
        return _complete(enumerate(data), f"{NLI_HUB}/{NLI_FILE}")
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source is {type(source).__name__} ({source!r:.40}); give 'handwritten', 'hub' or a path")
    path = Path(source).expanduser()
    return _complete(tables.rows(path), str(path))


def paraphrases() -> list[tuple[str, str]]:
    """Pairs of sentences with the same meaning, 120 of them, written for clwork; half share few words.

    >>> one, other = paraphrases()[0]
    """
    return [(row[0], row[1]) for row in _handwritten("paraphrases.jsonl", ("sentence1", "sentence2"))]


def _handwritten(name: str, columns: Sequence[str]) -> list[list[str]]:
    text = resources.files("clwork.data").joinpath("handwritten", name).read_text(encoding="utf-8")
    return [[row[column] for column in columns] for row in map(json.loads, text.splitlines())]


def _complete(rows: Iterable[tuple[int, Mapping[str, Any]]], where: str) -> list[Triplet]:
    found: list[Triplet] = []
    names: Sequence[str] | None = None
    for number, row in rows:
        if names is None:
            names = _columns(list(row), where)
        missing = [name for name in names if name not in row]
        if missing:
            raise ValueError(f"{where}, row {number}: no {', '.join(missing)}; the columns are {', '.join(row)}")
        one, two, three = (tables.text_of(row[name], name, f"{where}, row {number}") for name in names)
        if one and two and three:
            found.append((one, two, three))
    if not found:
        raise ValueError(f"{where} holds no complete triplet; check how it was written")
    return found


def _columns(columns: Sequence[str], where: str) -> Sequence[str]:
    for names in TRIPLET_COLUMNS:
        if set(names) <= set(columns):
            return names
    allowed = "; ".join(", ".join(names) for names in TRIPLET_COLUMNS)
    raise ValueError(f"{where} has the columns {', '.join(map(repr, columns))}; triplets need one of: {allowed}")
