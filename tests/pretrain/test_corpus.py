"""Packing never splits a sentence, and a packed sentence has the vectors that it has alone."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import clwork
from scripts.pretrain.corpus import CLS, MASK, SEP, pack
from scripts.pretrain.masking import masked_batch


def sentences(lengths: list[int]) -> list[list[int]]:
    return [[CLS, *range(10, 10 + n - 2), SEP] for n in lengths]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(min_value=2, max_value=16), min_size=1, max_size=80))
def test_every_sentence_is_packed_once_and_whole(lengths: list[int]) -> None:
    token_ids = sentences(lengths)
    packed = pack(token_ids, 16, open_rows=4)
    unpacked = []
    for ids, segments, positions in zip(packed.ids, packed.segments, packed.positions, strict=True):
        for number in range(1, int(segments.max()) + 1):
            sentence = ids[segments == number].tolist()
            assert positions[segments == number].tolist() == list(range(len(sentence)))
            unpacked.append(sentence)
    assert sorted(unpacked) == sorted(token_ids)
    assert round(packed.fill * packed.ids.size) == sum(lengths)


def test_masking_takes_the_share_it_should_and_only_words() -> None:
    packed = pack(sentences([12] * 400), 64)
    rows = torch.arange(len(packed))
    generator = torch.Generator().manual_seed(0)
    batch = masked_batch(packed, rows, rate=0.3, vocab_size=100, generator=generator)
    original = torch.from_numpy(packed.ids.astype("int64"))
    words = int((original > MASK).sum())
    assert len(batch.labels) == int(0.3 * words)
    assert (batch.labels > MASK).all()
    assert len(set(batch.where.tolist())) == len(batch.where)
    seen = batch.ids.flatten()[batch.where]
    assert 0.75 < (seen == MASK).float().mean() < 0.85
    untouched = torch.ones(original.numel(), dtype=torch.bool)
    untouched[batch.where] = False
    assert torch.equal(batch.ids.flatten()[untouched], original.flatten()[untouched])


def test_a_packed_sentence_gets_the_vectors_it_gets_alone() -> None:
    encoder = clwork.load_encoder("mini")
    texts = ["A river in France.", "He was a composer.", "The town has a harbour."]
    token_ids = [tokens.ids for tokens in encoder.tokenize(texts)]
    packed = pack(token_ids, 64)
    assert len(packed) == 1
    row = torch.tensor([0])
    batch = masked_batch(packed, row, rate=0.01, vocab_size=100, generator=torch.Generator())
    with torch.no_grad():
        together = encoder.backbone(
            input_ids=torch.from_numpy(packed.ids.astype("int64")),
            attention_mask=batch.attention,
            position_ids=batch.positions,
        ).last_hidden_state[0]
        for number, ids in enumerate(token_ids, start=1):
            alone = encoder.backbone(input_ids=torch.tensor([ids])).last_hidden_state[0]
            of_sentence = torch.from_numpy(packed.segments[0] == number)
            torch.testing.assert_close(together[of_sentence], alone, atol=1e-4, rtol=1e-3)
