"""Heartbeat from the panel to its page; without one, the page reports that the kernel is gone."""

from __future__ import annotations

import time
from typing import Any

import ipywidgets as widgets

EVERY = 5.0  # seconds between two beats, at least; the page is patient for a minute


class Heartbeat:
    """Beats while a run goes on.

    Attributes:
        box: the widget that watches on the page; an empty one where there is no anywidget.
    """

    def __init__(self) -> None:
        """Make it, at rest."""
        self._last = 0.0
        try:
            from .pulse_widget import Pulse

            self.box: Any = Pulse()
            self._beat: Any = self.box.beat
        except ImportError:
            self.box, self._beat = widgets.HTML(), None

    def tell(self, at_work: bool, folder: str = "") -> None:
        """Say that the kernel is there, whether the panel says that a run goes on, and where the shown run is kept.

        It is often called, and seldom sends anything.
        """
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
