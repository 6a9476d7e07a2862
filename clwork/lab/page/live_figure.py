"""A plotly figure on a page that any thread can redraw; it is as wide as the box around it."""

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
from .standalone import module


class LiveFigure:
    """Shows a figure in ``box``; one message replaces the whole state, so the figure does not flicker."""

    def __init__(self, figure: go.Figure, label: str) -> None:
        """``label`` is for screen readers; without anywidget the box shows a line of text."""
        self._feed = FigureFeed(**state_of(figure))
        wide = widgets.Layout(width="100%", margin="0")
        if has_anywidget():
            widget: Any = PlotlyWidget(feed=self._feed, label=label, library=library(), layout=wide)
        else:
            widget = widgets.HTML("Install anywidget to see this figure.", layout=wide)
        # a box of the figure's height stops the page from jumping while the figure loads
        height = f"{figure.layout.height}px"
        layout = widgets.Layout(height=height, flex="0 0 auto", overflow="hidden", min_width="0")
        self.box = widgets.Box([widget], layout=layout)
        self.box.add_class("clwork-figure")

    def replace(self, figure: go.Figure) -> None:
        """Show another figure at its height."""
        with self._feed.hold_sync():
            for name, value in state_of(figure).items():
                self._feed.set_trait(name, value)
        self.box.layout.height = f"{figure.layout.height}px"


def state_of(figure: go.Figure) -> dict[str, Any]:
    """Return a figure's traces (``data``) and layout (``axes``) as JSON, with bytes instead of base64 arrays."""
    state = _raw(json.loads(figure.to_json()))
    # equal revisions make plotly.js keep the reader's zoom and hidden legend entries
    return {"data": state["data"], "axes": {**state["layout"], "uirevision": "same"}}


def _raw(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: base64.b64decode(part) if key == "bdata" else _raw(part) for key, part in value.items()}
    return [_raw(part) for part in value] if isinstance(value, list) else value


class Script(widgets.Widget):  # type: ignore[misc]
    """Sends plotly.js (5 MB) to the page once for all figures; plotly's widget sends it with each figure."""

    source = traitlets.Unicode().tag(sync=True)


_library: list[Script] = []


def library() -> Script:
    """Return this kernel's only :class:`Script`, made again if ``Widget.close_all()`` closed it."""
    if not _library or _library[0].comm is None:
        _library[:] = [Script(source=get_plotlyjs())]
    return _library[0]


class FigureFeed(widgets.Widget):  # type: ignore[misc]
    """A figure's state; not an AnyWidget, because those drop messages if a page takes over two seconds to start."""

    data: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.Dict().tag(sync=True)


class PlotlyWidget(Bundled, AnyWidget):
    """Draws the figure of ``feed`` by plotly.js; ``twins`` maps each colour to its colour on a dark page."""

    _esm = module("live")

    label = traitlets.Unicode().tag(sync=True)
    twins: Any = traitlets.Dict(DARK).tag(sync=True)
    library = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
    feed = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)
