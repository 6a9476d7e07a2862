"""Widgets: panels to train methods, players, forces, stored runs, the evidence, a desk, a playground, the sphere."""

from .desk.desk import Desk, desk
from .evidence.evidence import Evidence, evidence
from .explore.explore import Explorer, explore
from .forces.forces import ForceView, forces
from .instrument.panel import Panel, panel
from .linked.linked import linked
from .page.notebook import at_full_scale
from .player.player import Player, player
from .playground.playground import Playground, playground
from .sphere.sphere_lab import Sphere, sphere

__all__ = [
    "Desk",
    "Evidence",
    "Explorer",
    "ForceView",
    "Panel",
    "Player",
    "Playground",
    "Sphere",
    "at_full_scale",
    "desk",
    "evidence",
    "explore",
    "forces",
    "linked",
    "panel",
    "player",
    "playground",
    "sphere",
]
