"""Augmentations of words: exchange synonyms and antonyms, delete, crop, and the four of EDA.

In the order of this file: words are found that WordNet (``wordnet.py``) has synonyms or antonyms
for, and one is exchanged (:func:`slots`, :func:`swap_word`); triplets of sentences for MoCoUTRL
(:class:`Swaps`); words of tokenised sentences are deleted or cropped; texts are changed as in EDA.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

from .. import _validation
from ..encoders import Encoder
from ..encoders.batching import to_device
from ..encoders.tokens import Tokens
from .wordnet import wordnet

Parts = Literal["any", "adjective"]
Span = tuple[int, int]
T = TypeVar("T")

# A word, also with hyphens, that begins with any letter and goes on in small ones; no part of a
# longer word, such as "don" in "don't".
_WORD = re.compile(r"(?<![\w'’-])[A-Za-z][a-z]*(?:-[a-z]+)*(?![\w'’-])")
_NAME_FOLLOWS = re.compile(r"\s+[A-Z]")
# Function words. WordNet lists many of them, but in another meaning: "in" as the inch, "he" as
# helium.
GRAMMAR = frozenset(
    """a about above after again against all also am an and another any are as at be because been
    before being below between both but by can could did do does done down during each either few
    for from had has have he her here him his how i if in inside into is it its just less like many
    may me might more most much must my near neither no none nor not now of off on once one only or
    other our out outside over own per same shall she should since so some such than that the their
    them then there these they this those through to too two under until up us very was we well were
    what when where which while who whom whose why will with within without would yes yet you
    your""".split()
)


class Slot(NamedTuple):
    """A word that can be replaced, and its replacements.

    The word is ``sentence[start:end]``.
    """

    start: int
    end: int
    synonyms: tuple[str, ...]
    antonyms: tuple[str, ...]


def slots(sentence: str, *, parts: Parts = "any") -> list[Slot]:
    """Find the words of a sentence that have a synonym or an antonym, in order.

    Words are matched as written: plurals, verb forms and possible names are left alone. There is no
    tagger: a word counts as its most frequent part of speech, and its synonyms are those of the
    most frequent meaning that has any. ``parts`` is ``"adjective"`` (MoCoUTRL's code) or ``"any"``
    (its text).

    Raises:
        ValueError: unknown parts.

    >>> found = slots("A big dog ate the hot soup.", parts="adjective")
    >>> [(slot.start, slot.synonyms, slot.antonyms) for slot in found]
    [(2, ('large',), ('little',)), (18, ('raging',), ('cold',))]
    """
    _validation.choice("parts", parts, ("any", "adjective"))
    relations = wordnet()
    found = []
    for match in _WORD.finditer(sentence):
        word = match[0].lower()
        if word in GRAMMAR or _may_be_a_name(sentence, match):
            continue
        # Those of the first part of speech that has any.
        synonyms: tuple[str, ...] = ()
        antonyms: tuple[str, ...] = ()
        for part in relations.parts(word):
            if parts == "any" or part == "a":
                synonyms = synonyms or relations.synonyms(word, part)
                antonyms = antonyms or relations.antonyms(word, part)
        if synonyms or antonyms:
            found.append(Slot(match.start(), match.end(), synonyms, antonyms))
    return found


def _may_be_a_name(sentence: str, match: re.Match[str]) -> bool:
    """Whether a word has a capital that does not come from opening the sentence.

    Also a first word is taken for a name if another capital follows, as in "New York is large."
    """
    if match[0].islower():
        return False
    opens_sentence = not sentence[: match.start()].strip("\"'“‘([ ")
    name_follows = _NAME_FOLLOWS.match(sentence, match.end()) is not None
    return not opens_sentence or name_follows


def replace_word(sentence: str, slot: Slot, word: str) -> tuple[str, Span]:
    """Replace a slot's word, with its capital; return the sentence and the new word's span.

    The span is ``(start, end)``, in characters of the new sentence.

    >>> replace_word("Big dogs bark.", slots("Big dogs bark.")[0], "large")
    ('Large dogs bark.', (0, 5))
    """
    if sentence[slot.start].isupper():
        word = word.capitalize()
    changed = sentence[: slot.start] + word + sentence[slot.end :]
    return changed, (slot.start, slot.start + len(word))


def pick(options: Sequence[T], generator: torch.Generator | None) -> T:
    """Draw an option uniformly; the first one without a generator."""
    if generator is None:
        return options[0]
    return options[int(torch.randint(len(options), (), generator=generator))]


def swap_word(
    sentence: str,
    relation: Literal["synonym", "antonym"] = "synonym",
    generator: torch.Generator | None = None,
    *,
    parts: Parts = "any",
) -> tuple[str, Span] | None:
    """Replace one random word by a random synonym or antonym; return None if no word has one.

    Returns the new sentence and the new word's ``(start, end)`` in it. The generator must be on the
    CPU; without a generator, the first replaceable word gets its first replacement.

    Raises:
        ValueError: unknown relation or parts.

    >>> swap_word("He had a cold supper.", "antonym", torch.Generator().manual_seed(0))
    ('He had a hot supper.', (9, 12))
    """
    _validation.choice("relation", relation, ("synonym", "antonym"))
    replacements = {
        slot: slot.synonyms if relation == "synonym" else slot.antonyms
        for slot in slots(sentence, parts=parts)
    }
    replaceable = [slot for slot, options in replacements.items() if options]
    if not replaceable:
        return None
    slot = pick(replaceable, generator)
    return replace_word(sentence, slot, pick(replacements[slot], generator))


# ---- triplets of sentences for MoCoUTRL ----


class Place(NamedTuple):
    """A word to replace: its slot, and where the tokenizer counts it among its words.

    The tokenizer may count a word of the sentence as several: "well-known" as three.
    """

    slot: Slot
    first_word: int
    word_count: int


class Example(NamedTuple):
    """A sentence with its tokens and all words that have both a synonym and an antonym."""

    text: str
    tokens: Tokens
    places: list[Place]


class Row(NamedTuple):
    """The token ids of a sentence, and the positions of the tokens of its chosen word."""

    ids: list[int]
    pieces: list[int]


class Swaps:
    """Find words that have both synonyms and antonyms, and draw triplets of sentences.

    A word is located by the tokenizer's word number, which its replacement does not change, and all
    tokens of the word are used (M17; the released code uses a single index, which is wrong for
    words of several tokens).

    Args:
        encoder: whose tokenizer is used.
        parts: the words to replace, as for :func:`slots`.
        max_length: tokens of a sentence; words beyond them are not replaced.

    >>> from clwork.encoders import load_encoder
    >>> swaps = Swaps(load_encoder("mini"), parts="any", max_length=32)
    >>> rows = swaps.draw(swaps.find(["He had a cold supper."]), torch.Generator().manual_seed(0))
    >>> [row.pieces for row in rows]  # where "cold", its synonym and its antonym stand
    [[4], [4, 5], [4]]
    """

    def __init__(self, encoder: Encoder, *, parts: Parts, max_length: int) -> None:
        self._encoder = encoder
        self._parts = parts
        self._limit = min(max_length, encoder.max_length)

    def find(self, texts: Sequence[str]) -> list[Example]:
        """Tokenize sentences and find the words to replace within ``max_length`` tokens."""
        examples = [
            Example(text, tokens, places=[])
            for text, tokens in zip(texts, self._tokenize(texts), strict=True)
        ]
        replaceable = []
        for example in examples:
            for slot in slots(example.text, parts=self._parts):
                if slot.synonyms and slot.antonyms:
                    replaceable.append((example, slot))

        # A slot counts characters, but tokens count words. In "A big dog", "dog" begins at
        # character 6; the text before it, "A big", has two words, so "dog" is word number 2.
        # All these texts are tokenized in one call, which is faster than one by one.
        texts_before = [example.text[: slot.start].rstrip() for example, slot in replaceable]
        words = [example.text[slot.start : slot.end] for example, slot in replaceable]
        first_words = self._word_counts(texts_before)
        word_counts = self._word_counts(words)
        for number, (example, slot) in enumerate(replaceable):
            place = Place(slot, first_words[number], word_counts[number])
            # a word without tokens was cut off at max_length
            if span_pieces(example.tokens, place.first_word, place.word_count):
                example.places.append(place)
        return examples

    def draw(self, batch: Sequence[Example], generator: torch.Generator) -> list[Row]:
        """Return 3B rows: originals, synonyms, antonyms of the B sentences with a word to replace.

        The rows 0, B and 2B belong to the same sentence.
        """
        usable = [example for example in batch if example.places]
        places = [pick(example.places, generator) for example in usable]
        originals = [
            Row(example.tokens.ids, span_pieces(example.tokens, place.first_word, place.word_count))
            for example, place in zip(usable, places, strict=True)
        ]
        synonyms = [pick(place.slot.synonyms, generator) for place in places]
        antonyms = [pick(place.slot.antonyms, generator) for place in places]
        return [
            *originals,
            *self._replaced(usable, places, synonyms),
            *self._replaced(usable, places, antonyms),
        ]

    def _replaced(
        self, examples: list[Example], places: list[Place], words: list[str]
    ) -> Iterator[Row]:
        """Yield each example with the word at its place replaced by a new word."""
        texts = [
            replace_word(example.text, place.slot, word)[0]
            for example, place, word in zip(examples, places, words, strict=True)
        ]
        counts = self._word_counts(words)
        for tokens, place, count in zip(self._tokenize(texts), places, counts, strict=True):
            yield Row(tokens.ids, span_pieces(tokens, place.first_word, count))

    def _tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokenize texts and truncate them to ``max_length`` tokens."""
        return [tokens.truncate(self._limit) for tokens in self._encoder.tokenize(texts)]

    def _word_counts(self, texts: Sequence[str]) -> list[int]:
        """Count the tokenizer's words of each text ("well-known" may be three)."""
        return [1 + max(tokens.words, default=-1) for tokens in self._encoder.tokenize(texts)]


def span_pieces(tokens: Tokens, first: int, count: int) -> list[int]:
    """Return the positions of the tokens of ``count`` words, from word number ``first`` on."""
    return [index for index, word in enumerate(tokens.words) if first <= word < first + count]


def span_weights(pieces: list[list[int]], ids: Tensor) -> Tensor:
    """Return weights ``(rows, T)`` that average over the positions ``pieces`` of each row.

    ``ids`` ``(rows, T)`` gives shape and device.
    """
    weights = np.zeros(ids.shape, dtype=np.float32)
    for row, positions in enumerate(pieces):
        weights[row, positions] = 1 / len(positions)
    return to_device(weights, ids.device)


def span_means(states: Tensor, weights: Tensor) -> Tensor:
    """Return the mean over each row's span: ``(rows, T, D)`` and ``(rows, T)`` to ``(rows, D)``."""
    return (weights[:, None].to(states.dtype) @ states).squeeze(1)


# ---- changes of token ids; each takes tokens, a rate in [0, 1) and a generator on the CPU ----


def delete_words(tokens: Tokens, rate: float, generator: torch.Generator) -> list[int]:
    """Delete a random share of the words; at least one word and all special tokens stay."""
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    return _delete(tokens, words, _count(rate, len(words), generator), generator)


def delete_one_word(tokens: Tokens, rate: float, generator: torch.Generator) -> list[int]:
    """Delete one random word, whatever the rate; a sentence of one word stays as it is."""
    words = _words(tokens)
    if len(words) < 2:
        return list(tokens.ids)
    return _delete(tokens, words, 1, generator)


def crop(tokens: Tokens, rate: float, generator: torch.Generator) -> list[int]:
    """Delete a share ``rate`` of the words so that the rest is consecutive; special tokens stay."""
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    length = len(words) - _count(rate, len(words), generator)
    start = int(torch.randint(len(words) - length + 1, (), generator=generator))
    return _keep(tokens, set(words[start : start + length]))


def _words(tokens: Tokens) -> list[int]:
    """Return the word numbers of a sentence, without the -1 of special tokens."""
    return sorted(set(tokens.words) - {-1})


def _count(rate: float, words: int, generator: torch.Generator) -> int:
    """Draw how many words to delete: ``rate * words``, never all.

    It is rounded up or down at random, so that the mean is right.
    """
    rounding = torch.rand((), generator=generator, dtype=torch.float64).item()
    return min(int(rate * words + rounding), words - 1)


def _delete(tokens: Tokens, words: list[int], count: int, generator: torch.Generator) -> list[int]:
    """Return the ids without ``count`` random words of these word numbers."""
    order = torch.randperm(len(words), generator=generator).tolist()
    return _keep(tokens, {words[number] for number in order[count:]})


def _keep(tokens: Tokens, words: set[int]) -> list[int]:
    """Return the ids of special tokens and of the words with these numbers."""
    pairs = zip(tokens.ids, tokens.words, strict=True)
    return [token for token, word in pairs if word == -1 or word in words]


AUGMENTATIONS: dict[str, Callable[[Tokens, float, torch.Generator], list[int]]] = {
    "delete": delete_words,
    "delete_one": delete_one_word,
    "crop": crop,
}
"""Augmentations of token ids, by their name in SimCSE's configuration."""


# ---- changes of texts: EDA (Wei & Zou 2019, section 2) ----
# Each takes a sentence, a rate and a generator on the CPU. n is the number of changes,
# :func:`_changes`.


def exchange_synonyms(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Replace n words by synonyms; a sentence without synonyms stays unchanged."""
    replaceable = [slot for slot in slots(sentence) if slot.synonyms]
    order = torch.randperm(len(replaceable), generator=generator).tolist()
    chosen = order[: _changes(sentence, rate)]
    # The last word first, since a replacement moves the words after it.
    for number in sorted(chosen, reverse=True):
        slot = replaceable[number]
        sentence, _ = replace_word(sentence, slot, pick(slot.synonyms, generator))
    return sentence


def insert_synonyms(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Insert n times a synonym of a random word at a random place."""
    words = sentence.split()
    synonyms_by_word = [slot.synonyms for slot in slots(sentence) if slot.synonyms]
    if not synonyms_by_word:
        return " ".join(words)
    for _ in range(_changes(sentence, rate)):
        synonyms = pick(synonyms_by_word, generator)
        index = pick(range(len(words) + 1), generator)
        words.insert(index, pick(synonyms, generator))
    return " ".join(words)


def exchange_words(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Exchange n times two random words."""
    words = sentence.split()
    if len(words) < 2:
        return " ".join(words)
    for _ in range(_changes(sentence, rate)):
        first = pick(range(len(words)), generator)
        distance = pick(range(1, len(words)), generator)  # at least 1: another word
        second = (first + distance) % len(words)
        words[first], words[second] = words[second], words[first]
    return " ".join(words)


def drop_words(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Delete each word with probability ``rate``, never all."""
    words = sentence.split()
    uniform = torch.rand(len(words), generator=generator, dtype=torch.float64)
    stays = (uniform >= rate).tolist()
    if not any(stays):
        stays[pick(range(len(words)), generator)] = True
    return " ".join(word for word, stay in zip(words, stays, strict=True) if stay)


EDA_OPERATIONS = (exchange_synonyms, insert_synonyms, exchange_words, drop_words)


def eda(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Change a sentence by one of EDA's four operations, drawn at each call."""
    if not _changes(sentence, rate):
        return sentence
    return pick(EDA_OPERATIONS, generator)(sentence, rate, generator)


def _changes(sentence: str, rate: float) -> int:
    """Return n: the rate times the number of words, rounded down; at least 1 unless it is 0."""
    words = len(sentence.split())
    if rate == 0 or words == 0:
        return 0
    return max(1, int(rate * words))
