"""Widgets: panels to train methods, a desk of all runs, a playground. The only room that imports ipywidgets."""

from .desk_widget import Desk, desk
from .forces_widget import ForceView, forces
from .linked_clouds import linked
from .panel_widget import Panel, panel
from .playground_widget import Playground, playground
from .scale import at_full_scale

__all__ = [
    "Desk",
    "ForceView",
    "Panel",
    "Playground",
    "at_full_scale",
    "desk",
    "forces",
    "linked",
    "panel",
    "playground",
]
