"""The four curves of a run, fed record by record."""

from __future__ import annotations

from typing import Any

from ...training import Run
from ...views import Tracks, curves
from ...views.run_curves import event_shapes, lines, loss_axis, named
from ..redrawn_figure import RedrawnFigure


class RunCurves:
    """Loss, alignment, uniformity and validation over steps."""

    def __init__(self, tracks: Tracks, size: tuple[int, int]) -> None:
        """Draw them empty; ``tracks`` holds the columns of the run that is shown, whichever it is."""
        empty = curves([], width=size[0], height=size[1])
        self._tracks = tracks
        self._titles = [note.to_plotly_json() for note in empty.layout.annotations]
        self.drawn = RedrawnFigure(empty, "Curves of loss, alignment, uniformity and validation over steps")
        self.box = self.drawn.box

    def draw(self, run: Run) -> None:
        """Show all that was recorded."""
        tracks, total, references = self._tracks, run.total_steps, run.references
        shapes, notes = event_shapes(tracks, total)
        layout: dict[str, Any] = {f"xaxis{n}": {"range": [0, total]} for n in ("", 2, 3, 4)}
        layout |= {"yaxis": loss_axis(tracks, references), "shapes": shapes, "annotations": [*self._titles, *notes]}
        traces = []
        for line in lines(tracks, references, total):
            about = {"x": line.x, "y": line.y, "showlegend": named(line)}
            traces.append(about | ({"text": line.text} if line.text is not None else {}))
        self.drawn.redraw(traces, layout)

    def clear(self) -> None:
        """The curves of the last run stay until the next one has any."""
