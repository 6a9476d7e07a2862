"""The reader's own sentences in the cloud: typed below it, encoded at each look, and at once where that is possible."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt

from ...training import Run
from ..buttons import button

MOST = 3
LONGEST = 500  # characters
Vector = npt.NDArray[np.floating[Any]]
ABOUT = f"A sentence of your own: Enter puts it into the cloud as a dot with its words; the last {MOST} stay."


class OwnSentences:
    """A line to type into, and the vectors of what was typed, as the newest look or the present weights have them."""

    def __init__(self, changed: Callable[[], object]) -> None:
        """Make the line; ``changed`` is called whenever there is something else to show, from any thread."""
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
        """Have them looked at in this run from now on."""
        if self._run is not run:
            self._run, self._late = run, {}
            self._ask()

    def vectors(self) -> dict[str, Vector]:
        """What is known, by text: the newest look's word counts, then what was encoded since."""
        probe = self._run.probe if self._run is not None else None
        seen = probe.own_vectors if probe is not None else {}
        return {text: {**self._late, **seen}[text] for text in self.texts if text in seen or text in self._late}

    def _typed(self, text: str) -> None:
        text = " ".join(text.split())[:LONGEST]
        if text:
            self.line.value = ""
            self._keep([*(known for known in self.texts if known != text), text][-MOST:])

    def clear(self) -> None:
        """Take all of them out of the cloud."""
        self._keep([])

    def _keep(self, texts: list[str]) -> None:
        self.texts = texts
        self.forget.disabled = not texts
        self._ask()
        self._changed()

    def _ask(self) -> None:
        """Have the next look encode them, and encode what is new at once by a copy of the present weights."""
        run = self._run
        if run is None or run.probe is None:
            return
        run.probe.own = list(self.texts)
        if new := [text for text in self.texts if text not in self.vectors()]:
            threading.Thread(target=self._encode, args=(run, new), name="clwork own sentence", daemon=True).start()

    def _encode(self, run: Run, texts: list[str]) -> None:
        try:
            found = run.encoder.encode(texts)
        except (RuntimeError, OSError, ValueError):
            return  # it has not got as far as having an encoder: the next look will tell
        if self._run is run:
            self._late |= dict(zip(texts, found, strict=True))
            self._changed()
