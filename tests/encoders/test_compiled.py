"""An encoder compiled by torch gives the vectors and gradients of one that is not, dropout included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from clwork.augmenters import Dropout
from clwork.encoders import Encoder, load_encoder

from .conftest import TEXTS


@pytest.fixture
def encoder(bert_folder: Path) -> Encoder:
    return load_encoder(bert_folder, pooling="mean", device="cpu").requires_grad_(True).train()


def compiled(encoder: Encoder) -> Any:
    """The backbone's forward pass, compiled without a C++ compiler: what is traced is what is compared."""
    backbone: Any = encoder.backbone
    return torch.compile(backbone.forward, backend="aot_eager", dynamic=True)


def outcome(encoder: Encoder, dropout: float) -> tuple[torch.Tensor, list[torch.Tensor | None]]:
    batch = encoder.collate([tokens.ids for tokens in encoder.tokenize(TEXTS)])
    with Dropout(torch.Generator().manual_seed(0), hidden=dropout, attention=dropout):
        vectors = encoder(batch)
    direction = torch.randn(vectors.shape, generator=torch.Generator().manual_seed(1))
    weights = [weight for weight in encoder.backbone.parameters() if weight.requires_grad]
    return vectors, list(torch.autograd.grad((vectors * direction).sum(), weights, allow_unused=True))


@pytest.mark.slow
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_compiled_is_eager(encoder: Encoder, dropout: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal to rounding in float32: vectors to 1e-5, gradients to 1e-4 of their largest number."""
    vectors, gradients = outcome(encoder, dropout)
    calls: list[int] = []
    made = compiled(encoder)

    def forward(*arguments: Any, **named: Any) -> Any:
        calls.append(1)
        return made(*arguments, **named)

    monkeypatch.setattr(encoder.backbone, "forward", forward)
    found, again = outcome(encoder, dropout)
    assert calls, "guard: the compiled forward pass ran"
    torch.testing.assert_close(found, vectors, rtol=0, atol=1e-5)
    for one, other in zip(gradients, again, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert (one - other).abs().max() <= 1e-4 * max(1.0, float(one.abs().max()))
