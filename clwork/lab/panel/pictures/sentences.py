"""A run's probe sentences as a cloud: live on fixed principal axes, or laid out by UMAP on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt

from ....data.sources import DEFAULT, SOURCES
from ....training import Probe, Run
from ....training.loop.positions import unpacked
from ....views import PcaBasis, umap_coordinates
from ....views.sentence_scatter import view_extent
from ....wording import explain
from ...page import messages
from ...page.sentence_cloud import SentenceCloud
from ...page.widgets import button
from .picture import Shown

MOST = 3
LONGEST = 500  # characters
Vector = npt.NDArray[np.floating[Any]]
Points = npt.NDArray[np.floating[Any]]  # (N, 2)
ABOUT = f"A sentence of your own: Enter puts it into the cloud as a dot with its words; the last {MOST} stay."


class OwnSentences:
    """A line to type sentences into, and their vectors, from the newest look or the present weights."""

    def __init__(self, changed: Callable[[], object]) -> None:
        """Create the line; ``changed`` is called from any thread when sentences or vectors are new."""
        self._changed = changed
        self.texts: list[str] = []
        self._run: Run | None = None
        self._late: dict[str, Vector] = {}  # encoded on request, between looks
        self.line = widgets.Text(placeholder="Type a sentence of your own, press Enter", tooltip=ABOUT)
        self.line.continuous_update = False
        self.line.add_class("clwork-own")
        self.line.observe(lambda change: self._typed(change["new"]), names="value")
        self.forget = button("Clear", "Take your sentences out of the cloud.", "forget", self.clear)
        self.forget.disabled = True

    def follow(self, run: Run) -> None:
        """Let this run's looks encode them from now on."""
        if self._run is not run:
            self._run, self._late = run, {}
            self._ask()

    def vectors(self) -> dict[str, Vector]:
        """The known vectors by text: those of the newest look, else those encoded since."""
        probe = self._run.probe if self._run is not None else None
        seen = probe.own_vectors if probe is not None else {}
        return {text: {**self._late, **seen}[text] for text in self.texts if text in seen or text in self._late}

    def _typed(self, text: str) -> None:
        text = " ".join(text.split())[:LONGEST]
        if text:
            self.line.value = ""
            self._keep([*(known for known in self.texts if known != text), text][-MOST:])

    def clear(self) -> None:
        """Remove the user's sentences."""
        self._keep([])

    def _keep(self, texts: list[str]) -> None:
        self.texts = texts
        self.forget.disabled = not texts
        self._ask()
        self._changed()

    def _ask(self) -> None:
        """Let the next look encode them, and encode new ones at once by a copy of the present weights."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        if new := [text for text in self.texts if text not in self.vectors()]:
            threading.Thread(target=self._encode, args=(run, new), name="clwork own sentence", daemon=True).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        try:
            vectors = run.encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            return  # it has no encoder yet: the next look encodes them
        if self._run is run:
            self._late |= dict(zip(texts, vectors, strict=True))
            self._changed()


UMAP_SEED = 0
TRAIL = 48  # longest trail of a user's sentence, in looks


class Layout(NamedTuple):
    """UMAP of one look: places of the run's sentences (N, 2), and of the reader's own."""

    points: Points
    step: int
    own: dict[str, tuple[float, float]]


class SentencePoints:
    """Probe sentences as dots: live on fixed principal axes, or laid out by UMAP at one step."""

    def __init__(self, shown: Shown, size: tuple[int, int]) -> None:
        """Show the recorded run's sentences, if there is one."""
        self._shown, self._run = shown, None
        self.drawn = SentenceCloud(size)
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
        """Reset; the next vectors get a new basis."""
        with self._drawing:
            self._run = None
            self._basis: PcaBasis | None = None
            self._born = self._seen = -1
            self._own_trails: dict[str, list[list[float]]] = {}
            self._laid: Layout | None = None
            self.pca.disabled = True

    def _preview(self) -> None:
        """Show the end of the recorded run, faded, until there is another."""
        recording = self._shown.recording
        if recording is None:
            return
        self.note.value = SOURCES[DEFAULT].credit
        self.drawn.begin(recording["texts"], recording["labels"])
        for points, step in looks_of(recording["looks"], recording):
            name = f"Recorded run, step {step} of {recording['total_steps']}: press Start for your own"
            self.drawn.show(points, step, name, faded=True)

    def draw(self, run: Run) -> None:
        """Show the probe's newest vectors, unless they or UMAP are shown already."""
        with self._drawing:
            if run.probe is not None and run.probe.vectors is not None:
                if self._run is not run:
                    self._run = run
                    self.umap.disabled = False
                    self.note.value = run.recipe.sentences.credit
                    self.own.follow(run)
                self._follow(run.probe)

    def _follow(self, probe: Probe) -> None:
        vectors, step = probe.vectors, probe.vectors_step
        if vectors is None or self._laid is not None or step == self._seen:
            return
        if not np.isfinite(vectors).all():
            return  # the run is about to fail, and reports why
        if self._basis is None:
            self._begin(probe, vectors, step)
        assert self._basis is not None
        self._seen = step
        self._show(self._basis.transform(vectors), step)

    def _begin(self, probe: Probe, vectors: npt.NDArray[np.floating[Any]], step: int) -> None:
        """Use the axes on which the run's looks are recorded, and these looks; fit axes if there are none."""
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

    def _show(self, points: Points, step: int) -> None:
        assert self._basis is not None
        share = f"{100 * sum(self._basis.share):.0f} % of the spread"
        caption = f"Step {step}, on two main axes of step {self._born} ({share})"
        self.drawn.show(points, step, caption, own=self._own())

    def _own(self) -> list[dict[str, Any]]:
        """The reader's sentences on the same axes, each with its trail."""
        own = []
        assert self._basis is not None
        for text, vector in self._own_vectors(len(self._basis.centre)).items():
            x, y = (round(float(value), 4) for value in self._basis.transform(vector[None])[0])
            trail = self._own_trails.setdefault(text, [])
            own.append({"text": text, "x": x, "y": y, "trail": list(trail)})
            if [x, y] not in trail[-1:]:
                self._own_trails[text] = [*(trail if len(trail) < TRAIL else trail[::2]), [x, y]]
        return own

    def _own_vectors(self, width: int) -> dict[str, Vector]:
        """The reader's sentences that can be drawn: those of this run's width."""
        known = self.own.vectors().items()
        return {text: vector for text, vector in known if len(vector) == width and np.isfinite(vector).all()}

    def _redraw(self) -> None:
        """Show the same look again with the reader's new sentences; UMAP has to lay them out first."""
        with self._drawing:
            if self._run is None or self._basis is None:
                return
            if self._laid is None:
                self._show(self.drawn.points, self._seen)
                return
            self._show_laid(self._laid)
            missing = self._own_vectors(len(self._basis.centre)).keys() - self._laid.own.keys()
        if missing and not self.umap.disabled:
            self.lay_out()

    def lay_out(self) -> None:
        """Lay the present vectors out by UMAP, in a thread of its own, and show that until :meth:`thaw`.

        The reader's sentences are part of the layout: a new one has no place in an old layout.
        """
        run = self._run
        probe = run.probe if run is not None else None
        if run is None or probe is None or probe.vectors is None:
            return
        self.umap.disabled = True
        vectors, step, own = probe.vectors, probe.vectors_step, self._own_vectors(probe.vectors.shape[1])

        def report(share: float, sentence: str) -> None:
            self.note.value = messages.failure(f"{sentence} ({100 * share:.0f} %)" if share < 1 else sentence)

        def work() -> None:
            try:
                points = umap_coordinates(np.stack([*vectors, *own.values()]), UMAP_SEED, progress=report)
                self._freeze(run, probe, points, step, list(own))
                self.note.value = run.recipe.sentences.credit
            except Exception as error:
                report(1.0, explain(error))
                return
            finally:
                self.umap.disabled = False
            self._redraw()  # with what was typed meanwhile

        threading.Thread(target=work, name="clwork umap", daemon=True).start()

    def _freeze(self, run: Run, probe: Probe, points: Points, step: int, own: list[str]) -> None:
        with self._drawing:
            if self._run is not run:
                return  # another run is shown by now
            if self._basis is None:
                self.drawn.begin(probe.texts, probe.labels)
            centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
            centred = centred / view_extent(centred)
            count = len(points) - len(own)
            places = [(float(x), float(y)) for x, y in centred[count:]]
            self._laid = Layout(centred[:count], step, dict(zip(own, places, strict=True)))
            self._show_laid(self._laid)
            self.pca.disabled = False

    def _show_laid(self, laid: Layout) -> None:
        title = f"UMAP of step {laid.step} (a still; distances between groups mean little)"
        own = [{"text": text, "x": x, "y": y} for text, (x, y) in laid.own.items() if text in self.own.texts]
        self.drawn.show(laid.points, laid.step, title, own=own, kind="umap")

    def thaw(self) -> None:
        """Return to the live view."""
        with self._drawing:
            self.pca.disabled = True
            self._laid, self._seen = None, -1
            if self._run is not None:
                self.draw(self._run)


def looks_of(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> list[tuple[Points, int]]:
    """The first two axes (N, 2) and the step of each recorded look; see clwork/training/loop/positions.py."""
    shape = len(about["texts"]), about["axes"], about["span"]
    return [(unpacked(row["at"], *shape)[:, :2], int(row["step"])) for row in rows]
