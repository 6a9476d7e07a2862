"""The widget that watches over a panel on the page; see ``pulse.js``."""

from __future__ import annotations

import pathlib
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets


class Beat(widgets.Widget):  # type: ignore[misc]
    """Counter; a plain model, which receives all messages even when anywidget's own drops some (``live.Feed``)."""

    count: Any = traitlets.Int(0).tag(sync=True)
    at_work: Any = traitlets.Bool(False).tag(sync=True)
    folder: Any = traitlets.Unicode("").tag(sync=True)  # of the run that is shown


class Pulse(anywidget.AnyWidget):
    """Says on the page that the kernel is gone; names the handles of knobs, and copies the settings' text."""

    _esm: Any = pathlib.Path(__file__).parent / "pulse.js"

    beat = traitlets.Instance(Beat).tag(sync=True, **widgets.widget_serialization)

    def __init__(self) -> None:
        """Make it, at rest."""
        super().__init__(beat=Beat())
