"""Batches hold usable examples, are full, and depend on seed and step alone."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import clwork
from clwork import methods, metrics
from clwork.data import StsPairs
from clwork.events import event_text
from clwork.metrics.inputs import CollapsedEncoderError
from clwork.training.batches import IndexedBatches, make_batches, trained_ids
from clwork.training.preparation import build_method

NUMBERS = list(range(100))


def third(number: int) -> bool:
    return number % 3 == 0  # 34 of 100


def indexed(usable: Any = third, size: int = 8, seed: int = 0) -> IndexedBatches:
    return IndexedBatches(NUMBERS, size, seed, list, usable)


def test_batches_are_full_and_use_each_usable_example_once_an_epoch() -> None:
    batches = indexed()
    first = [batches.batch(step) for step in range(4)]  # 34 // 8
    assert all(len(batch) == 8 and all(map(third, batch)) for batch in first)
    assert len({number for batch in first for number in batch}) == 32
    second = [number for step in range(4, 8) for number in batches.batch(step)]
    assert all(map(third, second))


@pytest.mark.parametrize("usable", [third, None])
def test_a_batch_depends_on_seed_and_step_alone(usable: Any) -> None:
    straight = indexed(usable)
    known = [straight.batch(step) for step in range(30)]
    assert [indexed(usable).batch(step) for step in range(30)] == known, "as when resuming"
    assert [straight.batch(step) for step in reversed(range(30))] == known[::-1]
    assert indexed(usable, seed=1).batch(0) != known[0]


def test_the_order_of_an_epoch_depends_on_seed_and_epoch_number() -> None:
    """The order is written here, because older runs are resumed and compared with new ones."""
    batches = indexed(None, size=10, seed=3)
    for epoch in range(3):
        generator = torch.Generator().manual_seed(3 * 1_000_003 + epoch)
        expected = torch.randperm(100, generator=generator).tolist()
        steps = range(10 * epoch, 10 * epoch + 10)
        assert [number for step in steps for number in batches.batch(step)] == expected


class Counted(list[int]):
    """A corpus that counts how often one of its examples is read."""

    reads = 0

    def __getitem__(self, row: Any) -> Any:
        self.reads += 1
        return super().__getitem__(row)


def test_the_repair_of_a_batch_does_not_walk_over_the_corpus() -> None:
    """Five percent of the examples are equal, so nearly every batch has one to replace."""
    corpus = Counted(-1 if row % 20 == 0 else row for row in range(50_000))
    batches = IndexedBatches(corpus, 64, 0, list)
    drawn = [batches.batch(step) for step in range(20)]
    assert sum(-1 in batch for batch in drawn) > 10
    assert {len(set(batch)) for batch in drawn} == {64}
    assert corpus.reads < 20 * 3 * 64


WORDS = [f"{a} {b} ran" for a in "abcdef" for b in "abcdefgh"]  # 48 sentences
SHOUTED = [text.upper().replace(" ", "\t") for text in WORDS[:10]]
COPIES = [text for pair in zip(WORDS[0:10:2], SHOUTED[1::2], strict=True) for text in pair] * 40
LONG = [f"the cat sat on the mat, {text}" for text in WORDS]
# In each corpus, 10 examples differ in what is trained on.
REPEATED: dict[str, list[Any]] = {
    "one sentence again and again": ["the dog"] * 400 + WORDS[:9],
    "other case and blanks": COPIES,
    "pairs": [(text, "A dog ran") for text in COPIES],
    "equal up to max_length": LONG + WORDS[:9],
    "unknown words": [f"{number} ran" for number in range(400)] + WORDS[:9],
}


@pytest.mark.parametrize("name", REPEATED)
def test_repeated_examples_are_replaced(name: str, tiny: dict[str, Any]) -> None:
    """The token ids that are trained on are compared."""
    corpus = REPEATED[name]
    encoder = clwork.load_encoder(tiny["encoder"], device="cpu")
    augmentation = "dropout" if name == "pairs" else "delete"
    config = methods.config("simcse", augmentation=augmentation, max_length=7, batch_size=8)
    method = build_method("simcse", encoder, config, 0)
    batches, _, events = make_batches(method, corpus, 0)
    known = [batches.batch(step) for step in range(60)]
    for batch in known:
        assert len({str(trained_ids(tokens, 7)) for tokens in batch}) == 8
        assert len(batch) == 8
    assert make_batches(method, corpus, 0)[0].batch(59) == known[59]
    reported = ["50 % of the tokens are unknown"] if name == "unknown words" else []
    assert [event_text(event).partition(",")[0][:30] for event in events] == reported
    config.batch_size = 12
    match = r"only 10 of .* can be used, fewer than one batch of 12; others repeat"
    with pytest.raises(ValueError, match=match):
        make_batches(method, corpus, 0)


def test_a_script_that_the_vocabulary_lacks_is_named() -> None:
    """Words in Thai are [UNK] to the mini: sentences differ in their number of words alone."""
    alphabet = [chr(0xE01 + number) for number in range(40)]
    thai = [f"{first}{second}ง่าย ดี" for first in alphabet for second in alphabet][:200]
    unknown = "100 % of the tokens are unknown"
    with pytest.raises(ValueError, match=rf"{unknown}.*only 1 of 200 examples"):
        clwork.train("simcse", sentences=thai, batch_size=16, steps=3)
    mini = clwork.load_encoder("mini")
    scores = [float(row % 6) for row in range(20)]
    collapsed = pytest.raises(CollapsedEncoderError, match=unknown)
    with collapsed, pytest.warns(UserWarning, match=unknown):
        metrics.sts(mini, {"thai": StsPairs("thai", thai[:20], thai[20:40], scores)})
    long = [" ".join([text] * (1 + row % 30)) for row, text in enumerate(thai)]
    method = build_method("simcse", mini, methods.config("simcse", batch_size=8), 0)
    _, _, events = make_batches(method, long, 0)
    assert [event_text(event)[: len(unknown)] for event in events] == [unknown]


@pytest.mark.parametrize("method", methods.names())
def test_a_run_of_one_sentence_is_refused(method: str, tiny: dict[str, Any]) -> None:
    """Its batches would have one row: a loss of 0 without an error, or an error of a batch norm."""
    corpus = ["A big dog ran."] * 200 + ["a BIG dog ran.", "A  big dog ran."]
    own = {"encoder": "textcnn:glove-6b-50d"} if method == "gclsr" else {}
    match = (
        "only 1 of 202 examples can be used, fewer than one batch of 4; others repeat the tokens"
    )
    with pytest.raises(ValueError, match=match):
        clwork.train(method, **{**tiny, "sentences": corpus, **own})
