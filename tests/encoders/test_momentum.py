"""The momentum dictionary: its limits, its lag, the sign as printed, and what it owns."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from clwork.encoders import MomentumDictionary


def table(rows: int = 5, width: int = 3, seed: int = 0) -> nn.Embedding:
    return holding(torch.randn(rows, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64))


def holding(weights: torch.Tensor) -> nn.Embedding:
    words = nn.Embedding(len(weights), weights.shape[1], dtype=weights.dtype)
    with torch.no_grad():
        words.weight.copy_(weights)
    return words


def moved(words: nn.Embedding) -> torch.Tensor:
    with torch.no_grad():
        words.weight += 1.0
    return words.weight.detach()


def test_it_starts_as_a_copy_and_follows_only_when_told() -> None:
    words = table()
    start = words.weight.detach().clone()
    dictionary = MomentumDictionary(words)
    moved(words)
    assert torch.equal(dictionary.table, start)
    assert torch.equal(dictionary(torch.tensor([[1, 4]])), start[[1, 4]][None])


def test_it_is_the_average_typed_out() -> None:
    for momentum in (0.0, 0.5, 0.999, 1.0):
        words = table()
        dictionary, expected = MomentumDictionary(words, momentum), words.weight.detach().tolist()
        for _ in range(5):
            now = moved(words).tolist()
            dictionary.update()
            for k, row in enumerate(now):
                expected[k] = [momentum * old + (1 - momentum) * new for old, new in zip(expected[k], row, strict=True)]
        assert dictionary.table.tolist() == [pytest.approx(row, rel=1e-12) for row in expected], momentum


def test_the_sign_as_printed_converges_to_the_opposite_of_every_word() -> None:
    """M1: from ξ = φ = 1, 3,000 steps at m = 0.999 lead to -0.90, and on to -1."""
    words = holding(torch.ones(1, 1, dtype=torch.float64))
    intended, literal = MomentumDictionary(words), MomentumDictionary(words, literal=True)
    for _ in range(3000):
        intended.update()
        literal.update()
    assert float(intended.table) == pytest.approx(1)
    assert float(literal.table) == pytest.approx(2 * 0.999**3000 - 1)
    assert round(float(literal.table), 2) == -0.9
    words = table()
    literal = MomentumDictionary(words, momentum=0.5, literal=True)
    for _ in range(60):
        literal.update()
    torch.testing.assert_close(literal.table, -words.weight.detach())


def test_it_is_saved_and_never_trained() -> None:
    words = table()
    dictionary = MomentumDictionary(words)
    assert list(dictionary.state_dict()) == ["table"] and list(dictionary.parameters()) == []
    loss = (dictionary(torch.tensor([0, 1])) * words(torch.tensor([0, 1]))).sum()
    loss.backward()
    assert words.weight.grad is not None and dictionary.table.grad is None
    moved(words)
    dictionary.update()
    assert not dictionary.table.requires_grad  # and so holds no history of steps (M6)


def test_momentum_may_change_on_the_way_and_is_checked_then_too() -> None:
    words = table()
    dictionary = MomentumDictionary(words)
    dictionary.momentum = 0.0
    dictionary.update()
    assert torch.equal(dictionary.table, words.weight)
    dictionary.momentum = 1.5
    with pytest.raises(ValueError, match=r"momentum=1.5.*from 0 to 1"):
        dictionary.update()


def test_refuses_what_is_no_share() -> None:
    for momentum in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="from 0 to 1"):
            MomentumDictionary(table(), momentum)
