from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from clwork.augmenters import slots
from clwork.augmenters.words import EDA_OPERATIONS, crop, delete_words, eda, exchange_synonyms
from clwork.encoders.tokens import Tokens

from ..strategies import HOLD
from . import seeded

CLS, SEP = 2, 3


def sentence(lengths: list[int]) -> Tokens:
    """One word per length, with that many tokens; a token's id is 100 · word + its index."""
    words = [n for n, length in enumerate(lengths) for _ in range(length)]
    ids = [100 * n + place + 10 for n, length in enumerate(lengths) for place in range(length)]
    return Tokens([CLS, *ids, SEP], [-1, *words, -1])


def words_of(ids: list[int]) -> list[int]:
    """Indices of the remaining words in order; fails if a word is incomplete or [CLS] or [SEP] has
    moved.
    """
    assert ids[0] == CLS
    assert ids[-1] == SEP
    return list(dict.fromkeys((i - 10) // 100 for i in ids[1:-1]))


def test_the_rate_holds_on_average_for_short_sentences_too(subtests: pytest.Subtests) -> None:
    rates: list[float] = [0.1, 0.3, 0.55]
    for operator, rate in product((delete_words, crop), rates):
        with subtests.test(operator=operator, rate=rate):
            assert callable(operator)
            for words in (4, 7, 20):
                generator, tokens, times = seeded(0), sentence([1] * words), 500
                gone = sum(
                    words - len(words_of(operator(tokens, rate, generator))) for _ in range(times)
                )
                assert abs(gone / times / words - rate) < 5 * 0.5 / words / times**0.5


BIG = "A big dog ran home, and the happy cat sat on a small mat near the old house."
EXCHANGEABLE = [slot for slot in slots(BIG) if slot.synonyms]


def changed_words(text: str) -> Counter[str]:
    """The change in the count of each word, relative to BIG."""
    difference = Counter(text.split())
    difference.subtract(BIG.split())
    return Counter({word: count for word, count in difference.items() if count})


@HOLD
@given(st.floats(0.01, 0.99), st.integers(0, 2**31))
def test_synonyms_replace_the_documented_number_of_words_and_nothing_else(
    rate: float, seed: int
) -> None:
    new, old = exchange_synonyms(BIG, rate, seeded(seed)).split(), BIG.split()
    places = [
        place for place, (now, before) in enumerate(zip(new, old, strict=True)) if now != before
    ]
    assert len(places) == min(len(EXCHANGEABLE), max(1, int(rate * len(old))))
    options = {BIG[slot.start : slot.end]: slot.synonyms for slot in EXCHANGEABLE}
    assert all(new[place].strip(",.") in options[old[place].strip(",.")] for place in places)


@HOLD
@given(st.floats(0, 0.99), st.integers(0, 2**31))
def test_each_operation_of_eda_makes_its_documented_change(rate: float, seed: int) -> None:
    cases = dict(zip(("replace", "insert", "swap", "delete"), EDA_OPERATIONS, strict=True))
    for operation, change in {"any": eda, **cases}.items():
        note(operation)
        text = change(BIG, rate, seeded(seed))
        words, new, count = len(BIG.split()), text.split(), max(1, int(rate * len(BIG.split())))
        assert new
        assert text == change(BIG, rate, seeded(seed))
        difference = changed_words(text)
        if rate == 0:
            assert text == BIG
        elif operation == "insert":
            assert sum(difference.values()) == count
            assert min(difference.values()) > 0
            assert set(difference) <= {word for slot in EXCHANGEABLE for word in slot.synonyms}
        elif operation == "swap":
            assert not difference
            assert sum(a != b for a, b in zip(new, BIG.split(), strict=True)) <= 2 * count
        elif operation == "delete":
            assert len(new) <= words
            assert max(difference.values(), default=-1) < 0
            rest = iter(BIG.split())
            assert all(word in rest for word in new), "the order stays"
        elif operation == "replace":
            assert len(new) == words
