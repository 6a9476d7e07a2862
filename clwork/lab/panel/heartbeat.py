"""The panel's heartbeat: without one, ``pulse.js`` reports on the page that the kernel is gone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import traitlets

from ..page.widgets import FeedWidget, has_anywidget

EVERY = 5.0  # seconds between two beats, at least; the page is patient for a minute


class Beat(widgets.Widget):  # type: ignore[misc]
    """Counter of beats, and what the page needs to know once none comes."""

    count = traitlets.Int(0).tag(sync=True)
    at_work = traitlets.Bool(False).tag(sync=True)
    folder = traitlets.Unicode("").tag(sync=True)  # of the run that is shown


class Pulse(FeedWidget):
    """Reports a lost kernel on the page; labels the knobs' handles, and copies the line of settings."""

    _esm: Any = Path(__file__).with_name("pulse.js")


class Heartbeat:
    """Beats while a run is at work.

    Attributes:
        box: the widget that watches on the page; an empty one without anywidget.
    """

    def __init__(self) -> None:
        self._last = 0.0
        self._beat = Beat() if has_anywidget() else None
        self.box: widgets.Widget = widgets.HTML() if self._beat is None else Pulse(feed=self._beat)

    def beat(self, at_work: bool, folder: str = "") -> None:
        """Send a beat, if due: whether a run is at work, and the shown run's folder."""
        if self._beat is None:
            return
        now = at_work, folder
        if now == (self._beat.at_work, self._beat.folder) and not self._due(at_work):
            return
        self._last = time.monotonic()
        with self._beat.hold_sync():
            self._beat.at_work, self._beat.folder = now
            self._beat.count += 1

    def _due(self, at_work: bool) -> bool:
        return at_work and time.monotonic() - self._last > EVERY
