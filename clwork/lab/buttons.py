"""A button as all boards have it."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets


def button(text: str, about: str, name: str, act: Callable[[], object], style: str = "") -> widgets.Button:
    """A button that calls ``act``; ``about`` shows under the mouse, ``clwork-NAME`` is its class on the page."""
    layout = widgets.Layout(width="92px", flex="0 0 auto")
    made = widgets.Button(description=text, tooltip=about, button_style=style, layout=layout)
    made.add_class(f"clwork-{name}")
    made.on_click(lambda _: act())
    return made
