"""A frozen copy: never trained, never switched, not saved, and noticed when it is another."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from clwork.encoders import Encoder, Frozen, load_encoder

from .conftest import TEXTS


class Owner(nn.Module):
    """Something that trains a model beside its frozen copy."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.frozen = Frozen(self.model)


def weight(module: nn.Module) -> torch.Tensor:
    return next(module.parameters())


def test_it_is_a_copy_and_stays_as_it_was() -> None:
    owner = Owner()
    before = weight(owner.frozen.module).clone()
    with torch.no_grad():
        weight(owner.model).add_(1.0)
    assert torch.equal(weight(owner.frozen.module), before)
    assert not torch.equal(weight(owner.model), before)


def test_training_mode_optimizer_and_gradients_pass_it_by() -> None:
    owner = Owner().train()
    assert owner.model.training and not owner.frozen.module.training
    x = torch.ones(4, 3)
    assert torch.equal(owner.frozen(x), owner.frozen(x))  # dropout is off, and batch norm counts nothing
    assert not owner.frozen(x).requires_grad
    assert len(list(owner.parameters())) == len(list(owner.model.parameters()))


def test_the_state_holds_a_fingerprint_and_no_copy() -> None:
    owner, same, other = Owner(), Owner(), Owner(seed=1)
    state = owner.state_dict()
    assert [name for name in state if name.startswith("frozen")] == ["frozen.fingerprint"]
    same.load_state_dict(state)
    with pytest.raises(ValueError, match="another frozen copy"):
        other.load_state_dict(state)


def test_an_encoder_can_be_frozen_and_encodes_as_before(bert_folder: Any) -> None:
    encoder = load_encoder(bert_folder, pooling="mean", device="cpu")
    frozen: Frozen[Encoder] = Frozen(encoder)
    before = encoder.encode(TEXTS)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.mul_(1.5)
    assert (frozen.module.encode(TEXTS) == before).all()
    assert all(p.requires_grad for p in encoder.parameters())
