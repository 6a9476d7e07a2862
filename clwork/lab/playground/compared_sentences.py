"""Some sentences by one encoder or two: cosines, the odd one out, neighbours, and what a changed word moves."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import torch

from ...arithmetic import normalize
from ...encoders import Reading, readings
from ...metrics import Neighbours, odd_one_out
from ...views import similarity_matrix, similarity_pair
from ...views.style import shortened
from ...wording import plural
from ..page import messages
from ..page.widgets import WIDE
from .compared_encoders import Side
from .encoded_corpus import Corpus, Matrix, nearest_of

NAMED = 3  # sentences and words; of more, their number is given
MOVED = 5  # other sentences in the table of a changed one: those that move most
NEIGHBOURS = 3
Vectors = npt.NDArray[np.float32]


def quoted(text: str, length: int = 90) -> str:
    """A sentence in quotation marks, cut where it is long, escaped.

    >>> quoted("a < b")
    '“a &lt; b”'
    """
    cut = text if len(text) <= length else text[: length - 1].rstrip() + "…"
    return f"“{html.escape(cut)}”"


def odd_ones(texts: Sequence[str], vectors: Mapping[str, npt.NDArray[Any]]) -> str:
    """By each encoder, which sentence is least like the others, as HTML; empty for two sentences."""
    if len(texts) < 3:
        return ""
    lines = []
    for name, matrix in vectors.items():
        odd = odd_one_out(matrix)
        who = f"<b>Odd one out</b> by {html.escape(name)}: "
        figures = f"mean cosine {odd.cosine:.2f} to the others, which have {odd.others:.2f} among themselves"
        if odd.others - odd.cosine < 0.005:
            lines.append(f"{who}none, all are equally alike ({figures}).")
        else:
            lines.append(f"{who}{quoted(texts[odd.row])} ({figures}).")
    return "".join(f"<div style='line-height:1.5'>{line}</div>" for line in lines)


def token_coverage(texts: Sequence[str], read: Mapping[str, Sequence[Reading]]) -> str:
    """A warning of words outside the vocabularies, the worst sentences first; encoders that agree share one."""
    names: dict[tuple[Reading, ...], list[str]] = {}
    for name, of_texts in read.items():
        names.setdefault(tuple(of_texts), []).append(html.escape(name))
    warnings = []
    for of_texts, who in names.items():
        worst = sorted((k for k in range(len(texts)) if of_texts[k].share), key=lambda k: -of_texts[k].share)
        if not worst:
            continue
        lines = [_of_one(texts[k], of_texts[k]) for k in worst[:NAMED]]
        if len(worst) > NAMED:
            lines.append(f"and parts of {len(worst) - NAMED} more")
        warnings.append(f"<b>{' and '.join(who)} cannot read</b> {'; '.join(lines)}.")
    border = f"border-left:4px solid {messages.BAD};padding-left:8px;line-height:1.5"
    return "".join(f"<div style='{border}'>{line}</div>" for line in warnings)


def _of_one(text: str, reading: Reading) -> str:
    if not reading.pieces:
        return f"anything of {quoted(text, 60)}: its vector says nothing"
    words = ", ".join(html.escape(word[:20]) for word in reading.words[:NAMED])
    more = " …" if len(reading.words) > NAMED else ""
    named = f" ({words}{more})" if words else ""
    return f"{100 * reading.share:.0f} % of {quoted(text, 60)}{named}"


def neighbours(
    texts: Sequence[str], corpus: Sequence[str], nearest: Mapping[str, Neighbours], searched: Mapping[str, int]
) -> str:
    """A table of each sentence's nearest sentences in the corpus, by each encoder."""
    rows = []
    for row, text in enumerate(texts):
        cells = [
            "\n".join(f"{c:.2f} {corpus[k]}" for k, c in zip(near.rows[row], near.cosines[row], strict=True))
            for near in nearest.values()
        ]
        rows.append([text, *cells])
    head = ["sentence", *(f"{name}, of {plural(searched[name], 'sentence')}" for name in nearest)]
    return messages.table("The nearest sentences of the corpus, with their cosines", head, rows)


ALONE = 560  # width of a single matrix


