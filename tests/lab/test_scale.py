from __future__ import annotations

import builtins

import pytest
import torch

from clwork import lab


@pytest.fixture(autouse=True)
def on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.delenv("CLWORK_FULL", raising=False)


def test_full_scale_on_a_cpu_needs_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for said, continues in (("yes", True), (" Yes ", True), ("", False), ("no", False)):
        monkeypatch.setattr(builtins, "input", lambda _, said=said: said)
        assert lab.at_full_scale(True, "80 runs") is continues, said
        shown = capsys.readouterr().out
        assert "80 runs" in shown
        assert "Runtime, Change runtime type, T4 GPU" in shown


def test_without_an_answer_it_is_refused_unless_consent_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nobody(_: str) -> str:
        raise EOFError

    monkeypatch.setattr(builtins, "input", nobody)
    with pytest.raises(RuntimeError, match=r"CLWORK_FULL=yes.*Change runtime type"):
        lab.at_full_scale(True, "80 runs")
    monkeypatch.setenv("CLWORK_FULL", "yes")
    assert lab.at_full_scale(True, "80 runs") is True
