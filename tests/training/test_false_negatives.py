"""Injected false negatives: pairs of one group in each batch, other rows unchanged; masks are compared with them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import clwork
from clwork.data import Sentences
from clwork.training.batches import IndexedBatches
from clwork.training.false_negatives import InjectedFalseNegatives, agreement
from clwork.training.forces import forces_at

PLAIN = [f"plain {n}" for n in range(40)]
PAIRS = [(f"left {n}", f"right {n}") for n in range(6)]
TEXTS = Sentences(
    [*PLAIN, *(text for pair in PAIRS for text in pair)],
    groups=[*[None] * len(PLAIN), *(f"pair {n}" for n in range(len(PAIRS)) for _ in range(2))],
)


def make_batches(
    texts: Sentences = TEXTS, share: float = 0.4, size: int = 10, seed: int = 0
) -> IndexedBatches:
    return IndexedBatches(
        texts,
        size,
        seed,
        list,
        injected=InjectedFalseNegatives(texts, texts.groups, share, size, seed),
    )


def test_pairs_replace_the_end_of_a_batch_and_other_rows_are_unchanged() -> None:
    batches, without, drawn = make_batches(), IndexedBatches(PLAIN, 10, 0, list), set()
    for step in range(9):  # more than two epochs of what is plain
        batch = batches.batch(step)
        assert batch[:6] == without.batch(step)[:6] == batches.latest[:6] and len(batch) == 10
        assert batches.false_negatives == [(6, 7), (8, 9)]
        for first, second in batches.false_negatives:
            assert tuple(sorted((batch[first], batch[second]))) in PAIRS
        drawn |= {tuple(batch[6:])}
    assert len(drawn) > 5, "other pairs at every step"
    assert (
        make_batches().batch(7) == batches.batch(7)
        and make_batches(seed=1).batch(7)[6:] != batches.batch(7)[6:]
    )


def test_a_sentence_occurs_once_and_equal_sentences_are_no_pair() -> None:
    texts = Sentences(
        ["a", "b", "c", "d", "a", "x", "same", "same", "e", "x", "f", "g"],
        groups=[None, None, None, None, "1", "1", "2", "2", "3", "3", "4", "4"],
    )
    for step in range(20):
        batch = make_batches(texts, share=0.5, size=4).batch(
            step
        )  # "a" may be among the two other rows
        assert len(set(batch)) == 4
        assert set(batch[2:]) in ({"a", "x"}, {"e", "x"}, {"f", "g"}) and "same" not in batch


def test_agreement_of_masks_counts_each_pair_in_both_directions() -> None:
    masked = torch.zeros(5, 5, dtype=torch.bool)
    masked[0, 1] = masked[1, 0] = masked[0, 2] = masked[2, 0] = True
    values = {name: float(value) for name, value in agreement(masked, [(1, 0), (3, 4)]).items()}
    assert values == pytest.approx(
        {
            "mask_precision": 0.5,
            "mask_recall": 0.5,
            "mask_f1": 0.5,
            "mask_f1_by_chance": 2 * 4 * 4 / (20 * 8),
        }
    )
    nothing = agreement(torch.zeros(5, 5, dtype=torch.bool), [(1, 0)])
    assert [float(value) for value in nothing.values()] == [0.0] * 4


@pytest.mark.nightly
def test_a_run_with_injected_pairs_resumes_alike(tiny: dict[str, Any]) -> None:
    texts = Sentences(tiny["sentences"], groups=tiny["sentences"].groups)
    arguments = {**tiny, "sentences": texts, "same_group": 0.5}
    whole = clwork.train("simcse", **arguments)
    half = clwork.start("simcse", **arguments)
    half.stop()
    half.wait()
    resumed = clwork.resume(half.folder)
    resumed.wait()
    assert list(resumed.history["loss"].dropna()) == list(whole.history["loss"].dropna())
    assert forces_at(whole).tables
