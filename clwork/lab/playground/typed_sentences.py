"""A box for sentences of one's own: typed, pasted, or from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets
import numpy as np
import numpy.typing as npt
import torch

from ...arithmetic import unit
from ...wording import plural
from ..page import messages
from ..page.widgets import LABEL, button
from .encoded_corpus import Matrix, nearest_of

MOST = 30  # sentences; more make no readable matrix
MOST_BYTES = 1 << 20  # of a file


class TypedSentences(widgets.VBox):  # type: ignore[misc]
    """Sentences, one a line; a file's lines take the place of what is there."""

    def __init__(self, texts: Sequence[str], say: Callable[[str], None]) -> None:
        """Begin with ``texts``; ``say`` receives the outcome of reading a file."""
        self._tell = say
        about = f"Sentences of your own, one a line, 2 to {MOST}."
        layout = widgets.Layout(width="812px", height="130px")
        self.box = widgets.Textarea(
            "\n".join(texts), description="sentences", tooltip=about, style=LABEL, layout=layout
        )
        self.box.add_class("clwork-sentences")
        self.file = widgets.FileUpload(
            accept=".txt",
            multiple=False,
            description="from a file",
            layout=widgets.Layout(width="170px"),
            tooltip="A text file in UTF-8, one sentence a line.",
        )
        self.file.add_class("clwork-file")
        self.file.observe(lambda change: self._take(change["new"]), names="value")
        super().__init__([self.box, self.file])

    def read(self) -> list[str]:
        """The sentences as they stand.

        Raises:
            ValueError: fewer than two, or more than can be shown.
        """
        typed = [line.strip() for line in self.box.value.splitlines() if line.strip()]
        if not 2 <= len(typed) <= MOST:
            raise ValueError(
                f"{plural(len(typed), 'sentence was', 'sentences were')} given; give 2 to {MOST}, one a line"
            )
        return typed

    def _take(self, given: Sequence[Any]) -> None:
        """Read what the page sent, and forget it, so that the same file can be sent again."""
        if not given:
            return
        try:
            self._tell(self._lines(given[0]))
        except ValueError as error:
            self._tell(str(error))
        self.file.value = ()

    def _lines(self, file: Any) -> str:
        name, content = str(file["name"]), bytes(file["content"])
        if len(content) > MOST_BYTES:
            raise ValueError(f"{name} has {len(content):,} bytes; give a text of at most {MOST_BYTES:,}")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValueError(f"{name} is no text in UTF-8; save it as plain text in UTF-8") from None
        if "\0" in text:
            raise ValueError(f"{name} holds binary data (a zero byte), not text; save it as plain text in UTF-8")
        found = [line.strip() for line in text.splitlines() if line.strip()]
        if not found:
            raise ValueError(f"{name} holds no sentence; what was there is left as it was")
        self.box.value = "\n".join(found[:MOST])
        left = f"; the first {MOST} of its {len(found):,} are taken" if len(found) > MOST else ""
        return f"{name} is read{left}. Press Compare."


# Change a word of a sentence and see what moves.


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
            description="sentence",
            options=[("–", 0)],
            tooltip="The sentence to change.",
            style=LABEL,
            layout=widgets.Layout(width="700px"),
        )
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
