"""Cut-offs of embeddings: how many values are removed, and where the model takes them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from clwork.augmenters.word_vectors import at_embeddings, cut_tokens
from clwork.encoders import load_encoder

from ..encoders.conftest import TEXTS, write_tiny
from . import seeded


def test_the_rate_holds_on_average() -> None:
    mask = torch.zeros(3000, 9, dtype=torch.bool)
    mask[:, 1:8] = True
    cut = cut_tokens(torch.ones(*mask.shape, 7), mask, rate=0.25, generator=seeded(0)) == 0
    cut = cut.double()[:, 1:8]
    assert float(cut.mean()) == pytest.approx(0.25, abs=0.01)
    # all positions are equally likely
    assert float((cut.mean(dim=(0, 2)) - 0.25).abs().max()) < 0.04


def test_the_hook_changes_the_word_vectors_of_any_model_and_is_removed(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for kind in ("bert", "roberta", "distilbert"):
        with subtests.test(kind=kind):
            encoder = load_encoder(write_tiny(tmp_path / kind, kind), pooling="mean", device="cpu")
            batch = encoder.collate([tokens.ids for tokens in encoder.tokenize(TEXTS[:2])])
            with torch.no_grad():
                plain = encoder(batch)
                with at_embeddings(encoder.backbone, lambda words: words):
                    torch.testing.assert_close(encoder(batch), plain)
                with (
                    pytest.raises(RuntimeError),
                    at_embeddings(encoder.backbone, lambda words: words * 0),
                ):
                    empty = encoder(batch)
                    raise RuntimeError
                assert not torch.allclose(empty, plain)
                torch.testing.assert_close(encoder(batch), plain)
