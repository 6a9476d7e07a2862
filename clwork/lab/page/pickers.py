"""What the two pickers have in common: a drop-down, and lines that show where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as widgets

from .widgets import FULL, NATURAL

ELSEWHERE, GIVEN = "elsewhere", "given"


def drop(description: str, tooltip: str, options: Sequence[tuple[str, str]], value: str) -> widgets.Dropdown:
    """A drop-down as wide as its place."""
    layout = widgets.Layout(**FULL)
    return widgets.Dropdown(
        options=list(options), value=value, description=description, tooltip=tooltip, style=NATURAL, layout=layout
    )


def line(description: str, tooltip: str, placeholder: str, value: str = "") -> widgets.Text:
    """A line to type, hidden at first."""
    layout = widgets.Layout(width="100%", display="none")
    return widgets.Text(
        value=value, description=description, tooltip=tooltip, placeholder=placeholder, style=NATURAL, layout=layout
    )


def reveal(parts: Sequence[widgets.Widget], shown: bool) -> None:
    """Show or hide."""
    for part in parts:
        part.layout.display = "flex" if shown else "none"


def note(text: str) -> widgets.HTML:
    """A line of help below a control."""
    made = widgets.HTML(f"<span>{text}</span>")
    made.add_class("clwork-note")
    return made
