"""Panels over short real runs, each with a polling page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clwork.lab.panel.panel import Panel

from .client import Client

Make = Callable[..., tuple[Panel, Client]]


@pytest.fixture
def make(make_panel: Callable[..., Panel]) -> Make:
    """Create a panel over a short run, and its page."""

    def new(**settings: Any) -> tuple[Panel, Client]:
        panel = make_panel(**{"probe_every": 4, **settings})
        return panel, Client(panel)

    return new
