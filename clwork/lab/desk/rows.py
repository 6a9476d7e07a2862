"""The desk's table as a widget: headings that sort, names that choose a run, ticks that draw one."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets


class Feed(widgets.Widget):  # type: ignore[misc]
    """What the table shows and what the reader asked for; a plain model receives every message (``live.Feed``)."""

    state: Any = traitlets.Dict().tag(sync=True)
    asked: Any = traitlets.Dict().tag(sync=True)


class DeskRows(anywidget.AnyWidget):
    """Shows what :func:`.state_of` gives; ``act`` receives the reader's request."""

    _esm: Any = pathlib.Path(__file__).parent / "rows.js"

    feed = traitlets.Instance(Feed).tag(sync=True, **widgets.widget_serialization)

    def __init__(self, act: Callable[[dict[str, Any]], None]) -> None:
        """Make it, empty; a wish is ``{"sort": column}``, ``{"one": folder}`` or ``{"draw": name, "on": bool}``."""
        super().__init__(feed=Feed())
        self.feed.observe(lambda change: act(dict(change["new"])), names="asked")

    def show(self, state: dict[str, Any]) -> None:
        """Draw this state."""
        self.feed.state = state

    def close(self) -> None:
        """Take the table and what it shows away."""
        self.feed.close()
        super().close()
