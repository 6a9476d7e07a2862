"""A cloud of sentences on the page: a widget whose dots move, or a still picture where there are no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import traitlets

from ...training.loop.positions import quantized
from ...views import projection, to_svg
from ...views.sentence_scatter import view_extent
from ...views.style import DARK, colour, symbol
from .standalone import MODULES
from .widgets import FeedWidget, has_anywidget

MOST, AT_ONCE = 24, 4
Points = npt.NDArray[np.floating[Any]]
LookData = dict[str, Any]  # a look as the page takes it: its step, and its places as bytes


class SentenceCloud:
    """Shows sentences by :meth:`begin`, then looks at them by :meth:`show`; dots move from look to look."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Create it empty; ``size`` is that of still pictures."""
        self._size = size
        self.texts: list[str] = []
        self.labels: Sequence[str | None] | None = None
        self.points: Points = np.zeros((0, 2))
        self.caption = ""
        self._history = LookHistory()
        self.live = has_anywidget()
        self.widget: Any = CloudWidget(feed=CloudFeed()) if self.live else widgets.HTML(to_svg(self.figure()))
        self.box = widgets.Box([self.widget])
        for name in ("clwork-figure", "clwork-fills", "clwork-sentences"):
            self.box.add_class(name)

    def begin(
        self, texts: Sequence[str], labels: Sequence[str | None] | None, before: Sequence[tuple[Points, int]] = ()
    ) -> None:
        """Show other sentences, by topic; their places come with the first look. Trails begin with looks ``before``."""
        self.texts, self.labels = list(texts), labels
        self.points = np.zeros((0, 2))
        self._history.clear()
        if self.live:
            names, topics = topics_of(labels, len(self.texts))
            colours = [colour(place) for place in range(len(names))]
            looks = {"light": colours, "dark": [DARK[shade] for shade in colours]}
            shapes = [symbol(place) for place in range(len(names))]
            for points, step in before:
                self._history.add(_look(points, step))
            about = {"texts": self.texts, "topics": topics, "names": names, "shapes": shapes, **looks}
            feed = self.widget.feed
            with feed.hold_sync():
                feed.about, feed.now, feed.trail, feed.chosen = about, {}, [], []

    def show(
        self,
        points: Points,
        step: int,
        caption: str,
        *,
        own: Sequence[dict[str, Any]] = (),
        kind: str = "pca",
        faded: bool = False,
    ) -> None:
        """Show the places (N, 2) of a look, and the reader's ``own`` sentences: each a text, x, y and its trail.

        Trails are drawn through looks of kind ``pca``, which share their axes; those of another kind leave none.
        """
        self.points, self.caption = points, caption
        if not self.live:
            self.widget.value = to_svg(self.figure())
            return
        look, feed, history = _look(points, step), self.widget.feed, self._history
        with feed.hold_sync():
            if feed.trail != history.trail:
                feed.trail = history.trail
            feed.now = look | {
                "caption": caption,
                "own": list(own),
                "kind": kind,
                "faded": faded,
                "since": history.since,
            }
        if kind == "pca":
            history.add(look)

    def figure(self) -> go.Figure:
        """The current state as a static figure."""
        width, height = self._size
        known = len(self.points) > 0
        labels, texts = (self.labels, self.texts) if known else (None, None)
        title, span = self.caption or "sentences", view_extent(self.points)
        return projection(self.points, labels, texts, title=title, span=span, width=width, height=height)


class CloudFeed(widgets.Widget):  # type: ignore[misc]
    """What the cloud shows now.

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


class CloudWidget(FeedWidget):
    """A canvas that fills its box."""

    _esm: Any = MODULES / "cloud.js"


class LookHistory:
    """At most ``MOST`` looks and the newest few: ``trail`` changes once in ``AT_ONCE`` looks, ``since`` at each.

    >>> history = LookHistory()
    >>> for step in range(100): history.add({"step": step})
    >>> history.trail[0], len(history.trail) <= MOST, len(history.since) < AT_ONCE
    ({'step': 0}, True, True)
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all looks."""
        self.trail: list[LookData] = []
        self.since: list[LookData] = []
        self._every, self._count = 1, 0

    def add(self, look: LookData) -> None:
        """Append a look; of too many, every second one is dropped."""
        if self._count % self._every == 0:
            self.since = [*self.since, look]
        self._count += 1
        if len(self.since) >= AT_ONCE:
            self.trail, self.since = [*self.trail, *self.since], []
        if len(self.trail) > MOST:
            self.trail, self._every = self.trail[::2], 2 * self._every


def topics_of(labels: Sequence[str | None] | None, count: int) -> tuple[list[str], list[int]]:
    """The names of all topics in alphabetical order, so that a topic keeps its colour, and the topic of each sentence.

    >>> topics_of(["b", "a", None], 3)
    (['None', 'a', 'b'], [2, 1, 0])
    """
    column = ["sentences"] * count if labels is None else [str(label) for label in labels]
    names = sorted(set(column))
    places = {name: place for place, name in enumerate(names)}
    return names, [places[label] for label in column]


def _look(points: Points, step: int) -> LookData:
    return {"step": step, "at": quantized(points).tobytes()}
