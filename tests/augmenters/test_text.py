from __future__ import annotations

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from clwork.augmenters import EdaOperation, crop, delete_one_word, delete_words, eda, exchange_synonyms, slots
from clwork.encoders import Tokens

CLS, SEP = 2, 3


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def sentence(lengths: list[int]) -> Tokens:
    """One word per length, of that many pieces; a piece's id is 100 · word + its place."""
    words = [n for n, length in enumerate(lengths) for _ in range(length)]
    ids = [100 * n + place + 10 for n, length in enumerate(lengths) for place in range(length)]
    return Tokens([CLS, *ids, SEP], [-1, *words, -1])


def words_of(ids: list[int]) -> list[int]:
    """Numbers of the words left, in order; fails if one is left in part or [CLS], [SEP] are not where they were."""
    assert ids[0] == CLS and ids[-1] == SEP
    return list(dict.fromkeys((i - 10) // 100 for i in ids[1:-1]))


SENTENCES = st.lists(st.integers(1, 3), min_size=0, max_size=12)


@given(SENTENCES, st.floats(0, 0.999), st.integers(0, 2**31))
def test_whole_words_in_order_and_at_least_one(lengths: list[int], rate: float, seed: int) -> None:
    tokens = sentence(lengths)
    views = {
        "delete": delete_words(tokens, rate, seeded(seed)),
        "one": delete_one_word(tokens, seeded(seed)),
        "crop": crop(tokens, rate, seeded(seed)),
    }
    for name, ids in views.items():
        left = words_of(ids)
        assert left == sorted(left) and len(left) >= min(1, len(lengths))
        whole = sentence(lengths)
        assert ids == [i for i, w in zip(whole.ids, whole.words, strict=True) if w == -1 or w in left]
        if name == "crop" and left:
            assert left == list(range(left[0], left[-1] + 1))
    assert len(words_of(views["one"])) == max(len(lengths) - 1, min(1, len(lengths)))
    assert tokens == sentence(lengths)  # the argument is not changed


@given(SENTENCES, st.integers(0, 2**31))
def test_rate_zero_changes_nothing(lengths: list[int], seed: int) -> None:
    tokens = sentence(lengths)
    assert delete_words(tokens, 0.0, seeded(seed)) == crop(tokens, 0.0, seeded(seed)) == tokens.ids


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.55])
@pytest.mark.parametrize("operator", [delete_words, crop])
def test_the_rate_is_kept_on_average_for_short_sentences_too(operator: object, rate: float) -> None:
    assert callable(operator)
    for words in (4, 7, 20):
        generator, tokens, times = seeded(0), sentence([1] * words), 2000
        gone = sum(words - len(words_of(operator(tokens, rate, generator))) for _ in range(times))
        assert abs(gone / times / words - rate) < 5 * 0.5 / words / times**0.5


@pytest.mark.parametrize("operator", ["delete", "one"])
def test_every_word_is_as_likely_to_go(operator: str) -> None:
    generator, tokens, times = seeded(0), sentence([1, 3, 1, 2, 1]), 5000
    gone: Counter[int] = Counter()
    for _ in range(times):
        view = delete_words(tokens, 0.2, generator) if operator == "delete" else delete_one_word(tokens, generator)
        gone.update(set(range(5)) - set(words_of(view)))
    assert all(abs(gone[word] / times - 0.2) < 5 * (0.16 / times) ** 0.5 for word in range(5))


def test_every_crop_is_as_likely() -> None:
    generator, tokens, times = seeded(0), sentence([1] * 6), 5000
    starts = Counter(words_of(crop(tokens, 0.5, generator))[0] for _ in range(times))
    assert set(starts) == {0, 1, 2, 3}
    assert all(abs(count / times - 0.25) < 5 * (0.1875 / times) ** 0.5 for count in starts.values())


def test_the_seed_decides_and_the_global_state_is_left() -> None:
    tokens, before = sentence([1] * 30), torch.get_rng_state()
    for operator in (delete_words, crop):
        assert operator(tokens, 0.3, seeded(0)) == operator(tokens, 0.3, seeded(0)) != operator(tokens, 0.3, seeded(1))
    assert delete_one_word(tokens, seeded(0)) == delete_one_word(tokens, seeded(0))
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("rate", [-0.1, 1.0, float("nan")])
def test_refuses_a_rate_out_of_range(rate: float) -> None:
    for operator in (delete_words, crop):
        with pytest.raises(ValueError, match="from 0 to below 1"):
            operator(sentence([1, 1]), rate, seeded(0))


BIG = "A big dog ran home, and the happy cat sat on a small mat near the old house."
EXCHANGEABLE = [slot for slot in slots(BIG) if slot.synonyms]


