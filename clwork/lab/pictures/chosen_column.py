"""One more curve, of whatever a run records: a method's own parts, the gradient's length, the rank."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from ... import columns
from ...training import Run
from ...views import overlay
from ..redrawn_figure import RedrawnFigure
from ..setting_controls import LABEL
from .picture import Shown

NOTHING = "–"


class ChosenColumn:
    """A drop-down of the columns that no other picture shows, and the curve of the chosen one."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Offer nothing yet; the columns come with the first records."""
        about = "Draw another column of the history below; a method's own parts are among them."
        self.choice = widgets.Dropdown(
            options=columns.labelled([NOTHING]), description="also show", tooltip=about, style=LABEL,
            layout=widgets.Layout(width="400px"),
        )  # fmt: skip
        self.choice.add_class("clwork-also")
        self._tracks, self._size = shown.tracks, size
        self.drawn = RedrawnFigure(self._figure(NOTHING), "Curve of the column chosen under 'also show'")
        self.drawn.box.layout.display = "none"
        self.box = widgets.VBox([self.choice, self.drawn.box])
        self.choice.observe(lambda _: self._show(), names="value")

    def _figure(self, column: str) -> Any:
        width, height = self._size
        figure = overlay({"run": [self._tracks]}, (column,), width=width, height=height)
        return figure.update_layout(showlegend=False, margin_b=35)

    def draw(self, run: Run) -> None:
        """Take in what was recorded; a choice that the run does not record is kept, and empty until it does."""
        drawn = [column.name for column in columns.in_cell(*columns.CELLS)]
        options = columns.labelled(columns.choices(self._tracks.names, drawn))
        if new := [option for option in options if option not in self.choice.options]:
            chosen = self.choice.value
            self.choice.options = (*self.choice.options, *new)  # chooses the first
            self.choice.value = chosen
        if self.choice.value != NOTHING:
            self._show()

    def clear(self) -> None:
        """The choice stays."""

    def _show(self) -> None:
        column = self.choice.value
        self.drawn.box.layout.display = "none" if column == NOTHING else "flex"
        if column != NOTHING:
            self.drawn.replace(self._figure(column))
