"""Packing keeps every sentence whole, and a packed sentence is to the model what it is alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import clwork
from clwork.pretrain.corpus import CLS, MASK, SEP, Packed, pack
from clwork.pretrain.initialise import cooccurrence, ppmi_svd
from clwork.pretrain.masking import masked_batch

LENGTHS = st.lists(st.integers(min_value=2, max_value=16), min_size=1, max_size=80)


def sentences(lengths: list[int]) -> list[list[int]]:
    return [[CLS, *range(10, 10 + n - 2), SEP] for n in lengths]


@settings(deadline=None, max_examples=50)
@given(LENGTHS)
def test_every_sentence_is_packed_once_and_whole(lengths: list[int]) -> None:
    given_ids = sentences(lengths)
    packed = pack(given_ids, 16, open_rows=4)
    found = []
    for ids, segments, positions in zip(packed.ids, packed.segments, packed.positions, strict=True):
        for s in range(1, int(segments.max()) + 1):
            found.append(ids[segments == s].tolist())
            assert positions[segments == s].tolist() == list(range(len(found[-1])))
    assert sorted(found) == sorted(given_ids)
    assert round(packed.fill * packed.ids.size) == sum(lengths)


def test_masking_takes_the_share_it_should_and_only_words() -> None:
    packed = pack(sentences([12] * 400), 64)
    batch = masked_batch(
        packed, torch.arange(len(packed)), rate=0.3, vocab_size=100, generator=torch.Generator().manual_seed(0)
    )
    original = torch.from_numpy(packed.ids.astype("int64"))
    words = int((original > MASK).sum())
    assert len(batch.labels) == int(0.3 * words)
    assert (batch.labels > MASK).all() and len(set(batch.where.tolist())) == len(batch.where)
    seen = batch.ids.flatten()[batch.where]
    assert 0.75 < (seen == MASK).float().mean() < 0.85
    untouched = torch.ones(original.numel(), dtype=torch.bool)
    untouched[batch.where] = False
    assert torch.equal(batch.ids.flatten()[untouched], original.flatten()[untouched])


def test_a_packed_sentence_gets_the_vectors_it_gets_alone() -> None:
    encoder = clwork.load_encoder("mini")
    tokens = [t.ids for t in encoder.tokenize(["A river in France.", "He was a composer.", "The town has a harbour."])]
    packed = pack(tokens, 64)
    assert len(packed) == 1
    batch = masked_batch(packed, torch.tensor([0]), rate=0.01, vocab_size=100, generator=torch.Generator())
    ids = torch.from_numpy(packed.ids.astype("int64"))
    with torch.no_grad():
        together = encoder.backbone(
            input_ids=ids, attention_mask=batch.attention, position_ids=batch.positions
        ).last_hidden_state[0]
        for s, row in enumerate(tokens, start=1):
            alone = encoder.backbone(input_ids=torch.tensor([row])).last_hidden_state[0]
            place = torch.from_numpy(packed.segments[0] == s)
            torch.testing.assert_close(together[place], alone, atol=1e-4, rtol=1e-3)


def test_cooccurrence_counts_pairs_within_a_sentence_only() -> None:
    packed = pack([[CLS, 10, 11, SEP], [CLS, 12, 13, SEP]], 16)
    counts = cooccurrence(packed, 20)
    assert counts[10, 11] == counts[11, 10] == 1.0 and counts[12, 13] == 1.0
    assert counts.sum() == 4.0


def test_embeddings_put_words_of_like_company_together() -> None:
    generator = np.random.default_rng(0)
    rows = []
    for _ in range(600):  # two circles of words that never meet
        start = 10 if generator.random() < 0.5 else 20
        rows.append([CLS, *generator.choice(np.arange(start, start + 8), 8).tolist(), SEP])
    table = ppmi_svd(pack(rows, 64), 30, dim=4, std=0.04, seed=0)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[10:18, 10:18].mean() > 0.5 > cosines[10:18, 20:28].mean() + 0.3
    assert abs(table[10:18].std() - 0.04) < 0.03


def test_packed_rows_survive_the_disk(tmp_path: Path) -> None:
    packed = pack(sentences([5, 9, 3]), 16)
    packed.save(tmp_path / "p.npz")
    again = Packed.load(tmp_path / "p.npz")
    assert (again.ids == packed.ids).all() and (again.positions == packed.positions).all()
