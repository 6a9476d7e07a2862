"""The playground: sentences of one's own, before and after a training."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import numpy as np
import plotly.graph_objects as go

from ..encoders import Encoder, load_encoder
from ..metrics import nearest
from ..training import RunLike, open_run, stored_runs
from ..training import runs as kernel_runs
from ..views import similarity_pair, still_image
from . import messages
from .layout import WIDE
from .redrawn_figure import RedrawnFigure
from .setting_controls import LABEL
from .unsaved import unsaved

OWN = (
    "The volcano threw ash high into the sky.",
    "Lava ran down the mountain after the eruption.",
    "She plays the violin in a large orchestra.",
    "The composer wrote four symphonies.",
    "The bank raised its interest rates again.",
    "Higher prices made people spend less money.",
)
LOOKED_UP = 200  # corpus sentences among which neighbours are sought
NEIGHBOURS = 3
MOST = 30  # sentences of one's own; more make no readable matrix
NO_RUN = "no run yet: the encoder as it is"


@unsaved()
def playground(
    texts: Sequence[str] = OWN, *, run: RunLike | None = None, sentences: Any = None, encoder: str = "mini"
) -> Playground:
    """Make a place to try sentences of one's own; show it by putting it last in a cell, type, and press Compare.

    Left is what the chosen run began with, right what it has come to (while it trains: as it is now): the cosines of
    the sentences with one another, and for each its nearest sentences of a corpus.

    Args:
        texts: the sentences to begin with, one a line.
        run: the run to begin with; default: the latest, of this kernel or of the folder where runs are kept.
        sentences: the corpus in which neighbours are looked up: a name for ``clwork.data.sentences``, or a sequence of
            sentences; default ``"wikipedia-mini"``, of which 200 are taken at equal distances.
        encoder: shown where there is no run.
    """
    return Playground(list(texts), run, sentences, encoder)


class Playground(widgets.VBox):  # type: ignore[misc]
    """See :func:`playground`, which makes it."""

    def __init__(self, texts: list[str], run: RunLike | None, sentences: Any, encoder: str) -> None:
        """Build the widgets; nothing is encoded yet."""
        self._sentences, self._encoder = sentences, encoder
        self._corpus: list[str] = []
        self._raw: dict[Path | None, Encoder] = {}
        self._thread: threading.Thread | None = None
        self._runs: dict[str, RunLike] = {}
        wide = widgets.Layout(width="560px")
        about = f"Sentences of your own, one a line, 2 to {MOST}."
        layout = widgets.Layout(width="800px", height="150px")
        self.text = widgets.Textarea(
            "\n".join(texts), description="sentences", tooltip=about, style=LABEL, layout=layout
        )
        self.text.add_class("clwork-sentences")
        self.choice = widgets.Dropdown(description="run", tooltip="Before and after.", style=LABEL, layout=wide)
        self.choice.add_class("clwork-run")
        self.go = widgets.Button(description="Compare", tooltip="Encode and draw.", button_style="success")
        self.go.add_class("clwork-compare")
        self.state, self.near = widgets.HTML(), widgets.HTML()
        self._figure = similarity_pair(np.zeros((0, 2)), np.zeros((0, 2)), [], width=WIDE)
        self.drawn = RedrawnFigure(self._figure, "Cosines of your sentences, before and after")
        bar = widgets.HBox([self.go, self.state])
        super().__init__(
            [self.text, self.choice, bar, self.drawn.box, self.near], layout=widgets.Layout(width=f"{WIDE}px")
        )
        self.add_class("clwork-playground")
        self._offer(run)
        self._say("Type sentences and press Compare.")
        self.go.on_click(lambda _: self.compare())

    def compare(self) -> None:
        """Encode the sentences as they stand and draw; returns at once."""
        if self._thread is None or not self._thread.is_alive():
            self.go.disabled = True
            self._say("Encoding …")
            self._thread = threading.Thread(target=self._work, name="clwork playground", daemon=True)
            self._thread.start()

    def wait(self, timeout: float | None = None) -> Playground:
        """Block until what :meth:`compare` began is drawn; an error stays text."""
        if self._thread is not None:
            self._thread.join(timeout)
        return self

    def figure(self) -> go.Figure:
        """The two matrices as a static figure."""
        return self._figure

    def texts(self) -> list[str]:
        """The sentences as they stand.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        typed = [line.strip() for line in self.text.value.splitlines() if line.strip()]
        if not 2 <= len(typed) <= MOST:
            raise ValueError(f"there are {len(typed)} sentences; give 2 to {MOST}, one a line")
        return typed

    def _offer(self, run: RunLike | None = None) -> None:
        """List the runs that can be shown, the newest first; the choice stays."""
        found: dict[Path, RunLike] = {item.folder.resolve(): item for item in stored_runs()[0]}
        live: list[RunLike] = [*kernel_runs(), *([run] if run is not None else [])]
        here = {item.folder.resolve(): item for item in live}
        found |= here
        labels = {place: self._label(item, place in here) for place, item in found.items()}
        self._runs = {labels[place]: item for place, item in reversed(found.items())}
        options = list(self._runs) or [NO_RUN]
        chosen = labels[run.folder.resolve()] if run is not None else self.choice.value
        if list(self.choice.options) != options:
            self.choice.options = options
        self.choice.value = chosen if chosen in options else options[0]

    @staticmethod
    def _label(run: RunLike, here: bool) -> str:
        if here:
            return f"{run.name}: {run.method}, in this kernel"
        return f"{run.name}: {run.method}, {run.step} of {run.total_steps} steps"

    def _work(self) -> None:
        try:
            texts, run = self.texts(), self._runs.get(self.choice.value)
            before, after = self._encoders(run)
            names = ("before", "after") if run is not None else (self._encoder, self._encoder)
            one, other = before.encode(texts), after.encode(texts)
            self._figure = similarity_pair(one, other, texts, names=names, width=WIDE)
            self.drawn.replace(self._figure)
            high = f"{self._figure.layout.height}px"
            self.drawn.box.layout.height = high
            self.near.value = self._neighbours(texts, {"before": (before, one), "after": (after, other)})
            self._say(f"{len(texts)} sentences, {self.choice.value}")
        except Exception as error:
            self._say(f"{type(error).__name__}: {error}")
        finally:
            self._offer()
            self.go.disabled = False

    def _encoders(self, run: RunLike | None) -> tuple[Encoder, Encoder]:
        place = None if run is None else run.folder
        if place not in self._raw:
            self._raw[place] = load_encoder(self._encoder) if run is None else open_run(run.folder).raw_encoder()
        before = self._raw[place]
        return before, before if run is None else run.encoder

    def _neighbours(self, texts: list[str], by: dict[str, tuple[Encoder, Any]]) -> str:
        corpus = self._looked_up()
        found = {}
        for when, (encoder, vectors) in by.items():
            found[when] = nearest(vectors, encoder.encode(corpus), k=min(NEIGHBOURS, len(corpus)))
        rows = []
        for row, text in enumerate(texts):
            cells = [
                "\n".join(f"{c:.2f} {corpus[k]}" for k, c in zip(near.rows[row], near.cosines[row], strict=True))
                for near in found.values()
            ]
            rows.append([text, *cells])
        return messages.table("The nearest sentences of the corpus, with their cosines", ["sentence", *found], rows)

    def _looked_up(self) -> list[str]:
        if not self._corpus:
            from ..data import sentences

            given = "wikipedia-mini" if self._sentences is None else self._sentences
            source = sentences(given) if isinstance(given, str) else given
            step = max(1, len(source) // LOOKED_UP)
            self._corpus = [source[k] for k in range(0, len(source), step)][:LOOKED_UP]
        return self._corpus

    def _say(self, sentence: str) -> None:
        self.state.value = f"<div role='status'>{messages.failure(sentence)}</div>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and beside it a still picture for readers that run no widgets."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/html"] = f"{still_image(self._figure, 'Cosines before and after')}{self.near.value}"
        return bundle
