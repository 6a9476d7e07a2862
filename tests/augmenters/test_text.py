from __future__ import annotations

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from clwork.augmenters import crop, delete_one_word, delete_words
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
