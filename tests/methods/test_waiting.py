"""A training step on a GPU waits for nothing: it reads no tensor's values before all of it is queued.

Tensors are on the CPU here. What code does only for a GPU is switched on by an empty ``AT_HAND``, and every operation
that would block on a GPU is noticed as it is dispatched.
"""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from clwork import arithmetic, losses
from clwork.encoders import encoder as encoder_module
from clwork.methods import Draws
from clwork.methods.step import train_step

from ..encoders.conftest import small_encoder
from .settings_in_parts import SETTINGS, built

READS = {"_local_scalar_dense", "equal", "masked_select", "nonzero", "unique_dim", "_unique2"}
# These draw words with a generator on the CPU, whatever the device of the encoder: they read what is there.
ON_THE_CPU = ("augmenters/words.py",)


class Noticed(TorchDispatchMode):
    """Lists where values of a tensor were read."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.places: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        chosen = args[1] if name in ("index", "index_put", "index_put_") else ()
        if name in READS or any(place is not None and place.dtype == torch.bool for place in chosen):
            self._note(name)
        return func(*args, **(kwargs or {}))

    def _note(self, name: str) -> None:
        frame = sys._getframe(2)
        files: list[str] = []
        while frame is not None:
            files.append(f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}")
            frame = frame.f_back  # type: ignore[assignment]
        if not any(place in file for place in ON_THE_CPU for file in files):
            self.places.append(f"{name} in {next((f for f in files if '/clwork/' in f), files[0])}")


@pytest.mark.parametrize("micro_batch", [0, 3])
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_step_reads_no_values(setting: str, micro_batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    method, batch = built(setting, small_encoder(), 7, micro_batch=micro_batch)
    optimizer = method.optimizer()
    monkeypatch.setattr(arithmetic, "AT_HAND", frozenset())
    with (
        patch.object(encoder_module, "packs", lambda backbone: False),
        patch.object(encoder_module, "POSITIONS_ON_CPU", 1 << 40),
        Noticed() as noticed,
    ):
        train_step(method, optimizer, batch, Draws.of(0, 1, method.encoder.device), 1, 10)
    assert noticed.places == []


def test_a_read_is_noticed() -> None:
    """The guard: a value, and the places that a mask selects."""
    with Noticed() as noticed:
        assert torch.ones(2).sum().item() == 2 and len(torch.ones(2)[torch.tensor([True, False])]) == 1
    assert len(noticed.places) == 2


def test_outside_a_step_every_device_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = torch.tensor([[1.0, float("nan")], [0.0, 1.0]])
    monkeypatch.setattr(arithmetic, "AT_HAND", frozenset())
    with pytest.raises(ValueError, match="NaN"):
        losses.simcse(bad, bad)
    with arithmetic.without_waiting():
        with arithmetic.without_waiting():
            assert not arithmetic.may_read(bad)
        assert not arithmetic.may_read(bad) and losses.simcse(bad, bad).isnan()
    assert arithmetic.may_read(bad)
