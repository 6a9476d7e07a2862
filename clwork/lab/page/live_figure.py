"""A plotly figure on the page that can be redrawn from any thread, as wide as the box around it."""

from __future__ import annotations

import base64
import json
from typing import Any

import ipywidgets as widgets
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs

from ...views.style import DARK
from .notebook import AnyWidget, Bundled, has_anywidget
from .standalone import MODULES

Traces = list[dict[str, Any]]
Axes = dict[str, Any]  # plotly's layout; a widget has its own ``layout``


class LiveFigure:
    """Shows a figure in ``box``; every later drawing is one message with the whole state, so it does not flicker."""

    def __init__(self, figure: go.Figure, label: str) -> None:
        """``label`` is for screen readers; without anywidget a line of text is shown."""
        self.live = has_anywidget()
        self.widget: Any = widgets.HTML("Install anywidget to see this figure.")
        if self.live:
            self.widget = PlotlyWidget(*state_of(figure), label)
        self.widget.layout = widgets.Layout(width="100%", margin="0")
        self.box = widgets.Box([self.widget])
        self.box.add_class("clwork-figure")
        # a box of the figure's height stops the page from jumping while the figure loads
        height = f"{figure.layout.height}px"
        self.box.layout = widgets.Layout(height=height, flex="0 0 auto", overflow="hidden", min_width="0")

    def replace(self, figure: go.Figure) -> None:
        """Show other traces, at the other figure's height."""
        if self.live:
            self.widget.show(*state_of(figure))
        self.box.layout.height = f"{figure.layout.height}px"


def state_of(figure: go.Figure) -> tuple[Traces, Axes]:
    """A figure's traces and layout as plain data, with arrays as bytes where plotly writes base64."""
    state = _raw(json.loads(figure.to_json()))
    # equal revisions make plotly.js keep the reader's zoom and hidden legend entries
    return state["data"], {**state["layout"], "uirevision": "same"}


def _raw(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: base64.b64decode(part) if key == "bdata" else _raw(part) for key, part in value.items()}
    return [_raw(part) for part in value] if isinstance(value, list) else value


class Script(widgets.Widget):  # type: ignore[misc]
    """Carries plotly.js to the page, once for all figures; plotly's own widget sends it for each (5 MB)."""

    source = traitlets.Unicode().tag(sync=True)


_library: list[Script] = []


def library() -> Script:
    """The one carrier in this kernel, renewed if ``Widget.close_all()`` closed it."""
    if not _library or _library[0].comm is None:
        _library[:] = [Script(source=get_plotlyjs())]
    return _library[0]


class FigureFeed(widgets.Widget):  # type: ignore[misc]
    """A figure's state, in a plain model: anywidget's drops every message if a page takes over two seconds to start."""

    data: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.Dict().tag(sync=True)


class PlotlyWidget(Bundled, AnyWidget):
    """Shows ``data`` and ``axes`` as plotly.js takes them; on a dark page ``twins`` replaces each colour."""

    _esm: Any = MODULES / "live.js"

    label = traitlets.Unicode().tag(sync=True)
    twins: Any = traitlets.Dict(DARK).tag(sync=True)
    library = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
    feed = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, data: Traces, axes: Axes, label: str) -> None:
        super().__init__(feed=FigureFeed(data=data, axes=axes), label=label, library=library())

    @property
    def data(self) -> Traces:
        """The present traces."""
        return list(self.feed.data)

    @property
    def axes(self) -> Axes:
        """The present layout."""
        return dict(self.feed.axes)

    def show(self, data: Traces, axes: Axes) -> None:
        """Draw another state, by one message."""
        with self.feed.hold_sync():
            self.feed.data, self.feed.axes = data, axes

    def close(self) -> None:
        """Take the widget and its feed off the page."""
        self.feed.close()
        super().close()
