"""Batches hold only usable examples, are full, and depend on seed and step alone; streams are filtered as read."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from clwork.training.batches import IndexedBatches, StreamedBatches

NUMBERS = list(range(100))


def third(number: int) -> bool:
    return number % 3 == 0  # 34 of 100


def indexed(usable: Any = third, size: int = 8, seed: int = 0, tokenize: Any = list) -> IndexedBatches:
    return IndexedBatches(NUMBERS, size, seed, tokenize, usable)


def test_batches_are_full_and_use_each_usable_example_once_an_epoch() -> None:
    batches = indexed()
    first = [batches.batch(step) for step in range(4)]  # 34 // 8
    assert all(len(batch) == 8 and all(map(third, batch)) for batch in first)
    assert len({number for batch in first for number in batch}) == 32
    assert {number for step in range(4, 8) for number in batches.batch(step)} <= set(filter(third, NUMBERS))


@pytest.mark.parametrize("usable", [third, None])
def test_a_batch_depends_on_seed_and_step_alone(usable: Any) -> None:
    straight = indexed(usable)
    known = [straight.batch(step) for step in range(30)]
    assert [indexed(usable).batch(step) for step in range(30)] == known  # each by a fresh source, as when resuming
    assert [straight.batch(step) for step in reversed(range(30))] == known[::-1]
    assert indexed(usable, seed=1).batch(0) != known[0]


def test_the_order_of_an_epoch_depends_on_seed_and_epoch_number() -> None:
    """The expected order is stored here, because older runs are resumed and compared with new ones."""
    batches = indexed(None, size=10, seed=3)
    for epoch in range(3):
        generator = torch.Generator().manual_seed(3 * 1_000_003 + epoch)
        expected = torch.randperm(100, generator=generator).tolist()
        assert [number for step in range(10) for number in batches.batch(10 * epoch + step)] == expected


def test_a_stream_is_filtered_while_it_is_read() -> None:
    def streamed() -> StreamedBatches:
        return StreamedBatches(NUMBERS, 8, 0, list, buffer=20, usable=third)

    batches = streamed()
    known = [batches.batch(step) for step in range(10)]
    assert all(map(third, (number for batch in known for number in batch))) and {len(b) for b in known} <= {7, 8}
    assert streamed().batch(7) == known[7] and batches.batch(2) == known[2]
