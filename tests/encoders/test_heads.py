from __future__ import annotations

import pytest
import torch

from clwork.encoders.heads import ProjectionHead


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_is_a_linear_map_and_tanh_with_small_weights() -> None:
    head = ProjectionHead(300, generator=seeded(0))
    x = torch.randn(2, 300, generator=seeded(1))
    torch.testing.assert_close(head(x), torch.tanh(x @ head.dense.weight.T))
    assert abs(head.dense.weight.std().item() - 0.02) < 2e-4 and abs(head.dense.weight.mean().item()) < 3e-4
    assert not head.dense.bias.any()


def test_weights_come_from_the_generator_alone() -> None:
    before = torch.get_rng_state()
    one, same, other = (ProjectionHead(8, generator=seeded(s)) for s in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(one.dense.weight, same.dense.weight)
    assert not torch.equal(one.dense.weight, other.dense.weight)


def test_spec_makes_the_same_head_again() -> None:
    for activation in ("tanh", "gelu", "relu", "none"):
        head = ProjectionHead(6, 3, activation, generator=seeded(0))
        again = ProjectionHead.from_spec(head.spec())
        again.load_state_dict(head.state_dict())
        x = torch.randn(4, 6, generator=seeded(1))
        assert torch.equal(head(x), again(x)) and head(x).shape == (4, 3), activation


def test_refuses() -> None:
    with pytest.raises(ValueError, match="'sigmoid' is not known"):
        ProjectionHead(4, activation="sigmoid", generator=seeded(0))
    with pytest.raises(ValueError, match="dim=0"):
        ProjectionHead(0, generator=seeded(0))
    with pytest.raises(ValueError, match="'lstm'"):
        ProjectionHead.from_spec({"kind": "lstm"})
