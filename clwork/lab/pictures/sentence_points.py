"""A run's probe sentences as a cloud, live on fixed principal axes, or as UMAP lays them out on request."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np

from ...training import Probe, Run
from ...training.positions import unpacked
from ...views import PcaBasis, umap_coordinates
from ...views.sentence_scatter import reach
from .. import messages
from ..buttons import button
from ..corpus_picker import OFFLINE, source_note
from ..drawn_cloud import DrawnCloud
from .own_sentences import OwnSentences
from .picture import Shown

UMAP_SEED = 0
TRAIL = 48  # places of an own sentence that are kept


class SentencePoints:
    """Probe sentences as dots: live on principal axes that stay put, or as UMAP laid them out at one step."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Show the recorded run's sentences, where there is one."""
        self._shown, self._run = shown, None
        self.drawn = DrawnCloud(size)
        self.own = OwnSentences(self._redraw)
        about = "Lay the sentences out by UMAP. The first time takes 30 s, and training is slower meanwhile."
        self.umap = button("UMAP", about, "umap", self.lay_out)
        self.pca = button("Live PCA", "Back to the view that follows training.", "pca", self.thaw)
        self.note = widgets.HTML()
        self.note.add_class("clwork-source")
        below = widgets.HBox([self.own.line, self.own.forget, self.umap, self.pca])
        below.add_class("clwork-below")
        self.box = widgets.VBox([self.drawn.box, below, self.note])
        self._drawing = threading.RLock()  # two threads draw where UMAP ends beside a run; training never takes it
        self.umap.disabled = True
        self.clear()
        self._preview()

    _run: Run | None

    def clear(self) -> None:
        """Forget the basis: the next vectors make a new one."""
        with self._drawing:
            self._run = None
            self._basis: PcaBasis | None = None
            self._born = self._seen = -1
            self._own_trails: dict[str, list[list[float]]] = {}
            self._frozen = False
            self.pca.disabled = True

    def _preview(self) -> None:
        """The recorded run as it ended, faded, until there is one of the reader's."""
        recording = self._shown.recording
        if recording is None:
            return
        self.note.value = source_note({"source": OFFLINE})
        self.drawn.begin(recording["texts"], recording["labels"])
        for points, step in looks_of(recording["looks"], recording):
            name = f"Recorded run, step {step} of {recording['total_steps']}: press Start for your own"
            self.drawn.show(points, step, name, faded=True)

    def draw(self, run: Run) -> None:
        """Show the probe's newest vectors, unless UMAP is shown or they are shown already."""
        with self._drawing:
            if run.probe is not None and run.probe.vectors is not None:
                if self._run is not run:
                    self._run = run
                    self.umap.disabled = False
                    self.note.value = source_note(run.recipe.sentences)
                    self.own.follow(run)
                self._follow(run.probe)

    def _follow(self, probe: Probe) -> None:
        vectors, step = probe.vectors, probe.vectors_step
        if vectors is None or self._frozen or step == self._seen:
            return
        if not np.isfinite(vectors).all():
            return  # the run is about to fail, and will say why
        if self._basis is None:
            self._begin(probe, vectors, step)
        assert self._basis is not None
        self._seen = step
        self._show(self._basis.transform(vectors), step)

    def _begin(self, probe: Probe, vectors: Any, step: int) -> None:
        """Take the axes that the run's looks are recorded on, and the looks so far; new ones where there are none."""
        positions = self._run.positions if self._run is not None else None
        if positions is None or positions.basis is None or positions.about is None:
            self._basis, self._born = PcaBasis.fit(vectors), step
            self.drawn.begin(probe.texts, probe.labels)
            return
        mean, first, second = np.asarray(positions.basis, dtype=np.float64)[:3]
        share = (*positions.about["share"], 0.0, 0.0)[:2]
        self._basis = PcaBasis(mean, np.stack([first, second]), (share[0], share[1]))
        looks = looks_of(positions.rows(), positions.about)
        self._born = looks[0][1] if looks else step
        self.drawn.begin(probe.texts, probe.labels, [look for look in looks if look[1] < step])

    def _show(self, points: Any, step: int) -> None:
        assert self._basis is not None
        share = f"{100 * sum(self._basis.share):.0f} % of the spread"
        caption = f"Step {step}, on two main axes of step {self._born} ({share})"
        self.drawn.show(points, step, caption, own=self._own())

    def _own(self) -> list[dict[str, Any]]:
        """The reader's sentences on the same axes, each with the places where it was before."""
        found = []
        for text, vector in self.own.vectors().items():
            if self._basis is None or len(vector) != len(self._basis.centre) or not np.isfinite(vector).all():
                continue
            x, y = (round(float(value), 4) for value in self._basis.transform(vector[None])[0])
            trail = self._own_trails.setdefault(text, [])
            found.append({"text": text, "x": x, "y": y, "trail": list(trail)})
            if [x, y] not in trail[-1:]:
                self._own_trails[text] = [*(trail if len(trail) < TRAIL else trail[::2]), [x, y]]
        return found

    def _redraw(self) -> None:
        """Show the same look once more: there is something new of the reader's."""
        with self._drawing:
            if self._run is not None and self._basis is not None and not self._frozen:
                self._show(self.drawn.points, self._seen)

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
                self.drawn.begin(probe.texts, probe.labels)
            self._frozen = True
            centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
            title = f"UMAP of step {step} (a still; distances between groups mean little)"
            self.drawn.show(centred / reach(centred), step, title, kind="umap")
            self.pca.disabled = False

    def thaw(self) -> None:
        """Back to the live view."""
        with self._drawing:
            self.pca.disabled = True
            self._frozen, self._seen = False, -1
            if self._run is not None:
                self.draw(self._run)


def looks_of(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> list[tuple[Any, int]]:
    """The first two axes (N, 2) and the step of each recorded look; see clwork/training/positions.py."""
    shape = len(about["texts"]), about["axes"], about["span"]
    return [(unpacked(row["at"], *shape)[:, :2], int(row["step"])) for row in rows]
