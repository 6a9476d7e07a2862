"""Views with words deleted (SimCSE's Table 1), exchanged, inserted or shuffled, to compare with dropout alone.

Some change a tokenised sentence, and are in :data:`AUGMENTATIONS`; those that look words up in WordNet change the text
itself, and are in :data:`TEXT_AUGMENTATIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import torch

from .. import _validation
from .._validation import checked, kind, shown
from ..encoders.tokens import Tokens
from ..wording import plural
from .swaps import pick, replace_word, slots

EdaOperation = Literal["any", "replace", "insert", "swap", "delete"]


def delete_words(tokens: Tokens, rate: float, generator: torch.Generator) -> list[int]:
    """Delete a random ``rate`` of the words; at least one word and all special tokens stay.

    Raises:
        TypeError: tokens, a rate or a generator of another kind.
        ValueError: ``rate`` is outside 0 to below 1, or the generator is not on the CPU.

    >>> delete_words(Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1]), 0.5, torch.Generator().manual_seed(0))
    [2, 7, 3]
    """
    rate = _check(tokens, generator, rate)
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    return _without(tokens, words, _count(rate, len(words), generator), generator)


def delete_one_word(tokens: Tokens, generator: torch.Generator) -> list[int]:
    """Delete one random word; a sentence of one word stays as it is.

    Raises:
        TypeError, ValueError: tokens or a generator of another kind.
    """
    _check(tokens, generator)
    words = _words(tokens)
    if len(words) < 2:
        return list(tokens.ids)
    return _without(tokens, words, 1, generator)


def crop(tokens: Tokens, rate: float, generator: torch.Generator) -> list[int]:
    """Keep one random run of words, without ``rate`` of them at the ends; special tokens stay.

    Raises:
        TypeError: tokens, a rate or a generator of another kind.
        ValueError: ``rate`` is outside 0 to below 1, or the generator is not on the CPU.

    >>> crop(Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1]), 0.5, torch.Generator().manual_seed(1))
    [2, 7, 3]
    """
    rate = _check(tokens, generator, rate)
    words = _words(tokens)
    if len(words) < 2 or rate == 0:
        return list(tokens.ids)
    length = len(words) - _count(rate, len(words), generator)
    start = int(torch.randint(len(words) - length + 1, (), generator=generator))
    return _keep(tokens, set(words[start : start + length]))


def shuffle_tokens(tokens: Tokens, generator: torch.Generator) -> list[int]:
    """Shuffle the pieces; special tokens stay in place.

    >>> shuffle_tokens(Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1]), torch.Generator().manual_seed(0))
    [2, 9, 7, 8, 3]

    Raises:
        TypeError, ValueError: tokens or a generator of another kind.
    """
    _check(tokens, generator)
    ids = list(tokens.ids)
    places = [place for place, word in enumerate(tokens.words) if word != -1]
    order = torch.randperm(len(places), generator=generator).tolist()
    for place, source in zip(places, order, strict=True):
        ids[place] = tokens.ids[places[source]]
    return ids


def exchange_synonyms(sentence: str, rate: float, generator: torch.Generator) -> str:
    """Exchange a random ``rate`` of the words for synonyms: at least one word, or all that have any.

    Words and synonyms are those of :func:`.slots`: as written, no names or function words, and of the most frequent
    meaning. The number of words is ``rate`` of all words, rounded down (EDA; Wei & Zou 2019 §2).

    Args:
        sentence: the text.
        rate: share of the words, 0 to below 1; 0 changes nothing.
        generator: on the CPU.

    Raises:
        TypeError: a sentence, a rate or a generator of another kind.
        ValueError: ``rate`` is outside 0 to below 1, or the generator not on the CPU.

    >>> exchange_synonyms("A big dog.", 0.1, torch.Generator().manual_seed(0))
    'A large dog.'
    """
    count = _changes(sentence, rate, generator)
    exchangeable = [slot for slot in slots(sentence) if slot.synonyms]
    order = torch.randperm(len(exchangeable), generator=generator).tolist()
    for place in sorted(order[:count], reverse=True):  # from the end, so that earlier words keep their places
        slot = exchangeable[place]
        sentence, _ = replace_word(sentence, slot, slot.synonyms[pick(slot.synonyms, generator)])
    return sentence


def eda(
    sentence: str,
    rate: float,
    generator: torch.Generator,
    *,
    operation: EdaOperation = "any",
) -> str:
    """Change a sentence by one of EDA's four operations, drawn anew each time (Wei & Zou 2019, section 2).

    ``"replace"``: n words become synonyms. ``"insert"``: n times, a synonym of a random word comes to a random place.
    ``"swap"``: n times, two words change places. ``"delete"``: each word goes with probability ``rate``, never all.
    n is ``rate`` of the number of words, rounded down, at least 1. Words are what blanks separate, with their marks;
    synonyms are those of :func:`exchange_synonyms` (EDA's code takes every meaning's). A sentence that an operation
    cannot change, such as one without synonyms, stays as it is.

    Args:
        sentence: the text.
        rate: EDA's α, 0 to below 1; the paper recommends .1. 0 changes nothing.
        generator: on the CPU.
        operation: one of the four, or ``"any"``.

    Raises:
        TypeError: a sentence, a rate or a generator of another kind.
        ValueError: ``rate`` is outside 0 to below 1, the operation unknown, or the generator not on the CPU.

    >>> eda("A big dog ran home.", 0.1, torch.Generator().manual_seed(0), operation="swap")
    'A big dog home. ran'
    """
    _validation.choice("operation", operation, get_args(EdaOperation))
    count = _changes(sentence, rate, generator)
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


def _changes(sentence: str, rate: float, generator: torch.Generator) -> int:
    """Validate the arguments; return how many words to change: at least one, unless rate or sentence is empty."""
    _validation.text("sentence", sentence)
    _validation.generator(generator, on="cpu")
    rate = _validation.share("rate", rate, "a share of words to change", below_one=True)
    words = len(sentence.split())
    return max(1, int(rate * words)) if rate and words else 0


TextAugmentation = Callable[[str, float, torch.Generator], str]
TEXT_AUGMENTATIONS: dict[str, TextAugmentation] = {"synonyms": exchange_synonyms, "eda": eda}
"""Changes of the text itself, by name: of a sentence, a rate and a generator on the CPU."""


@dataclass(frozen=True)
class WordAugmentation:
    """A way to change a sentence's words before it is embedded a second time.

    Attributes:
        name: what configurations call it.
        change: takes tokens, a rate and a generator on the CPU; returns token ids.
        rated: whether the rate has an effect.
    """

    name: str
    change: Callable[[Tokens, float, torch.Generator], list[int]]
    rated: bool = True


AUGMENTATIONS = {
    augmentation.name: augmentation
    for augmentation in (
        WordAugmentation("delete", delete_words),
        WordAugmentation("delete_one", lambda tokens, _, generator: delete_one_word(tokens, generator), rated=False),
        WordAugmentation("crop", crop),
    )
}
"""The augmentations that methods such as SimCSE offer for their second view, by name."""
BUILT_IN = ("dropout", *AUGMENTATIONS, *TEXT_AUGMENTATIONS)  # "dropout": the words stay as they are


@checked()
def register_augmentation(augmentation: WordAugmentation) -> WordAugmentation:
    """Register an augmentation by name, in this process, for the methods that offer a choice of augmentations.

    Registering a name again replaces the earlier augmentation; built-in ones cannot be replaced.

    Raises:
        TypeError: something else than a :class:`WordAugmentation`.
        ValueError: a built-in augmentation has this name.
    """
    if augmentation.name in BUILT_IN:
        raise ValueError(f"there is an augmentation {augmentation.name!r} already; give this one another name")
    AUGMENTATIONS[augmentation.name] = augmentation
    return augmentation


def _check(tokens: Tokens, generator: torch.Generator, rate: float = 0.0) -> float:
    """Validate ``tokens``, ``generator`` and ``rate``; return ``rate`` as a float."""
    if not isinstance(tokens, Tokens):
        raise TypeError(f"tokens is {kind(tokens)} ({shown(tokens, 40)}); give one of what encoder.tokenize returns")
    if len(tokens.ids) != len(tokens.words):
        raise ValueError(
            f"tokens has {plural(len(tokens.ids), 'id')} and {plural(len(tokens.words), 'word')}; "
            "each piece has the number of its word"
        )
    _validation.generator(generator, on="cpu")
    return _validation.share("rate", rate, "a share of words to take away", below_one=True)


def _words(tokens: Tokens) -> list[int]:
    return sorted(set(tokens.words) - {-1})


def _count(rate: float, words: int, generator: torch.Generator) -> int:
    """Draw how many of ``words`` words to delete: ``rate * words`` on average, randomly rounded, never all."""
    chance = torch.rand((), generator=generator, dtype=torch.float64).item()
    return min(int(rate * words + chance), words - 1)


def _keep(tokens: Tokens, words: set[int]) -> list[int]:
    """Select the pieces of these words and the special ones."""
    return [piece for piece, word in zip(tokens.ids, tokens.words, strict=True) if word == -1 or word in words]


def _without(tokens: Tokens, words: list[int], count: int, generator: torch.Generator) -> list[int]:
    order = torch.randperm(len(words), generator=generator).tolist()
    return _keep(tokens, {words[i] for i in order[count:]})
