"""The board of a large cloud: all points at once, by principal axes or by UMAP, which is computed in the background."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go

from ...checks import choice
from ...edges import checked
from ...projections import PcaBasis, Vectors, checked_unit_rows, umap_coordinates
from ...views import projection, to_svg_image
from ...wording import explain, plural
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved, without_parent
from ..page.widgets import WIDE, Board, drop_down

PCA, UMAP = "PCA", "UMAP"
LEAST, MOST = 4, 200_000  # points
HEIGHT = 560  # pixels
SHORT = 100  # characters of a sentence on hover: the page holds those of all points


@checked()
@unsaved()
def cloud(
    vectors: Vectors,
    labels: Sequence[str | None] | None = None,
    texts: Sequence[str] | None = None,
    *,
    seed: int = 0,
) -> Cloud:
    """Show all vectors as a cloud of points; show the board by putting it last in a cell.

    The points are drawn by the graphics card (WebGL): draw a box to look closer, double-click to see all again, point
    at one to read its sentence, click a label to hide it. The plane is that of the two principal axes, or UMAP's, which
    takes minutes for some ten thousand points: it is computed in the background, says how far it is, and can be
    stopped.

    Args:
        vectors: of the sentences, 4 to 200,000; only their directions count.
        labels: colour and name of each point.
        texts: read on hover, their first 100 characters.
        seed: of UMAP.

    Shapes: ``vectors`` ``(N, D)``.

    Raises:
        TypeError, ValueError: no matrix of finite numbers, too few or too many rows, or not as many labels or texts.
    """
    points = checked_unit_rows(vectors)
    counts = {"vectors": len(points)}
    counts |= {name: len(rows) for name, rows in (("labels", labels), ("texts", texts)) if rows is not None}
    if not LEAST <= len(points) <= MOST:
        raise ValueError(f"{plural(len(points), 'vector')}; a cloud takes {LEAST} to {MOST:,}, give a part of them")
    if len(set(counts.values())) != 1:
        raise ValueError(f"rows: {counts}; give one label and one text for each vector, or none")
    shown = None if texts is None else [text if len(text) <= SHORT else f"{text[: SHORT - 1]}…" for text in texts]
    return Cloud(points.astype(np.float32), labels, shown, seed)


class Cloud(Board):
    """See :func:`cloud`, which makes it.

    Attributes:
        by: the drop-down of planes, ``"PCA"`` or ``"UMAP"``.
        stop: the button that ends UMAP's work; shown while that goes on.
        state: what is shown, or how far UMAP is, as a sentence.
    """

    def __init__(
        self, vectors: Vectors, labels: Sequence[str | None] | None, texts: Sequence[str] | None, seed: int
    ) -> None:
        self._vectors, self._labels, self._texts, self._seed = vectors, labels, texts, seed
        basis = PcaBasis.fit(vectors)
        self._planes: dict[str, Vectors] = {PCA: basis.transform(vectors)}
        self._share = sum(basis.share)
        self._figure = self._drawn(PCA)
        self.picture = LiveFigure(self._figure, f"{plural(len(vectors), 'sentence')} as points", stretches=True)
        self.by = drop_down("plane", "How the points are laid out.", [(PCA, PCA), (UMAP, UMAP)], PCA)
        self.stop = widgets.Button(description="Stop", tooltip="End UMAP's work, and keep the points where they are.")
        self.state = widgets.HTML()
        self._working: threading.Event | None = None  # of the work that goes on: set to stop it
        self.idle = threading.Event()
        self.idle.set()
        self.by.layout.width = self.stop.layout.width = "auto"
        top = widgets.HBox([self.by, self.stop], layout=widgets.Layout(flex_flow="row wrap", grid_gap="6px"))
        self._lay_out("cloud", [top, self.state, self.picture.box])
        self.by.observe(lambda _: self._choose(), names="value")
        self.stop.on_click(lambda _: self.halt())
        self._rest(self._said(PCA))

    def show_plane(self, name: str) -> Cloud:
        """Show the points by ``"PCA"`` or ``"UMAP"``; the latter is computed first, in the background.

        Raises:
            TypeError, ValueError: another name.
        """
        self.by.value = choice("name", name, (PCA, UMAP))
        return self

    def halt(self) -> None:
        """Stop UMAP's work, if it goes on; the points stay where they are."""
        if self._working is not None:
            self._working.set()

    @checked()
    def wait(self, timeout: float | None = None) -> Cloud:
        """Block until no work goes on, or ``timeout`` seconds have passed."""
        self.idle.wait(timeout)
        return self

    def figure(self) -> go.Figure:
        """What is shown now, as a static figure."""
        return self._figure

    def close(self) -> None:
        """Stop what goes on, and take the board off the page."""
        self.halt()
        super().close()

    def _choose(self) -> None:
        name = self.by.value
        if name == PCA:
            self.halt()
        if name in self._planes:
            self._show(name)
        elif self._working is None:
            self._working = threading.Event()
            self.idle.clear()
            self.stop.layout.display = ""
            threading.Thread(target=self._work, args=(self._working,), name="clwork umap", daemon=True).start()

    def _work(self, stopped: threading.Event) -> None:
        with without_parent():
            self._lay(stopped)

    def _lay(self, stopped: threading.Event) -> None:
        """Compute UMAP's plane."""

        def listen(share: float, words: str) -> None:
            if stopped.is_set():
                raise _Stopped
            self._announce(f"{words} ({100 * share:.0f} %)")

        said = "UMAP was stopped; choose it again to begin anew."
        try:
            self._planes[UMAP] = umap_coordinates(self._vectors, self._seed, progress=listen)
        except _Stopped:
            pass
        except Exception as error:  # not installed, or whatever its libraries raise
            said = explain(error)
        self._working = None
        if UMAP in self._planes and self.by.value == UMAP:
            self._show(UMAP)
        else:
            self.by.value = PCA
            self._rest(said)
        self.idle.set()

    def _show(self, name: str) -> None:
        self._figure = self._drawn(name)
        self.picture.replace(self._figure)
        self._rest(self._said(name))

    def _rest(self, said: str) -> None:
        """Say something, and offer no stop."""
        self.stop.layout.display = "none"
        self._announce(said)

    def _said(self, name: str) -> str:
        how = (
            f"The plane has {100 * self._share:.0f} % of the variance of their directions."
            if name == PCA
            else "Near points are alike; distances between far groups mean little."
        )
        return f"{plural(len(self._vectors), 'sentence')} by {name}. {how}"

    def _drawn(self, name: str) -> go.Figure:
        figure = projection(
            self._planes[name], self._labels, self._texts, title="", width=WIDE, height=HEIGHT, limit=None
        )
        figure.update_layout(margin={"t": 10})
        return figure

    def _page(self) -> str:
        still = to_svg_image(self._figure, f"Some of {plural(len(self._vectors), 'sentence')} as points")
        return f"{self.state.value}{still}"


class _Stopped(Exception):
    """Raised where UMAP tells how far it is, to end it."""
