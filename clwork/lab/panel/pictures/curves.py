"""Curves of a run, its trail and its changes, with the previous run in grey."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go

from .... import columns
from ....training import Run
from ....views import overlay
from ....views.alignment_plane import fixed_plane, landmarks, trail
from ....views.run_curves import Line, event_shapes, ghosts, lines, loss_axis, readings, stacked
from ....views.style import GHOST
from ...page.live_figure import LiveFigure
from ...page.widgets import LABEL
from .picture import Shown

NOTHING = "–"


class ChosenColumn:
    """A drop-down of columns without a picture, and the curve of the chosen one."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        about = "Draw another column of the history below; a method's own parts are among them."
        self.choice = widgets.Dropdown(
            options=columns.labelled([NOTHING]),
            description="also show",
            tooltip=about,
            style=LABEL,
            layout=widgets.Layout(width="400px"),
        )
        self.choice.add_class("clwork-extra-column")
        self._tracks, self._size = shown.tracks, size
        self.drawn = LiveFigure(self._figure(NOTHING), "Curve of the column chosen under 'also show'")
        self.drawn.box.layout.display = "none"
        self.box = widgets.VBox([self.choice, self.drawn.box])
        self.choice.observe(lambda _: self._show(), names="value")

    def _figure(self, column: str) -> go.Figure:
        width, height = self._size
        figure = overlay({"run": [self._tracks]}, (column,), width=width, height=height)
        return figure.update_layout(showlegend=False, margin_b=35)

    def draw(self, run: Run) -> None:
        """Update columns and curve; a choice that this run does not record stays, with an empty curve."""
        drawn = [column.name for column in columns.in_cell(*columns.CELLS)]
        options = columns.labelled(columns.choices(self._tracks.names, drawn))
        if new := [option for option in options if option not in self.choice.options]:
            chosen = self.choice.value
            self.choice.options = (*self.choice.options, *new)  # chooses the first
            self.choice.value = chosen
        if self.choice.value != NOTHING:
            self._show()

    def clear(self) -> None:
        """Keep the choice."""

    def _show(self) -> None:
        column = self.choice.value
        self.drawn.box.layout.display = "none" if column == NOTHING else "flex"
        if column != NOTHING:
            self.drawn.replace(self._figure(column))


class RunPlane:
    """The run's trail in the alignment-uniformity plane, with landmarks, and the previous run in grey."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        empty = fixed_plane("run", width=size[0], height=size[1])
        self._tracks, self._previous = shown.tracks, shown.previous
        self.drawn = LiveFigure(empty, "Alignment against uniformity, with the trail of the run", fills=True)
        self.box = self.drawn.box
        self.box.add_class("clwork-plane")

    def draw(self, run: Run) -> None:
        """Show the trail so far."""
        self._show()

    def clear(self) -> None:
        """Show the previous run alone."""
        self._show()

    def _show(self) -> None:
        shadow = trail(self._previous.tracks)
        shadow["marker"] |= {"color": GHOST, "line": {"color": GHOST, "width": 1}}
        self.drawn.redraw([landmarks(self._start(), self._previous.recorded), shadow, trail(self._tracks)])

    def _start(self) -> tuple[float, float] | None:
        """The encoder's place before any step."""
        for tracks in (self._tracks, self._previous.tracks):
            steps, uniform, align = tracks.joint("uniformity", "alignment")
            if len(steps) and steps[0] == 0:
                return float(uniform[0]), float(align[0])
        return None


class RunChanges:
    """The settings that changed since the previous run."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Name the previous run; a line has no size of its own."""
        self._previous = shown.previous
        self.box = widgets.HTML(self._previous.describe(None))
        self.box.add_class("clwork-changes")

    def draw(self, run: Run) -> None:
        """Show the settings in which ``run`` differs."""
        self._write(self._previous.describe(run))

    def clear(self) -> None:
        """Name the previous run alone."""
        self._write(self._previous.describe(None))

    def _write(self, text: str) -> None:
        if self.box.value != text:
            self.box.value = text


AXES = ("xaxis", "xaxis2", "xaxis3", "xaxis4")


class RunCurves:
    """Loss, alignment, uniformity and validation over steps."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        empty = stacked([], width=size[0], height=size[1])
        self._tracks, self._previous = shown.tracks, shown.previous
        self._titles = [note.to_plotly_json() for note in empty.layout.annotations]
        self.drawn = LiveFigure(empty, "Curves of loss, alignment, uniformity and validation over steps", fills=True)
        self.box = self.drawn.box
        self.box.add_class("clwork-curves")

    def draw(self, run: Run) -> None:
        """Show all that was recorded."""
        tracks, total, references = self._tracks, run.total_steps, run.references
        self._show(total, lines(tracks, references, total), loss_axis(tracks, references))

    def clear(self) -> None:
        """Show the previous run alone."""
        total = max(self._previous.total, 1)
        self._show(total, lines([], None, total), loss_axis(self._previous.tracks))

    def _show(self, total: int, drawn: list[Line], axis: dict[str, Any]) -> None:
        shapes, notes = event_shapes(self._tracks, total, labels=1)  # there is room for one
        titles = [note | {"text": text} for note, text in zip(self._titles, readings(self._tracks), strict=True)]
        layout: dict[str, Any] = {name: {"range": [0, total]} for name in AXES}
        layout |= {"yaxis": axis, "shapes": shapes, "annotations": [*titles, *notes]}
        traces = []
        for line in [*ghosts(self._previous.tracks), *drawn]:
            traces.append({"x": line.x, "y": line.y} | ({"text": line.text} if line.text is not None else {}))
        self.drawn.redraw(traces, layout)
