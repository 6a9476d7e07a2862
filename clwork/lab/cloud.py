"""The cloud of a run's probe sentences, live on fixed principal axes, or as UMAP lays it out on request."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..views import PcaBasis, projection, umap_coordinates
from ..views.projection import groups, reach
from .canvas import Canvas

SIZE = (500, 370)
UMAP_SEED = 0


class Cloud:
    """Probe sentences as points: live on principal axes that stay put, or as UMAP laid them out at one step."""

    def __init__(self) -> None:
        """Draw it empty."""
        empty = projection(np.zeros((0, 2)), title="sentences", span=1.0, width=SIZE[0], height=SIZE[1])
        self.canvas = Canvas(empty, "Sentences as points, coloured by topic")
        self.clear()

    def clear(self) -> None:
        """Forget the basis: the next vectors make a new one."""
        self._basis: PcaBasis | None = None
        self._born = self._shown = -1
        self._span = 0.1
        self._frozen = False

    def draw(self, probe: Any) -> bool:
        """Show the probe's newest vectors, unless UMAP is shown or they are shown already; returns whether it drew."""
        vectors, step = probe.vectors, probe.vectors_step
        if vectors is None or self._frozen or step == self._shown:
            return False
        if not np.isfinite(vectors).all():
            return False  # the run is about to fail, and will say why
        if self._basis is None:
            self._basis, self._born = PcaBasis.fit(vectors), step
            self._begin(probe)
        points = self._basis.transform(vectors)
        # the first view leaves some room to spread; after that it only ever grows
        self._span = max(self._span, reach(points) * (1.4 if step == self._born else 1.0))
        self._place(points, probe.labels, f"PCA at step {step} (axes found at step {self._born})", self._span)
        self._shown = step
        return True

    def _begin(self, probe: Any) -> None:
        """Give every label its trace; from then on only coordinates move."""
        start = np.zeros((len(probe.texts), 2))
        width, height = SIZE
        self.canvas.replace(
            projection(start, probe.labels, probe.texts, title="sentences", span=1.0, width=width, height=height)
        )

    def _place(self, points: Any, labels: Any, title: str, span: float) -> None:
        traces = [{"x": points[rows, 0], "y": points[rows, 1]} for _, rows in groups(labels, len(points))]
        bounds = {"range": [-span, span]}
        self.canvas.redraw(traces, {"title": {"text": html.escape(title)}, "xaxis": bounds, "yaxis": bounds})

    def freeze(self, points: Any, probe: Any, step: int) -> None:
        """Show UMAP coordinates until :meth:`thaw`."""
        if self._basis is None:
            self._begin(probe)
        self._frozen = True
        centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
        self._place(
            centred,
            probe.labels,
            f"UMAP of step {step} (a still; distances between groups mean little)",
            reach(centred),
        )

    def thaw(self, probe: Any) -> None:
        """Back to the live view."""
        self._frozen, self._shown = False, -1
        if probe is not None:
            self.draw(probe)


def lay_out(probe: Any, tell: Callable[[float, str], None], done: Callable[[Any, int], None]) -> threading.Thread:
    """Run UMAP on the probe's vectors in a thread that ends in ``done(coordinates, step)`` or ``tell(1, why not)``."""
    vectors, step = probe.vectors, probe.vectors_step

    def work() -> None:
        try:
            done(umap_coordinates(vectors, UMAP_SEED, progress=tell), step)
        except Exception as error:
            tell(1.0, str(error))

    thread = threading.Thread(target=work, name="clwork umap", daemon=True)
    thread.start()
    return thread
