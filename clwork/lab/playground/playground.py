"""The playground: sentences of one's own, under one encoder or two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from ...checks import whole
from ...data.sources import DEFAULT
from ...edges import checked, place
from ...training import RunLike
from ...training.run.arguments import a_corpus
from ...training.stored.stored import RunSource, as_run
from ...views import similarity_pair, to_svg_image
from ...wording import explain, plural
from ..page import messages
from ..page.live_figure import LiveFigure
from ..page.notebook import unsaved
from ..page.widgets import WIDE, Board, button
from .compared_encoders import AFTER, BEFORE, EncoderChoice, Opener, Side, has_encoder, known_runs
from .compared_sentences import Compared
from .controls import TypedSentences, VectorExport, WordEdit, export
from .encoded_corpus import MOST, CorpusSearch

OWN = (
    "The volcano threw ash high into the sky.",
    "Lava ran down the mountain after the eruption.",
    "She plays the violin in a large orchestra.",
    "The composer wrote four symphonies.",
    "The bank raised its interest rates again.",
    "Higher prices made people spend less money.",
)
SEARCHED = 2000  # corpus sentences among which neighbours are sought, unless more are asked for
FIRST = 256  # of these, with which neighbours are shown while the others are being encoded


@checked(sentences=a_corpus, encoder=place)
@unsaved()
def playground(
    texts: Sequence[str] = OWN,
    *,
    run: RunSource | None = None,
    sentences: Any = None,
    encoder: str = "mini",
    searched: int = SEARCHED,
) -> Playground:
    """Make a place to try sentences of one's own; show it by putting it last in a cell, type, and press Compare.

    One encoder or two, side by side: an encoder as it comes, what a run began with, what it has come to (while it
    trains: as it is now), any folder or hub name. Shown are the cosines of the sentences with one another, the odd one
    out, what the vocabulary cannot read, and for each sentence its nearest sentences of a corpus. A word can be changed
    to see what moves, and the vectors can be written to a file.

    Args:
        texts: the sentences to begin with, one a line.
        run: the run to begin with, or its folder, before and after; default: the latest, of this kernel or of the
            folder where runs are kept.
        sentences: the corpus in which neighbours are looked up: what ``clwork.data.sentences`` takes; default
            ``"wikipedia-mini"``.
        encoder: shown as it comes; alone where there is no run.
        searched: how many of the corpus, taken at equal distances, at most 1,000,000. Their vectors are kept on disk,
            so that the same encoder searches them at once the next time.

    Raises:
        TypeError, ValueError: ``searched`` is no whole number from 10 to 1,000,000.
    """
    run = None if run is None else as_run("run", run)
    return Playground(list(texts), run, sentences, encoder, whole("searched", searched, 10, MOST))


class Playground(Board):
    """See :func:`playground`, which makes it."""

    def __init__(self, texts: list[str], run: RunLike | None, sentences: Any, encoder: str, searched: int) -> None:
        """Create the widgets; nothing is encoded yet."""
        self._encoder, self._opener = encoder, Opener()
        self._idle = threading.Event()  # not the thread's is_alive, which is wrong after an interrupted join
        self._idle.set()
        self._begun_with: dict[str, RunLike] = {}
        self._compared: Compared | None = None
        self.state, self.words, self.near = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.text = TypedSentences(texts, self._announce)
        self.left, self.right = EncoderChoice("left"), EncoderChoice("right", optional=True)
        self.search = CorpusSearch(DEFAULT if sentences is None else sentences, searched)
        self.go = button("Compare", "Encode and draw.", "compare", self.compare, "success")
        self.edit = WordEdit(self.move)
        self.file = VectorExport(lambda path, replace: self.export(path, overwrite=replace))
        self._figure = similarity_pair(np.zeros((0, 2)), np.zeros((0, 2)), [], width=WIDE)
        self.drawn = LiveFigure(self._figure, "Cosines of your sentences with one another")
        chosen, bar = widgets.HBox([self.left, self.right]), widgets.HBox([self.go, self.state])
        shown = [self.drawn.box, self.words, self.near, self.edit, self.file]
        self._lay_out("playground", [self.text, chosen, self.search, bar, *shown])
        self._offer(run, first=True)
        self._announce("Type sentences and press Compare.")

    def compare(self) -> None:
        """Encode the sentences and draw; returns at once."""
        self._begin("Encoding your sentences …", self._encode_and_draw)

    def move(self) -> None:
        """Encode the sentence with its changed word and show what moves; returns at once."""
        self._begin("Encoding the changed sentence …", self._move)

    @checked()
    def wait(self, timeout: float | None = None) -> Playground:
        """Block until the last request is drawn; an error stays text."""
        self._idle.wait(timeout)
        return self

    def figure(self) -> go.Figure:
        """The one matrix or two as a static figure."""
        return self._figure

    def texts(self) -> list[str]:
        """The sentences in the box.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        return self.text.read()

    def vectors(self) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors ``(N, D)`` of the last Compare, by encoder.

        Raises:
            RuntimeError: nothing was compared yet.
        """
        return dict(self._last().vectors)

    @checked()
    def export(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the sentences and vectors of the last Compare to a ``.npy`` or ``.parquet`` file; returns its place.

        ``numpy.load(path)["sentence"]`` are the sentences, and each encoder's name gives its vectors ``(N, D)``.

        Raises:
            RuntimeError: nothing was compared yet.
            ValueError: another ending.
            FileExistsError: something is there, and ``overwrite`` is not set.
        """
        last = self._last()
        place, how = export(path, last.texts, last.vectors, overwrite)
        self.file.outcome.value = messages.failure(f"Written: {place}. {how}")
        return place

    def close(self) -> None:
        """Take the playground off the page, and end its search."""
        self.search.halt()
        super().close()

    def _last(self) -> Compared:
        if self._compared is None:
            raise RuntimeError("nothing was encoded yet; press Compare first")
        return self._compared

    def _begin(self, sentence: str, work: Callable[[], None]) -> None:
        if self._idle.is_set():
            self._idle.clear()
            self.go.disabled = self.edit.go.disabled = True
            self._announce(sentence)
            threading.Thread(target=self._work, args=[work], name="clwork playground", daemon=True).start()

    def _work(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # of any kind: it may come from a stranger's encoder
            self._announce(explain(error))
        finally:
            self.search.end()
            self._offer()
            self.go.disabled, self.edit.go.disabled = False, self._compared is None
            self._idle.set()

    def _encode_and_draw(self) -> None:
        texts = self.texts()
        self._compared = now = Compared.of(texts, self._sides())
        self.edit.offer(texts)
        self._draw(now.figure())
        self.words.value, self.near.value = now.remarks(), ""
        self._announce("Looking for neighbours …")
        self.search.begin()
        corpus = self.search.read()
        for enough in (FIRST, MOST):  # beside a run the whole takes minutes
            for side in now.sides:
                if len(now.searched.get(side.name, ())) < len(corpus.texts):
                    self.near.value = now.look_up(side, corpus, self.search.vectors(side, corpus, enough))
        done = f"{plural(len(texts), 'sentence')}, {' and '.join(now.vectors)}."
        less = " Stopped: neighbours are sought among what is encoded; Compare goes on from there."
        self._announce(done + (less if self.search.stopped else ""))

    def _sides(self) -> list[Side]:
        """The chosen encoders; one if both are the same."""
        runs = known_runs() | self._begun_with
        chosen = dict.fromkeys(box.chosen for box in (self.left, self.right))
        sides = [side for value, typed in chosen if (side := self._opener.open(value, typed, runs)) is not None]
        if len(sides) == 2 and sides[0].name == sides[1].name:
            sides[1] = Side(f"{sides[1].name} (right)", sides[1].encoder)
        return sides

    def _draw(self, figure: go.Figure) -> None:
        self._figure = figure
        self.drawn.replace(figure)
        size = self.drawn.box.layout
        size.width, size.height = f"{figure.layout.width}px", f"{figure.layout.height}px"

    def _move(self) -> None:
        self.edit.outcome.value = self._last().move(int(self.edit.row.value), self.edit.line.value.strip())
        self._announce("The changed sentence is encoded.")

    def _offer(self, run: RunLike | None = None, first: bool = False) -> None:
        """List the runs; the choices stay, and are at first the latest run before and after training."""
        if run is not None:
            self._begun_with[str(run.folder.resolve())] = run
        runs = known_runs() | self._begun_with
        ready = (folder for folder, item in runs.items() if has_encoder(item))
        wish = next(ready, None) if run is None else str(run.folder.resolve())
        ends = (f"{BEFORE}{wish}", f"{AFTER}{wish}") if first and wish is not None else (None, None)
        self.left.offer(self._encoder, runs, ends[0])
        self.right.offer(self._encoder, runs, ends[1])

    def _page(self) -> str:
        return f"{to_svg_image(self._figure, 'Cosines of the sentences')}{self.words.value}{self.near.value}"
