"""The run's trail through the alignment–uniformity plane."""

from __future__ import annotations

from ...training import Run
from ...views import Tracks, plane
from ...views.alignment_plane import trail
from ..redrawn_figure import RedrawnFigure


class RunPlane:
    """Where the run came from in the plane, and where it is."""

    def __init__(self, tracks: Tracks, size: tuple[int, int]) -> None:
        """Draw it empty; ``tracks`` holds the columns of the run that is shown."""
        empty = plane({"run": []}, width=size[0], height=size[1])
        self._tracks = tracks
        self.drawn = RedrawnFigure(empty, "Alignment against uniformity, with the trail of the run")
        self.box = self.drawn.box

    def draw(self, run: Run) -> None:
        """Show the trail so far."""
        self.drawn.redraw([trail(self._tracks)])

    def clear(self) -> None:
        """The last run's trail stays until the next one has any."""
