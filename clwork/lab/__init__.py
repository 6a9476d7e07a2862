"""Widgets: panel, player, forces, explorer of stored runs, evidence, sphere, boxes of lessons."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .force_view import forces
from .lesson_boxes import dial, exercise, predict, steered
from .page.csv_link import link_tables
from .page.notebook import at_full_scale
from .panel.panel import Panel, panel
from .player_view import player, save_page
from .sphere_view import sphere

if TYPE_CHECKING:
    from .evidence_view import Evidence, evidence
    from .explore_view import Explorer, explore

# Names that are imported when they are first used, so that a panel does not load the ledger of
# claims. The values are their modules.
_LATER = {
    "Evidence": "evidence_view",
    "evidence": "evidence_view",
    "Explorer": "explore_view",
    "explore": "explore_view",
}

__all__ = [
    "Evidence",
    "Explorer",
    "Panel",
    "at_full_scale",
    "dial",
    "evidence",
    "exercise",
    "explore",
    "forces",
    "panel",
    "player",
    "predict",
    "save_page",
    "sphere",
    "steered",
]

link_tables()


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
