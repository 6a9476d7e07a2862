"""Widgets: panels to train methods, a desk of all runs, a playground. The only room that imports ipywidgets."""

from .desk import Desk, desk
from .linked import linked
from .panel import Panel, panel
from .playground import Playground, playground
from .scale import at_full_scale

__all__ = ["Desk", "Panel", "Playground", "at_full_scale", "desk", "linked", "panel", "playground"]
