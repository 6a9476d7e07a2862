"""Triplets of tokenised sentences for MoCoUTRL: the original, and one word of it exchanged either way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from .. import checks
from ..checks import shown
from ..data.wordnet_relations import SOURCES
from ..encoders import Encoder, Tokens
from .wordnet import KINDS, Slot, pick, put, slots


class Place(NamedTuple):
    """A word to exchange: its slot in the text, and which of the tokenizer's words it is."""

    slot: Slot
    first: int
    length: int


class Example(NamedTuple):
    """A sentence with its tokens and all words that have both a synonym and an antonym."""

    text: str
    tokens: Tokens
    places: list[Place]


class Row(NamedTuple):
    """A sentence to embed, and where the pieces of its chosen word are."""

    ids: list[int]
    pieces: list[int]


class Swaps:
    """Finds the words of sentences that can be exchanged either way, and draws triplets.

    Replacements shift what follows them and may have more or fewer pieces than the word they replace. A word is
    therefore known by the number the tokenizer gives it, which no replacement changes, and all its pieces count
    (M17; a single index, as in the released code, is wrong for such words).

    Raises:
        TypeError, ValueError: no encoder, unknown parts or source, or a length below 1.
    """

    def __init__(self, encoder: Encoder, *, parts: str, source: str, max_length: int) -> None:
        if not isinstance(encoder, Encoder):
            raise TypeError(f"encoder is {shown(encoder)}; give an encoder, such as clwork.load_encoder('mini')")
        checks.choice("parts", parts, KINDS)
        checks.choice("source", source, SOURCES)
        max_length = checks.whole("max_length", max_length, 1)
        self._encoder, self._parts, self._source = encoder, parts, source
        self._limit = min(max_length, encoder.max_length)

    def find(self, texts: Sequence[str]) -> list[Example]:
        """Tokens of each sentence, and the places to exchange that are not cut off at ``max_length`` pieces."""
        tokens = self._encoder.tokenize(texts)
        found = [slots(text, parts=self._parts, source=self._source) for text in texts]
        both = [(n, slot) for n, row in enumerate(found) for slot in row if slot.synonyms and slot.antonyms]
        firsts = self._word_counts([texts[n][: slot.start].rstrip() for n, slot in both])
        counts = self._word_counts([texts[n][slot.start : slot.end] for n, slot in both])
        kept = [Example(text, row.truncate(self._limit), []) for text, row in zip(texts, tokens, strict=True)]
        for (n, slot), first, count in zip(both, firsts, counts, strict=True):
            if span_pieces(kept[n].tokens, first, count):
                kept[n].places.append(Place(slot, first, count))
        return kept

    def draw(self, batch: Sequence[Example], generator: torch.Generator) -> list[Row]:
        """Originals, then the synonyms' sentences, then the antonyms', in the same order: 3B rows.

        Each sentence has one of its words exchanged, all equally likely; one without such a word is left out.
        """
        usable = [example for example in batch if example.places]
        chosen = [example.places[pick(example.places, generator)] for example in usable]
        rows = [
            Row(e.tokens.ids, span_pieces(e.tokens, p.first, p.length)) for e, p in zip(usable, chosen, strict=True)
        ]
        for relation in ("synonyms", "antonyms"):
            options = [getattr(place.slot, relation) for place in chosen]
            words = [some[pick(some, generator)] for some in options]
            texts = [put(e.text, p.slot, word)[0] for e, p, word in zip(usable, chosen, words, strict=True)]
            tokens = [row.truncate(self._limit) for row in self._encoder.tokenize(texts)]
            counts = self._word_counts(words)
            changed = zip(tokens, chosen, counts, strict=True)
            rows += [Row(row.ids, span_pieces(row, place.first, count)) for row, place, count in changed]
        return rows

    def _word_counts(self, texts: Sequence[str]) -> list[int]:
        """How many words the tokenizer sees in each text ("well-known" may be three)."""
        return [1 + max(tokens.words, default=-1) for tokens in self._encoder.tokenize(texts)]


def span_pieces(tokens: Tokens, first: int, count: int) -> list[int]:
    """Places of the pieces of ``count`` words from word number ``first`` on.

    >>> span_pieces(Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1]), first=1, count=1)
    [2, 3]
    """
    return [place for place, word in enumerate(tokens.words) if first <= word < first + count]


def span_weights(pieces: list[list[int]], ids: Tensor) -> Tensor:
    """Weights by which a sum over places is the mean over a row's pieces, ``(rows, T)`` as ``ids``."""
    weights = torch.zeros(ids.shape)
    for row, places in enumerate(pieces):
        weights[row, places] = 1 / len(places)
    return weights.to(ids.device)


def span_means(states: Tensor, weights: Tensor) -> Tensor:
    """Mean over each row's span: ``(rows, T, D)`` and ``(rows, T)`` to ``(rows, D)``."""
    return (weights[:, None] @ states).squeeze(1)
