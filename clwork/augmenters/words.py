"""Augmentations that replace, delete, insert or shuffle words, in texts (WordNet) or in tokenised sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import torch
from torch import Tensor

from .._validation import Positive, ShareBelowOne, checked, kind, shown
from ..encoders import Encoder
from ..encoders.encoder import ENCODER, to_device
from ..encoders.tokens import Tokens
from .wordnet import PARTS, wordnet

Parts = Literal["any", "noun", "verb", "adjective", "adverb"]
Span = tuple[int, int]

_WORD = re.compile(r"(?<![\w'’-])[A-Za-z][a-z]*(?:-[a-z]+)*(?![\w'’-])")
_NAME_FOLLOWS = re.compile(r"\s+[A-Z]")
# Function words. WordNet lists many of them, but in another meaning: "in" as the inch, "he" as helium.
GRAMMAR = frozenset(
    """a about above after again against all also am an and another any are as at be because been before being below
    between both but by can could did do does done down during each either few for from had has have he her here him
    his how i if in inside into is it its just less like many may me might more most much must my near neither no none
    nor not now of off on once one only or other our out outside over own per same shall she should since so some such
    than that the their them then there these they this those through to too two under until up us very was we well
    were what when where which while who whom whose why will with within without would yes yet you your""".split()
)


class Slot(NamedTuple):
    """A word that can be replaced: its span of characters in the sentence, and its replacements."""

    start: int
    end: int
    synonyms: tuple[str, ...]
    antonyms: tuple[str, ...]


@checked()
def slots(sentence: str, *, parts: Parts = "any") -> list[Slot]:
    """Find the words of a sentence that have a synonym or an antonym, in order.

    Words are matched as written: plurals, verb forms and possible names are left alone. There is no tagger: a word
    counts as its most frequent part of speech, and its synonyms are those of the most frequent meaning that has any.
    ``parts`` is ``"noun"``, ``"verb"``, ``"adjective"`` (MoCoUTRL's code), ``"adverb"`` or ``"any"`` (MoCoUTRL's text).

    >>> [(slot.start, slot.synonyms, slot.antonyms) for slot in slots("A big dog ate the hot soup.", parts="adjective")]
    [(2, ('large',), ('little',)), (18, ('raging',), ('cold',))]
    """
    relations, exchangeable = wordnet(), []
    for match in _WORD.finditer(sentence):
        word = match[0].lower()
        capital = match[0] != word
        opens = not sentence[: match.start()].strip("\"'“‘([ ")
        if word in GRAMMAR or (
            capital and (not opens or _NAME_FOLLOWS.match(sentence, match.end()))
        ):
            continue
        synonyms: tuple[str, ...] = ()
        antonyms: tuple[str, ...] = ()
        for part in relations.parts(word):
            if parts == "any" or PARTS[parts] == part:
                synonyms = synonyms or next(iter(relations.synonyms(word, part)), ())
                antonyms = antonyms or relations.antonyms(word, part)
        if synonyms or antonyms:
            exchangeable.append(Slot(match.start(), match.end(), synonyms, antonyms))
    return exchangeable


def replace_word(sentence: str, slot: Slot, word: str) -> tuple[str, Span]:
    """Replace a slot's word by ``word`` with the same capitalisation; return the sentence and the new word's span."""
    word = word.capitalize() if sentence[slot.start].isupper() else word
    return sentence[: slot.start] + word + sentence[slot.end :], (
        slot.start,
        slot.start + len(word),
    )


def pick(options: Sequence[object], generator: torch.Generator | None) -> int:
    """Draw the index of an option uniformly; 0 without a generator."""
    return 0 if generator is None else int(torch.randint(len(options), (), generator=generator))


@checked()
def swap_word(
    sentence: str,
    relation: Literal["synonym", "antonym"] = "synonym",
    generator: torch.Generator | None = None,
    *,
    parts: Parts = "any",
) -> tuple[str, Span] | None:
    """Replace one random word by a random synonym or antonym; return None if no word has one.

    Returns the new sentence and the new word's ``(start, end)`` in it. The generator must be on the CPU; without a
    generator, the first replaceable word gets its first replacement.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: unknown relation or parts.

    >>> swap_word("He had a cold supper.", "antonym", torch.Generator().manual_seed(0))
    ('He had a hot supper.', (9, 12))
    """
    words = [
        (slot, slot.synonyms if relation == "synonym" else slot.antonyms)
        for slot in slots(sentence, parts=parts)
    ]
    words = [(slot, options) for slot, options in words if options]
    if not words:
        return None
    slot, options = words[pick([slot for slot, _ in words], generator)]
    return replace_word(sentence, slot, options[pick(options, generator)])


class Place(NamedTuple):
    """A word to replace: its slot in the text, and its first word number and number of words in the tokens."""

    slot: Slot
    first: int
    length: int


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

    A word is located by the tokenizer's word number, which its replacement does not change, and all tokens of the word
    are used (M17; the released code uses a single index, which is wrong for words of several tokens).
    """

    @checked(encoder=ENCODER)
    def __init__(self, encoder: Encoder, *, parts: Parts, max_length: Positive) -> None:
        self._encoder, self._parts = encoder, parts
        self._limit = min(max_length, encoder.max_length)

    def find(self, texts: Sequence[str]) -> list[Example]:
        """Tokenize sentences and find the words to replace within ``max_length`` tokens."""
        tokens = self._encoder.tokenize(texts)
        by_text = [slots(text, parts=self._parts) for text in texts]
        both = [
            (n, slot)
            for n, row in enumerate(by_text)
            for slot in row
            if slot.synonyms and slot.antonyms
        ]
        firsts = self._word_counts([texts[n][: slot.start].rstrip() for n, slot in both])
        counts = self._word_counts([texts[n][slot.start : slot.end] for n, slot in both])
        examples = [
            Example(text, row.truncate(self._limit), [])
            for text, row in zip(texts, tokens, strict=True)
        ]
        for (n, slot), first, count in zip(both, firsts, counts, strict=True):
            if span_pieces(examples[n].tokens, first, count):
                examples[n].places.append(Place(slot, first, count))
        return examples

    def draw(self, batch: Sequence[Example], generator: torch.Generator) -> list[Row]:
        """Return 3B rows: originals, synonyms, antonyms; sentences without a word to replace are left out."""
        usable = [example for example in batch if example.places]
        chosen = [example.places[pick(example.places, generator)] for example in usable]
        rows = [
            Row(e.tokens.ids, span_pieces(e.tokens, p.first, p.length))
            for e, p in zip(usable, chosen, strict=True)
        ]
        for relation in ("synonyms", "antonyms"):
            options = [getattr(place.slot, relation) for place in chosen]
            words = [some[pick(some, generator)] for some in options]
            texts = [
                replace_word(e.text, p.slot, word)[0]
                for e, p, word in zip(usable, chosen, words, strict=True)
            ]
            tokens = [row.truncate(self._limit) for row in self._encoder.tokenize(texts)]
            counts = self._word_counts(words)
            changed = zip(tokens, chosen, counts, strict=True)
            rows += [
                Row(row.ids, span_pieces(row, place.first, count)) for row, place, count in changed
            ]
        return rows

    def _word_counts(self, texts: Sequence[str]) -> list[int]:
        """Count the tokenizer's words of each text ("well-known" may be three)."""
        return [1 + max(tokens.words, default=-1) for tokens in self._encoder.tokenize(texts)]


