"""Change a word of a sentence and see what moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import torch

from ..arithmetic import unit
from . import messages
from .buttons import button
from .encoded_corpus import Matrix, nearest_of
from .setting_controls import LABEL

SHOWN = 5  # other sentences in the table: those that move most
NEIGHBOURS = 3
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Movement:
    """What one encoder makes of a changed sentence.

    Attributes:
        itself: cosine of the sentence before the change and after it.
        before: its cosine to each sentence, itself included, before the change.
        after: the same after it.
        come: rows of the corpus that are now among its nearest, and were not.
        gone: rows that were, and are not any more.
    """

    itself: float
    before: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    come: list[int]
    gone: list[int]


def movement(vectors: Vectors, row: int, changed: Vectors, corpus: Matrix) -> Movement:
    """How sentence ``row`` moves among ``vectors`` ``(N, D)`` and the ``corpus`` ``(M, D)`` to ``changed`` ``(D,)``."""
    stacked = np.concatenate([vectors, changed[None]])
    points = unit(torch.from_numpy(stacked).double()).numpy()
    before, after = points[:-1] @ points[row], points[:-1] @ points[-1]
    then, now = (list(map(int, found)) for found in nearest_of(stacked[[row, -1]], corpus, NEIGHBOURS).rows)
    come, gone = [k for k in now if k not in then], [k for k in then if k not in now]
    return Movement(float(after[row]), before, after, come, gone)


def table(texts: Sequence[str], row: int, changed: str, moved: Mapping[str, Movement], corpus: Sequence[str]) -> str:
    """The movements by each encoder: cosines to those sentences that moved most, and neighbours that came and went."""
    most = np.max([np.abs(move.after - move.before) for move in moved.values()], axis=0)
    others = [int(k) for k in np.argsort(-most, kind="stable") if k != row][:SHOWN]
    rows = [["cosine to what it was", *(f"{move.itself:.2f}" for move in moved.values())]]
    for k in others:
        cells = [
            f"{move.before[k]:.2f} → {move.after[k]:.2f} ({move.after[k] - move.before[k]:+.2f})"
            for move in moved.values()
        ]
        rows.append([texts[k], *cells])
    for what, chosen in (("neighbours that came", "come"), ("neighbours that went", "gone")):
        rows.append([what, *("\n".join(corpus[k] for k in getattr(m, chosen)) or "none" for m in moved.values())])
    return messages.table(f"What moves with “{changed}”", ["", *moved], rows)


class WordEdit(widgets.VBox):  # type: ignore[misc]
    """A drop-down of the sentences, a line to change the chosen one in, and a button."""

    def __init__(self, act: Callable[[], object]) -> None:
        """``act`` is called by the button."""
        self.row = widgets.Dropdown(
            description="sentence", options=[("–", 0)], tooltip="The sentence to change.", style=LABEL,
            layout=widgets.Layout(width="700px"),
        )  # fmt: skip
        self.row.add_class("clwork-edited")
        self.line = widgets.Text(
            description="changed to",
            tooltip="Change a word, and see what moves.",
            style=LABEL,
            layout=widgets.Layout(width="700px"),
        )
        self.line.add_class("clwork-edit")
        self.go = button("What moves?", "Encode the changed sentence and show what moves.", "move", act)
        self.go.disabled, self.go.layout.width = True, "112px"
        self.told = widgets.HTML()
        super().__init__([self.row, widgets.HBox([self.line, self.go]), self.told])
        self.row.observe(lambda _: self._fill(), names="index")

    def offer(self, texts: Sequence[str]) -> None:
        """Offer these sentences; what was shown of others goes away."""
        self.told.value = ""
        options = [(f"{place + 1}. {text}", place) for place, text in enumerate(texts)]
        if list(self.row.options) != options:
            self.row.options = options
            self._fill()
        self.go.disabled = False

    def _fill(self) -> None:
        self.line.value = self.row.label.partition(". ")[2] if self.row.label else ""
