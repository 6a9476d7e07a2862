"""A figure on the page that can be redrawn: a plotly widget, or a still picture where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go

from ..views import still


class Canvas:
    """Shows ``figure``, which fixes the size; later drawings swap arrays in one message: no flicker."""

    def __init__(self, figure: go.Figure) -> None:
        """Make the widget; without anywidget, which plotly needs for one, a picture takes its place."""
        self._drawn: dict[int, dict[str, Any]] = {}
        self._laid_out: dict[str, Any] = {}
        try:
            # constructing it also switches Colab's support for widgets on, before the cell that displays it
            self.figure, self.live = go.FigureWidget(figure), True
            self.figure._config = {"displaylogo": False, "displayModeBar": False}
            self.widget = self.figure
        except ImportError:
            self.figure, self.live = go.Figure(figure), False
            self.widget = widgets.HTML(still(figure))
        # a box of the figure's size keeps the page from jumping while the figure is made
        wide, high = f"{figure.layout.width}px", f"{figure.layout.height}px"
        self.box = widgets.Box([self.widget], layout=widgets.Layout(width=wide, height=high, flex="0 0 auto"))
        self.box.layout.overflow = "hidden"

    def redraw(self, traces: Iterable[Mapping[str, Any]], layout: Mapping[str, Any] | None = None) -> bool:
        """Give each trace, in order, its new arrays, and update the layout; returns whether anything had changed."""
        changes = {index: dict(new) for index, new in enumerate(traces) if not _same(self._drawn.get(index), new)}
        moved = {key: value for key, value in (layout or {}).items() if self._laid_out.get(key, ...) != value}
        if not changes and not moved:
            return False
        with self.figure.batch_update():
            for index, new in changes.items():
                self.figure.data[index].update(new, overwrite=True)
            if moved:
                self.figure.update_layout(moved)
        self._drawn |= changes
        self._laid_out |= moved
        self._refresh()
        return True

    def replace(self, figure: go.Figure) -> None:
        """Show other traces; size and place stay as they are."""
        with self.figure.batch_update():
            self.figure.data = ()
            self.figure.add_traces(figure.data)
            self.figure.update_layout(figure.layout.to_plotly_json())
        self._drawn, self._laid_out = {}, {}
        self._refresh()

    def still(self) -> go.Figure:
        """The present state as a figure of its own."""
        return go.Figure(self.figure.to_dict())

    def _refresh(self) -> None:
        if not self.live:
            self.widget.value = still(self.figure)


def _same(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> bool:
    if old is None or old.keys() != new.keys():
        return False
    for key, value in new.items():
        if isinstance(value, np.ndarray):
            if not np.array_equal(value, old[key], equal_nan=True):
                return False
        elif value != old[key]:
            return False
    return True
