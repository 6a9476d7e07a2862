"""Widgets: a panel to train a method before your eyes. The only room that imports ipywidgets."""

from .panel import Panel, panel

__all__ = ["Panel", "panel"]
