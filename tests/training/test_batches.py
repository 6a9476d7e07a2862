"""Batches hold only usable examples, are full, and depend on seed and step alone; streams are filtered as read."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import clwork
from clwork import methods, metrics
from clwork.data import Sentences, StsPairs
from clwork.data.corpus import StreamedSentences
from clwork.events import event_text
from clwork.metrics.inputs import CollapsedEncoderError
from clwork.training.batches import IndexedBatches, StreamedBatches, trained_ids
from clwork.training.preparation import build_method, make_batches

NUMBERS = list(range(100))


def third(number: int) -> bool:
    return number % 3 == 0  # 34 of 100


def indexed(
    usable: Any = third, size: int = 8, seed: int = 0, tokenize: Any = list
) -> IndexedBatches:
    return IndexedBatches(NUMBERS, size, seed, tokenize, usable)


def test_batches_are_full_and_use_each_usable_example_once_an_epoch() -> None:
    batches = indexed()
    first = [batches.batch(step) for step in range(4)]  # 34 // 8
    assert all(len(batch) == 8 and all(map(third, batch)) for batch in first)
    assert len({number for batch in first for number in batch}) == 32
    assert {number for step in range(4, 8) for number in batches.batch(step)} <= set(
        filter(third, NUMBERS)
    )


@pytest.mark.parametrize("usable", [third, None])
def test_a_batch_depends_on_seed_and_step_alone(usable: Any) -> None:
    straight = indexed(usable)
    known = [straight.batch(step) for step in range(30)]
    assert [
        indexed(usable).batch(step) for step in range(30)
    ] == known  # each by a fresh source, as when resuming
    assert [straight.batch(step) for step in reversed(range(30))] == known[::-1]
    assert indexed(usable, seed=1).batch(0) != known[0]


def test_the_order_of_an_epoch_depends_on_seed_and_epoch_number() -> None:
    """The expected order is stored here, because older runs are resumed and compared with new ones."""
    batches = indexed(None, size=10, seed=3)
    for epoch in range(3):
        generator = torch.Generator().manual_seed(3 * 1_000_003 + epoch)
        expected = torch.randperm(100, generator=generator).tolist()
        assert [
            number for step in range(10) for number in batches.batch(10 * epoch + step)
        ] == expected


class Counted(list[int]):
    """A corpus that counts how often one of its examples is read."""

    reads = 0

    def __getitem__(self, row: Any) -> Any:
        self.reads += 1
        return super().__getitem__(row)


def test_the_repair_of_a_batch_does_not_walk_over_the_corpus() -> None:
    """Five percent of the examples are equal, so that nearly every batch has a repeated one to replace."""
    corpus = Counted(-1 if row % 20 == 0 else row for row in range(50_000))
    batches = IndexedBatches(corpus, 64, 0, list)
    drawn = [batches.batch(step) for step in range(20)]
    assert sum(-1 in batch for batch in drawn) > 10 and {len(set(batch)) for batch in drawn} == {64}
    assert corpus.reads < 20 * 3 * 64


def test_a_stream_is_filtered_while_it_is_read() -> None:
    def streamed() -> StreamedBatches:
        return StreamedBatches(NUMBERS, 8, 0, list, buffer=20, usable=third)

    batches = streamed()
    known = [batches.batch(step) for step in range(10)]
    assert all(map(third, (number for batch in known for number in batch))) and {
        len(b) for b in known
    } == {8}
    assert streamed().batch(7) == known[7] and batches.batch(2) == known[2]


WORDS = [f"{a} {b} ran" for a in "abcdef" for b in "abcdefgh"]  # 48 sentences
COPIES = [
    text.upper().replace(" ", "\t") if n % 2 else text for n, text in enumerate(WORDS[:10] * 40)
]
REPEATED: dict[
    str, tuple[list[Any], list[str]]
] = {  # in each, 10 examples differ in what is trained on
    "one sentence again and again": (["the dog"] * 400 + WORDS[:9], ["97.6 %"]),
    "other case and blanks": (COPIES, ["97.5 %"]),
    "pairs": ([(text, "A dog ran") for text in COPIES], ["97.5 %"]),
    "equal up to max_length": (
        [f"the cat sat on the mat, {text}" for text in WORDS] + WORDS[:9],
        [],
    ),
    "unknown words": (
        [f"{n} ran" for n in range(400)] + WORDS[:9],
        ["50 % of the tokens are unknown"],
    ),
}


def test_repeated_examples_are_replaced_and_reported(
    tiny: dict[str, Any], subtests: pytest.Subtests
) -> None:
    """What is compared are the token ids that are trained on; a batch is full and depends on seed and step alone."""
    encoder = clwork.load_encoder(tiny["encoder"], device="cpu")
    for name, (corpus, reported) in REPEATED.items():
        for given in (corpus, StreamedSentences(lambda rows=corpus: iter(rows), {})):  # type: ignore[misc]
            with subtests.test(name, given=type(given).__name__):
                augmentation = "dropout" if name == "pairs" else "delete"
                config = methods.config("simcse", augmentation=augmentation, max_length=7)
                method = build_method("simcse", encoder, config, 0)
                batches, _, events = make_batches(method, given, 8, 0)
                known = [batches.batch(step) for step in range(60)]
                for batch in known:
                    assert len({str(trained_ids(tokens, 7)) for tokens in batch}) == len(batch) == 8
                assert make_batches(method, given, 8, 0)[0].batch(59) == known[59]
                said = "; ".join(map(event_text, events))
                assert len(events) == len(reported) and all(text in said for text in reported)
                with pytest.raises(
                    ValueError,
                    match=r"only 10 of .* can be used, fewer than one batch of 12; others repeat the tokens",
                ):
                    make_batches(method, given, 12, 0)[0].batch(0)


def test_injected_pairs_differ_in_what_is_trained_on(tiny: dict[str, Any]) -> None:
    texts = Sentences(
        [*COPIES, "Dog", "dog", *WORDS], groups=[*[None] * 400, "a", "a", *"bcdefghijklm" * 4]
    )
    encoder, config = (
        clwork.load_encoder(tiny["encoder"], device="cpu"),
        methods.config("simcse", same_group=0.5),
    )
    batches = make_batches(build_method("simcse", encoder, config, 0), texts, 8, 0)[0]
    for step in range(40):
        assert len({str(tokens.ids) for tokens in batches.batch(step)}) == 8
        assert len(batches.false_negatives) == 2 and "dog" not in map(str.lower, batches.latest)


def test_a_script_that_the_vocabulary_lacks_is_named() -> None:
    """Words in Thai are [UNK] to the mini: sentences differ in their number of words alone."""
    alphabet = [chr(0xE01 + number) for number in range(40)]
    thai = [f"{first}{second}ง่าย ดี" for first in alphabet for second in alphabet][:200]
    unknown = "100 % of the tokens are unknown"
    with pytest.raises(ValueError, match=rf"{unknown}.*only 1 of 200 examples"):
        clwork.train("simcse", sentences=thai, batch_size=16, steps=3)
    mini = clwork.load_encoder("mini")
    pairs = StsPairs("thai", thai[:20], thai[20:40], [float(row % 6) for row in range(20)])
    with (
        pytest.raises(CollapsedEncoderError, match=unknown),
        pytest.warns(UserWarning, match=unknown),
    ):
        metrics.sts(mini, {"thai": pairs})
    long = [" ".join([text] * (1 + row % 30)) for row, text in enumerate(thai)]
    method = build_method("simcse", mini, methods.config("simcse"), 0)
    assert [
        event_text(event)[: len(unknown)] for event in make_batches(method, long, 16, 0)[2]
    ] == [unknown]


@pytest.mark.parametrize("method", methods.names())
def test_a_run_of_one_sentence_is_refused(method: str, tiny: dict[str, Any]) -> None:
    """Its batches would have one row: a loss of 0 without an error, or an error of a batch norm."""
    corpus = ["A big dog ran."] * 200 + ["a BIG dog ran.", "A  big dog ran."]
    own = {"encoder": "textcnn:mini"} if method == "gclsr" else {}
    with pytest.raises(
        ValueError,
        match=r"only 1 of 202 examples can be used, fewer than one batch of 4; others repeat the tokens",
    ):
        clwork.train(method, **{**tiny, "sentences": corpus, **own})
