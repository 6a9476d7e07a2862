"""The run's trail through the alignment–uniformity plane, on axes that never move."""

from __future__ import annotations

from ...training import Run
from ...views.alignment_plane import fixed_plane, landmarks, trail
from ...views.style import GHOST
from ..redrawn_figure import RedrawnFigure
from .picture import Shown


class RunPlane:
    """Where the run came from in the plane, and where it is; what lies there besides; the run before it in grey."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Draw the ghost alone."""
        empty = fixed_plane("run", width=size[0], height=size[1])
        self._tracks, self._ghost = shown.tracks, shown.ghost
        self.drawn = RedrawnFigure(empty, "Alignment against uniformity, with the trail of the run", fills=True)
        self.box = self.drawn.box
        self.box.add_class("clwork-plane")

    def draw(self, run: Run) -> None:
        """Show the trail so far."""
        self._show()

    def clear(self) -> None:
        """Show the run before, in grey, until the next one has anything."""
        self._show()

    def _show(self) -> None:
        shadow = trail(self._ghost.tracks)
        shadow["marker"] |= {"color": GHOST, "line": {"color": GHOST, "width": 1}}
        self.drawn.redraw([landmarks(self._start(), self._ghost.recorded), shadow, trail(self._tracks)])

    def _start(self) -> tuple[float, float] | None:
        """Where the encoder lay before any step."""
        for tracks in (self._tracks, self._ghost.tracks):
            steps, uniform, align = tracks.joint("uniformity", "alignment")
            if len(steps) and steps[0] == 0:
                return float(uniform[0]), float(align[0])
        return None
