"""The training texts of claims that are not part of clwork, read from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clwork import data
from clwork.claims.ledger import NOT_INCLUDED
from clwork.claims.measures import POSITIVE_ABOVE, training_text
from clwork.data import Sentences


def corpus(name: str, folder: Path | None = None) -> Sequence[Any]:
    """Read the training text ``name``; those in ``NOT_INCLUDED`` are in ``folder``."""
    if name not in NOT_INCLUDED:
        return training_text(name)
    if name == "captions":
        path = _file(folder, "pretraining/captions.txt.gz", "a sentence in each line")
        return data.sentences(path)
    if name.startswith("nli"):
        path = _file(folder, "nli/triplets.jsonl", "premise, entailment, contradiction")
        triplets = data.triplets(path)
        if name == "nli, sentences":
            return Sentences(list(dict.fromkeys(text for triplet in triplets for text in triplet)))
        return triplets if name == "nli" else [triplet[:2] for triplet in triplets]
    _file(folder, "stsb/train.jsonl", "sentence1, sentence2, score")
    pairs = data.sts_pairs("stsb", "train", str(folder))
    both = list(zip(pairs.sentences1, pairs.sentences2, strict=True))
    if name == "stsb-unlabelled":
        return Sentences([text for pair in both for text in pair])
    wikipedia = data.sentences("wikipedia-mini")
    texts = list(wikipedia)
    groups: list[str | None] = [None] * len(wikipedia)
    alike = [both[row] for row, score in enumerate(pairs.scores) if score > POSITIVE_ABOVE]
    for number, pair in enumerate(alike):
        texts += pair
        groups += [str(number)] * 2
    return Sentences(texts, groups=groups)


def _file(folder: Path | None, name: str, holds: str) -> Path:
    if folder is None or not (folder / name).exists():
        remedy = "give a folder that has it as --data"
        raise FileNotFoundError(f"{folder or 'data=None'} has no {name} ({holds}); {remedy}")
    return folder / name
