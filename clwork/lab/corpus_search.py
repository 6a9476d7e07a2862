"""Where neighbours are looked up: which corpus, how much of it, how far its encoding is, and a way to stop that."""

from __future__ import annotations

import threading
from typing import Any

import ipywidgets as widgets

from ..wording import plural
from .buttons import button
from .compared_encoders import Side
from .encoded_corpus import MOST, Corpus, Matrix, encoded
from .setting_controls import LABEL


class CorpusSearch(widgets.VBox):  # type: ignore[misc]
    """A line for the corpus and a number of sentences; a bar and words while they are encoded, and a Stop."""

    def __init__(self, given: Any, count: int) -> None:
        """Begin with a corpus, by name or as sentences, and a number of sentences of it."""
        self._given = None if isinstance(given, str) else given
        self._read: tuple[Any, Corpus] | None = None
        self._over = threading.Event()
        self.corpus = widgets.Text(
            given if isinstance(given, str) else "given in the call", description="neighbours in", style=LABEL,
            tooltip="wikipedia-mini, a file of sentences, or a dataset of the hub.",
            disabled=self._given is not None, layout=widgets.Layout(width="404px"),
        )  # fmt: skip
        self.corpus.add_class("clwork-searched")
        self.count = widgets.BoundedIntText(
            count, min=10, max=MOST, description="sentences", style=LABEL, layout=widgets.Layout(width="240px"),
            tooltip="How many of it to search, at equal distances. Encoding them takes time once; then they are kept.",
        )  # fmt: skip
        self.count.add_class("clwork-count")
        self.stop = button("Stop", "End the search; what is encoded is kept.", "stop", self._over.set)
        self.bar = widgets.FloatProgress(0.0, max=1.0, layout=widgets.Layout(width="160px"))
        self.words = widgets.HTML()
        self._going = widgets.HBox([self.bar, self.stop, self.words], layout=widgets.Layout(display="none"))
        super().__init__([widgets.HBox([self.corpus, self.count]), self._going])

    def begin(self) -> None:
        """Show bar and Stop; an earlier Stop is forgotten."""
        self._over.clear()
        self.bar.value, self.words.value, self._going.layout.display = 0.0, "", "flex"

    def end(self) -> None:
        """Hide them."""
        self._going.layout.display = "none"

    def halt(self) -> None:
        """Do what the Stop does."""
        self._over.set()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to stop since :meth:`begin`."""
        return self._over.is_set()

    def read(self) -> Corpus:
        """The sentences to search, read once for as long as corpus and number stay.

        Raises:
            ValueError: no corpus is named.
            Exception: what :func:`clwork.data.sentences` raises.
        """
        given, count = self._given, self.count.value
        if given is None and not (given := self.corpus.value.strip()):
            raise ValueError("no corpus is named: type wikipedia-mini, a file or a dataset of the hub")
        asked = (given if isinstance(given, str) else id(given), count)
        if self._read is None or self._read[0] != asked:
            self.words.value = "reading the corpus"
            self._read = (asked, Corpus.of(given, count))
        return self._read[1]

    def vectors(self, side: Side, corpus: Corpus, enough: int = MOST) -> Matrix:
        """The corpus, or ``enough`` of it, under an encoder, see :func:`.encoded`; it is told how far that is."""

        def tell(done: int, total: int) -> None:
            self.bar.value = done / total
            self.words.value = f"{done:,} of {plural(total, 'sentence')} of the corpus encoded, {side.name}"

        return encoded(side.encoder, corpus, tell, self._over, enough)
