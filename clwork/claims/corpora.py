"""The corpora that arms of claims train on: names in the ledger, resolved to examples in one place.

``wikipedia-mini`` ships with clwork's extra ``offline``. Everything else is the reader's own, in one folder::

    nli/triplets.jsonl                         premise, entailment, contradiction; perhaps neutral (SNLI, MNLI)
    stsb/train.jsonl                           sentence1, sentence2, score (STS-B's training pairs)
    pretraining/captions.txt.gz                a sentence a line (SNLI's and NLVR's captions)
    pretraining/wikipedia_documents.txt.gz     running text: a sentence a line, a blank line between articles
    transfer/wos/all.jsonl                     text, label (Web of Science, seven domains)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from .. import _validation
from .._validation import nearest, shown
from ..augmenters import Swaps, slots
from ..data import Sentences, StsPairs, Triplets, sentences, sts_pairs, tables, transfer_task, triplets
from ..data.files import check_file, open_text
from ..data.pairs import PARTS
from ..encoders import load_encoder
from ..methods import config

Tuples = list[tuple[Any, ...]]  # of texts; or of texts with a label or grade at the end
Corpus = Sentences | Triplets | Tuples
SHARE = re.compile(r"(?P<whole>.+), (?P<percent>\d*\.?\d+) %")
ARTICLES = 100  # every so many articles of the running text: 15,000 sentences, an epoch of 150 steps and more


def corpus(name: str, folder: str | Path | None = None) -> Corpus:
    """Read the examples that an arm's ``data`` names, as ``clwork.train(sentences=...)`` takes them.

    Args:
        name: one of :data:`CORPORA`; or such a name with a share, as in ``"wikipedia-mini, 1 %"``: every hundredth.
        folder: with the reader's own files, laid out as above; ``wikipedia-mini`` and its parts need none.

    Raises:
        TypeError: the name is no text, or the folder no path.
        ValueError: no such corpus, a share outside 0 to 100 %, or a file that cannot be read.
        FileNotFoundError: the folder lacks the file; the message names it, and its columns.
        ModuleNotFoundError: the package with ``wikipedia-mini`` is not installed.

    >>> len(corpus("wikipedia-mini, .3 %"))
    109
    """
    name = _validation.text("name", name)
    place = None if folder is None else _validation.path("folder", folder)
    if name in CORPORA:
        return CORPORA[name](place)
    found = SHARE.fullmatch(name)
    if not found or found["whole"] not in CORPORA:
        known = ", ".join(map(repr, CORPORA))
        raise ValueError(f"name={shown(name)} is no corpus{nearest(name, CORPORA)}; there are {known}")
    percent = float(found["percent"])
    if not 0 < percent <= 100:
        raise ValueError(f"name={shown(name)}: a share is above 0 and at most 100 %")
    return CORPORA[found["whole"]](place)[:: round(100 / percent)]


def _file(folder: Path | None, inside: str, holds: str) -> Path:
    if folder is None:
        raise FileNotFoundError(f"{inside} ({holds}) is the reader's own; give folder=, the folder that holds it")
    if not (folder / inside).exists():
        raise FileNotFoundError(f"{folder} has no {inside} ({holds}); put it there, or give another folder=")
    return folder / inside


def _wikipedia(folder: Path | None) -> Sentences:
    return sentences("wikipedia-mini")


@lru_cache(maxsize=1)
def _usable(folder: Path | None) -> Sentences:
    """Select what MoCoUTRL with the mini can use: sentences with a word that has synonyms and antonyms."""
    preset = config("mocoutrl", "mini")
    kinds = {"parts": preset.parts, "source": preset.wordnet}
    whole = sentences("wikipedia-mini")
    hopeful = [row for row, text in enumerate(whole) if any(s.synonyms and s.antonyms for s in slots(text, **kinds))]
    examples = Swaps(load_encoder("mini"), max_length=preset.max_length, **kinds).find([whole[row] for row in hopeful])
    rows = [row for row, example in zip(hopeful, examples, strict=True) if example.places]
    labels, groups = whole.labels or (), whole.groups or ()
    return Sentences([whole[row] for row in rows], [labels[row] for row in rows], [groups[row] for row in rows])


def _captions(folder: Path | None) -> Sentences:
    return sentences(_file(folder, "pretraining/captions.txt.gz", "a sentence a line"))


def _articles(folder: Path | None) -> Iterator[list[str]]:
    path = _file(folder, "pretraining/wikipedia_documents.txt.gz", "a sentence a line, a blank line between articles")
    check_file(path)
    with open_text(path) as text:
        blocks = (list(lines) for filled, lines in groupby(map(str.strip, text), key=bool) if filled)
        yield from (lines for number, lines in enumerate(blocks) if number % ARTICLES == 0)


@lru_cache(maxsize=1)
def _followed(folder: Path | None) -> list[tuple[int, str, list[str]]]:
    """Number of the article, sentence, and the next three at most, of each sentence that another one follows."""
    return [
        (number, lines[place], lines[place + 1 : place + 4])
        for number, lines in enumerate(_articles(folder))
        for place in range(len(lines) - 1)
    ]


def _documents(folder: Path | None) -> Sentences:
    """Select sentences that another one follows: row by row the first ones of the pairs below."""
    rows = _followed(folder)
    return Sentences([text for _, text, _ in rows], groups=[article for article, _, _ in rows])


def _next_sentence(folder: Path | None) -> Tuples:
    return [(text, after[0]) for _, text, after in _followed(folder)]


def _one_of_three(folder: Path | None) -> Tuples:
    """Pair each sentence with one of the next three of its article, drawn once for all runs."""
    draw = Random(0)
    return [(text, draw.choice(after)) for _, text, after in _followed(folder)]


def _nli(folder: Path | None) -> Triplets:
    return triplets(_file(folder, "nli/triplets.jsonl", "premise, entailment, contradiction"))


def _entailments(folder: Path | None) -> Tuples:
    return [(premise, entailment) for premise, entailment, _ in _nli(folder)]


def _with_neutral(folder: Path | None) -> Tuples:
    path, columns = _file(folder, "nli/triplets.jsonl", "premise, entailment, contradiction, neutral"), PARTS[4]
    rows = [row for _, row in tables.rows(path)]
    if lacking := [name for name in columns if name not in rows[0]]:
        raise ValueError(f"{path} has no column {', '.join(lacking)}; give triplets with {', '.join(columns)}")
    return [tuple(row[name] for name in columns) for row in rows]


def _premises(folder: Path | None) -> Sentences:
    return Sentences([premise for premise, _, _ in _nli(folder)])


def _each_premise_once(folder: Path | None) -> Sentences:
    return Sentences(list(dict.fromkeys(_premises(folder))))


def _nli_sentences(folder: Path | None) -> Sentences:
    return Sentences(list(dict.fromkeys(part for triplet in _nli(folder) for part in triplet)))


def _rated(folder: Path | None) -> StsPairs:
    _file(folder, "stsb/train.jsonl", "sentence1, sentence2, score")
    return sts_pairs("stsb", "train", str(folder))


def _stsb(folder: Path | None) -> Sentences:
    """Both sentences of each pair, in order; grades unread (self-guided's own setup)."""
    pairs = _rated(folder)
    return Sentences([text for both in zip(pairs.sentences1, pairs.sentences2, strict=True) for text in both])


def _rated_alike(folder: Path | None) -> Sentences:
    """Add to the shipped sentences those of STS-B's training pairs rated above 4, each pair a group.

    It is for ``same_group``, which puts some of these pairs into every batch, and else reads the shipped ones alone.
    """
    whole, pairs = sentences("wikipedia-mini"), _rated(folder)
    alike = pairs.positives()
    groups = [f"pair {number}" for number in range(len(alike)) for _ in range(2)]
    texts = [*whole, *(text for pair in alike for text in pair)]
    return Sentences(texts, [*(whole.labels or ()), *[None] * len(groups)], [*[None] * len(whole), *groups])


def _stsb_graded(folder: Path | None) -> Tuples:
    """Pairs with their grades."""
    pairs = _rated(folder)
    return list(zip(pairs.sentences1, pairs.sentences2, pairs.scores, strict=True))


def _wos_labelled(folder: Path | None) -> Tuples:
    """Texts with their domain's number."""
    texts = _wos(folder)
    numbers = {name: number for number, name in enumerate(sorted(set(map(str, texts.labels or ()))))}
    return [(text, numbers[str(label)]) for text, label in zip(texts, texts.labels or (), strict=True)]


def _wos(folder: Path | None) -> Sentences:
    """Read the training part, with the domains as labels: the score is taken on another part."""
    _file(folder, "transfer/wos/all.jsonl", "text, label")
    task = transfer_task("wos", str(folder and folder / "transfer"))
    return Sentences(task.splits["train"].texts, labels=task.splits["train"].labels)


def _wos_texts(folder: Path | None) -> Sentences:
    return Sentences(_wos(folder))


CORPORA: Mapping[str, Callable[[Path | None], Corpus]] = {
    "wikipedia-mini": _wikipedia,
    "wikipedia-mini, usable": _usable,
    "wikipedia-mini, rated pairs": _rated_alike,
    "captions": _captions,
    "documents": _documents,
    "documents, next sentence": _next_sentence,
    "documents, one of the next three": _one_of_three,
    "nli": _nli,
    "nli, entailments alone": _entailments,
    "nli, with neutral": _with_neutral,
    "nli premises": _premises,
    "nli premises, each once": _each_premise_once,
    "nli sentences": _nli_sentences,
    "stsb-unlabelled": _stsb,
    "stsb train with its grades": _stsb_graded,
    "wos, texts without labels": _wos_texts,
    "wos, labels of the domains": _wos_labelled,
}
"""What reads a corpus, given the reader's folder, by the name that the ledger uses."""
