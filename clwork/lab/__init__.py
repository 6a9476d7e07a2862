"""Widgets: panel, player, forces, explorer of stored runs, evidence, game, sphere, boxes, acts."""

import pandas as pd

from .anatomy_view import anatomy
from .evidence_view import evidence
from .explore_view import explore
from .force_view import forces
from .game_view import game
from .lesson_boxes import act, dial, exercise, predict
from .page.notebook import at_full_scale
from .panel.panel import panel
from .player_view import player, save_page
from .sphere_view import sphere
from .training_page import save_training_page

__all__ = [
    "act",
    "anatomy",
    "at_full_scale",
    "dial",
    "evidence",
    "exercise",
    "explore",
    "forces",
    "game",
    "panel",
    "player",
    "predict",
    "save_page",
    "save_training_page",
    "sphere",
]

# Tables of a lesson hold sentences: show them whole, and text between two $ not as a formula.
pd.set_option("display.max_colwidth", 2000)
pd.set_option("display.html.use_mathjax", False)
pd.set_option("styler.html.mathjax", False)
