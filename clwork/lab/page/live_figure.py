"""A figure on the page that can be redrawn: a live widget, or a still picture where there can be none."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go

from ...views import Figure, still


def packed(value: Any) -> Any:
    r"""An array of numbers as plotly.js reads it fastest, four bytes each; everything else as it is.

    ipywidgets sends bytes as a binary buffer of the message, wherever they are in a widget's state.

    >>> packed(np.zeros(1)), packed(["a"])
    ({'dtype': 'f4', 'bdata': b'\x00\x00\x00\x00'}, ['a'])
    """
    if isinstance(value, np.ndarray):
        return {"dtype": "f4", "bdata": np.ascontiguousarray(value, dtype="<f4").tobytes()}
    return value


def state_of(figure: go.Figure) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A figure's traces and layout as plain data, with arrays as bytes where plotly writes base64."""
    state = _raw(json.loads(figure.to_json()))
    return state["data"], state["layout"]


def _raw(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: base64.b64decode(part) if key == "bdata" else _raw(part) for key, part in value.items()}
    return [_raw(part) for part in value] if isinstance(value, list) else value


def unpacked(value: Any) -> Any:
    """Replace packed arrays, however deep they are nested, by numpy's; for any number type.

    >>> unpacked({"x": packed(np.ones(2))})["x"].tolist()
    [1.0, 1.0]
    """
    if isinstance(value, dict):
        if "bdata" in value:
            numbers = np.frombuffer(value["bdata"], dtype=value["dtype"])
            shape = [int(size) for size in str(value.get("shape", len(numbers))).split(",")]  # a heatmap's are two
            return numbers.reshape(shape)
        return {key: unpacked(part) for key, part in value.items()}
    return [unpacked(part) for part in value] if isinstance(value, list) else value


def _merged(old: Any, new: Mapping[str, Any]) -> dict[str, Any]:
    """``old`` with ``new`` laid over it, one level down, as far as drawing needs."""
    merged = dict(old)
    for key, value in new.items():
        deeper = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping) and "bdata" not in value
        merged[key] = {**merged[key], **value} if deeper else value
    return merged


class RedrawnFigure:
    """Shows ``figure``, which fixes the size; every later drawing is one message with the whole state: no flicker.

    One that ``fills`` takes its size from the box around it on the page, before and whenever that changes; the figure's
    own is then that of still pictures alone. One that ``stretches`` takes its width so, and keeps its height.
    """

    def __init__(self, figure: go.Figure, label: str, *, fills: bool = False, stretches: bool = False) -> None:
        """Make the widget, named ``label`` for screen readers; without anywidget a picture takes its place."""
        self._data: list[dict[str, Any]] = []
        self._axes: dict[str, Any] = {}
        self._take(figure)
        try:
            from .plotly_widget import Live

            self.widget = Live(self._data, self._axes, label, fills=fills, stretches=stretches)
            self.live = True
        except ImportError:
            self.widget, self.live = widgets.HTML(still(figure)), False
        self.box = widgets.Box([self.widget])
        self.box.add_class("clwork-figure")
        if fills:
            self.box.add_class("clwork-fills")  # see panel.css
            return
        # a box of the figure's size keeps the page from jumping while the figure loads
        wide, high = f"{figure.layout.width}px", f"{figure.layout.height}px"
        if stretches:
            self.widget.layout = widgets.Layout(width="100%", margin="0")
            self.box.layout = widgets.Layout(height=high, flex=f"1 1 {wide}", min_width="0", overflow="hidden")
            return
        self.box.layout = widgets.Layout(width=wide, height=high, flex="0 0 auto", overflow="hidden")

    def redraw(self, traces: Iterable[Mapping[str, Any]], axes: Mapping[str, Any] | None = None) -> bool:
        """Give each trace, in order, its new arrays, and change the axes; returns whether anything was new."""
        new = [{key: packed(value) for key, value in trace.items()} for trace in traces]
        data = [_merged(old, trace) for old, trace in zip(self._data, new, strict=True)]
        layout = _merged(self._axes, axes or {})
        if data == self._data and layout == self._axes:
            return False
        self._data, self._axes = data, layout
        self._send()
        return True

    def replace(self, figure: go.Figure) -> None:
        """Show other traces; size and place on the page stay as they are."""
        self._take(figure)
        self._send()

    def figure(self) -> go.Figure:
        """The present state as a figure of its own."""
        return Figure(unpacked({"data": self._data, "layout": self._axes}))

    def _take(self, figure: go.Figure) -> None:
        self._data, axes = state_of(figure)
        # equal revisions tell plotly.js to keep the reader's zoom and hidden legend entries
        self._axes = {**axes, "uirevision": "kept"}

    def _send(self) -> None:
        if self.live:
            self.widget.show(self._data, self._axes)
        else:
            self.widget.value = still(self.figure())
