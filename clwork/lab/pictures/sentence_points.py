"""A run's probe sentences as points, live on fixed principal axes, or as UMAP lays them out on request."""

from __future__ import annotations

import html
import threading
from typing import Any

import ipywidgets as widgets
import numpy as np

from ...training import Probe, Run
from ...views import PcaBasis, Tracks, projection, umap_coordinates
from ...views.sentence_scatter import groups, reach
from .. import messages
from ..buttons import button
from ..corpus_picker import source_note
from ..redrawn_figure import RedrawnFigure

UMAP_SEED = 0


class SentencePoints:
    """Probe sentences as points: live on principal axes that stay put, or as UMAP laid them out at one step."""

    def __init__(self, tracks: Tracks, size: tuple[int, int]) -> None:
        """Draw it empty; it needs no ``tracks``."""
        self._size, self._run = size, None
        empty = projection(np.zeros((0, 2)), title="sentences", span=1.0, width=size[0], height=size[1])
        self.drawn = RedrawnFigure(empty, "Sentences as points, coloured by topic")
        about = "Lay the sentences out by UMAP. The first time takes 30 s, and training is slower meanwhile."
        self.umap = button("UMAP", about, "umap", self.lay_out)
        self.pca = button("Live PCA", "Back to the view that follows training.", "pca", self.thaw)
        self.note = widgets.HTML()
        self.note.add_class("clwork-note")
        # a width of its own: a long note must not push its neighbours aside
        layout = widgets.Layout(width=self.drawn.box.layout.width, flex="0 0 auto")
        self.box = widgets.VBox([self.drawn.box, widgets.HBox([self.umap, self.pca, self.note])], layout=layout)
        self._drawing = threading.RLock()  # two threads draw where UMAP ends beside a run; training never takes it
        self.umap.disabled = True
        self.clear()

    _run: Run | None

    def clear(self) -> None:
        """Forget the basis: the next vectors make a new one."""
        with self._drawing:
            self._run = None
            self._basis: PcaBasis | None = None
            self._born = self._shown = -1
            self._span = 0.1
            self._frozen = False
            self.pca.disabled = True

    def draw(self, run: Run) -> None:
        """Show the probe's newest vectors, unless UMAP is shown or they are shown already."""
        with self._drawing:
            if run.probe is not None and run.probe.vectors is not None:
                if self._run is not run:
                    self._run = run
                    self.umap.disabled = False
                    self.note.value = source_note(run.recipe.sentences)
                self._follow(run.probe)

    def _follow(self, probe: Probe) -> None:
        vectors, step = probe.vectors, probe.vectors_step
        if vectors is None or self._frozen or step == self._shown:
            return
        if not np.isfinite(vectors).all():
            return  # the run is about to fail, and will say why
        if self._basis is None:
            self._basis, self._born = PcaBasis.fit(vectors), step
            self._begin(probe)
        points = self._basis.transform(vectors)
        # the first view leaves some room to spread; after that it only ever grows
        self._span = max(self._span, reach(points) * (1.4 if step == self._born else 1.0))
        self._place(points, probe.labels, f"PCA at step {step} (axes found at step {self._born})", self._span)
        self._shown = step

    def _begin(self, probe: Probe) -> None:
        """Give every label its trace; from then on only coordinates move."""
        start = np.zeros((len(probe.texts), 2))
        width, height = self._size
        self.drawn.replace(
            projection(start, probe.labels, probe.texts, title="sentences", span=1.0, width=width, height=height)
        )

    def _place(self, points: Any, labels: Any, title: str, span: float) -> None:
        traces = [{"x": points[rows, 0], "y": points[rows, 1]} for _, rows in groups(labels, len(points))]
        bounds = {"range": [-span, span]}
        self.drawn.redraw(traces, {"title": {"text": html.escape(title)}, "xaxis": bounds, "yaxis": bounds})

    def lay_out(self) -> None:
        """Lay the present vectors out by UMAP, in a thread of its own, and show that until :meth:`thaw`."""
        run = self._run
        probe = run.probe if run is not None else None
        if run is None or probe is None or probe.vectors is None:
            return
        self.umap.disabled = True
        vectors, step = probe.vectors, probe.vectors_step

        def tell(share: float, sentence: str) -> None:
            self.note.value = messages.failure(f"{sentence} ({100 * share:.0f} %)" if share < 1 else sentence)

        def work() -> None:
            try:
                points = umap_coordinates(vectors, UMAP_SEED, progress=tell)
                self._freeze(run, probe, points, step)
                self.note.value = source_note(run.recipe.sentences)
            except Exception as error:
                tell(1.0, str(error))
            finally:
                self.umap.disabled = False

        threading.Thread(target=work, name="clwork umap", daemon=True).start()

    def _freeze(self, run: Run, probe: Probe, points: Any, step: int) -> None:
        with self._drawing:
            if self._run is not run:
                return  # another run is shown by now
            if self._basis is None:
                self._begin(probe)
            self._frozen = True
            centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
            title = f"UMAP of step {step} (a still; distances between groups mean little)"
            self._place(centred, probe.labels, title, reach(centred))
            self.pca.disabled = False

    def thaw(self) -> None:
        """Back to the live view."""
        with self._drawing:
            self.pca.disabled = True
            self._frozen, self._shown = False, -1
            if self._run is not None:
                self.draw(self._run)
