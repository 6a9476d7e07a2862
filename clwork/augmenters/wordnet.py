"""A dictionary of synonyms and antonyms: look a word up in WordNet's table, which clwork includes.

Nothing is exchanged here; ``words.py`` puts the words that are found into sentences.
The table, ``relations/wordnet.txt``, was made by ``scripts/wordnet_table.py`` and is under
WordNet's licence, which is next to it. It holds the 25,600 groups of synonyms that have two or more
single words, and 3,374 pairs of antonyms.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib import resources

PARTS = "nvar"
"""Letters of the parts of speech: noun, verb, adjective, adverb."""


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    """Read the table once."""
    table = resources.files("clwork.data").joinpath("relations/wordnet.txt")
    return WordNet(table.read_text(encoding="ascii").splitlines())


class WordNet:
    """Synonyms and antonyms by word and part of speech (``n``, ``v``, ``a``, ``r``).

    Lines of the table, where ``part`` is a part of speech::

        a able/2 capable/5    a group of synonyms (here adjectives): able in its second most
                              frequent meaning, capable in its fifth
        ! a abaxial adaxial   antonyms: part, word, opposite
        ~ abandon v           the most frequent part of speech of a word that has several
        # ...                 a comment
    """

    def __init__(self, lines: list[str]) -> None:
        self._antonyms: dict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
        self._most_frequent: dict[str, str] = {}
        # By word and part: rank and synonyms of its most frequent meaning that has any.
        self._synonyms: dict[tuple[str, str], tuple[int, tuple[str, ...]]] = {}
        for line in lines:
            first, *fields = line.split()
            if first == "!":
                part, word, opposite = fields
                self._antonyms[word, part] += (opposite,)
                self._antonyms[opposite, part] += (word,)
            elif first == "~":
                word, part = fields
                self._most_frequent[word] = part
            elif first != "#":
                self._add_group(part=first, ranks=dict(field.split("/") for field in fields))

    def _add_group(self, part: str, ranks: dict[str, str]) -> None:
        """Store a group of synonyms for each of its words that has no more frequent meaning yet.

        ``ranks`` are the ranks of the group's meaning by word; 1 is a word's most frequent meaning.
        """
        for word, rank in ranks.items():
            meaning = int(rank), tuple(other for other in ranks if other != word)
            self._synonyms[word, part] = min(meaning, self._synonyms.get((word, part), meaning))

    def parts(self, word: str) -> tuple[str, ...]:
        """Return the parts of speech in which a word has a synonym or an antonym.

        Of a word with several parts of speech, only the most frequent one counts.
        """
        most_frequent = self._most_frequent.get(word)
        allowed = PARTS if most_frequent is None else [most_frequent]
        return tuple(
            part
            for part in allowed
            if (word, part) in self._synonyms or (word, part) in self._antonyms
        )

    def synonyms(self, word: str, part: str) -> tuple[str, ...]:
        """Return the synonyms of a word's most frequent meaning that has any."""
        return self._synonyms.get((word, part), (0, ()))[1]

    def antonyms(self, word: str, part: str) -> tuple[str, ...]:
        """Return a word's antonyms."""
        return self._antonyms.get((word, part), ())
