"""Widgets: panels to train methods, a desk of all runs, a playground. The only room that imports ipywidgets."""

from .desk_widget import Desk, desk
from .linked_clouds import linked
from .open_panel import panel
from .panel_widget import Panel
from .playground_widget import Playground, playground
from .scale import at_full_scale

__all__ = ["Desk", "Panel", "Playground", "at_full_scale", "desk", "linked", "panel", "playground"]
