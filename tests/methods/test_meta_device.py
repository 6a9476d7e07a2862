"""A training step on the device ``meta``, which raises if a value is read."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
import torch

from clwork.methods import Draws
from clwork.methods.step import differentiate

from ..encoders.conftest import small_encoder
from .settings_in_parts import ONE_OF_EACH, built

META = torch.device("meta")


class MetaGenerator(torch.Generator):
    """A generator that reports the device; on ``meta`` nothing is drawn."""

    device = META


class MetaDraws(Draws):
    def part(self, number: int) -> Draws:
        return self


def step(setting: str, micro_batch: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    method, batch = built(setting, small_encoder(), 7, micro_batch=micro_batch)
    method.float().to(META)
    monkeypatch.setattr(
        torch, "autocast", lambda *args, **kwargs: nullcontext()
    )  # it does not know the device
    optimizer = torch.optim.AdamW(
        method.parameter_groups(), lr=1e-3
    )  # fused AdamW does not support meta either
    scaler = torch.amp.GradScaler("meta")
    _, terms = differentiate(
        method, batch, MetaDraws(torch.Generator(), MetaGenerator()), scaler=scaler
    )
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(method.parameters(), 1.0)
    optimizer.step()
    scaler.update()
    method.after_step()
    return method, terms


@pytest.mark.parametrize("micro_batch", [0, 3])
@pytest.mark.parametrize("setting", ONE_OF_EACH)
def test_a_step_stays_on_the_device_and_reads_no_value(
    setting: str, micro_batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, terms = step(setting, micro_batch, monkeypatch)
    assert terms.loss.device == META
    assert terms.loss.ndim == 0
    trained = [p for p in method.parameters() if p.grad is not None]
    assert trained
    assert all(p.device == META and p.grad.device == META for p in trained)


@pytest.mark.parametrize(
    "fault",
    [
        lambda loss: loss + loss.new_ones(2, device="cpu").mean().expand(1),
        lambda loss: loss * loss.item(),
    ],
)
def test_meta_detects_tensors_on_other_devices_and_reads_of_values(
    fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard: both faults that this file detects raise on ``meta``."""
    from clwork.methods.simcse import SimCSE

    compare = SimCSE.compare

    def faulty(self: Any, views: Any) -> Any:
        terms = compare(self, views)
        fault(terms.loss)
        return terms

    monkeypatch.setattr(SimCSE, "compare", faulty)
    with pytest.raises(RuntimeError, match="meta"):
        step("simcse", 0, monkeypatch)