@dataclass
class Compared:
    """Vectors of the last comparison; neighbours in the corpus are added later, perhaps of a part of it."""

    texts: Sequence[str]
    sides: Sequence[Side]
    vectors: dict[str, npt.NDArray[np.float32]]
    corpus: Corpus | None = None
    searched: dict[str, Matrix] = field(default_factory=dict)
    found: dict[str, Neighbours] = field(default_factory=dict)

    @staticmethod
    def of(texts: Sequence[str], sides: Sequence[Side]) -> Compared:
        """Encode the sentences by each encoder."""
        return Compared(texts, sides, {side.name: side.encoder.encode(texts) for side in sides})

    def figure(self) -> go.Figure:
        """The cosines of the sentences with one another: a matrix for each encoder."""
        first, *others = self.vectors.values()
        names = list(self.vectors)
        if others:
            return similarity_pair(first, others[0], self.texts, names=(names[0], names[1]), width=WIDE)
        high = similarity_pair(first, first, self.texts).layout.height
        figure = similarity_matrix(first, self.texts, width=ALONE, height=high)
        return figure.update_layout(title_text=f"cosine similarity, {shortened(names[0], 48)}")

    def remarks(self) -> str:
        """A warning of unknown words, and the odd one out, as HTML."""
        read = {side.name: readings(side.encoder, self.texts) for side in self.sides}
        return token_coverage(self.texts, read) + odd_ones(self.texts, self.vectors)

    def look_up(self, side: Side, corpus: Corpus, vectors: Matrix) -> str:
        """Find each sentence's neighbours by one encoder; return the table of all encoders so far."""
        self.corpus, self.searched[side.name] = corpus, vectors
        self.found[side.name] = nearest_of(self.vectors[side.name], vectors, NEIGHBOURS)
        lengths = {name: len(vectors) for name, vectors in self.searched.items()}
        return neighbours(self.texts, corpus.texts, self.found, lengths)

    def move(self, row: int, changed: str) -> str:
        """A table of what moves when sentence ``row`` is ``changed``.

        Raises:
            ValueError: nothing is changed.
        """
        if not changed or changed == self.texts[row]:
            raise ValueError("the sentence is as it was; change a word of it first")
        moved = {}
        for side in self.sides:
            vector = side.encoder.encode([changed])[0]
            matrix = self.searched.get(side.name, np.zeros((0, len(vector)), dtype=np.float16))
            moved[side.name] = movement(self.vectors[side.name], row, vector, matrix)
        texts = self.corpus.texts if self.corpus is not None else []
        return movements(self.texts, row, changed, moved, texts)


@dataclass(frozen=True)
class Movement:
    """How one encoder moves a changed sentence.

    Attributes:
        itself: cosine of the sentence before the change and after it.
        before: its cosine to each sentence, itself included, before the change.
        after: the same after it.
        come: rows of the corpus that became its nearest neighbours.
        gone: rows that no longer are.
    """

    itself: float
    before: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    come: list[int]
    gone: list[int]


def movement(vectors: Vectors, row: int, changed: Vectors, corpus: Matrix) -> Movement:
    """How sentence ``row`` moves among ``vectors`` ``(N, D)`` and the ``corpus`` ``(M, D)`` to ``changed`` ``(D,)``."""
    stacked = np.concatenate([vectors, changed[None]])
    points = normalize(torch.from_numpy(stacked).double()).numpy()
    before, after = points[:-1] @ points[row], points[:-1] @ points[-1]
    then, now = (list(map(int, rows)) for rows in nearest_of(stacked[[row, -1]], corpus, NEIGHBOURS).rows)
    come, gone = [k for k in now if k not in then], [k for k in then if k not in now]
    return Movement(float(after[row]), before, after, come, gone)


def movements(
    texts: Sequence[str], row: int, changed: str, moved: Mapping[str, Movement], corpus: Sequence[str]
) -> str:
    """A table of movements: cosines to the sentences that moved most, and neighbours that came and went."""
    most = np.max([np.abs(move.after - move.before) for move in moved.values()], axis=0)
    others = [int(k) for k in np.argsort(-most, kind="stable") if k != row][:MOVED]
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
