"""The widget that shows a plotly figure and is fed plain data, from any thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets
from plotly.offline import get_plotlyjs

from ...views.style import DARK
from .standalone import MODULES

SCRIPT = MODULES / "live.js"


class Library(widgets.Widget):  # type: ignore[misc]
    """Carries the text of a script to the page, once for all widgets that import it."""

    source = traitlets.Unicode().tag(sync=True)


_carriers: dict[str, Library] = {}


def _carrier(name: str, read: Callable[[], str]) -> Library:
    """The one carrier of a script in this kernel, made anew if ``Widget.close_all()`` closed it."""
    if name not in _carriers or _carriers[name].comm is None:
        _carriers[name] = Library(source=read())
    return _carriers[name]


def library() -> Library:
    """plotly.js, which plotly's own widget brings once for each figure (5 MB)."""
    return _carrier("plotly.js", get_plotlyjs)


def figure_module() -> Library:
    """The module that draws a figure, for modules of other widgets that hold one: they import it as it is."""
    return _carrier(SCRIPT.name, lambda: SCRIPT.read_text(encoding="utf-8"))


class Feed(widgets.Widget):  # type: ignore[misc]
    """What a figure shows now, on a model of its own.

    anywidget's model drops every message if the page took more than two seconds to start it, as a page with several
    figures on a slow machine does; such a figure would stay empty for ever. This one is a plain model, and listens.
    """

    data: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.Dict().tag(sync=True)  # plotly's layout; a widget has a ``layout`` of its own


class Live(anywidget.AnyWidget):
    """Shows ``data`` and ``axes`` (its layout), JSON as plotly.js takes it; ``label`` is read out by screen readers.

    On a dark page each colour gives way to its twin. With ``fills`` the box around it fixes its size, not ``axes``, and
    with ``stretches`` its width alone.
    """

    _esm: Any = SCRIPT

    feed = traitlets.Instance(Feed).tag(sync=True, **widgets.widget_serialization)
    label = traitlets.Unicode().tag(sync=True)
    fills = traitlets.Bool(False).tag(sync=True)
    stretches = traitlets.Bool(False).tag(sync=True)
    twins: Any = traitlets.Dict(DARK).tag(sync=True)
    library = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, data: list[dict[str, Any]], axes: dict[str, Any], label: str, **more: Any) -> None:
        """Make it, with ``more`` traits of a subclass; constructing also switches Colab's support for widgets on."""
        super().__init__(feed=Feed(data=data, axes=axes), label=label, library=library(), **more)

    @property
    def data(self) -> Any:
        """The traces shown now."""
        return self.feed.data

    @property
    def axes(self) -> Any:
        """The layout shown now."""
        return self.feed.axes

    def show(self, data: list[dict[str, Any]], axes: dict[str, Any]) -> None:
        """Draw something else, by one message."""
        with self.feed.hold_sync():
            self.feed.data, self.feed.axes = data, axes

    def close(self) -> None:
        """Take the figure and what it shows away."""
        self.feed.close()
        super().close()
