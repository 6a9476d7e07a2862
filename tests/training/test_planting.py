"""Planted false negatives: pairs of a group in every batch, the rest as without them, and masks compared with them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import clwork
from clwork.data import Sentences
from clwork.training.loop.batches import IndexedBatches
from clwork.training.loop.planting import Planting, agreement

from .conftest import SHORT

PLAIN = [f"plain {n}" for n in range(40)]
PAIRS = [(f"left {n}", f"right {n}") for n in range(6)]
TEXTS = Sentences(
    [*PLAIN, *(text for pair in PAIRS for text in pair)],
    groups=[*[None] * len(PLAIN), *(f"pair {n}" for n in range(len(PAIRS)) for _ in range(2))],
)


def planted(texts: Sentences = TEXTS, share: float = 0.4, size: int = 10, seed: int = 0) -> IndexedBatches:
    return IndexedBatches(texts, size, seed, list, planting=Planting(texts, texts.groups, share, size, seed))


def test_the_end_of_a_batch_becomes_pairs_and_the_rest_is_that_of_the_batch_without_them() -> None:
    batches, without, drawn = planted(), IndexedBatches(PLAIN, 10, 0, list), set()
    for step in range(9):  # more than two epochs of what is plain
        batch = batches.batch(step)
        assert batch[:6] == without.batch(step)[:6] == batches.latest[:6] and len(batch) == 10
        assert batches.together == [(6, 7), (8, 9)]
        for first, second in batches.together:
            assert tuple(sorted((batch[first], batch[second]))) in PAIRS
        drawn |= {tuple(batch[6:])}
    assert len(drawn) > 5, "other pairs at every step"
    assert planted().batch(7) == batches.batch(7) and planted(seed=1).batch(7)[6:] != batches.batch(7)[6:]


def test_looking_ahead_plants_the_same_pairs_and_changes_nothing() -> None:
    batches = planted()
    batches.batch(0)
    raw, tokens = batches.ahead(3)
    assert batches.together == [(6, 7), (8, 9)] and raw == tokens == planted().batch(3)


def test_a_sentence_comes_once_and_equal_ones_are_no_pair() -> None:
    texts = Sentences(
        ["a", "b", "c", "d", "a", "x", "same", "same", "e", "x", "f", "g"],
        groups=[None, None, None, None, "1", "1", "2", "2", "3", "3", "4", "4"],
    )
    for step in range(20):
        batch = planted(texts, share=0.5, size=4).batch(step)  # "a" may be among the two that stay
        assert len(set(batch)) == 4
        assert set(batch[2:]) in ({"a", "x"}, {"e", "x"}, {"f", "g"}) and "same" not in batch


def test_where_every_sentence_has_a_group_all_fill_the_batch() -> None:
    texts = Sentences(
        [f"{group} {n}" for group in "abcdef" for n in range(3)], groups=[g for g in "abcdef" for _ in "xyz"]
    )
    batches = planted(texts, share=1.0, size=6)
    batch = batches.batch(0)
    assert batches.together == [(0, 1), (2, 3), (4, 5)] and len(set(batch)) == 6
    assert all(batch[first][0] == batch[second][0] for first, second in batches.together)


def test_what_cannot_be_planted_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"same_group=0\.4 takes pairs .* have no groups; give"):
        Planting(PLAIN, None, 0.4, 10, 0)
    with pytest.raises(ValueError, match=r"takes 10 pairs a batch, and only 6 of the groups"):
        Planting(TEXTS, TEXTS.groups, 1.0, 20, 0)
    with pytest.raises(ValueError, match="have no groups"):
        clwork.train("simcse", sentences=PLAIN, steps=1, same_group=0.5, **SHORT)
    with pytest.raises(ValueError, match=r"same_group=0\.5 would change nothing: only sentences have groups"):
        clwork.train("simcse", sentences=clwork.data.triplets()[:16], steps=1, same_group=0.5, **SHORT)
    with pytest.raises(ValueError, match=r"same_group=1\.5 is out of range"):
        clwork.methods.config("dclr", same_group=1.5)


def test_agreement_of_masks_counts_each_pair_in_both_directions() -> None:
    masked = torch.zeros(5, 5, dtype=torch.bool)
    masked[0, 1] = masked[1, 0] = masked[0, 2] = masked[2, 0] = True
    values = {name: float(value) for name, value in agreement(masked, [(1, 0), (3, 4)]).items()}
    assert values == pytest.approx(
        {"mask_precision": 0.5, "mask_recall": 0.5, "mask_f1": 0.5, "mask_f1_by_chance": 2 * 4 * 4 / (20 * 8)}
    )
    nothing = agreement(torch.zeros(5, 5, dtype=torch.bool), [(1, 0)])
    assert [float(value) for value in nothing.values()] == [0.0] * 4


def test_chance_is_what_random_masks_reach() -> None:
    generator, reached = torch.Generator().manual_seed(0), []
    for _ in range(400):
        places = torch.triu_indices(12, 12, 1)[:, torch.randperm(66, generator=generator)[:20]]
        masked = torch.zeros(12, 12, dtype=torch.bool)
        masked[places[0], places[1]] = masked[places[1], places[0]] = True
        reached.append(agreement(masked, [(0, 1), (2, 3), (4, 5)]))
    assert float(torch.stack([each["mask_f1"] for each in reached]).mean()) == pytest.approx(
        float(reached[0]["mask_f1_by_chance"]), abs=0.01
    )


@pytest.mark.parametrize("method", ["simcse", "dclr"])
def test_a_run_plants_and_dclr_records_what_its_masks_find(method: str) -> None:
    pairs = clwork.data.paraphrases()[:24]
    texts = Sentences(
        [*clwork.data.sentences("wikipedia-mini")[:60], *(text for pair in pairs for text in pair)],
        groups=[*[None] * 60, *(str(n) for n in range(len(pairs)) for _ in range(2))],
    )
    more: dict[str, Any] = {"complementary_steps": 0, "phi_quantile": 0.9} if method == "dclr" else {}
    usual = {**SHORT, "encoder": "mini"}
    run = clwork.train(method, sentences=texts, steps=2, same_group=0.5, **usual, **more)
    names = {"mask_precision", "mask_recall", "mask_f1", "mask_f1_by_chance"}
    assert (names <= set(run.history)) is (method == "dclr")
    if method == "dclr":
        last = run.history.iloc[-1]
        assert last["mask_f1"] > 2 * last["mask_f1_by_chance"] > 0, "the raw encoder finds paraphrases"
    plain = clwork.train(method, sentences=texts, steps=1, **usual, **more)
    assert not names & set(plain.history) and plain.history["loss"][1] != run.history["loss"][1]
