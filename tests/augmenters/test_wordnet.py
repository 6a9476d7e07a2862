"""Words replaced by synonyms and antonyms, and the tokens of the replacements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.augmenters import slots, swap_word
from clwork.augmenters.words import Swaps, span_means, span_pieces, span_weights
from clwork.encoders import Encoder, load_encoder
from clwork.encoders.tokens import Tokens

from ..encoders.conftest import write_tiny
from . import seeded


def test_without_a_generator_the_first_word_gets_its_first_replacement() -> None:
    assert swap_word("Happy people sing.", "antonym") == ("Unhappy people sing.", (0, 7)), (
        "the capital stays"
    )
    assert swap_word("A big dog, a happy cat.") == ("A large dog, a happy cat.", (2, 7))
    assert swap_word("A big dog, a happy cat.", "antonym") == ("A little dog, a happy cat.", (2, 8))


def test_sentences_without_replaceable_words_have_no_swap(subtests: pytest.Subtests) -> None:
    for sentence in ["", "!?", "Ada met Alan.", "zyxt qwrt", "He is in it."]:
        with subtests.test(sentence=sentence):
            assert swap_word(sentence) is None
            assert swap_word(sentence, "antonym", seeded()) is None


def test_words_that_are_adjectives_are_found(subtests: pytest.Subtests) -> None:
    for sentence, words in [
        ("Big dogs bark.", ["Big"]),  # opens the sentence
        ("“Big dogs” bark.", ["Big"]),
        ("Big Ben rings.", []),  # and the name continues
        ("A Big dog.", []),  # a capital within: a name
        ("BIG dog", []),
        ("big-hearted, a big-ish dog", []),  # other words, not to be taken apart
        ("the dog's big", ["big"]),
        ("so big: big!", ["big", "big"]),
        ("über big straße", ["big"]),
        ("the light came on", []),  # oftener a noun
        ("that is used", []),  # a form of a verb
    ]:
        with subtests.test(sentence=sentence, words=words):
            assert [
                sentence[slot.start : slot.end] for slot in slots(sentence, parts="adjective")
            ] == words


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """An encoder whose tokenizer has few words: "big" and "little" are split into letters."""
    return load_encoder(write_tiny(tmp_path_factory.mktemp("tiny")), pooling="mean", device="cpu")


def spelt(encoder: Encoder, ids: list[int]) -> list[str]:
    return [str(piece) for piece in encoder.tokenizer.convert_ids_to_tokens(ids)]


def read(encoder: Encoder, ids: list[int], pieces: list[int]) -> str:
    return "".join(piece.removeprefix("##") for piece in spelt(encoder, [ids[k] for k in pieces]))


def swaps(encoder: Encoder, **values: Any) -> Swaps:
    usual: dict[str, Any] = {"parts": "adjective", "max_length": 24}
    return Swaps(encoder, **(usual | values))


def test_a_swap_has_all_tokens_of_the_new_word(tiny: Encoder) -> None:
    """M17: "big" has three tokens, "large" five and "little" six."""
    maker = swaps(tiny)
    (example,) = maker.find(["the cat, a big dog ran"])
    original, positive, negative = maker.draw([example], seeded())
    assert spelt(tiny, original.ids)[1:6] == ["the", "cat", ",", "a", "b"]
    assert [len(row.pieces) for row in (original, positive, negative)] == [3, 5, 6]
    found = [read(tiny, row.ids, row.pieces) for row in (original, positive, negative)]
    assert found == ["big", "large", "little"]
    assert spelt(tiny, negative.ids)[-3:] == ["dog", "ran", "[SEP]"]


def test_rows_are_originals_then_positives_then_negatives(tiny: Encoder) -> None:
    maker = swaps(tiny)
    texts = ["a big cat", "no swap here", "the hot mat", "a poor dog"]
    examples = maker.find(texts)
    assert [len(example.places) for example in examples] == [1, 0, 1, 1]
    rows = maker.draw(examples, seeded())
    assert len(rows) == 9  # three of four sentences, as swapped_share of the history
    found = [read(tiny, row.ids, row.pieces) for row in rows]
    assert found[:3] == ["big", "hot", "poor"]
    assert found[6:] == ["little", "cold", "rich"]
    assert found[3] == "large"
    assert maker.draw(maker.find(["no swap here"]), seeded()) == []


def test_words_beyond_the_longest_input_are_not_exchanged(tiny: Encoder) -> None:
    """Otherwise all three sentences of a triplet would be truncated to the same text."""
    text = "the cat sat on the mat, a big dog"
    for limit, usable in ((10, False), (11, True), (24, True)):
        maker = swaps(tiny, max_length=limit)
        (example,) = maker.find([text])
        assert bool(example.places) is usable, limit
        for row in maker.draw([example], seeded()):
            assert len(row.ids) <= limit
            assert row.pieces
            assert max(row.pieces) < limit - 1


def test_span_means_are_means_over_the_pieces() -> None:
    states = torch.randn(3, 6, 4, generator=seeded())
    pieces = [[1], [2, 3, 4], [0, 5]]
    found = span_means(states, span_weights(pieces, torch.zeros(3, 6)))
    expected = torch.stack([states[row, places].mean(dim=0) for row, places in enumerate(pieces)])
    torch.testing.assert_close(found, expected)
    assert span_pieces(Tokens([2, 5, 6, 7, 3], [-1, 0, 0, 1, -1]), 0, 1) == [1, 2]


def test_other_tokenizers_and_models(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for kind in ["roberta", "distilbert"]:
        with subtests.test(kind=kind):
            encoder = load_encoder(write_tiny(tmp_path, kind), pooling="mean", device="cpu")
            maker = swaps(encoder)
            rows = maker.draw(maker.find(["a big dog"]), seeded())
            assert [read(encoder, row.ids, row.pieces) for row in rows] == [
                "big",
                "large",
                "little",
            ]
