"""Widgets: panels to train methods, a player of runs, their forces, a desk, a playground, the sphere."""

from .desk.desk import Desk, desk
from .forces.forces import ForceView, forces
from .linked.linked import linked
from .page.notebook import at_full_scale
from .panel.panel import Panel, panel
from .player.player import Player, player
from .playground.playground import Playground, playground
from .sphere.sphere_lab import Sphere, sphere

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
