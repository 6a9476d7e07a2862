"""Widgets: panels to train methods, a player of runs, their forces, a desk, a playground, the sphere."""

from .desk_widget import Desk, desk
from .forces_widget import ForceView, forces
from .linked_clouds import linked
from .open_panel import panel
from .panel_widget import Panel
from .player_widget import Player, player
from .playground_widget import Playground, playground
from .scale import at_full_scale
from .sphere_lab import Sphere, sphere

__all__ = [
    "Desk",
    "ForceView",
    "Panel",
    "Player",
    "Playground",
    "Sphere",
    "at_full_scale",
    "desk",
    "forces",
    "linked",
    "panel",
    "player",
    "playground",
    "sphere",
]
