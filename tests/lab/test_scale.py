from __future__ import annotations

import pytest
import torch

from clwork import lab


def test_full_scale_on_a_cpu_needs_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.delenv("CLWORK_FULL", raising=False)
    assert lab.at_full_scale(True) is True, "a CPU can do it"
    assert lab.at_full_scale(False, "80 runs") is False
    with pytest.raises(RuntimeError, match=r"80 runs.*CLWORK_FULL=yes.*Change runtime type"):
        lab.at_full_scale(True, "80 runs")
    monkeypatch.setenv("CLWORK_FULL", "yes")
    assert lab.at_full_scale(True, "80 runs") is True
    monkeypatch.delenv("CLWORK_FULL")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert lab.at_full_scale(True, "80 runs") is True
