"""The widget that shows sentences as dots that move, and what is sent to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from .standalone import MODULES


class CloudFeed(widgets.Widget):  # type: ignore[misc]
    """What the cloud shows now, on a model of its own: see :class:`.live.Feed` for why.

    Attributes:
        about: ``texts``, the number of each text's topic in ``topics``, and topics' ``names`` and looks.
        now: the newest look.
        trail: the looks before it, few enough to be sent whole.
        chosen: rows of the sentences that the reader follows.
    """

    about: Any = traitlets.Dict().tag(sync=True)
    now: Any = traitlets.Dict().tag(sync=True)
    trail: Any = traitlets.List().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)


class Cloud(anywidget.AnyWidget):
    """A canvas that fills its box; all that it shows is in ``feed``."""

    _esm: Any = MODULES / "cloud.js"

    feed = traitlets.Instance(CloudFeed).tag(sync=True, **widgets.widget_serialization)

    def __init__(self) -> None:
        """Make it, empty."""
        super().__init__(feed=CloudFeed())

    def tell(self, about: dict[str, Any]) -> None:
        """Show other sentences; their places come with the next look."""
        with self.feed.hold_sync():
            self.feed.about, self.feed.now, self.feed.trail, self.feed.chosen = about, {}, [], []

    def show(self, now: dict[str, Any], trail: Sequence[dict[str, Any]]) -> None:
        """Show a look, by one message."""
        with self.feed.hold_sync():
            if self.feed.trail != list(trail):
                self.feed.trail = list(trail)
            self.feed.now = now

    def close(self) -> None:
        """Take the cloud and what it shows away."""
        self.feed.close()
        super().close()
