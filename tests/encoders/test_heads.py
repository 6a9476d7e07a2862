from __future__ import annotations

import pytest
import torch

from clwork.encoders import ProjectionHead


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_head_is_linear_and_tanh_with_small_weights_of_the_generator() -> None:
    before = torch.get_rng_state()
    head, same, other = (ProjectionHead(300, generator=seeded(seed)) for seed in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(head.dense.weight, same.dense.weight)
    assert not torch.equal(head.dense.weight, other.dense.weight)
    x = torch.randn(2, 300, generator=seeded(1))
    torch.testing.assert_close(head(x), torch.tanh(x @ head.dense.weight.T))
    assert abs(head.dense.weight.std().item() - 0.02) < 2e-4
    assert abs(head.dense.weight.mean().item()) < 3e-4
    with pytest.raises(ValueError, match="'sigmoid' is not known"):
        ProjectionHead(4, activation="sigmoid", generator=seeded(0))
