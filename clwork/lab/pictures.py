"""The live figures of one run, redrawn from its records and its probe's vectors."""

from __future__ import annotations

from typing import Any

from ..views import Tracks, curves, plane
from ..views.curves import event_shapes, lines, loss_axis
from ..views.plane import trail
from .also import Also
from .canvas import Canvas
from .cloud import Cloud

CURVES, PLANE = (540, 430), (335, 370)


class Curves:
    """The four curves, fed record by record."""

    def __init__(self) -> None:
        """Draw them empty."""
        empty = curves([], width=CURVES[0], height=CURVES[1])
        self._titles = [note.to_plotly_json() for note in empty.layout.annotations]
        self.canvas = Canvas(empty, "Curves of loss, alignment, uniformity and validation over steps")

    def draw(self, run: Any, tracks: Tracks) -> None:
        """Show ``tracks``, the columns of ``run``."""
        total, references = run.total_steps, run.references
        shapes, notes = event_shapes(tracks, total)
        layout: dict[str, Any] = {f"xaxis{n}": {"range": [0, total]} for n in ("", 2, 3, 4)}
        layout |= {"yaxis": loss_axis(tracks, references), "shapes": shapes, "annotations": [*self._titles, *notes]}
        traces = []
        for line in lines(tracks, references, total):
            traces.append({"x": line.x, "y": line.y} | ({"text": line.text} if line.text is not None else {}))
        self.canvas.redraw(traces, layout)


class Plane:
    """The run's trail through the alignment–uniformity plane."""

    def __init__(self) -> None:
        """Draw it empty."""
        empty = plane({"run": []}, width=PLANE[0], height=PLANE[1])
        self.canvas = Canvas(empty, "Alignment against uniformity, with the trail of the run")

    def draw(self, tracks: Tracks) -> None:
        """Show the trail so far."""
        self.canvas.redraw([trail(tracks)])


class Pictures:
    """Everything that is drawn of a run; reads the run's records and probe, and takes none of its locks."""

    def __init__(self) -> None:
        """Draw all figures empty."""
        self.tracks = Tracks()
        self._seen = 0
        self.curves, self.plane, self.cloud, self.also = Curves(), Plane(), Cloud(), Also()

    def clear(self) -> None:
        """Make ready for another run."""
        self.tracks, self._seen = Tracks(), 0
        self.cloud.clear()

    def draw(self, run: Any) -> bool:
        """Take in what is new and draw it; returns whether there was anything."""
        new = run.records(self._seen)
        self._seen += len(new)
        self.tracks.extend(new)
        if new:
            self.curves.draw(run, self.tracks)
            self.plane.draw(self.tracks)
            self.also.draw(self.tracks)
        probe = run.probe
        return (probe is not None and self.cloud.draw(probe)) or bool(new)
