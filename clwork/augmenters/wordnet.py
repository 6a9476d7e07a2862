"""Synonyms and antonyms of WordNet, from a table that comes with clwork.

The table, ``relations/wordnet.txt``, was made by ``scripts/wordnet_table.py`` and is under
WordNet's licence, which is next to it. It holds the 25,600 groups of synonyms that have two or more
single words, and 3,374 pairs of antonyms.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib import resources

PARTS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    """Read the table once."""
    table = resources.files("clwork.data").joinpath("relations/wordnet.txt")
    return WordNet(table.read_text(encoding="ascii").splitlines())


class WordNet:
    """Synonyms and antonyms by word and part of speech (``n``, ``v``, ``a``, ``r``).

    A line is ``n word/rank word/rank ...`` (a group of synonyms; the rank of each word's meaning),
    ``! part word opposite``, ``~ word part`` (its most frequent part of speech), or a comment (#).
    """

    def __init__(self, lines: list[str]) -> None:
        self._antonyms: dict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
        self._most_frequent: dict[str, str] = {}
        # By word and part: rank and synonyms of its most frequent meaning that has any.
        self._synonyms: dict[tuple[str, str], tuple[int, tuple[str, ...]]] = {}
        for line in lines:
            kind, *fields = line.split()
            if kind == "!":
                part, word, opposite = fields
                self._antonyms[word, part] += (opposite,)
                self._antonyms[opposite, part] += (word,)
            elif kind == "~":
                self._most_frequent[fields[0]] = fields[1]
            elif kind != "#":
                self._add_group(kind, dict(field.split("/") for field in fields))

    def _add_group(self, part: str, ranks: dict[str, str]) -> None:
        """Store a group of synonyms for each of its words that has no more frequent meaning yet."""
        for word, rank in ranks.items():
            group = int(rank), tuple(other for other in ranks if other != word)
            self._synonyms[word, part] = min(group, self._synonyms.get((word, part), group))

    def parts(self, word: str) -> tuple[str, ...]:
        """Return a word's parts of speech; only the most frequent one if the table has it."""
        allowed = self._most_frequent.get(word, "nvar")
        keys = [(word, part) for part in PARTS.values() if part in allowed]
        return tuple(key[1] for key in keys if key in self._synonyms or key in self._antonyms)

    def synonyms(self, word: str, part: str) -> tuple[str, ...]:
        """Return the synonyms of a word's most frequent meaning that has any."""
        return self._synonyms.get((word, part), (0, ()))[1]

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        """Return a word's antonyms."""
        return self._antonyms.get((word, part), ())
