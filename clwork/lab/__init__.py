"""Widgets: panels to train methods, a desk of all runs, a playground. The only room that imports ipywidgets."""

from .desk import Desk, desk
from .linked import linked
from .panel import Panel, panel
from .playground import Playground, playground

__all__ = ["Desk", "Panel", "Playground", "desk", "linked", "panel", "playground"]
