"""Cut-offs of embeddings: how many values are removed, and where the model takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.augmenters import cutoff
from clwork.augmenters.word_vectors import at_embeddings
from clwork.encoders import load_encoder

from ..encoders.conftest import TEXTS, write_tiny
from . import seeded

KINDS = ["feature", "token", "span"]


def gone(mask: torch.Tensor, kind: Any, rate: float, seed: int = 0, width: int = 3) -> torch.Tensor:
    """The elements that a cut-off sets to zero, (B, T, D) bool."""
    return (
        cutoff(torch.ones(*mask.shape, width), mask, kind, rate=rate, generator=seeded(seed)) == 0
    )


def test_the_rate_holds_on_average(subtests: pytest.Subtests) -> None:
    for kind in KINDS:
        with subtests.test(kind=kind):
            mask = torch.zeros(3000, 9, dtype=torch.bool)
            mask[:, 1:8] = True
            cut = gone(mask, kind, 0.25, width=7).double()
            share = cut[:, 1:8].mean()
            assert float(share) == pytest.approx(0.25, abs=0.01)
            places = cut.mean(dim=(0, 1)) if kind == "feature" else cut[:, 1:8].mean(dim=(0, 2))
            if kind != "span":
                assert float((places - 0.25).abs().max()) < 0.04  # all positions are equally likely


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
