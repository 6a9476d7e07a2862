"""Injected false negatives: pairs of one group in each batch, other rows unchanged."""

from __future__ import annotations

from typing import Any

import pytest

import clwork
from clwork.data import Sentences
from clwork.training.batches import IndexedBatches, InjectedFalseNegatives

PLAIN = [f"plain {n}" for n in range(40)]
PAIRS = [(f"left {n}", f"right {n}") for n in range(6)]
GROUPS = [*[None] * 40, *(f"pair {n}" for n in range(6) for _ in range(2))]
TEXTS = Sentences([*PLAIN, *(text for pair in PAIRS for text in pair)], groups=GROUPS)


def make_batches(
    texts: Sentences = TEXTS, share: float = 0.4, size: int = 10, seed: int = 0
) -> IndexedBatches:
    injected = InjectedFalseNegatives(texts, texts.groups, share, size, seed)
    return IndexedBatches(texts, size, seed, list, injected=injected)


def test_pairs_replace_the_end_of_a_batch_and_other_rows_are_unchanged() -> None:
    batches, without = make_batches(), IndexedBatches(PLAIN, 10, 0, list)
    drawn = set()
    for step in range(9):  # more than two epochs of what is plain
        batch = batches.batch(step)
        assert batch[:6] == without.batch(step)[:6] == batches.latest[:6]
        assert len(batch) == 10
        assert tuple(sorted(batch[6:8])) in PAIRS
        assert tuple(sorted(batch[8:])) in PAIRS
        drawn.add(tuple(batch[6:]))
    assert len(drawn) > 5, "other pairs at every step"
    assert make_batches().batch(7) == batches.batch(7)
    assert make_batches(seed=1).batch(7)[6:] != batches.batch(7)[6:]


def test_a_sentence_occurs_once_and_equal_sentences_are_no_pair() -> None:
    texts = Sentences(
        ["a", "b", "c", "d", "a", "x", "same", "same", "e", "x", "f", "g"],
        groups=[None, None, None, None, "1", "1", "2", "2", "3", "3", "4", "4"],
    )
    for step in range(20):
        # "a" may be among the two other rows.
        batch = make_batches(texts, share=0.5, size=4).batch(step)
        assert len(set(batch)) == 4
        assert "same" not in batch
        assert set(batch[2:]) in ({"a", "x"}, {"e", "x"}, {"f", "g"})


def test_sentences_without_groups_are_refused(tiny: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"same_group=0\.5 needs groups of sentences"):
        clwork.train("simcse", **{**tiny, "sentences": ["a", "b", "c"] * 9}, same_group=0.5)


@pytest.mark.nightly
def test_a_run_with_injected_pairs_resumes_alike(tiny: dict[str, Any]) -> None:
    whole = clwork.train("simcse", **tiny, same_group=0.5)
    half = clwork.start("simcse", **tiny, same_group=0.5)
    half.stop()
    half.wait()
    resumed = clwork.resume(half.folder)
    assert list(resumed.history["loss"].dropna()) == list(whole.history["loss"].dropna())
