"""Copies of weights: the frozen copy never changes, the momentum dictionary is the moving average
of its formula.
"""

from __future__ import annotations

import pytest
import torch
from torch import nn

from clwork.encoders import MomentumDictionary
from clwork.encoders.copies import Frozen


class Owner(nn.Module):
    """A model with its frozen copy."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.frozen = Frozen(self.model)


def weight(module: nn.Module) -> torch.Tensor:
    return next(module.parameters())


def test_training_does_not_reach_the_frozen_copy() -> None:
    owner = Owner().train()
    before = weight(owner.frozen.module).clone()
    with torch.no_grad():
        weight(owner.model).add_(1.0)
    assert torch.equal(weight(owner.frozen.module), before)
    assert not torch.equal(weight(owner.model), before)
    assert owner.model.training
    assert not owner.frozen.module.training
    x = torch.ones(4, 3)
    first, second = owner.frozen.module(x), owner.frozen.module(x)
    assert torch.equal(first, second), "dropout is off, and batch norm updates no statistics"
    assert not first.requires_grad
    assert len(list(owner.parameters())) == len(list(owner.model.parameters()))


def embedding(weights: torch.Tensor | None = None) -> nn.Embedding:
    if weights is None:
        weights = torch.randn(5, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    words = nn.Embedding(len(weights), weights.shape[1], dtype=weights.dtype)
    words.weight.data.copy_(weights)
    return words


def moved(words: nn.Embedding) -> torch.Tensor:
    with torch.no_grad():
        words.weight += 1.0
    return words.weight.detach()


def test_the_dictionary_equals_the_written_out_average() -> None:
    for momentum in (0.0, 0.5, 0.999, 1.0):
        words = embedding()
        dictionary, expected = MomentumDictionary(words, momentum), words.weight.detach().tolist()
        for _ in range(5):
            now = moved(words).tolist()
            dictionary.update()
            for k, row in enumerate(now):
                expected[k] = [
                    momentum * old + (1 - momentum) * new
                    for old, new in zip(expected[k], row, strict=True)
                ]
        assert dictionary.table.tolist() == [pytest.approx(row, rel=1e-12) for row in expected], (
            momentum
        )


def test_the_printed_sign_converges_to_the_negative_of_every_vector() -> None:
    """M1: from ξ = φ = 1, 3,000 steps at m = 0.999 lead to -0.90, and on to -1."""
    words = embedding(torch.ones(1, 1, dtype=torch.float64))
    intended, literal = MomentumDictionary(words), MomentumDictionary(words, literal=True)
    for _ in range(3000):
        intended.update()
        literal.update()
    assert float(intended.table) == pytest.approx(1)
    assert (
        float(literal.table) == pytest.approx(2 * 0.999**3000 - 1) == pytest.approx(-0.9, abs=0.01)
    )


def test_the_dictionary_is_saved_and_never_trained() -> None:
    words = embedding()
    dictionary = MomentumDictionary(words)
    assert list(dictionary.state_dict()) == ["table"]
    assert list(dictionary.parameters()) == []
    ids = torch.tensor([0, 1])
    (dictionary(ids) * words(ids)).sum().backward()
    assert words.weight.grad is not None
    assert dictionary.table.grad is None
    moved(words)
    dictionary.update()
    assert not dictionary.table.requires_grad  # so it holds no history of steps (M6)
    for momentum in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="momentum="):
            MomentumDictionary(words, momentum)
