"""Widgets: panels, players, forces, stored runs, evidence, clouds, a desk, a playground, the sphere, lessons' boxes."""

from .desk.desk import Desk, desk
from .evidence_view import Evidence, evidence
from .explore_view import Explorer, explore
from .force_view import ForceView, forces
from .instrument.panel import Panel, panel
from .lesson.dial import Dial, dial
from .lesson.exercise import Exercise, exercise
from .lesson.prediction import Prediction, predict
from .lesson.steered import steered
from .page.notebook import at_full_scale
from .player.player import Player, player
from .player.saved_page import save_page
from .playground.playground import Playground, playground
from .sphere.sphere_lab import Sphere, sphere

__all__ = [
    "Desk",
    "Dial",
    "Evidence",
    "Exercise",
    "Explorer",
    "ForceView",
    "Panel",
    "Player",
    "Playground",
    "Prediction",
    "Sphere",
    "at_full_scale",
    "desk",
    "dial",
    "evidence",
    "exercise",
    "explore",
    "forces",
    "panel",
    "player",
    "playground",
    "predict",
    "save_page",
    "sphere",
    "steered",
]
