"""Cut-off on embeddings, and shuffled tokens: what goes, how much of it, and what is left alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from clwork.augmenters import at_embeddings, cutoff, shuffle_tokens
from clwork.encoders import Tokens, load_encoder
from tests.encoders.conftest import TEXTS, write_tiny

KINDS = ["feature", "token", "span"]


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def gone(mask: torch.Tensor, kind: str, rate: float, seed: int = 0, width: int = 3) -> torch.Tensor:
    """What a cut-off of ones sets to zero, (B, T, D) bool."""
    return cutoff(torch.ones(*mask.shape, width), mask, kind, rate=rate, generator=seeded(seed)) == 0


MASKS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=5)


@given(MASKS, st.floats(0, 0.99), st.integers(0, 1000))
def test_only_what_may_be_cut_and_never_all(rows: list[tuple[int, int]], rate: float, seed: int) -> None:
    mask = torch.zeros(len(rows), 12, dtype=torch.bool)
    for row, (start, length) in enumerate(rows):
        mask[row, start : start + length] = True
    for kind in ("token", "span"):
        cut = gone(mask, kind, rate, seed)
        assert torch.equal(cut.any(-1), cut.all(-1))  # whole tokens
        assert not (cut.any(-1) & ~mask).any()
        assert ((mask & ~cut.any(-1)).sum(1) >= mask.sum(1).clamp_max(1)).all()
    features = gone(mask, "feature", rate, seed, width=8)
    assert torch.equal(features, features[:, :1].expand_as(features))  # the same for all tokens of a row
    assert (~features).any(-1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_rate_is_kept_on_average(kind: str) -> None:
    mask = torch.zeros(3000, 9, dtype=torch.bool)
    mask[:, 1:8] = True
    cut = gone(mask, kind, 0.25, width=7).double()
    share = cut[:, 1:8].mean()
    assert float(share) == pytest.approx(0.25, abs=0.01)
    places = cut.mean(dim=(0, 1)) if kind == "feature" else cut[:, 1:8].mean(dim=(0, 2))
    if kind != "span":
        assert float((places - 0.25).abs().max()) < 0.04  # every place is as likely


def test_a_span_is_a_run_and_starts_anywhere() -> None:
    mask = torch.zeros(2000, 8, dtype=torch.bool)
    mask[:, 1:7] = True
    cut = gone(mask, "span", 0.5)[..., 0]
    starts = cut.int().argmax(dim=1)
    for row in cut[:50]:
        places = row.nonzero().flatten().tolist()
        assert places == list(range(places[0], places[0] + 3))
    counts = Counter(starts.tolist())
    assert set(counts) == {1, 2, 3, 4} and min(counts.values()) > 400


@pytest.mark.parametrize("kind", KINDS)
def test_rate_zero_changes_nothing_and_the_seed_decides(kind: str) -> None:
    mask = torch.ones(4, 10, dtype=torch.bool)
    assert not gone(mask, kind, 0.0).any()
    same, other = gone(mask, kind, 0.4, width=10), gone(mask, kind, 0.4, seed=1, width=10)
    assert torch.equal(same, gone(mask, kind, 0.4, width=10)) and not torch.equal(same, other)


@pytest.mark.parametrize(
    ("kind", "rate", "shape", "message"),
    [
        ("word", 0.1, (2, 3), "'feature', 'token', 'span'"),
        ("token", 1.0, (2, 3), "below 1"),
        ("token", -0.1, (2, 3), "below 1"),
        ("token", 0.1, (2, 4), r"\(B, T, D\)"),
    ],
)
def test_what_is_refused(kind: str, rate: float, shape: tuple[int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cutoff(torch.ones(2, 3, 5), torch.ones(shape), kind, rate=rate, generator=seeded())


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert"])
def test_the_hook_reaches_the_word_vectors_of_any_model_and_comes_off(kind: str, tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny(tmp_path / kind, kind), pooling="mean", device="cpu")
    batch = encoder.collate([tokens.ids for tokens in encoder.tokenize(TEXTS[:2])])
    with torch.no_grad():
        plain = encoder(batch)
        with at_embeddings(encoder.backbone, lambda words: words):
            torch.testing.assert_close(encoder(batch), plain)
        with pytest.raises(RuntimeError), at_embeddings(encoder.backbone, lambda words: words * 0):
            empty = encoder(batch)
            raise RuntimeError
        assert not torch.allclose(empty, plain)
        torch.testing.assert_close(encoder(batch), plain)


@given(st.lists(st.integers(5, 99), max_size=9), st.integers(0, 1000))
def test_shuffling_keeps_tokens_and_special_places(pieces: list[int], seed: int) -> None:
    tokens = Tokens([2, *pieces, 3], [-1, *range(len(pieces)), -1])
    ids = shuffle_tokens(tokens, seeded(seed))
    assert ids[0] == 2 and ids[-1] == 3 and sorted(ids) == sorted(tokens.ids)
    assert tokens.ids == [2, *pieces, 3]


def test_every_order_is_as_likely() -> None:
    generator, tokens = seeded(), Tokens([2, 7, 8, 9, 3], [-1, 0, 1, 1, -1])
    orders = Counter(tuple(shuffle_tokens(tokens, generator)) for _ in range(3000))
    assert len(orders) == 6 and min(orders.values()) > 400