def changed_words(text: str) -> Counter[str]:
    """How often each word of BIG is gone (negative) or has come."""
    difference = Counter(text.split())
    difference.subtract(BIG.split())
    return Counter({word: count for word, count in difference.items() if count})


@given(st.floats(0.01, 0.99), st.integers(0, 2**31))
def test_synonyms_replace_the_promised_number_of_words_and_leave_all_else(rate: float, seed: int) -> None:
    new, old = exchange_synonyms(BIG, rate, seeded(seed)).split(), BIG.split()
    places = [place for place, (now, before) in enumerate(zip(new, old, strict=True)) if now != before]
    assert len(places) == min(len(EXCHANGEABLE), max(1, int(rate * len(old))))
    options = {BIG[slot.start : slot.end]: slot.synonyms for slot in EXCHANGEABLE}
    assert all(new[place].strip(",.") in options[old[place].strip(",.")] for place in places)


@pytest.mark.parametrize("operation", ["any", "replace", "insert", "swap", "delete"])
@given(st.floats(0, 0.99), st.integers(0, 2**31))
def test_each_operation_of_eda_does_what_its_name_says(operation: EdaOperation, rate: float, seed: int) -> None:
    text = eda(BIG, rate, seeded(seed), operation=operation)
    words, new, count = len(BIG.split()), text.split(), max(1, int(rate * len(BIG.split())))
    assert new and text == eda(BIG, rate, seeded(seed), operation=operation)
    difference = changed_words(text)
    if rate == 0:
        assert text == BIG
    elif operation == "insert":
        assert sum(difference.values()) == count and min(difference.values()) > 0
        assert set(difference) <= {word for slot in EXCHANGEABLE for word in slot.synonyms}
    elif operation == "swap":
        assert not difference and sum(a != b for a, b in zip(new, BIG.split(), strict=True)) <= 2 * count
    elif operation == "delete":
        assert len(new) <= words and max(difference.values(), default=-1) < 0
        rest = iter(BIG.split())
        assert all(word in rest for word in new), "the order stays"
    elif operation == "replace":
        assert len(new) == words


def test_eda_draws_its_four_operations_equally_often() -> None:
    """Lengths and bags of words tell them apart where the rate is high enough that each changes something."""
    counts: Counter[str] = Counter()
    generator = seeded(0)
    for _ in range(2000):
        new = eda(BIG, 0.3, generator).split()
        words = len(BIG.split())
        same = Counter(new) == Counter(BIG.split())
        longer, shorter = len(new) > words, len(new) < words
        counts["insert" if longer else "delete" if shorter else "swap" if same else "replace"] += 1
    assert all(430 < count < 570 for count in counts.values()), counts


@given(st.integers(0, 2**31))
def test_a_swap_is_of_two_different_words(seed: int) -> None:
    new = eda("a b c d", 0.1, seeded(seed), operation="swap").split()
    assert sorted(new) == list("abcd") and sum(now != before for now, before in zip(new, "abcd", strict=True)) == 2
    assert eda("a", 0.1, seeded(seed), operation="swap") == "a"


@given(st.floats(0.01, 0.99), st.integers(0, 2**31))
def test_deletion_takes_each_word_with_the_rate_and_never_all(rate: float, seed: int) -> None:
    assert eda("dog", rate, seeded(seed), operation="delete") == "dog"
    texts = [eda("a b c d e f g h i j", rate, seeded(seed + k), operation="delete") for k in range(40)]
    left = sum(len(text.split()) for text in texts)
    deviation = (400 * rate * (1 - rate)) ** 0.5
    assert abs(left - 400 * (1 - rate)) < 6 * deviation + 40


@pytest.mark.parametrize("text", ["", "  ", "42!", "Ada met Alan."])
@pytest.mark.parametrize("operation", ["replace", "insert"])
def test_what_has_no_synonym_stays_as_it_is(text: str, operation: EdaOperation) -> None:
    assert eda(text, 0.5, seeded(0), operation=operation).split() == text.split()
    assert exchange_synonyms(text, 0.5, seeded(0)) == text


@pytest.mark.parametrize("rate", [-0.1, 1.0, 2.0, float("nan"), "many", None])
def test_a_rate_that_is_no_share_is_refused(rate: float) -> None:
    for change in (eda, exchange_synonyms):
        with pytest.raises((TypeError, ValueError), match="rate="):
            change(BIG, rate, seeded(0))


def test_an_unknown_operation_and_what_is_no_text_are_refused() -> None:
    with pytest.raises(ValueError, match="'replace'"):
        eda(BIG, 0.1, seeded(0), operation="replac")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sentence="):
        eda(5, 0.1, seeded(0))  # type: ignore[arg-type]
