"""Synonyms and antonyms from WordNet, without a network: a table of words and relations that comes with clwork.

The table, ``relations/wordnet.txt``, was made by ``scripts/wordnet_table.py`` and is under WordNet's licence, which is
next to it. It holds the 25,600 groups of synonyms that have two or more single words, and 3,374 pairs of antonyms.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib import resources

PARTS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    text = (
        resources.files("clwork.data").joinpath("relations/wordnet.txt").read_text(encoding="ascii")
    )
    return WordNet(text.splitlines())


class WordNet:
    """Synonyms and antonyms by word and part of speech (``n``, ``v``, ``a``, ``r``), from the lines of the table."""

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
                    ranked[word, kind].append(
                        (int(rank), tuple(other for other, _ in senses if other != word))
                    )
        self._synonyms = {
            key: tuple(group for _, group in sorted(groups)) for key, groups in ranked.items()
        }
        self._antonyms = {key: tuple(words) for key, words in antonyms.items()}

    def parts(self, word: str) -> tuple[str, ...]:
        """Return a word's parts of speech; only the most frequent one if the table has it."""
        usual = self._usual.get(word)
        known = [
            part
            for part in PARTS.values()
            if (word, part) in self._synonyms or (word, part) in self._antonyms
        ]
        return tuple(part for part in known if usual in (None, part))

    def synonyms(self, word: str, part: str) -> tuple[tuple[str, ...], ...]:
        """Return groups of synonyms, one for each meaning, the most frequent meaning first."""
        return self._synonyms.get((word, part), ())

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        return self._antonyms.get((word, part), ())
