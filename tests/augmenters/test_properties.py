"""Properties of every augmenter for any input: not empty, no NaN, input unchanged, reproducible by
seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from hypothesis import given, note
from hypothesis import strategies as st

from clwork import augmenters
from clwork.augmenters.word_vectors import cut_tokens
from clwork.encoders.tokens import Tokens

from ..strategies import HOLD, clouds, texts
from . import seeded

Change = Callable[[Tokens, float, torch.Generator], list[int]]
CHANGES: dict[str, Change] = {
    "delete_words": augmenters.words.delete_words,
    "delete_one_word": augmenters.words.delete_one_word,
    "crop": augmenters.words.crop,
}
seeds = st.integers(0, 2**32 - 1)


@st.composite
def sentences(draw: st.DrawFn) -> Tokens:
    """Special tokens around words of one to three tokens; all ids differ, so that each can be
    identified.
    """
    lengths = draw(st.lists(st.integers(1, 3), max_size=12))
    words = [-1, *(number for number, length in enumerate(lengths) for _ in range(length)), -1]
    return Tokens(list(range(100, 100 + len(words))), words)


@HOLD
@given(tokens=sentences(), rate=st.floats(0, 1, exclude_max=True), seed=seeds)
def test_words_are_removed_but_never_all(tokens: Tokens, rate: float, seed: int) -> None:
    for name in CHANGES:
        note(name)
        before = Tokens(list(tokens.ids), list(tokens.words))
        found = CHANGES[name](tokens, rate, seeded(seed))
        assert tokens == before
        assert found is not tokens.ids
        assert found == CHANGES[name](tokens, rate, seeded(seed))
        assert found[0] == tokens.ids[0], "special pieces stay"
        assert found[-1] == tokens.ids[-1], "special pieces stay"
        word_of = dict(zip(tokens.ids, tokens.words, strict=True))
        left = {word_of[piece] for piece in found} - {-1}
        assert bool(left) == (len(tokens.ids) > 2)
        assert found == [piece for piece in tokens.ids if word_of[piece] in left | {-1}], (
            "whole words, in their order"
        )
        if name == "crop" and left:
            assert left == set(range(min(left), max(left) + 1)), "one run of words"
        if name == "delete_one_word" and len(set(tokens.words)) > 2:
            assert len(left) == len(set(tokens.words)) - 2


vocabulary = st.sampled_from(
    ["a", "big", "dog", "the", "hot", "soup", "Quickly", "ran", "ate", "cold", "(old", "new,"]
)
prose = st.lists(st.one_of(vocabulary, texts), max_size=8).map(" ".join)


@HOLD
@given(sentence=prose, seed=seeds, relation=st.sampled_from(["synonym", "antonym"]))
def test_a_swap_changes_one_word_and_returns_which(sentence: str, seed: int, relation: Any) -> None:
    for slot in augmenters.slots(sentence):
        assert sentence[slot.start : slot.end].strip()
        assert slot.synonyms or slot.antonyms
    found = augmenters.swap_word(sentence, relation, seeded(seed))
    assert found == augmenters.swap_word(sentence, relation, seeded(seed))
    if found is None:
        return
    new, (start, end) = found
    tail = len(new) - end
    old = sentence[start : len(sentence) - tail]
    assert new[start:end].strip()
    assert new[:start] + old + new[end:] == sentence
    assert new[start:end].lower() != old.lower()


@st.composite
def padded(draw: st.DrawFn) -> Any:
    """Word vectors (B, T, 4) and a mask that allows some positions of each row, or none."""
    rows, places = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    cloud = draw(clouds(least=rows * places, most=rows * places, far=1e15))
    mask = draw(st.lists(st.booleans(), min_size=rows * places, max_size=rows * places))
    return cloud.reshape(rows, places, 4), torch.tensor(mask).reshape(rows, places)


@HOLD
@given(words=padded(), rate=st.floats(0, 0.99), seed=seeds)
def test_a_cut_off_only_sets_vectors_to_zero(words: Any, rate: float, seed: int) -> None:
    vectors, mask = words
    before = vectors.clone()
    found = cut_tokens(vectors, mask, rate=rate, generator=seeded(seed))
    assert torch.equal(vectors, before)
    assert found.shape == vectors.shape
    gone = found != vectors
    assert found[gone].eq(0).all()
    assert not gone[~mask].any(), "padding stays"
    erased = cut_tokens(torch.ones_like(vectors), mask, rate=rate, generator=seeded(seed)) == 0
    for row, may in zip(erased.all(-1), mask, strict=True):
        assert not may.any() or (may & ~row).any(), "never all"


@HOLD
@given(words=padded(), p=st.floats(0, 1), seed=seeds, mode=st.sampled_from(["paper", "code"]))
def test_pwva_is_finite_and_leaves_padding_alone(
    words: Any, p: float, seed: int, mode: Any
) -> None:
    vectors, mask = words
    before = vectors.clone()

    def once() -> torch.Tensor:
        return augmenters.pwva(vectors, mask, p=p, background_mode=mode, generator=seeded(seed))

    found = once()
    assert torch.equal(vectors, before)
    assert found.isfinite().all()
    assert torch.equal(found, once())
    assert torch.equal(found[~mask], vectors[~mask])
    if p == 0:
        assert torch.equal(found, vectors)


@HOLD
@given(vectors=clouds(far=1e30), mean=st.floats(0, 1), seed=seeds)
def test_a_perturbation_is_finite_and_a_radial_one_preserves_directions(
    vectors: Any, mean: float, seed: int
) -> None:
    before = vectors.clone()
    for kind in ("none", "radial", "coord_std", "coord_var"):
        found = augmenters.perturb(vectors, kind, generator=seeded(seed), mean=mean)
        assert found.isfinite().all()
        assert found.shape == vectors.shape
        assert torch.equal(vectors, before)
    unit = torch.nn.functional.normalize(vectors.double(), dim=1, eps=1e-100)
    moved = augmenters.perturb(unit, "radial", generator=seeded(seed), mean=mean)
    assert torch.allclose(moved, unit * (moved * unit).sum(dim=1, keepdim=True), atol=1e-5)
