"""A plotly figure on the page that can be redrawn from any thread; a still picture where there are no widgets."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs

from ...views import Figure
from ...views.style import DARK
from .standalone import MODULES
from .widgets import FeedWidget, has_anywidget

SCRIPT = MODULES / "live.js"
Traces = list[dict[str, Any]]
Axes = dict[str, Any]  # plotly's layout; a widget has a ``layout`` of its own


class LiveFigure:
    """Shows ``figure``, which fixes the size; every later drawing is one message with the whole state: no flicker.

    With ``stretches`` the width on the page is that of the box around it, and the figure's own that of still pictures
    alone. Such a box suits a column: in a row, set its ``flex``.
    """

    def __init__(self, figure: go.Figure, label: str, *, stretches: bool = False) -> None:
        """Create the widget, named ``label`` for screen readers; without anywidget it is a line of text."""
        self._data: Traces
        self._axes: Axes
        self._take(figure)
        self._stretches = stretches
        self.live = has_anywidget()
        self.widget: Any
        if self.live:
            self.widget = PlotlyWidget(self._data, self._axes, label, stretches=stretches)
        else:
            self.widget = widgets.HTML("Install anywidget to see this figure.")
        self.box = widgets.Box([self.widget])
        self.box.add_class("clwork-figure")
        # a box of the figure's size keeps the page from jumping while the figure loads
        wide, high = f"{figure.layout.width}px", f"{figure.layout.height}px"
        if stretches:
            self.widget.layout = widgets.Layout(width="100%", margin="0")
        own = {"min_width": "0"} if stretches else {"width": wide}
        self.box.layout = widgets.Layout(height=high, flex="0 0 auto", overflow="hidden", **own)

    def replace(self, figure: go.Figure) -> None:
        """Show other traces; place and width on the page stay, and the height follows where the figure stretches."""
        self._take(figure)
        self._send()
        if self._stretches:
            self.box.layout.height = f"{figure.layout.height}px"

    def figure(self) -> go.Figure:
        """The current state as a static figure."""
        return static_figure(self._data, self._axes)

    def _take(self, figure: go.Figure) -> None:
        self._data, axes = state_of(figure)
        # equal revisions make plotly.js keep the reader's zoom and hidden legend entries
        self._axes = {**axes, "uirevision": "kept"}

    def _send(self) -> None:
        if self.live:
            self.widget.show(self._data, self._axes)


def unpacked(value: Any) -> Any:
    """Replace arrays as plotly.js takes them, however deep they are nested, by numpy's; for any number type.

    >>> unpacked({"x": {"dtype": "f4", "bdata": np.ones(2, "<f4").tobytes()}})["x"].tolist()
    [1.0, 1.0]
    """
    if isinstance(value, dict):
        if "bdata" in value:
            numbers = np.frombuffer(value["bdata"], dtype=value["dtype"])
            shape = [int(size) for size in str(value.get("shape", len(numbers))).split(",")]  # a heatmap has two
            return numbers.reshape(shape)
        return {key: unpacked(part) for key, part in value.items()}
    return [unpacked(part) for part in value] if isinstance(value, list) else value


def state_of(figure: go.Figure) -> tuple[Traces, Axes]:
    """A figure's traces and layout as plain data, with arrays as bytes where plotly writes base64."""
    state = _raw(json.loads(figure.to_json()))
    return state["data"], state["layout"]


def static_figure(data: Traces, axes: Axes) -> go.Figure:
    """The reverse of :func:`state_of`."""
    return Figure(unpacked({"data": data, "layout": axes}))


def _raw(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: base64.b64decode(part) if key == "bdata" else _raw(part) for key, part in value.items()}
    return [_raw(part) for part in value] if isinstance(value, list) else value


class Script(widgets.Widget):  # type: ignore[misc]
    """Carries the text of a script to the page, once for all widgets that import it."""

    source = traitlets.Unicode().tag(sync=True)


_scripts: dict[str, Script] = {}


def _script(name: str, read: Callable[[], str]) -> Script:
    """The one carrier of a script in this kernel, renewed if ``Widget.close_all()`` closed it."""
    if name not in _scripts or _scripts[name].comm is None:
        _scripts[name] = Script(source=read())
    return _scripts[name]


def library() -> Script:
    """plotly.js, which plotly's own widget brings once for each figure (5 MB)."""
    return _script("plotly.js", get_plotlyjs)


def figure_module() -> Script:
    """The script that draws a figure, for scripts of other widgets that import it."""
    return _script(SCRIPT.name, lambda: SCRIPT.read_text(encoding="utf-8"))


class FigureFeed(widgets.Widget):  # type: ignore[misc]
    """What a figure shows now."""

    data: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.Dict().tag(sync=True)


class PlotlyWidget(FeedWidget):
    """Shows ``data`` and ``axes`` as plotly.js takes them; ``label`` is for screen readers.

    On a dark page ``twins`` maps each colour to the one that takes its place. ``stretches`` is that of
    :class:`LiveFigure`.
    """

    _esm: Any = SCRIPT

    label = traitlets.Unicode().tag(sync=True)
    stretches = traitlets.Bool(False).tag(sync=True)
    twins: Any = traitlets.Dict(DARK).tag(sync=True)
    library = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, data: Traces, axes: Axes, label: str, **traits: Any) -> None:
        """Create it, with ``traits`` of a subclass; constructing also switches Colab's support for widgets on."""
        super().__init__(feed=FigureFeed(data=data, axes=axes), label=label, library=library(), **traits)

    @property
    def data(self) -> Traces:
        """The traces shown now."""
        return list(self.feed.data)

    @property
    def axes(self) -> Axes:
        """The layout shown now."""
        return dict(self.feed.axes)

    def show(self, data: Traces, axes: Axes) -> None:
        """Draw another state, by one message."""
        with self.feed.hold_sync():
            self.feed.data, self.feed.axes = data, axes
