"""Outside a training step, values are checked on every device; within a step no check waits for the device."""

from __future__ import annotations

import pytest
import torch

from clwork import arithmetic, losses


def test_outside_a_step_every_device_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = torch.tensor([[1.0, float("nan")], [0.0, 1.0]])
    monkeypatch.setattr(arithmetic, "HOST_DEVICES", frozenset())
    with pytest.raises(ValueError, match="NaN"):
        losses.simcse(bad, bad)
    with arithmetic.without_waiting():
        with arithmetic.without_waiting():
            assert not arithmetic.may_read(bad)
        assert not arithmetic.may_read(bad) and losses.simcse(bad, bad).isnan()
    assert arithmetic.may_read(bad)
