"""The widget that shows a plotly figure and is fed plain data, from any thread."""

from __future__ import annotations

import pathlib
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets
from plotly.offline import get_plotlyjs


class Library(widgets.Widget):  # type: ignore[misc]
    """Carries the text of plotly.js to the page, once for all figures (plotly's own widget brings 5 MB for each)."""

    source = traitlets.Unicode().tag(sync=True)


_library: Library | None = None


def library() -> Library:
    """The one carrier of this kernel, made anew if ``Widget.close_all()`` closed it."""
    global _library
    if _library is None or _library.comm is None:
        _library = Library(source=get_plotlyjs())
    return _library


class Live(anywidget.AnyWidget):
    """Shows ``data`` and ``axes`` (its layout), JSON as plotly.js takes it; ``label`` is read out by screen readers."""

    _esm = pathlib.Path(__file__).parent / "live.js"

    data: Any = traitlets.List().tag(sync=True)
    axes: Any = traitlets.Dict().tag(sync=True)  # plotly's layout; a widget has a ``layout`` of its own
    label = traitlets.Unicode().tag(sync=True)
    library = traitlets.Instance(widgets.Widget).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, data: list[dict[str, Any]], axes: dict[str, Any], label: str) -> None:
        """Make it; constructing also switches Colab's support for widgets on."""
        super().__init__(data=data, axes=axes, label=label, library=library())
