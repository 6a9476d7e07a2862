"""The panel's word to the page that its kernel is there; the page says so itself when it hears nothing more."""

from __future__ import annotations

import pathlib
import time
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

EVERY = 5.0  # seconds between two beats, at least; the page is patient for a minute


class Beat(widgets.Widget):  # type: ignore[misc]
    """Counts; a plain model, which hears all messages whatever became of anywidget's own (see ``live.Feed``)."""

    count: Any = traitlets.Int(0).tag(sync=True)
    at_work: Any = traitlets.Bool(False).tag(sync=True)


class Pulse(anywidget.AnyWidget):
    """Watches over the panel that it stands in; see ``pulse.js``."""

    _esm: Any = pathlib.Path(__file__).parent / "pulse.js"

    beat = traitlets.Instance(Beat).tag(sync=True, **widgets.widget_serialization)

    def __init__(self) -> None:
        """Make it, at rest."""
        super().__init__(beat=Beat())
        self._last = 0.0

    def tell(self, at_work: bool) -> None:
        """Say that the kernel is there, and whether the panel says that a run goes on; often called, seldom sent."""
        if at_work != self.beat.at_work or (at_work and time.monotonic() - self._last > EVERY):
            self._last = time.monotonic()
            with self.beat.hold_sync():
                self.beat.at_work = at_work
                self.beat.count += 1
