"""One line: which run is drawn in grey, and what is another in the one that is shown."""

from __future__ import annotations

import ipywidgets as widgets

from ...training import Run
from .picture import Shown


class RunChanges:
    """What changed since the run before."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Tell of the ghost alone; a line has no size of its own."""
        self._ghost = shown.ghost
        self.box = widgets.HTML(self._ghost.told(None))
        self.box.add_class("clwork-changes")

    def draw(self, run: Run) -> None:
        """Tell in what the run differs."""
        self._say(self._ghost.told(run))

    def clear(self) -> None:
        """Tell of the ghost alone."""
        self._say(self._ghost.told(None))

    def _say(self, text: str) -> None:
        if self.box.value != text:
            self.box.value = text
