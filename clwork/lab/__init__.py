"""Widgets: panels to train, a player of runs, a desk, a playground. The only room that imports ipywidgets."""

from .desk_widget import Desk, desk
from .linked_clouds import linked
from .panel_widget import Panel, panel
from .player_widget import Player, player
from .playground_widget import Playground, playground
from .scale import at_full_scale

__all__ = [
    "Desk",
    "Panel",
    "Player",
    "Playground",
    "at_full_scale",
    "desk",
    "linked",
    "panel",
    "player",
    "playground",
]
