"""Synonyms and antonyms from WordNet, without a network: a table of words and relations that comes with clwork.

The table, ``relations/wordnet.txt``, was made by ``scripts/wordnet_table.py`` and is under WordNet's licence, which is
beside it. It holds the 25,600 groups of synonyms that have two or more single words, and 3,374 pairs of antonyms.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib import resources
from typing import Any, Protocol

from .. import _validation

PARTS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
COPIES = ("table", "nltk")


class Relations(Protocol):
    """Synonyms and antonyms of words; parts of speech are ``n``, ``v``, ``a`` and ``r``."""

    def parts(self, word: str) -> tuple[str, ...]:
        """Parts of speech of a word; only the most usual one where that is known."""
        ...

    def synonyms(self, word: str, part: str) -> tuple[tuple[str, ...], ...]:
        """Groups of synonyms, one for each meaning, the most frequent meaning first."""
        ...

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        """The word's opposites."""
        ...


def wordnet(source: str = "table") -> Relations:
    """WordNet's relations, from the table that comes with clwork, or from ``nltk``'s full copy.

    Read at the first call and cached. ``"nltk"`` needs that package and its corpus, which clwork never downloads.

    Raises:
        ValueError: unknown source.
        ModuleNotFoundError, LookupError: nltk or its corpus is missing.

    >>> wordnet().synonyms("big", "a")[0], wordnet().antonyms("hot", "a")
    (('large',), ('cold',))
    """
    _validation.choice("source", source, COPIES)
    return _table() if source == "table" else _nltk()


class Table:
    """Relations read from the lines of a table; ``relations/wordnet.txt`` begins with what they mean."""

    def __init__(self, lines: list[str]) -> None:
        ranked: dict[tuple[str, str], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
        antonyms: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._usual: dict[str, str] = {}
        for line in lines:
            kind, *fields = line.split()
            if kind == "!":
                part, word, opposite = fields
                antonyms[word, part].append(opposite)
                antonyms[opposite, part].append(word)
            elif kind == "~":
                self._usual[fields[0]] = fields[1]
            elif kind != "#":
                senses = [field.split("/") for field in fields]
                for word, rank in senses:
                    ranked[word, kind].append((int(rank), tuple(other for other, _ in senses if other != word)))
        self._synonyms = {key: tuple(group for _, group in sorted(groups)) for key, groups in ranked.items()}
        self._antonyms = {key: tuple(words) for key, words in antonyms.items()}

    def parts(self, word: str) -> tuple[str, ...]:
        """See :class:`Relations`."""
        usual = self._usual.get(word)
        known = [part for part in PARTS.values() if (word, part) in self._synonyms or (word, part) in self._antonyms]
        return tuple(part for part in known if usual in (None, part))

    def synonyms(self, word: str, part: str) -> tuple[tuple[str, ...], ...]:
        """See :class:`Relations`."""
        return self._synonyms.get((word, part), ())

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        """See :class:`Relations`."""
        return self._antonyms.get((word, part), ())


@lru_cache(maxsize=1)
def _table() -> Table:
    text = resources.files("clwork.data").joinpath("relations/wordnet.txt").read_text(encoding="ascii")
    return Table(text.splitlines())


class Nltk:
    """Relations from ``nltk.corpus.wordnet``: all words of WordNet, without phrases and names."""

    def __init__(self, corpus: Any) -> None:
        self._corpus = corpus

    def _lemmas(self, word: str, part: str) -> list[Any]:
        lemmas = [lemma for synset in self._corpus.synsets(word, part) for lemma in synset.lemmas()]
        return [lemma for lemma in lemmas if lemma.name() == word]

    def parts(self, word: str) -> tuple[str, ...]:
        """See :class:`Relations`; the usual part is that with the highest count in WordNet's tagged texts."""
        counts = {part: sum(lemma.count() for lemma in self._lemmas(word, part)) for part in PARTS.values()}
        most = max(counts, key=lambda part: counts[part])
        if counts[most]:
            return (most,)
        return tuple(part for part in PARTS.values() if self._lemmas(word, part))

    def synonyms(self, word: str, part: str) -> tuple[tuple[str, ...], ...]:
        """See :class:`Relations`."""
        groups = [
            tuple(name for name in synset.lemma_names() if name != word and _single(name))
            for synset in self._corpus.synsets(word, part)
            if word in synset.lemma_names()
        ]
        return tuple(group for group in groups if group)

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        """See :class:`Relations`."""
        names = [other.name() for lemma in self._lemmas(word, part) for other in lemma.antonyms()]
        return tuple(dict.fromkeys(name for name in names if _single(name)))


def _single(name: str) -> bool:
    return name.replace("-", "").isalpha() and name.isascii() and name.islower()


@lru_cache(maxsize=1)
def _nltk() -> Nltk:
    try:
        from nltk.corpus import wordnet as corpus
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "source='nltk' needs the package nltk, which is not installed; `pip install nltk`, or use source='table'"
        ) from None
    try:
        corpus.ensure_loaded()
    except LookupError:
        raise LookupError(
            "nltk is installed without its WordNet; `python -m nltk.downloader wordnet`, or use source='table'"
        ) from None
    return Nltk(corpus)
