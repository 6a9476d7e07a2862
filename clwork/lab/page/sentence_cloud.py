"""A cloud of sentences on the page: a widget that moves, or a still picture where there can be none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...training.loop.positions import quantized
from ...views import projection, still
from ...views.sentence_scatter import reach
from ...views.style import DARK, colour, symbol

MOST, AT_ONCE = 24, 4


class LooksKept:
    """Keeps at most ``MOST`` looks and the newest few: ``trail`` changes once in ``AT_ONCE`` looks, ``since`` at each.

    >>> kept = LooksKept()
    >>> for step in range(100): kept.add({"step": step})
    >>> kept.trail[0], len(kept.trail) <= MOST, len(kept.since) < AT_ONCE
    ({'step': 0}, True, True)
    """

    def __init__(self) -> None:
        """None yet."""
        self.trail: list[dict[str, Any]] = []
        self.since: list[dict[str, Any]] = []
        self._every, self._count = 1, 0

    def add(self, look: dict[str, Any]) -> None:
        """Take in a look; where there are too many, every second one goes."""
        if self._count % self._every == 0:
            self.since = [*self.since, look]
        self._count += 1
        if len(self.since) >= AT_ONCE:
            self.trail, self.since = [*self.trail, *self.since], []
        if len(self.trail) > MOST:
            self.trail, self._every = self.trail[::2], 2 * self._every

    def clear(self) -> None:
        """Forget all."""
        self.__init__()  # type: ignore[misc]


Points = npt.NDArray[np.floating[Any]]


def topics_of(labels: Sequence[str | None] | None, count: int) -> tuple[list[str], list[int]]:
    """The names of all topics in alphabetical order, so that a topic keeps its colour, and the topic of each sentence.

    >>> topics_of(["b", "a", None], 3)
    (['None', 'a', 'b'], [2, 1, 0])
    """
    column = ["sentences"] * count if labels is None else [str(label) for label in labels]
    names = sorted(set(column))
    places = {name: place for place, name in enumerate(names)}
    return names, [places[label] for label in column]


class DrawnCloud:
    """Shows sentences by :meth:`begin`, then looks at them by :meth:`show`; dots move from look to look."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Make it, empty; ``size`` is that of still pictures."""
        self._size = size
        self.texts: list[str] = []
        self.labels: Sequence[str | None] | None = None
        self.points: Points = np.zeros((0, 2))
        self.caption = ""
        self._kept = LooksKept()
        try:
            from .cloud import Cloud

            self.widget: Any = Cloud()
            self.live = True
        except ImportError:
            self.widget, self.live = widgets.HTML(still(self.figure())), False
        self.box = widgets.Box([self.widget])
        for name in ("clwork-figure", "clwork-fills", "clwork-sentences"):
            self.box.add_class(name)

    def begin(
        self, texts: Sequence[str], labels: Sequence[str | None] | None, before: Sequence[tuple[Points, int]] = ()
    ) -> None:
        """Show other sentences, by topic; their places come with the first look. Trails begin with looks ``before``."""
        self.texts, self.labels = list(texts), labels
        self.points = np.zeros((0, 2))
        self._kept.clear()
        if self.live:
            names, topics = topics_of(labels, len(self.texts))
            colours = [colour(place) for place in range(len(names))]
            looks = {"light": colours, "dark": [DARK[shade] for shade in colours]}
            shapes = [symbol(place) for place in range(len(names))]
            for points, step in before:
                self._kept.add(self._look(points, step))
            self.widget.tell({"texts": self.texts, "topics": topics, "names": names, "shapes": shapes, **looks})

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
        """Show where a look saw the sentences (N, 2), and the reader's ``own``: each a text, x, y and its trail.

        Trails are drawn through looks of kind ``pca``, which share their axes; those of another kind leave none.
        """
        self.points, self.caption = points, caption
        if not self.live:
            self.widget.value = still(self.figure())
            return
        look = self._look(points, step)
        now = {**look, "caption": caption, "own": list(own), "kind": kind, "faded": faded, "since": self._kept.since}
        self.widget.show(now, self._kept.trail)
        if kind == "pca":
            self._kept.add(look)

    @staticmethod
    def _look(points: Points, step: int) -> dict[str, Any]:
        return {"step": step, "at": quantized(points).tobytes()}

    def figure(self) -> go.Figure:
        """What is shown now, as a figure of its own."""
        width, height = self._size
        known = len(self.points) > 0
        labels, texts = (self.labels, self.texts) if known else (None, None)
        title, span = self.caption or "sentences", reach(self.points)
        return projection(self.points, labels, texts, title=title, span=span, width=width, height=height)
