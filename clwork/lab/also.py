"""One more curve, of whatever a run records: a method's own parts, the gradient's length, the rank."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from .. import columns
from ..views import Tracks, overlay
from .canvas import Canvas
from .knobs import LABEL

NOTHING = "–"
SIZE = (838, 200)


class Also:
    """A drop-down of the columns that no other picture shows, and the curve of the chosen one."""

    def __init__(self) -> None:
        """Offer nothing yet; the columns come with the first records."""
        about = "Draw another column of the history below; a method's own parts are among them."
        self.choice = widgets.Dropdown(
            options=[NOTHING], description="also show", tooltip=about, style=LABEL, layout=widgets.Layout(width="400px")
        )
        self.choice.add_class("clwork-also")
        self.canvas = Canvas(self._figure(Tracks(), NOTHING), "Curve of the column chosen under 'also show'")
        self.canvas.box.layout.display = "none"
        self.box = widgets.VBox([self.choice, self.canvas.box])
        self._tracks = Tracks()
        self.choice.observe(lambda _: self._show(), names="value")

    @staticmethod
    def _figure(tracks: Tracks, column: str) -> Any:
        figure = overlay({"run": [tracks]}, (column,), width=SIZE[0], height=SIZE[1])
        return figure.update_layout(showlegend=False, margin_b=35)

    def draw(self, tracks: Tracks) -> None:
        """Take in what was recorded; a choice that the run does not record is kept, and empty until it does."""
        self._tracks = tracks
        drawn = [column.name for column in columns.in_cell(*columns.CELLS)]
        options = [NOTHING, *columns.choices(tracks.names, drawn)]
        if new := [name for name in options if name not in self.choice.options]:
            chosen = self.choice.value
            self.choice.options = (*self.choice.options, *new)  # chooses the first
            self.choice.value = chosen
        if self.choice.value != NOTHING:
            self._show()

    def _show(self) -> None:
        column = self.choice.value
        self.canvas.box.layout.display = "none" if column == NOTHING else "flex"
        if column != NOTHING:
            self.canvas.replace(self._figure(self._tracks, column))
