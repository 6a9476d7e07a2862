"""The training texts of claims that are not part of clwork: a part of a text, or from a folder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from clwork import data
from clwork.augmenters.words import Swaps
from clwork.claims.ledger import NOT_INCLUDED
from clwork.claims.measures import POSITIVE_ABOVE
from clwork.data import Sentences
from clwork.encoders import load_encoder
from clwork.methods import config

# Of the everyday sentences, which are many and short.
FEWEST_WORDS = 5
EVERYDAY_SENTENCES = 28_000


def corpus(name: str, folder: Path | None = None) -> Sequence[Any]:
    """Read the training text ``name``; most of those in ``NOT_INCLUDED`` are in ``folder``.

    Raises:
        FileNotFoundError: the folder lacks the file; the message names it.
    """
    if name not in NOT_INCLUDED:
        return data.sentences(name)
    if name == "wikipedia-mini, usable":
        return _usable()
    if name == "captions":
        path = _file(folder, "pretraining/captions.txt.gz", "a sentence in each line")
        return data.sentences(path)
    if name == "everyday and captions":
        return _everyday_and_captions(folder)
    if name.startswith("nli"):
        return _triplets(name, folder)
    _file(folder, "stsb/train.jsonl", "sentence1, sentence2, score")
    rated = data.sts_pairs("stsb", "train", str(folder))
    pairs = list(zip(rated.sentences1, rated.sentences2, strict=True))
    if name == "stsb-unlabelled":
        return Sentences([text for pair in pairs for text in pair])
    alike = [pairs[row] for row, score in enumerate(rated.scores) if score > POSITIVE_ABOVE]
    return _with_pairs(alike)


def _everyday_and_captions(folder: Path | None) -> Sentences:
    """Return all captions, and a draw of everyday sentences that are not too short."""
    everyday = data.sentences(
        _file(folder, "pretraining/everyday.txt.gz", "a sentence in each line")
    )
    long_enough = [text for text in everyday if len(text.split()) >= FEWEST_WORDS]
    drawn = random.Random(0).sample(long_enough, EVERYDAY_SENTENCES)
    return Sentences([*corpus("captions", folder), *drawn])


@cache
def _usable() -> Sentences:
    """Return the sentences that MoCoUTRL can use: those with a word to swap.

    The word has synonyms and antonyms, and the sentence has at most the length of the preset.
    """
    preset = config("mocoutrl", "mini")
    swaps = Swaps(load_encoder("mini"), parts=preset.parts, max_length=preset.max_length)
    corpus = data.sentences("wikipedia-mini")
    rows = [row for row, example in enumerate(swaps.find(list(corpus))) if example.places]
    labels = corpus.labels or ()
    groups = corpus.groups or ()
    return Sentences(
        [corpus[row] for row in rows],
        [labels[row] for row in rows],
        [groups[row] for row in rows],
    )


def _triplets(name: str, folder: Path | None) -> Sequence[Any]:
    """Read the triplets, their pairs without the contradiction, or their sentences."""
    path = _file(folder, "nli/triplets.jsonl", "premise, entailment, contradiction")
    columns = ["premise", "entailment", "contradiction"]
    frame = pd.read_json(path, lines=True, dtype=False)[columns]
    stripped = frame.apply(lambda cells: cells.str.strip())
    triplets = [row for row in stripped.itertuples(index=False, name=None) if all(row)]
    if name == "nli, sentences":
        return Sentences(list(dict.fromkeys(text for triplet in triplets for text in triplet)))
    if name == "nli, pairs":
        return [triplet[:2] for triplet in triplets]
    return triplets


def _with_pairs(pairs: Sequence[tuple[str, str]]) -> Sentences:
    """Return the sentences of Wikipedia, and pairs of equal meaning, a group for each pair."""
    wikipedia = data.sentences("wikipedia-mini")
    texts = list(wikipedia)
    groups: list[str | None] = [None] * len(wikipedia)
    for number, pair in enumerate(pairs):
        texts += pair
        groups += [str(number)] * 2
    return Sentences(texts, groups=groups)


def _file(folder: Path | None, name: str, holds: str) -> Path:
    """Return the path of a file in the folder; the error names the file and what it holds."""
    if folder is None or not (folder / name).exists():
        remedy = "give a folder that has it as --data"
        raise FileNotFoundError(f"{folder or 'data=None'} has no {name} ({holds}); {remedy}")
    return folder / name
