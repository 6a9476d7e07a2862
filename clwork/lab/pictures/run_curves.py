"""The four curves of a run, fed record by record, with another run's in grey behind them."""

from __future__ import annotations

from typing import Any

from ...training import Run
from ...views.run_curves import Line, event_shapes, ghosts, lines, loss_axis, readings, stacked
from ..redrawn_figure import RedrawnFigure
from .picture import Shown

AXES = ("xaxis", "xaxis2", "xaxis3", "xaxis4")


class RunCurves:
    """Loss, alignment, uniformity and validation over steps."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Draw the ghost alone."""
        empty = stacked([], width=size[0], height=size[1])
        self._tracks, self._ghost = shown.tracks, shown.ghost
        self._titles = [note.to_plotly_json() for note in empty.layout.annotations]
        self.drawn = RedrawnFigure(empty, "Curves of loss, alignment, uniformity and validation over steps", fills=True)
        self.box = self.drawn.box
        self.box.add_class("clwork-curves")

    def draw(self, run: Run) -> None:
        """Show all that was recorded."""
        tracks, total, references = self._tracks, run.total_steps, run.references
        self._show(total, lines(tracks, references, total), loss_axis(tracks, references))

    def clear(self) -> None:
        """Show the run before, in grey, until the next one has anything."""
        total = max(self._ghost.total, 1)
        self._show(total, lines([], None, total), loss_axis(self._ghost.tracks))

    def _show(self, total: int, drawn: list[Line], axis: dict[str, Any]) -> None:
        shapes, notes = event_shapes(self._tracks, total, labels=1)  # there is room for one
        titles = [note | {"text": text} for note, text in zip(self._titles, readings(self._tracks), strict=True)]
        layout: dict[str, Any] = {name: {"range": [0, total]} for name in AXES}
        layout |= {"yaxis": axis, "shapes": shapes, "annotations": [*titles, *notes]}
        traces = []
        for line in [*ghosts(self._ghost.tracks), *drawn]:
            traces.append({"x": line.x, "y": line.y} | ({"text": line.text} if line.text is not None else {}))
        self.drawn.redraw(traces, layout)