def span_pieces(tokens: Tokens, first: int, count: int) -> list[int]:
    """Return the positions of the tokens of ``count`` words, from word number ``first`` on."""
    return [place for place, word in enumerate(tokens.words) if first <= word < first + count]


def span_weights(pieces: list[list[int]], ids: Tensor) -> Tensor:
    """Return weights ``(rows, T)`` that average over each row's ``pieces``."""
    weights = np.zeros(ids.shape, dtype=np.float32)
    for row, places in enumerate(pieces):
        weights[row, places] = 1 / len(places)
    return to_device(weights, ids.device)


def span_means(states: Tensor, weights: Tensor) -> Tensor:
    """Return the mean over each row's span: ``(rows, T, D)`` and ``(rows, T)`` to ``(rows, D)``."""
    return (weights[:, None].to(states.dtype) @ states).squeeze(1)


EdaOperation = Literal["any", "replace", "insert", "swap", "delete"]


def _tokens(name: str, value: Any) -> Tokens:
    if not isinstance(value, Tokens):
        raise TypeError(
            f"{name} is {kind(value)} ({shown(value, 40)}); give one item of encoder.tokenize(texts)"
        )
    if len(value.ids) != len(value.words):
        raise ValueError(
            f"{name} has {len(value.ids)} ids and {len(value.words)} word numbers; give one for each id"
        )
    return value


@checked(tokens=_tokens)
def delete_words(tokens: Tokens, rate: ShareBelowOne, generator: torch.Generator) -> list[int]:
    """Delete a random share ``rate`` of the words; at least one word and all special tokens stay."""
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    return _without(tokens, words, _count(rate, len(words), generator), generator)


@checked(tokens=_tokens)
def delete_one_word(tokens: Tokens, generator: torch.Generator) -> list[int]:
    """Delete one random word; a sentence of one word stays as it is."""
    words = _words(tokens)
    if len(words) < 2:
        return list(tokens.ids)
    return _without(tokens, words, 1, generator)


