"""Widgets: panel, player, forces, explorer of stored runs, evidence, sphere, boxes of lessons."""

from .evidence_view import Evidence, evidence
from .explore_view import Explorer, explore
from .force_view import forces
from .lesson_boxes import dial, exercise, predict, steered
from .page.csv_link import link_tables
from .page.notebook import at_full_scale
from .panel.panel import Panel, panel
from .player_view import player, save_page
from .sphere_view import sphere

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
