"""One word exchanged for a synonym or an antonym (MoCoUTRL §3.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from .. import checks
from ..checks import shown
from ..data.wordnet_relations import PARTS, Relations, wordnet

RELATIONS = ("synonym", "antonym")
KINDS = ("any", *PARTS)
Span = tuple[int, int]

_WORD = re.compile(r"(?<![\w'’-])[A-Za-z][a-z]*(?:-[a-z]+)*(?![\w'’-])")
_NAME_GOES_ON = re.compile(r"\s+[A-Z]")
# Words that hold a sentence together. WordNet, which has none of their kind, knows many of them as something else:
# "in" as the inch, "he" as helium.
GRAMMAR = frozenset(
    """a about above after again against all also am an and another any are as at be because been before being below
    between both but by can could did do does done down during each either few for from had has have he her here him
    his how i if in inside into is it its just less like many may me might more most much must my near neither no none
    nor not now of off on once one only or other our out outside over own per same shall she should since so some such
    than that the their them then there these they this those through to too two under until up us very was we well
    were what when where which while who whom whose why will with within without would yes yet you your""".split()
)


class Slot(NamedTuple):
    """A word that can be exchanged: where it is in the sentence, and what may stand there instead."""

    start: int
    end: int
    synonyms: tuple[str, ...]
    antonyms: tuple[str, ...]


def slots(sentence: str, *, parts: str = "any", source: str = "table") -> list[Slot]:
    """The words of a sentence that have a synonym or an antonym, in their order.

    Words are looked up as they stand, so plurals and forms of verbs are left alone, and so is whatever may be a name:
    a word with a capital, unless it opens the sentence and no capital follows. There is no tagger: a word counts as the
    part of speech that it most often is. Synonyms are those of its most frequent meaning that has any.

    Args:
        sentence: the text.
        parts: ``"noun"``, ``"verb"``, ``"adjective"`` (what the released code of MoCoUTRL exchanges), ``"adverb"``, or
            ``"any"`` (what its text says).
        source: ``"table"`` or ``"nltk"``, see :func:`clwork.data.wordnet_relations.wordnet`.

    Raises:
        TypeError: the sentence is no str.
        ValueError: unknown ``parts`` or ``source``.

    >>> [(slot.start, slot.synonyms, slot.antonyms) for slot in slots("A big dog ate the hot soup.", parts="adjective")]
    [(2, ('large',), ('little',)), (18, ('raging',), ('cold',))]
    """
    if not isinstance(sentence, str):
        raise TypeError(f"sentence is {shown(sentence)} ({type(sentence).__name__}); it must be a str")
    checks.choice("parts", parts, KINDS)
    relations, found = wordnet(source), []
    for match in _WORD.finditer(sentence):
        word = match[0].lower()
        capital = match[0] != word
        opens = not sentence[: match.start()].strip("\"'“‘([ ")
        if word in GRAMMAR or (capital and (not opens or _NAME_GOES_ON.match(sentence, match.end()))):
            continue
        slot = _slot(match.start(), word, parts, relations)
        if slot.synonyms or slot.antonyms:
            found.append(slot)
    return found


def _slot(start: int, word: str, parts: str, relations: Relations) -> Slot:
    synonyms: tuple[str, ...] = ()
    antonyms: tuple[str, ...] = ()
    for part in relations.parts(word):
        if parts == "any" or PARTS[parts] == part:
            synonyms = synonyms or next(iter(relations.synonyms(word, part)), ())
            antonyms = antonyms or relations.antonyms(word, part)
    return Slot(start, start + len(word), synonyms, antonyms)


def put(sentence: str, slot: Slot, word: str) -> tuple[str, Span]:
    """The sentence with ``word`` in the slot, with a capital if one stood there; and where the word is now.

    >>> put("Hot soup.", Slot(0, 3, (), ()), "cold")
    ('Cold soup.', (0, 4))
    """
    word = word.capitalize() if sentence[slot.start].isupper() else word
    return sentence[: slot.start] + word + sentence[slot.end :], (slot.start, slot.start + len(word))


def pick(options: Sequence[Any], generator: torch.Generator | None) -> int:
    """The place of one option, all equally likely; the first without a generator."""
    return 0 if generator is None else int(torch.randint(len(options), (), generator=generator))


def swap_word(
    sentence: str,
    relation: str = "synonym",
    generator: torch.Generator | None = None,
    *,
    parts: str = "any",
    source: str = "table",
) -> tuple[str, Span] | None:
    """Exchange one random word for a random synonym or antonym; None where no word has one.

    The generator is on the CPU; without one, the first word that can be is exchanged for its first replacement.

    Returns: the new sentence, and the new word's place in it as ``(start, end)``: ``new[start:end]`` is the word.

    Raises:
        TypeError: the sentence is no str, or the generator is none.
        ValueError: unknown relation, parts or source.

    >>> swap_word("He had a cold supper.", "antonym", torch.Generator().manual_seed(0))
    ('He had a hot supper.', (9, 12))
    >>> swap_word("Ada met Alan.") is None
    True
    """
    if not isinstance(relation, str) or relation not in RELATIONS:
        raise ValueError(f"relation={shown(relation)} is not known; give 'synonym' or 'antonym'")
    checks.generator(generator, on="cpu", optional=True)
    found = slots(sentence, parts=parts, source=source)
    words = [(slot, slot.synonyms if relation == "synonym" else slot.antonyms) for slot in found]
    words = [(slot, options) for slot, options in words if options]
    if not words:
        return None
    slot, options = words[pick([slot for slot, _ in words], generator)]
    return put(sentence, slot, options[pick(options, generator)])