@checked(tokens=_tokens)
def crop(tokens: Tokens, rate: ShareBelowOne, generator: torch.Generator) -> list[int]:
    """Delete a share ``rate`` of the words so that the rest is consecutive; special tokens stay."""
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    length = len(words) - _count(rate, len(words), generator)
    start = int(torch.randint(len(words) - length + 1, (), generator=generator))
    return _keep(tokens, set(words[start : start + length]))


def shuffle_tokens(tokens: Tokens, generator: torch.Generator) -> list[int]:
    """Shuffle the tokens; special tokens stay in place."""
    ids = list(tokens.ids)
    places = [place for place, word in enumerate(tokens.words) if word != -1]
    order = torch.randperm(len(places), generator=generator).tolist()
    for place, source in zip(places, order, strict=True):
        ids[place] = tokens.ids[places[source]]
    return ids


@checked()
def exchange_synonyms(sentence: str, rate: ShareBelowOne, generator: torch.Generator) -> str:
    """Replace a share ``rate`` of the words (rounded down, at least one) by synonyms (EDA; Wei & Zou 2019 §2)."""
    count = _changes(sentence, rate)
    exchangeable = [slot for slot in slots(sentence) if slot.synonyms]
    order = torch.randperm(len(exchangeable), generator=generator).tolist()
    for place in sorted(
        order[:count], reverse=True
    ):  # last first, so that the other slots stay valid
        slot = exchangeable[place]
        sentence, _ = replace_word(sentence, slot, slot.synonyms[pick(slot.synonyms, generator)])
    return sentence


@checked()
def eda(
    sentence: str,
    rate: ShareBelowOne,
    generator: torch.Generator,
    *,
    operation: EdaOperation = "any",
) -> str:
    """Change a sentence by one of EDA's four operations, drawn at each call (Wei & Zou 2019, section 2).

    ``"replace"``: synonyms replace n words. ``"insert"``: n times, a synonym of a random word is inserted at random.
    ``"swap"``: n times, two words swap. ``"delete"``: each word is deleted with probability ``rate``, never all.
    n is ``rate`` times the number of words, rounded down, at least 1. A sentence without synonyms may stay unchanged.
    """
    count = _changes(sentence, rate)
    if not count:
        return sentence
    if operation == "any":
        operation = get_args(EdaOperation)[1 + pick(range(4), generator)]
    if operation == "replace":
        return exchange_synonyms(sentence, rate, generator)
    words = sentence.split()
    if operation == "insert":
        synonyms = [slot.synonyms for slot in slots(sentence) if slot.synonyms]
        for _ in range(count if synonyms else 0):
            options = synonyms[pick(synonyms, generator)]
            words.insert(pick(range(len(words) + 1), generator), options[pick(options, generator)])
    elif operation == "swap":
        for _ in range(count if len(words) > 1 else 0):
            first = pick(words, generator)
            second = (first + 1 + pick(words[1:], generator)) % len(words)
            words[first], words[second] = words[second], words[first]
    else:
        stays = (torch.rand(len(words), generator=generator, dtype=torch.float64) >= rate).tolist()
        if not any(stays):
            stays[pick(words, generator)] = True
        words = [word for word, stay in zip(words, stays, strict=True) if stay]
    return " ".join(words)


def _changes(sentence: str, rate: float) -> int:
    """Return how many words to change: at least one, unless the rate or the number of words is 0."""
    words = len(sentence.split())
    return max(1, int(rate * words)) if rate and words else 0


TextAugmentation = Callable[[str, float, torch.Generator], str]
TEXT_AUGMENTATIONS: dict[str, TextAugmentation] = {"synonyms": exchange_synonyms, "eda": eda}
"""Augmentations of texts, by name; each takes a sentence, a rate and a generator on the CPU."""


AUGMENTATIONS: dict[str, Callable[[Tokens, float, torch.Generator], list[int]]] = {
    "delete": delete_words,
    "delete_one": lambda tokens, _, generator: delete_one_word(tokens, generator),
    "crop": crop,
}
"""Augmentations of words, by name; each takes tokens, a rate and a generator on the CPU and returns token ids."""


def _words(tokens: Tokens) -> list[int]:
    return sorted(set(tokens.words) - {-1})


def _count(rate: float, words: int, generator: torch.Generator) -> int:
    """Draw how many of ``words`` words to delete: ``rate * words`` on average, randomly rounded, never all."""
    chance = torch.rand((), generator=generator, dtype=torch.float64).item()
    return min(int(rate * words + chance), words - 1)


def _keep(tokens: Tokens, words: set[int]) -> list[int]:
    return [
        piece
        for piece, word in zip(tokens.ids, tokens.words, strict=True)
        if word == -1 or word in words
    ]


def _without(tokens: Tokens, words: list[int], count: int, generator: torch.Generator) -> list[int]:
    order = torch.randperm(len(words), generator=generator).tolist()
    return _keep(tokens, {words[i] for i in order[count:]})
