"""A training state on disk: read as it was written, and an optimizer that continues from it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from clwork.run_folder.checkpoints import (
    optimizer_tensors,
    read_state,
    restore_optimizer,
    write_state,
)


def test_a_restored_optimizer_continues_at_its_stored_rate() -> None:
    here, there = (
        [nn.Parameter(torch.arange(3.0)), nn.Parameter(torch.ones(2, 2))] for _ in range(2)
    )
    first, second = torch.optim.AdamW(here, lr=0.1), torch.optim.AdamW(there, lr=0.3)

    def step(optimizer: torch.optim.Optimizer, parameters: list[nn.Parameter]) -> None:
        for parameter in parameters:
            parameter.grad = torch.full_like(parameter, 0.5) + parameter.detach()
        optimizer.step()

    for _ in range(3):
        step(first, here)
    state = {name: tensor.clone() for name, tensor in optimizer_tensors(first).items()}
    restore_optimizer(second, state | {"method.weight": torch.ones(1)})
    assert second.param_groups[0]["lr"] == 0.3
    with torch.no_grad():
        for one, other in zip(here, there, strict=True):
            other.copy_(one)
    first.param_groups[0]["lr"] = 0.3
    step(first, here)
    step(second, there)
    assert all(torch.equal(one, other) for one, other in zip(here, there, strict=True))


def test_a_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "state.safetensors"
    tensors = {
        "a": torch.arange(6.0).view(2, 3).T,
        "b": torch.tensor(3),
        "same": torch.ones(2, requires_grad=True),
    }
    write_state(path, tensors | {"again": tensors["same"]}, {"step": 3, "text": "τ"})
    found, meta = read_state(path)
    assert set(found) == {"a", "b", "same", "again"}
    assert all(torch.equal(found[k], v) for k, v in tensors.items())
    assert meta == read_state(path, ())[1] == {"step": 3, "text": "τ"}
    with pytest.raises(ValueError, match="JSON"):
        write_state(path, tensors, {"score": float("nan")})
    assert read_state(path, ())[1]["step"] == 3, "the former file stays"
