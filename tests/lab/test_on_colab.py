"""What Colab needs to show our widgets: metadata that name the manager, also of a box that holds them."""

from __future__ import annotations

import sys
import types
from typing import Any

import pytest

from clwork import lab

VIEW = "application/vnd.jupyter.widget-view+json"
ADDRESS = "https://example.invalid/manager.js"


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that Colab has, as far as anywidget asks it."""
    output: Any = types.ModuleType("google.colab.output")
    output.enable_custom_widget_manager = lambda: None
    output._widgets = types.SimpleNamespace(_installed_url=ADDRESS)
    for name, module in (("google", types.ModuleType("google")), ("google.colab", types.ModuleType("google.colab"))):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "google.colab.output", output)


def test_a_box_names_the_manager(colab: None) -> None:
    data, metadata = lab.evidence()._repr_mimebundle_()
    assert VIEW in data and metadata[VIEW]["colab"]["custom_widget_manager"]["url"] == ADDRESS


def test_elsewhere_nothing_is_named() -> None:
    data, metadata = lab.evidence()._repr_mimebundle_()
    assert VIEW in data and metadata == {}
